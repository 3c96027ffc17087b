"""Positions as one line: `S 231123/f/f/f/f/321123`, then what stood earlier.

The side to move, with a `+` when that side has won by a move from here; the rows 1
to 6 as South looks, a digit for a ring and a letter for a run of empty slots (`a`
one … `f` six); then every other arrangement that stood since the set-ups.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from sarsen.core.errors import UserError
from sarsen.games.gyges.board import EMPTY, NORTH, RINGS_IN_ALL, SOUTH, Rings

LONGEST_LINE = 1_000_000  # characters: some forty thousand plies
_ROW = re.compile("[1-3a-f]{1,6}")
_SIDES = {"S": (0, False), "N": (1, False), "S+": (0, True), "N+": (1, True)}
_FULL_SET = [1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3]
_HALF_SET = [1, 1, 2, 2, 3, 3]


@dataclass(frozen=True, slots=True)
class Line:
    """What a line says.

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


def write(line: Line) -> str:
    """Write a position. The pair of `read`; the same for the same position."""
    side = next(word for word, meaning in _SIDES.items() if meaning == (line.seat, line.won))
    others = sorted(write_rings(other) for other in line.stood if other != line.rings)
    return " ".join([side, write_rings(line.rings), *others])


def read(text: str) -> Line:
    """Read a line.

    Raises:
        UserError: Names the part that is wrong.
    """
    if len(text) > LONGEST_LINE:
        raise unreadable(f"a line has at most {LONGEST_LINE} characters")
    side, *arrangements = text.split() or [""]
    if side not in _SIDES:
        raise unreadable(f"it begins with S or N, not {side[:20]!r}")
    if not arrangements:
        raise unreadable("the rows are missing")
    seat, won = _SIDES[side]
    rings, *others = (_read_rings(arrangement) for arrangement in arrangements)
    _check_rings(seat, rings)
    is_complete = sorted(rings)[-RINGS_IN_ALL:] == _FULL_SET
    if not is_complete and (won or others):
        raise unreadable("nothing is played before both set-ups")
    if any(sorted(other)[-RINGS_IN_ALL:] != _FULL_SET for other in others):
        raise unreadable("an earlier arrangement has not all twelve rings")
    return Line(seat, won, rings, frozenset([rings, *others] if is_complete else []))


def write_rings(rings: Rings) -> str:
    """Write an arrangement of rings: `231123/f/f/f/f/321123`."""
    return "/".join(_write_row(rings[first : first + 6]) for first in range(0, 36, 6))


def unreadable(why: str) -> UserError:
    """Return the refusal of a line."""
    return UserError(
        f"This is not a position of Gyges: {why}.",
        code="gyges.unreadable-position",
        hint="A position looks like: S 231123/f/f/f/f/321123",
    )


def _write_row(row: Rings) -> str:
    digits = "".join(str(value) for value in row)
    return re.sub("0+", lambda run: " abcdef"[len(run[0])], digits)


def _read_rings(text: str) -> Rings:
    rows = text.split("/")
    if len(rows) != 6:
        raise unreadable(f"{text[:40]!r} has not six rows")
    slots = b"".join(_read_row(row) for row in rows)
    return slots + EMPTY[len(slots) :]


def _read_row(text: str) -> bytes:
    row = bytearray()
    if _ROW.fullmatch(text):
        for sign in text:
            row += bytes([int(sign)]) if sign.isdigit() else bytes("abcdef".index(sign) + 1)
    if len(row) != 6:
        raise unreadable(f"{text[:20]!r} is not a row of six slots")
    return bytes(row)


def _check_rings(seat: int, rings: Rings) -> None:
    standing = sorted(value for value in rings if value)
    first_row = sorted(rings[:6])
    set_up_by = {SOUTH: not standing, NORTH: standing == _HALF_SET == first_row}
    if standing != _FULL_SET and not set_up_by[seat]:
        raise unreadable("each player has two singles, two doubles and two triples to set up")
