"""Answers in people's own words, English or German, as the command that they mean.

Only a line that says nothing else is read so: `I resign, thanks for the game`, `ja, gerne`. Any
other word leaves it to the grammar, and so does a question mark behind a yes.
"""

from __future__ import annotations

import re
from collections.abc import Set

from sarsen.language.invitations import ACCEPT, DECLINE, NO_WORDS
from sarsen.services.mail.reply_addresses import SignedAddress

MAX_ANSWER = 200  # characters: what says nothing else is shorter, and patterns end soon
_THANKS = {"thanks", "thank", "danke", "dank"}
# Words around an answer that mean no command.
_POLITE = {
    *_THANKS,
    *("please", "you", "very", "much", "sorry", "i", "for", "the", "game"),
    *("bitte", "vielen", "leider", "ich", "dir", "ihnen"),
    *("für", "das", "die", "spiel", "partie", "schöne", "schönen"),
}
_YES, _NO = {"yes", "ja"}, {"no", "nein"}
_SEEN = {"ok", "okay"}  # with thanks they say only that the letter was read
# Answers to an invitation that mean `accept`.
_AGREES = {
    *_YES,
    *_SEEN,
    *("accept", "accepted", "sure", "gladly"),
    *("annehmen", "angenommen", "einverstanden", "gern", "gerne", "klar"),
}
_DECLINES = {*NO_WORDS, *_NO, "ablehnen", "abgelehnt"}
_ALONE = "never"  # with more words it may say anything
_OFFER = {"the", "a", "draw", "offer", "takeback", "das", "den", "dein", "remis", "angebot"}
# Commands at a board, by the words of which one must stand there and those that may.
_AT_BOARD: dict[str, tuple[Set[str], Set[str]]] = {
    "resign": ({"resign", "aufgeben", "aufgegeben"}, set()),
    "draw": ({"draw", "remis"}, {"offer", "a", "biete", "an", "anbieten"}),
    "undo": ({"undo", "zurücknehmen"}, {"zug", "den", "meinen", "letzten", "möchte"}),
    ACCEPT: ({"accept", "annehmen", "angenommen", "agreed", "einverstanden"}, _OFFER),
    DECLINE: ({"decline", "ablehnen", "abgelehnt"}, _OFFER),
}
_WORD = re.compile(r"[\w']+")
# German verbs in two parts: `ich gebe die Partie auf`.
_PARTED = {
    "aufgeben": re.compile(r"\bgebe?\b(.*)\bauf\b"),
    "annehmen": re.compile(r"\bnehme?\b(.*)\ban\b"),
    "ablehnen": re.compile(r"\blehne?\b(.*)\bab\b"),
}
_REGRET = re.compile(r"(?:leider|sorry)[,.!]{0,3} +(?=\w)", re.IGNORECASE)
_PLAIN_NO = re.compile(
    r"(?:(?:leider|sorry)[,.!]{0,3} +)?(?:no|nein|decline|ablehnen)"
    r"(?: +(?:thanks|thank you|danke|vielen dank)\b|[,.;!]| *$)",
    re.IGNORECASE,
)
_THANKS_FIRST = re.compile(r"(?:thanks|thank you|danke|vielen dank)[,.;!]+ *(?=\w)", re.IGNORECASE)


def as_command(line: str, signed: SignedAddress) -> str:
    """Return the command that a reply to a letter with this address means, or its line."""
    if signed.is_talk:  # words for a person
        return line
    words = _words(line)
    if signed.challenge is not None:
        word, reason = agreement(line), declined_for(line)
        if word == ACCEPT:
            return ACCEPT
        if word == DECLINE and reason is None:
            reason = ""
        # `decline 5` is about an invitation of this number.
        is_numbered = reason is None or reason[:1].isdigit()
        return line if is_numbered else f"{DECLINE} {reason}".rstrip()
    verb = _at_board(words)
    # To ask for a draw is to offer one, and the server asks back before anybody resigns.
    agrees = verb in (ACCEPT, DECLINE, "yes", "no")
    return line if agrees and "?" in line else verb or line


def agreement(line: str) -> str:
    """Return the word that agrees or declines, where a line means nothing more; else the line."""
    words = set(_words(line))
    if "?" in line:
        return line
    if words & _AGREES and words <= _AGREES | _POLITE:
        is_only_seen = words & _AGREES <= _SEEN and words & _THANKS
        return line if is_only_seen else ACCEPT
    if words & _DECLINES and words <= _DECLINES | _POLITE:
        return DECLINE
    return line


def declined_for(line: str) -> str | None:
    """Return the words behind a no to an invitation, "" for none; None if it says no no."""
    word, _, reason = _without(_REGRET, line).partition(" ")
    if word.lower().strip(",;.!") not in _DECLINES - {_ALONE}:
        return None
    return _without(_THANKS_FIRST, reason.strip())


def is_refusal(line: str) -> bool:
    """Return whether a line says no to whatever it answers; `no idea what this is` does not."""
    return _PLAIN_NO.match(line) is not None or agreement(line) == DECLINE


def is_plain_answer(line: str) -> bool:
    """Return whether a line means a command, or agrees or declines, and says nothing else."""
    is_answer = agreement(line) != line or declined_for(line) is not None
    return is_answer or bool(_at_board(_words(line)))


def _at_board(words: list[str]) -> str:
    """Return the command at a board that these words mean; "" for none."""
    for verb, (needed, allowed) in _AT_BOARD.items():
        if set(words) & needed and set(words) <= needed | allowed | _POLITE:
            return verb
    if words and words[0] in _YES | _NO and set(words[1:]) <= _POLITE | {"gern", "gerne"}:
        return "yes" if words[0] in _YES else "no"
    return ""


def _without(beginning: re.Pattern[str], text: str) -> str:
    found = beginning.match(text)
    return text[found.end() :] if found else text


def _words(line: str) -> list[str]:
    text = line.lower() if len(line) <= MAX_ANSWER else ""
    for verb, parted in _PARTED.items():
        text = parted.sub(rf"{verb}\1", text)
    return _WORD.findall(text)
