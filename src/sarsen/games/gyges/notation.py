"""Read a move text: what it names, not yet whether the rules allow it.

16-35                       a ring goes from 16 to 35
14-24-35-36-66              and bounces on the rings at 24, 35 and 36
13x14=44                    it stays at 14, and the ring that stood there goes to 44
24-(14-15-)25               slots it only passes may be spelt out in brackets
34-44-43; 43-53-N           two moves in a row, while the opponent cannot move
231123                      a set-up
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sarsen.core.errors import UnreadableMove
from sarsen.core.phrases import Phrase, Typed, for_example, quoted
from sarsen.games.gyges.board import (
    PLACES,
    RingMove,
    SetUp,
)

MAX_TEXT_LENGTH = 1000  # characters: well above every legal move, so that reading stays quick
MAX_QUOTE = 24  # characters of a text that a refusal quotes

_PLACE = "[0-9][0-9]|[SN]"
_ORIGIN = re.compile(_PLACE)
_LEG = re.compile(rf"([-X])(?:\(((?:[0-9][0-9]-?)+)\)-?)?({_PLACE})")
_RELOCATION = re.compile(rf"=({_PLACE})")


@dataclass(frozen=True, slots=True)
class WrittenMove:
    """One move as a player wrote it, in names of places.

    Attributes:
        stops: The places named, origin first.
        passing: One a leg: the slots in brackets, or None without brackets.
        relocation: The place after `=`, or empty.
    """

    stops: tuple[str, ...]
    passing: tuple[tuple[str, ...] | None, ...]
    relocation: str


def read(text: str) -> SetUp | tuple[WrittenMove, ...]:
    """Read a set-up, or one move or more joined by semicolons.

    Raises:
        UnreadableMove: Quotes the part.
    """
    if len(text) > MAX_TEXT_LENGTH:
        raise _unreadable(Phrase("A move has at most {most} characters.", most=MAX_TEXT_LENGTH))
    compact = "".join(text.split()).replace("×", "x")
    if not compact:
        raise _unreadable(Phrase("The move is empty."))
    digits = compact.replace(",", "")
    if digits.isascii() and digits.isdigit():
        return _set_up(digits)
    return tuple(_written(part) for part in compact.removesuffix(";").split(";"))


def written(move: RingMove) -> WrittenMove:
    """Return a single move as if a player had written it in full.

    Raises:
        UnreadableMove: The move names places that are not on the board.
    """
    for name in (*move.stops, *([move.relocation] if move.relocation else [])):
        _check_place(name)
    if len(move.stops) < 2:
        raise _unreadable(
            Phrase("A move names at least where a ring comes from and where it goes.")
        )
    return WrittenMove(move.stops, (None,) * (len(move.stops) - 1), move.relocation)


def _set_up(digits: str) -> SetUp:
    if len(digits) == 6:
        return SetUp(digits)
    if len(digits) > 2 and len(digits) % 2 == 0:
        pairs = "-".join(digits[at : at + 2] for at in range(0, len(digits), 2))
        raise _unreadable(
            Phrase("{typed} needs dashes between the slots.", typed=_quoted(digits)),
            for_example(pairs),
        )
    raise _unreadable(
        Phrase(
            "{typed} is neither a move nor a set-up: moves look like 16-35, 13x14=44 or "
            "14-24-35-N, and a set-up has six digits, as 231123.",
            typed=_quoted(digits),
        )
    )


def _written(typed: str) -> WrittenMove:
    # Letters of ours are capitals; what is quoted stays as it was typed.
    part = "".join(sign.upper() if sign in "snx" else sign for sign in typed)
    origin = _ORIGIN.match(part)
    if origin is None:
        raise _unreadable(
            Phrase(
                "{typed} is not a move: a move begins with a slot such as 16.",
                typed=_quoted(typed),
            )
        )
    stops, passing, at = [origin[0]], list[tuple[str, ...] | None](), origin.end()
    takes = False
    while not takes and (leg := _LEG.match(part, at)):
        takes = leg[1] == "X"
        stops.append(leg[3])
        passing.append(tuple(re.findall("[0-9]{2}", leg[2])) if leg[2] else None)
        at = leg.end()
    relocation = _RELOCATION.match(part, at)
    at = relocation.end() if relocation else at
    if at < len(part):
        raise _unreadable(
            Phrase(
                "{part} in {typed} is not clear.", part=_quoted(typed[at:]), typed=_quoted(typed)
            )
        )
    _check_whole(typed, stops, takes=takes, relocates=relocation is not None)
    all_names = [*stops, *(name for names in passing if names for name in names)]
    for name in [*all_names, *([relocation[1]] if relocation else [])]:
        _check_place(name)
    return WrittenMove(tuple(stops), tuple(passing), relocation[1] if relocation else "")


def _check_whole(typed: str, stops: list[str], *, takes: bool, relocates: bool) -> None:
    if len(stops) < 2:
        raise _unreadable(Phrase("{typed} does not say where the ring goes.", typed=_quoted(typed)))
    if takes and not relocates:
        raise _unreadable(
            Phrase(
                "{typed} does not say where the ring at {place} goes: after `x` comes `=` "
                "and a slot.",
                typed=_quoted(typed),
                place=stops[-1],
            ),
            for_example("13x14=44"),
        )


def _check_place(name: str) -> None:
    if name not in PLACES:
        raise _unreadable(
            Phrase(
                "There is no slot {place}: the first digit is the row, the second the "
                "column, both from 1 to 6.",
                place=_quoted(name),
            ),
        )


def _unreadable(text: Phrase, hint: str = "") -> UnreadableMove:
    return UnreadableMove(text, code="gyges.unreadable-move", hint=hint)


def _quoted(text: str) -> Typed:
    return quoted(text, MAX_QUOTE)
