"""Redact command lines: a password is never repeated, kept or logged.

What a command took as a secret is hidden everywhere. On the speaker's own screen that is
enough, with a guess in a line that could not be read (`without_secrets`). A letter hides more,
because it may go to somebody else than the speaker, and a password can stand in a wrong place:
only words known not to be secret are quoted. These are words of the language, userids, numbers,
options, moves, what the command that took them accepted, and words shorter than any password.
All others are redacted wherever an answer would quote them, in any case, cut short or run
together (`Redaction`).
"""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass, fields
from functools import cached_property, lru_cache
from itertools import pairwise

from sarsen.core.phrases import Phrase
from sarsen.games import find
from sarsen.help.pages import TEXTS
from sarsen.language.commands import (
    BY_WORD,
    COMMANDS,
    QUERIES,
    Command,
    Preview,
    SignUp,
    TakeVacation,
)
from sarsen.language.grammar.grammar import Spoken
from sarsen.language.grammar.placeholders import PASSWORD, is_plain_placeholder
from sarsen.language.replies import Refusal, Reply
from sarsen.language.terms import TERMS
from sarsen.language.translating import later
from sarsen.services.accounts.passwords import userids_among
from sarsen.services.notices import Event
from sarsen.services.players import UNKNOWN_PLAYER, mistyped_names
from sarsen.services.request import Player

SHORTEST_PASSWORD = 6
REDACTED = "*****"
UNREPEATED = later("Nobody here has that name. It is not shown, in case it is a password.")
LONGEST_QUOTE = 120
# A piece of a password this long is not quoted either: games quote the part they cannot read.
LONGEST_PIECE = 4

_NUMBER = re.compile(r"#?[0-9]{1,9}(?:#[0-9]{1,6})?")
_DAY = re.compile(r"2[0-9]{3}-[0-9]{2}-[0-9]{2}")
_PLACE = "[a-wyz]?[0-9]{1,2}"
# `b2-b4`, `13x14=44`, `24-(14-15-)25`, `34-44-43;`, `16-N#7`: places joined by signs.
_LIKE_A_MOVE = re.compile(rf"{_PLACE}(?:[-x=:,;()]{{1,3}}{_PLACE})*(?:-[a-z])?;?(?:#[0-9]{{1,6}})?")
_OPTION = re.compile(r"--?([a-z]{2,20})(?:=(.*))?")
_AROUND = ".,:;!?()[]<>'\"`*"
_IN_QUOTES = re.compile(r"(?<!\w)(['\"])(.+?)\1(?!\w)")


@dataclass(frozen=True)
class Redaction:
    """Redact the words of one command line that a letter must not quote.

    Attributes:
        hidden: These words, as written; their case does not matter.
    """

    hidden: frozenset[str]

    def line(self, line: str) -> str:
        """Return the line as it may stand above its answer."""
        folded = {word.casefold() for word in self.hidden}
        words = (REDACTED if word.casefold() in folded else word for word in line.split())
        redacted = " ".join(words)
        return redacted if len(redacted) <= LONGEST_QUOTE else redacted[:LONGEST_QUOTE] + " …"

    def text(self, text: str) -> str:
        """Return a text of ours without the hidden words it may have taken from the line."""
        if isinstance(text, Phrase):
            text = text.with_facts(self._redacted)
        redacted = self._redacted(text)
        return text if redacted == text else redacted

    def _redacted(self, text: str) -> str:
        if self._whole is None:
            return text
        text = _IN_QUOTES.sub(self._redact_quote, self._whole.sub(REDACTED, text))
        return " ".join(
            REDACTED if _letters(word) in self._run_together else word for word in text.split(" ")
        )

    def refusal(self, refusal: Refusal, command: Command | None = None) -> Refusal:
        """Return a refusal as a letter may quote it."""
        hint = self.text(refusal.hint)
        if self.text(refusal.text) == f"Nobody here is called '{REDACTED}'.":
            return Refusal(UNREPEATED, refusal.code, hint)
        if isinstance(command, SignUp) and command.userid in self.hidden:
            hint = command.usage  # the nearest good userid may be the password without its signs
        return Refusal(self.text(refusal.text), refusal.code, hint)

    @cached_property
    def _long(self) -> frozenset[str]:
        # A shorter one is no password, and as like as not a word of the refusal itself.
        return frozenset(
            word
            for word in self.hidden
            if len(word) >= SHORTEST_PASSWORD and word.lower() not in _vocabulary()
        )

    @cached_property
    def _whole(self) -> re.Pattern[str] | None:
        forms = {form for word in self._long for form in (word, word.lower(), repr(word)[1:-1])}
        longest_first = sorted(forms, key=len, reverse=True)
        return re.compile("|".join(map(re.escape, longest_first)), re.IGNORECASE) if forms else None

    @cached_property
    def _run_together(self) -> frozenset[str]:
        plain = (_letters(word) for word in self._long)
        return frozenset(word for word in plain if len(word) >= SHORTEST_PASSWORD)

    @cached_property
    def _broken_up(self) -> frozenset[str]:
        return frozenset(piece for word in self._long for piece in _pieces(word))

    def _redact_quote(self, quote_match: re.Match[str]) -> str:
        return f"'{REDACTED}'" if self._broken_up & _pieces(quote_match[2]) else quote_match[0]


def hidden_words(
    line: str,
    spoken: Spoken | None,
    userids: Iterable[str],
    *,
    is_accepted: bool,
    mistyped: Collection[str] = (),
) -> frozenset[str]:
    """Return the words of a line that must not be quoted.

    Args:
        userids: Words of the line that are userids, in lower case.
        mistyped: Words that are names by all appearances, though nobody's.
        is_accepted: Whether the command was performed; then its words are what they seem.
    """
    hidden = secrets(spoken)
    userid_set = set(userids)
    taken = _taken_words(spoken.command) if spoken and is_accepted else frozenset()
    if spoken and isinstance(spoken.command, TakeVacation):
        # Its hint is made of its own days; before it is read, a day may yet be a password.
        taken |= {
            word
            for word in _words([spoken.command.starts, spoken.command.ends])
            if _DAY.fullmatch(word)
        }
    if spoken and isinstance(spoken.command, SignUp) and not spoken.command.password:
        taken |= {spoken.command.userid}
    previous = ""
    for word in line.split():
        plain = word.strip(_AROUND).lower()
        is_name = plain in userid_set or word in mistyped or is_plain_placeholder(word)
        if not (is_name or plain in _vocabulary() or _is_option(plain)):
            follows_userid = previous in userid_set
            is_short = len(word) < SHORTEST_PASSWORD
            if follows_userid or not (is_short or word in taken or is_like_a_move(word)):
                hidden |= {word}
        previous = plain
    return hidden


def mistyped_in(
    line: str, reply: Reply | Refusal, player: Player | None, userids: frozenset[str]
) -> frozenset[str]:
    """Return the words of a line refused for an unknown name that can be no password.

    Args:
        player: The proved speaker. Without a password the refused name can be none; of the
            other words nothing is known.
        userids: Words of the line that are userids, in lower case.
    """
    if not isinstance(reply, Refusal) or reply.code != UNKNOWN_PLAYER:
        return frozenset()
    words = line.split()[1:]
    if player is not None and not player.has_usable_password():
        return frozenset(word for word in words if f"'{word}'" in reply.text)
    return mistyped_names(words, userids | ({player.key} if player else set()))


def secrets(spoken: Spoken | None) -> frozenset[str]:
    """Return the words that a command took as secrets: fields that show in no repr."""
    if spoken is None:
        return frozenset()
    values = [
        getattr(spoken.command, field.name) for field in fields(spoken.command) if not field.repr
    ]
    if spoken.credentials:
        values.append(spoken.credentials.password)
    return frozenset(_words(values))


def without_secrets(line: str, spoken: Spoken | None) -> str:
    """Return a line as its speaker's own screen shows it, with `PASSWORD` for each secret.

    In a line that is no command, the word behind a userid is hidden.
    """
    words = line.split()
    secret = secrets(spoken) if spoken else _suspected_passwords(words)
    if not secret:
        return line
    return " ".join(PASSWORD if word in secret else word for word in words)


def userids_in(lines: Iterable[str]) -> frozenset[str]:
    """Return the userids among the words of lines, in lower case."""
    return userids_among(word.strip(_AROUND) for line in lines for word in line.split())


def is_like_a_move(word: str) -> bool:
    """Return whether a word is a move, or a number, beyond doubt."""
    plain = word.strip(_AROUND + "#").lower()
    return bool(_NUMBER.fullmatch(plain) or _LIKE_A_MOVE.fullmatch(plain))


def may_quote(word: str) -> bool:
    """Return whether a word may be quoted wherever it stands."""
    plain = word.strip(_AROUND).lower()
    return len(word) < SHORTEST_PASSWORD or plain in _vocabulary() or is_like_a_move(word)


def _suspected_passwords(words: list[str]) -> frozenset[str]:
    """Return what may be a password in a line that could not be read."""
    lower = [word.lower() for word in words]
    if "password" in lower[:3]:
        return frozenset(words[lower.index("password") + 1 :])
    if lower[:1] and lower[0] in SignUp.words:
        return frozenset(word for word in words[2:] if "@" not in word)
    userids = userids_among(words)
    return frozenset(next_word for word, next_word in pairwise(words) if word.lower() in userids)


def _taken_words(command: Command) -> frozenset[str]:
    """Return the words that a performed command took for what they are.

    A query may take words and leave them unused, as help does.
    """
    if type(command) in QUERIES and not isinstance(command, Preview):
        return frozenset()
    values = [getattr(command, field.name) for field in fields(command) if field.repr]
    return frozenset(_words(values))


def _words(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield from value.split()
    elif isinstance(value, tuple | list):
        for item in value:
            yield from _words(item)


def _is_option(plain: str) -> bool:
    option_match = _OPTION.fullmatch(plain)
    if not option_match:
        return False
    value = option_match[2] or ""
    is_known = bool(difflib.get_close_matches(option_match[1], _option_names(), n=1, cutoff=0.7))
    return is_known and len(value) < SHORTEST_PASSWORD


@lru_cache(maxsize=1)
def _option_names() -> tuple[str, ...]:
    declared = [*TERMS, *(option for game in find().values() for option in game.info.options)]
    usages = " ".join(option.usage for option in declared)  # a flag's opposite stands there too
    return tuple(re.findall(r"[a-z]{2,}", usages))


@lru_cache(maxsize=1)
def _vocabulary() -> frozenset[str]:
    """Return all words of the language itself, those of its usage lines among them."""
    examples = (word for command in COMMANDS for word in re.findall(r"`([^`]+)`", command.summary))
    usages = (command.usage for command in COMMANDS)
    lines = [*BY_WORD, *usages, *examples, *Event, *find(), *TEXTS, "commands all"]
    return frozenset(re.findall(r"[a-z]{2,}|\?", " ".join(lines).lower()))


def _pieces(text: str) -> frozenset[str]:
    """Return every run of some letters, once with signs and once without."""
    forms = (text.casefold(), _letters(text))
    return frozenset(
        form[at : at + LONGEST_PIECE]
        for form in forms
        for at in range(len(form) - LONGEST_PIECE + 1)
    )


def _letters(text: str) -> str:
    """Return the letters and digits alone, without case and accents."""
    decomposed = unicodedata.normalize("NFKD", text.casefold())
    return "".join(character for character in decomposed if character.isalnum())
