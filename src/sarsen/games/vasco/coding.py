"""Vasco: six rotations on every cell that a pool of tiles can reach from the first one.

The number of a cell for players changes with every move. Here a cell is its place on the
grid, counted from the first tile, which stands in the middle of the planes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache, partial

from sarsen.core.coding import Coding, Mark
from sarsen.core.game import AnyPosition
from sarsen.games.vasco.board import ROTATIONS, Rotation, place_of
from sarsen.games.vasco.moves import Move
from sarsen.games.vasco.rules import VascoPosition


def coding(position: AnyPosition) -> Coding:
    """Return the coding for the pool of a position."""
    assert isinstance(position, VascoPosition)
    return _coding(position.size)


@cache
def _coding(size: int) -> Coding:
    rows, columns = 2 * _rows_away(size) + 1, 2 * _columns_away(size) + 1
    return Coding(
        actions=len(ROTATIONS) * rows * columns,
        longest=size,
        planes=tuple(f"tiles of rotation {rotation}" for rotation in ROTATIONS),
        levels=("share of the pool left",),
        rows=rows,
        columns=columns,
        number=partial(_number, _first_numbers(size, rows, columns), columns),
        marks=_marks,
        level=_levels,
    )


def _first_numbers(size: int, rows: int, columns: int) -> dict[Rotation, int]:
    """Return the number of each rotation on the cell of the first tile."""
    row, column = _cell(size, 0, 0)
    return {
        rotation: (kind * rows + row) * columns + column for kind, rotation in enumerate(ROTATIONS)
    }


def _number(first: Mapping[Rotation, int], columns: int, move: Move) -> int:
    x, y, rotation = move
    return first[rotation] + y * columns + x


def _marks(position: VascoPosition) -> Iterator[Mark]:
    for cell, rotation in position.tiles.items():
        yield ROTATIONS.index(rotation), *_cell(position.size, *place_of(cell)), 1.0


def _levels(position: VascoPosition) -> tuple[float, ...]:
    return (position.room / position.size,)


def _cell(size: int, x: int, y: int) -> tuple[int, int]:
    return y + _rows_away(size), x + _columns_away(size)


def _columns_away(size: int) -> int:
    """Return how far from the first tile, sideways, the last tile of a pool can lie.

    All tiles are one group joined by edges (Ruling V3), so it is a row of them.
    """
    return size - 1


def _rows_away(size: int) -> int:
    # Between two steps to another row lies at least one sideways.
    return size // 2
