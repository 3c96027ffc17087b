"""Vasco cell by cell, for whoever walks the table by ear."""

from __future__ import annotations

from sarsen.drawing.cells import Cell as Place
from sarsen.drawing.cells import CellRow, CellTable
from sarsen.games.vasco.cells import (
    EDGES,
    LETTER_OF,
    ORDERS,
    SIDE_NAMES,
    SIDES,
    Cell,
    cell_at,
    place_of,
    points_up,
)
from sarsen.games.vasco.rules import VascoPosition


def cells_of(position: VascoPosition) -> CellTable:
    """Return the table from its first row and column, free positions included."""
    is_over = position.outcome() is not None
    numbers = {} if is_over else position.survey().numbers
    across, down = extent(position)
    rows = tuple(
        CellRow(
            f"Row {row}",
            tuple(_place(position, numbers, cell_at(x, y)) for x in across),
        )
        for row, y in enumerate(down, start=1)
    )
    if not is_over:
        rows += (CellRow("Rotations", tuple(map(_rotation, ORDERS))),)
    return CellTable(tuple(map(str, range(1, max(len(across), len(ORDERS)) + 1))), rows)


def extent(position: VascoPosition) -> tuple[range, range]:
    """Return the columns and rows of the tiles and of the free positions around them."""
    is_over = position.outcome() is not None
    numbers = {} if is_over else position.survey().numbers
    places = [place_of(cell) for cell in (*position.tiles, *numbers)]
    columns, rows = [x for x, _ in places], [y for _, y in places]
    return range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1)


def _place(position: VascoPosition, numbers: dict[Cell, int], cell: Cell) -> Place:
    pointing = "up" if points_up(cell) else "down"
    if cell in position.tiles:
        return Place(f"tile {position.tiles[cell]}, {pointing}")
    if cell in numbers:
        seen = [
            f"{LETTER_OF[colour]} {SIDE_NAMES[side]}"
            for side in SIDES
            if (colour := position.table.colour_seen(cell, side))
        ]
        return Place(", ".join(["free", pointing, *seen]), str(numbers[cell]))
    return Place("")


def _rotation(rotation: str) -> Place:
    edges = ", ".join(
        f"{LETTER_OF[colour]} {SIDE_NAMES[side]}"
        for side, colour in zip(SIDES, EDGES[rotation], strict=True)
    )
    return Place(edges, rotation)
