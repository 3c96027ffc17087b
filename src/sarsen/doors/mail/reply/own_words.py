"""Answers in people's own words, English or German, as the command that they mean.

Only a line that says nothing else is read so: `I resign, thanks for the game`, `ja, gerne`. Any
other word leaves it to the grammar.
"""

from __future__ import annotations

import re
from collections.abc import Set

from sarsen.language.invitations import ACCEPT, DECLINE, NO_WORDS
from sarsen.services.mail.reply_addresses import SignedAddress

# Words around an answer that mean no command.
_POLITE = {
    *("please", "thanks", "thank", "you", "very", "much", "sorry", "i", "for", "the", "game"),
    *("bitte", "danke", "vielen", "dank", "leider", "ich", "dir", "ihnen"),
    *("für", "das", "die", "spiel", "partie", "schöne", "schönen"),
}
_YES, _NO = {"yes", "ja"}, {"no", "nein"}
# Answers to an invitation that mean `accept`.
_AGREES = {
    *_YES,
    *("accept", "accepted", "ok", "okay", "sure", "gladly"),
    *("annehmen", "angenommen", "einverstanden", "gern", "gerne", "klar"),
}
_DECLINES = {*NO_WORDS, *_NO, "ablehnen", "abgelehnt"}
_ALONE = "never"  # with more words it may say anything
# Commands at a board, by the words of which one must stand there and those that may.
_AT_BOARD: dict[str, tuple[Set[str], Set[str]]] = {
    "resign": ({"resign", "aufgeben", "aufgegeben"}, set()),
    "draw": ({"draw", "remis"}, {"offer", "a", "biete", "an", "anbieten"}),
    "undo": ({"undo", "zurücknehmen"}, {"zug", "den", "meinen", "letzten", "möchte"}),
}
_WORD = re.compile(r"[\w']+")
# German verbs in two parts: `ich gebe die Partie auf`.
_PARTED = {
    "aufgeben": re.compile(r"\bgebe?\b(.*)\bauf\b"),
    "annehmen": re.compile(r"\bnehme?\b(.*)\ban\b"),
}


def as_command(line: str, signed: SignedAddress) -> str:
    """Return the command that a reply to a letter with this address means, or its line."""
    words = _words(line)
    if signed.challenge is not None:
        word, reason = agreement(line), declined_for(line)
        if word == ACCEPT:
            return ACCEPT
        if word == DECLINE and reason is None:
            reason = line  # the others read it
        # `decline 5` is about an invitation of this number.
        is_numbered = reason is None or reason[:1].isdigit()
        return line if is_numbered else f"{DECLINE} {reason}".rstrip()
    for verb, (needed, allowed) in _AT_BOARD.items():
        if set(words) & needed and set(words) <= needed | allowed | _POLITE:
            return verb
    if words and words[0] in _YES | _NO and set(words[1:]) <= _POLITE | {"gern", "gerne"}:
        return "yes" if words[0] in _YES else "no"
    return line


def agreement(line: str) -> str:
    """Return the word that agrees or declines, where a line means nothing more; else the line."""
    words = _words(line)
    if set(words) & _AGREES and set(words) <= _AGREES | _POLITE:
        return ACCEPT
    if set(words) & _DECLINES and set(words) <= _DECLINES | _POLITE:
        return DECLINE
    return line


def declined_for(line: str) -> str | None:
    """Return the words behind a no to an invitation, "" for none; None if it says no no."""
    word, _, reason = line.partition(" ")
    return reason.strip() if word.lower().strip(",;.!") in _DECLINES - {_ALONE} else None


def _words(line: str) -> list[str]:
    text = line.lower()
    for verb, parted in _PARTED.items():
        text = parted.sub(rf"{verb}\1", text)
    return _WORD.findall(text)
