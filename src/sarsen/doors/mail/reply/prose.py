"""Recognise a mail that is prose instead of a command, and the language it is in."""

from __future__ import annotations

import re

from sarsen.doors.mail.parse.mail import ReadMail
from sarsen.games import names
from sarsen.language.grammar.placeholders import placeholders_of
from sarsen.language.replies import Refusal, Reply
from sarsen.language.translating import ENGLISH, LANGUAGES

# Refusals of a line that was no command at all.
_NO_COMMAND = ("unknown-command", "command-missing", "empty-line")
# Of prose: one or two common words stand in many a mistyped command.
MIN_WORDS = 3
# Words that commands do not have, and letters in prose do; some are common to both languages.
_COMMON = {
    code: frozenset(words.split())
    for code, words in {
        ENGLISH: (
            "a am and are at can could dear do does for from good hello hey hi how i if in is it "
            "join know like many may me my of on one please some tell thanks that the there this "
            "to want what where which who why with would you your"
        ),
        "de": (
            "auch auf bei bin bitte da danke das dem den der des die dir du ein eine einen er es "
            "euch für geht gern guten habe hallo hilfe ich ihr im in ist kann können liebe machen "
            "man mein mich mir mit mitmachen mitspielen möchte moin nach nicht noch oder servus "
            "sie sind spiel spiele spielen spielt tag und uns von was wer wie will wir wo wollen "
            "zu zum zusammen über"
        ),
    }.items()
}
# Of other languages, whose writers get help in English.
_OF_OTHERS = (
    "bonjour salut je comment peux puis jouer vous le la les une un et est que hola como cómo "
    "puedo quiero jugar el los ciao come posso giocare sono per hoe kan ik spelen het een hej "
    "hur jag spela och jak mogę grać"
)
_ALL_COMMON = frozenset(_OF_OTHERS.split()).union(*_COMMON.values())
# Letters alone: `e4`, board numbers and codes are no words of prose.
_WORD = re.compile(r"\b[^\W\d_]+\b")
_WITHIN = re.compile(r"[.,;:!?]\s")  # signs between sentences and their parts
# Questions how to play, behind a greeting or without one: short ones have too few common words.
_ASKS = re.compile(
    r"(?:(?:hi|hello|hey|hallo|dear|guten tag|moin|bonjour|hola|ciao)\b[^?]{0,30}?[,.!]? ?)?"
    r"(?:how (?:do|can|does|to|should)|what (?:is|can|do)|where (?:do|can|is)|can (?:i|you|we)"
    r"|wie (?:geht|spiel|kann|funktioniert)|was (?:ist|kann|muss)|wo (?:kann|finde|ist)"
    r"|kann (?:ich|man|mir)|comment |como |cómo |come )",
    re.IGNORECASE,
)


def is_without_command(line: str, reply: Reply | Refusal) -> bool:
    """Return whether a refused line is no command, or prose that begins like one."""
    if not isinstance(reply, Refusal) or placeholders_of(line, names()):
        return False
    return reply.code in _NO_COMMAND or _is_prose(line)


def is_question(line: str) -> bool:
    """Return whether a line asks how things work here, in some languages."""
    return _ASKS.match(line) is not None


def is_among_prose(line: str) -> bool:
    """Return whether a line that begins with the word of a command goes on as people write."""
    words = [word.lower() for word in _WORD.findall(line)]
    return bool(_WITHIN.search(line)) or any(word in _ALL_COMMON - {"me"} for word in words[1:])


def language_of(mail: ReadMail) -> str:
    """Return the code of the language to answer a mail in whose writer is unknown.

    Its words decide; if they do not, what its headers name; otherwise English.
    """
    words = [word.lower() for word in _WORD.findall(" ".join((mail.subject, *mail.lines[:20])))]
    counts = {code: sum(word in common for word in words) for code, common in _COMMON.items()}
    best = max(counts.values())
    best_codes = [code for code, count in counts.items() if count == best]
    if best and len(best_codes) == 1:
        return best_codes[0]
    return next((code for code in mail.languages if code in LANGUAGES), ENGLISH)


def _is_prose(line: str) -> bool:
    words = [word.lower() for word in _WORD.findall(line)]
    common = [word for word in words[1:] if word in _ALL_COMMON]
    return len(words) >= MIN_WORDS and len(common) >= 2
