"""Read a move out of a short sentence: "My move is b5.", "ich spiele b5", "b5 please".

The whole line must be one of these forms; blanks around `-`, `=` and `;` do not matter:

    line    = [opening] [please] lead move [[,] tail] [end]
            | opening ":" move [[,] tail] [end]
            | move [,] tail [end]
            | please move [end]
    lead    = "my move is" | "my move:" | "my move" | "I play" | "I'll play" | "I will play"
            | "I move" | "play" | "mein Zug ist" | "mein Zug:" | "mein Zug" | "ich spiele"
            | "ich ziehe" | "ich setze" | "spiele"
    opening = words such as "ok", "then", "well", "hi", "gut", "dann"
    tail    = "please" | "thanks" | "thank you" | "bitte" | "danke"
    please  = "please" | "bitte"
    move    = one word, as the rules of the game write it
    end     = "." | "!"

Any other line is left as it is: the rules of the game refuse what is not a move.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from sarsen.core.errors import UserError

MIN_PROSE = 3  # words: "well played" may be a slip in a move, and "thank you for the game" none
MAX_CHARACTERS = 200  # of a line that is looked at: a longer one is no sentence about a move
_LEAD = (
    r"(?:my move(?: is(?: ?:)?| ?:)?|i(?:'ll| will)? play|i move|play"
    r"|mein zug(?: ist(?: ?:)?| ?:)?|ich (?:spiele|ziehe|setze)|spiele)"
)
# What people say before a move, and what says neither yes nor no to anything else. Without a
# colon, as in "ok, b5", it may be about the move of the other player.
_WORD = (
    r"(?:ok|okay|fine|well|so|then|good|right|now|hm+|hi|hello|hey|hallo|also|gut|na|nun|dann|tja)"
)
_OPENING = rf"{_WORD}(?:[,.]? {_WORD}){{0,3}} ?"
_PLEASE = r"(?:please|bitte)"
_TAIL = r"(?:please|thanks|thank you|bitte|danke)"
# A word that may be a move: it has a digit, or is one of the two moves that have none.
_MOVE = r"(?:(?=[^ ]*[0-9])[^ ,]+|pass|swap)"
_MOVES = rf"(?P<moves>{_MOVE}(?:,? (?:(?:or|and|then|oder|und|dann) )*{_MOVE})*)"
_END = r" ?[.!]*(?: [:;]-?[)D])?"
_PHRASE = re.compile(
    rf"(?:{_OPENING}[,:.!]* )?(?:{_PLEASE} )?{_LEAD} {_MOVES}(?:,? {_TAIL})?{_END}"
    rf"|{_OPENING}: {_MOVES.replace('moves', 'opened')}(?:,? {_TAIL})?{_END}"
    rf"|{_MOVES.replace('moves', 'first')},? {_TAIL}{_END}"
    rf"|{_PLEASE} {_MOVES.replace('moves', 'last')}{_END}",
    re.IGNORECASE,
)
_CHOICE = re.compile(rf"{_MOVE}(?:,? (?:or|and|then|oder|und|dann) {_MOVE})+{_END}", re.IGNORECASE)
_BETWEEN = re.compile(r",? (?:(?:or|and|then|oder|und|dann) )*", re.IGNORECASE)
# A line below that is a move, and no telephone number: places, joined by signs.
_PLACE = "[a-z]?[0-9]{1,2}"
_BARE = re.compile(
    rf"{_PLACE}(?:[-x=;]{{1,2}}{_PLACE})*(?:-[a-z])?(?:#[0-9.]{{1,14}})?|pass|swap", re.IGNORECASE
)
_LONG_WORD = re.compile(r"[^\W\d_]{2,}")
_MIXED = re.compile(r"(?=.*[0-9])(?=.*[a-z=-])[\w=;-]+", re.IGNORECASE)
_JOINED = re.compile(r" *([-=;]) *")


def read_phrase(line: str, below: Iterable[str] = ()) -> str:
    """Return the move that a line states in a sentence; "" if it is no such sentence.

    Args:
        line: Normalised, as `typography.normalise` does it.
        below: The lines under it, which may state another move.

    Raises:
        UserError: Different moves are named, so none is played.
    """
    named = _moves_of(line)
    others = list(below)
    stated = [move for other in others for move in _moves_of(other)]
    if named:
        stated += [_plain(other) for other in others if _BARE.fullmatch(_plain(other))]
    elif _BARE.fullmatch(_plain(line)):
        stated.insert(0, _plain(line))
    else:
        return ""
    different = list({move.lower(): move for move in [*named, *stated]}.values())
    if len(different) > 1:
        raise UserError(
            "Your reply names several moves: {moves}. None was played. Send the one you mean on "
            "a line of its own.",
            code="several-moves",
            hint=different[0],
            moves=", ".join(different[:5]),
        )
    return named[0] if named else ""


def is_phrase(line: str) -> bool:
    """Return whether a line states a move, or several, in one of the forms."""
    return bool(_moves_of(line))


def is_prose(text: str) -> bool:
    """Return whether a text has words as people write them to each other, and not only a move."""
    return len(_LONG_WORD.findall(text)) >= MIN_PROSE


def may_hold_move(text: str) -> bool:
    """Return whether a word of a text looks like a move, in one of the forms of most games."""
    return any(_MIXED.fullmatch(word.strip(".,!?:()\"'")) for word in text.split())


def _moves_of(line: str) -> list[str]:
    """Return the moves that a sentence of one of the forms names; none for any other line."""
    text = _JOINED.sub(r"\1", " ".join(line.split())) if len(line) <= MAX_CHARACTERS else ""
    phrase = _PHRASE.fullmatch(text)
    if phrase:
        names = phrase["moves"] or phrase["opened"] or phrase["first"] or phrase["last"]
    else:
        names = text if _CHOICE.fullmatch(text) else ""
    moves = (_plain(move) for move in _BETWEEN.split(names))
    return list({move.lower(): move for move in moves if move}.values())


def _plain(move: str) -> str:
    return move.strip(" .,!")
