"""Gyges: set-ups, then where a ring goes from and to, then where the other ring goes.

A way between the two is no part of a move's number: all ways from one slot to another have
the same result. Neither is the board turned round for North.
"""

from __future__ import annotations

from collections.abc import Iterator

from sarsen.core.coding import Coding, Mark
from sarsen.core.game import AnyPosition
from sarsen.games.gyges.board import NAMES, SLOTS, Move, SetUp
from sarsen.games.gyges.rules import SET_UPS, GygesPosition

SIDE = 6
CELLS = SIDE**2
MOVES = len(SET_UPS)  # the number of the first plain move
GOAL_MOVES = MOVES + CELLS**2
RELOCATIONS = GOAL_MOVES + CELLS
ACTIONS = RELOCATIONS + CELLS**3


def coding(position: AnyPosition) -> Coding:
    """Return the coding; Gyges has no options."""
    return _CODING


def _number(move: Move) -> int:
    if isinstance(move, SetUp):
        return SET_UPS.index(move.rings)
    origin, end = _CELL_OF[move.stops[0]], _CELL_OF.get(move.stops[-1])
    if end is None:
        return GOAL_MOVES + origin
    way = origin * CELLS + end
    if not move.relocation:
        return MOVES + way
    return RELOCATIONS + way * CELLS + _CELL_OF[move.relocation]


def _marks(position: GygesPosition) -> Iterator[Mark]:
    for slot in SLOTS:
        value = position.shown[slot]
        if value:
            yield value - 1, *divmod(_cell(slot), SIDE), 1.0


def _levels(position: GygesPosition) -> tuple[float, ...]:
    return ()


def _cell(slot: int) -> int:
    """Return the cell of a slot, counted from the top left, where row 6 is the top one."""
    row, column = divmod(slot, SIDE)
    return SIDE * (SIDE - 1 - row) + column


_CELL_OF = {NAMES[slot]: _cell(slot) for slot in SLOTS}
_CODING = Coding(
    actions=ACTIONS,
    # No arrangement stands twice (Ruling G5), so a game ends; the bound is astronomical.
    longest=None,
    planes=("singles", "doubles", "triples"),
    levels=(),
    rows=SIDE,
    columns=SIDE,
    number=_number,
    marks=_marks,
    level=_levels,
)
