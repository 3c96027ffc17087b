"""A position of Gyges as one line, with the earlier arrangements that Ruling G5 forbids."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, quoted
from sarsen.games.gyges.board import (
    EMPTY,
    NORTH,
    RINGS_IN_ALL,
    SOUTH,
    Rings,
)

MAX_LINE = 1_000_000  # characters: some forty thousand plies
_ROW = re.compile("[1-3a-f]{1,6}")
_DIGITS = bytes.maketrans(bytes(range(4)), b"0123")
_VALUES = bytes.maketrans(b"0123", bytes(range(4)))
_RUNS = tuple(("0" * length, "abcdef"[length - 1]) for length in range(6, 0, -1))
_SPELLED = str.maketrans({letter: run for run, letter in _RUNS})
_SIDES = {"S": (0, False), "N": (1, False), "S+": (0, True), "N+": (1, True)}
_FULL_SET = [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]
_HALF_SET = [1, 1, 2, 2, 3, 3]


@dataclass(frozen=True, slots=True)
class GygesLine:
    """The position that a line describes.

    Attributes:
        seat: Who is to move, or was when the winning move was played.
        won: Whether that player has won with a move from here.
        rings: What stands on each slot.
        stood: The arrangements since both set-ups, this one included; empty before.
    """

    seat: int
    won: bool
    rings: Rings
    stood: frozenset[Rings]


def write(line: GygesLine) -> str:
    """Write a position. The pair of `read`; the same for the same position."""
    side = next(word for word, meaning in _SIDES.items() if meaning == (line.seat, line.won))
    others = sorted(write_rings(other) for other in line.stood if other != line.rings)
    return " ".join([side, write_rings(line.rings), *others])


def read_position(text: str) -> GygesLine:
    """Read a line.

    Raises:
        UserError: Names the part that is wrong.
    """
    if len(text) > MAX_LINE:
        raise unreadable(Phrase("a line has at most {most} characters", most=MAX_LINE))
    side, *arrangements = text.split() or [""]
    if side not in _SIDES:
        raise unreadable(Phrase("it begins with S or N, not {typed}", typed=quoted(side, 20)))
    if not arrangements:
        raise unreadable(Phrase("the rows are missing"))
    seat, won = _SIDES[side]
    rings, *others = (_read_rings(arrangement) for arrangement in arrangements)
    _check_rings(seat, rings)
    is_complete = sorted(rings)[-RINGS_IN_ALL:] == _FULL_SET
    if not is_complete and (won or others):
        raise unreadable(Phrase("nothing is played before both set-ups"))
    if any(sorted(other)[-RINGS_IN_ALL:] != _FULL_SET for other in others):
        raise unreadable(Phrase("an earlier arrangement has not all twelve rings"))
    return GygesLine(seat, won, rings, frozenset([rings, *others] if is_complete else []))


def write_rings(rings: Rings) -> str:
    """Write an arrangement of rings: `231123/f/f/f/f/321123`."""
    digits = rings.translate(_DIGITS).decode("ascii")
    text = "/".join(digits[first : first + 6] for first in range(0, 36, 6))
    for run, letter in _RUNS:
        text = text.replace(run, letter)
    return text


def unreadable(reason: Phrase) -> UserError:
    """Return the refusal of a line."""
    return UserError(
        "This is not a position of Gyges: {why}.",
        code="gyges.unreadable-position",
        hint="A position looks like: S 231123/f/f/f/f/321123",
        why=reason,
    )


def _read_rings(text: str) -> Rings:
    rows = text.split("/")
    if len(rows) != 6:
        raise unreadable(Phrase("{typed} has not six rows", typed=quoted(text, 40)))
    slots = b"".join(_read_row(row) for row in rows)
    return slots + EMPTY[len(slots) :]


def _read_row(text: str) -> bytes:
    digits = text.translate(_SPELLED) if _ROW.fullmatch(text) else ""
    if len(digits) != 6:
        raise unreadable(Phrase("{typed} is not a row of six slots", typed=quoted(text, 20)))
    return digits.encode("ascii").translate(_VALUES)


def _check_rings(seat: int, rings: Rings) -> None:
    standing = sorted(value for value in rings if value)
    first_row = sorted(rings[:6])
    set_up_by = {SOUTH: not standing, NORTH: standing == _HALF_SET == first_row}
    if standing != _FULL_SET and not set_up_by[seat]:
        raise unreadable(
            Phrase("each player has two singles, two doubles and two triples to set up")
        )
