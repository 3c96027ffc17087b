"""Gyges: set-ups, then where a ring goes from and to, then where the other ring goes.

A way between the two is no part of a move's number: all ways from one slot to another have
the same result. Neither is the board turned round for North.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

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
    return _first_number(move.stops, move.relocation) + _RELOCATED[move.relocation]


def _number_all(moves: Sequence[Any]) -> list[int]:
    if moves and isinstance(moves[0], SetUp):
        return list(map(_number, moves))
    numbers: list[int] = []
    # Moves that differ only in where the other ring goes stand together and share their stops.
    shared, first = None, 0
    for stops, relocation, _ in moves:
        if stops is not shared:
            shared, first = stops, _first_number(stops, relocation)
        numbers.append(first + _RELOCATED[relocation])
    return numbers


def _first_number(stops: tuple[str, ...], relocation: str) -> int:
    """Return the number of a ring's move, were the relocation to the first cell."""
    origin, end = _CELL_OF[stops[0]], _CELL_OF.get(stops[-1])
    if end is None:
        return GOAL_MOVES + origin
    way = origin * CELLS + end
    return RELOCATIONS + way * CELLS if relocation else MOVES + way


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
_RELOCATED = {"": 0, **_CELL_OF}
_CODING = Coding(
    actions=ACTIONS,
    # No arrangement stands twice (Ruling G5), so a game ends; the bound is astronomical.
    longest=None,
    planes=("singles", "doubles", "triples"),
    levels=(),
    rows=SIDE,
    columns=SIDE,
    number=_number,
    number_all=_number_all,
    marks=_marks,
    level=_levels,
    play_legal=GygesPosition.play_legal,
)
