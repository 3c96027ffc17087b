"""Which words of a command line may be a password, by their place and by how they look.

A guess is needed only where a password is due: in a line that nothing else proves. There the
grammar says where one belongs, and a word at that place, or one place beside it, is withheld
unless it is surely something else. Where words for people may stand as well, only a word
that looks unlike any ordinary word is.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Collection, Iterable
from functools import cache

from django.contrib.auth.password_validation import CommonPasswordValidator

from sarsen.games import find
from sarsen.help.pages import TEXTS, page_texts
from sarsen.language.commands import (
    BY_WORD,
    COMMANDS,
    AnswerInvitation,
    ChangePassword,
    ConfirmSignup,
    SignUp,
)
from sarsen.language.grammar.grammar import Reading
from sarsen.language.grammar.password_places import Places, places_of, plain_userid
from sarsen.language.grammar.placeholders import is_plain_placeholder
from sarsen.language.schema.fields import MIN_PASSWORD
from sarsen.language.translating import LANGUAGES, texts_in
from sarsen.services.accounts.passwords import userids_among
from sarsen.services.mail.reply_addresses import without_signatures
from sarsen.services.notices import Event
from sarsen.services.players import nearest_userid

_AROUND = ".,:;!?()[]<>'\"`*"
_NUMBER = re.compile(r"#?[0-9]{1,9}(?:#[0-9.]{1,14})?")
_DAY = re.compile(r"2[0-9]{3}-[0-9]{2}-[0-9]{2}")
_PLACE = "[a-wyz]?[0-9]{1,2}"
# `b2-b4`, `13x14=44`, `24-(14-15-)25`, `34-44-43;`, `16-N#7`: places joined by signs.
_LIKE_A_MOVE = re.compile(
    rf"{_PLACE}(?:[-x=:,;()]{{1,3}}{_PLACE})*(?:-[a-z])?;?(?:#[0-9.]{{1,14}})?"
)
_OPTION = re.compile(r"--?[a-z]{2,20}(?:=.{0,5})?")
_ADDRESS = re.compile(r"[^@\s]{1,64}@[\w-]{1,63}(?:\.[\w-]{1,63}){1,8}[>,;]*")
_USERID_FORM = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,15}")
_BETWEEN_PARTS = re.compile(r"[-'/.,:;_&+]+")
# Parts of a password made of words: `correct-horse-battery`. Two are a move or an option, too.
_MIN_PHRASE = 3
# Tokens of programs, and the keys of sign-ups, invitations and links.
_OF_OURS = re.compile(r"sarsen_[\w-]{20,}|(?<![0-9a-f])(?:[0-9a-f]{20}|[0-9a-f]{32})(?![0-9a-f])")
# A code to log in with. One of the digits 1 to 6 may as well be a move without its dashes.
_LOGIN_CODE = re.compile(r"(?![1-6]{8})(?!2[0-9]{3}[01][0-9][0-3][0-9])[0-9]{8}")


def likely_passwords(
    reading: Reading, userids: Collection[str], near: Callable[[str], str] = nearest_userid
) -> frozenset[int]:
    """Return the places of words that may be a password, in a line where one is due.

    Args:
        userids: Words of the line that are userids, in lower case; see `userids_in`.
        near: Returns the userid that a word is nearly, or "".
    """
    places, words = places_of(reading, userids), reading.words
    found = {at for at in places.taken if _is_really_taken(at, reading, places, userids, near)}
    for at in places.behind:
        judge = _may_be_password if places.takes_password else _is_unlike_words
        if judge(words[at], userids):
            found.add(at)
    for at in places.beside:
        if _is_likely_beside(at, reading, places, userids, near):
            found.add(at)
    if places.takes_password and not places.has_prose:
        found |= {
            at
            for at, word in enumerate(words[reading.first + 1 :], reading.first + 1)
            if _is_unlike_words(word, userids) and _is_nearly_userid(words[at - 1], near)
        }
    return frozenset(found)


def candidates(reading: Reading, userids: Collection[str], *, is_due: bool) -> list[int]:
    """Return the places of words that may be the reader's own password, likeliest first.

    Where no password is due, only those of words for people count that stand where one might, or
    look like one.
    """
    places = places_of(reading, userids)
    near = places.behind | places.beside | places.taken
    has_words = places.has_prose and not is_due
    found = [
        at
        for at, word in enumerate(reading.words)
        if (at >= reading.first or reading.command is None)
        and _may_be_password(word, userids)
        and (not has_words or at in near or _is_unlike_words(word, userids))
    ]
    return sorted(
        found, key=lambda at: (at not in near, not _is_unlike_words(reading.words[at], userids))
    )


def unlike_words(reading: Reading) -> frozenset[int]:
    """Return the places of words that look like nothing that is said to people."""
    words = enumerate(reading.words)
    return frozenset(at for at, word in words if _is_unlike_words(word, ()))


def words_unlike_any(text: str) -> list[str]:
    """Return the words of a text for people that may be a password, likeliest first.

    Each is there without the signs around it, too.
    """
    words = {word: None for word in text.split() if "://" not in word}
    found = [word for word in words if _is_unlike_words(word, ())]
    found.sort(key=lambda word: not re.search(r"\d", word))
    return list(dict.fromkeys(form for word in found for form in (word.strip(_AROUND), word)))


def places_of_ours(reading: Reading, *, is_due: bool) -> frozenset[int]:
    """Return the places of words that are a secret of ours: a token, a key, a signed address."""
    return frozenset(
        at
        for at, word in enumerate(reading.words)
        if _OF_OURS.search(word)
        or without_signatures(word) != word
        or (is_due and _LOGIN_CODE.fullmatch(word.strip(_AROUND)))
    )


def userids_in(readings: Iterable[Reading]) -> frozenset[str]:
    """Return the userids among the words of lines and the parts of words, in lower case."""
    words = {word.strip(_AROUND) for reading in readings for word in reading.words}
    parts = {part for word in words for part in _BETWEEN_PARTS.split(word)}
    return userids_among(words | parts)


def is_like_a_move(word: str) -> bool:
    """Return whether a word is a move, or a number, beyond doubt."""
    plain = word.strip(_AROUND + "#").lower()
    return bool(_NUMBER.fullmatch(plain) or _LIKE_A_MOVE.fullmatch(plain))


def letters_of(text: str) -> str:
    """Return the letters and digits alone, without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if character.isalnum())


def _is_really_taken(
    at: int, reading: Reading, places: Places, userids: Collection[str], near: Callable[[str], str]
) -> bool:
    """Return whether a word that the grammar took for a secret is meant as one.

    `accept 5 with pleasure` has a userid and a password, as the grammar reads it.
    """
    speaker_at = reading.speaker_at
    if reading.command in (ConfirmSignup, AnswerInvitation):
        return not reading.words[at].strip(_AROUND).isalpha()  # a code has digits
    if speaker_at is None or at != min(place for place in places.taken if place > speaker_at):
        return True
    word, speaker = reading.words[at], reading.words[speaker_at]
    if plain_userid(speaker) in userids:
        return not _is_userid(word, userids)
    is_meant = _ADDRESS.fullmatch(speaker) or _is_nearly_userid(speaker, near)
    if places.has_prose and not is_meant:
        return _is_unlike_words(word, userids)
    return _may_be_password(word, userids)


def _is_likely_beside(
    at: int, reading: Reading, places: Places, userids: Collection[str], near: Callable[[str], str]
) -> bool:
    word = reading.words[at]
    is_wanted = reading.command is SignUp and at == reading.first
    if is_wanted and (_USERID_FORM.fullmatch(word) or not _is_unlike_words(word, userids)):
        return False  # a name, which the answer has to repeat
    if reading.command in (ChangePassword, SignUp) and not is_wanted:
        # Ordinary words, too: a phrase may be meant.
        is_other = _is_userid(word, userids) or _ADDRESS.fullmatch(word)
        return len(word) >= MIN_PASSWORD and not is_other
    # The userid behind it was taken for the password: they have changed places.
    if at + 1 in places.taken and _is_userid(reading.words[at + 1], userids):
        return _may_be_password(word, userids)
    if not _is_unlike_words(word, userids):
        return False
    # A name that is mistyped, unless it holds a userid: passwords are made of one's own name.
    parts = {part.lower() for part in _BETWEEN_PARTS.split(word)}
    return (
        bool(parts & set(userids)) or at != reading.speaker_at or not _is_nearly_userid(word, near)
    )


def _is_userid(word: str, userids: Collection[str]) -> bool:
    return word.strip(_AROUND).lower() in userids


def _is_nearly_userid(word: str, near: Callable[[str], str]) -> bool:
    return word.lower() not in _vocabulary() and bool(near(word))


def _may_be_password(word: str, userids: Collection[str]) -> bool:
    """Return whether a word is not surely something else."""
    plain = word.strip(_AROUND)
    lower = plain.lower()
    if len(word) < MIN_PASSWORD or is_like_a_move(word) or lower in userids:
        return False
    parts = re.split("['/]", lower)  # `opponent's`, `and/or`
    if lower in _vocabulary() or all(map(_is_ordinary, parts)):
        return False
    forms = (_DAY, _OPTION, _ADDRESS)
    return not (is_plain_placeholder(word) or any(form.fullmatch(lower) for form in forms))


def _is_unlike_words(word: str, userids: Collection[str]) -> bool:
    """Return whether a word may be a password, and looks like nothing that is said to people."""
    if not _may_be_password(word, userids):
        return False
    parts = [part for part in _BETWEEN_PARTS.split(word.strip(_AROUND)) if part]
    if not all(part.isalpha() for part in parts):
        return True
    if any(part.lower() in userids for part in parts):
        return True
    is_phrase = len(parts) >= _MIN_PHRASE and all(len(part) > _MIN_PHRASE for part in parts)
    return is_phrase or not all(
        part.islower() or part.isupper() or part.istitle() for part in parts
    )


def _is_ordinary(part: str) -> bool:
    is_short = len(part) < MIN_PASSWORD
    return (part.isalpha() or not part) and (is_short or part in _ordinary_words())


@cache
def _vocabulary() -> frozenset[str]:
    """Return all words of the language itself, those of its usage lines among them."""
    examples = (word for command in COMMANDS for word in re.findall(r"`([^`]+)`", command.summary))
    usages = (command.usage for command in COMMANDS)
    lines = [*BY_WORD, *usages, *examples, *Event, *find(), *TEXTS, "commands all"]
    return frozenset(re.findall(r"[a-z]{2,}|\?", " ".join(lines).lower()))


@cache
def _ordinary_words() -> frozenset[str]:
    """Return words that say nothing as a password: those of our pages, and very common ones."""
    catalogues = [text for language in LANGUAGES for text in texts_in(language)]
    words = re.findall(r"[^\W\d_]{6,}", " ".join(page_texts() + catalogues).lower())
    return frozenset(CommonPasswordValidator().passwords).union(words)
