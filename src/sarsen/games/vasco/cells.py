"""The triangular grid, the tile and its six rotations.

A cell is one whole number, so that sorting cells is reading them: top to bottom,
left to right. Seen from the first tile, x counts cells to the right and y rows
downwards; a cell points up when x + y is even.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator

Cell = int
Rotation = str  # one of ROTATIONS

# A pool of 600 tiles in one row still stays far inside the numbers of a row.
_ROW_BITS = 12
_ROW = 1 << _ROW_BITS
_MIDDLE = _ROW // 2
FARTHEST = 1000  # cells from the first tile; no game reaches it

# One bit a colour: a set of colours is a sum of them.
O_ARC, X_ARC, OVERLAP = 1, 2, 4
EVERY_COLOUR = O_ARC | X_ARC | OVERLAP
LETTER_OF = {O_ARC: "o", X_ARC: "x", OVERLAP: "*"}

LEFT, RIGHT, BASE = 0, 1, 2
SIDES = (LEFT, RIGHT, BASE)
SIDE_NAMES = ("left", "right", "base")

# The edges left, right, base; front, back and three turns of a tile are all six orders.
ORDERS: dict[Rotation, str] = {
    "a": "ox*",
    "b": "o*x",
    "c": "xo*",
    "d": "x*o",
    "e": "*ox",
    "f": "*xo",
}
ROTATIONS = tuple(ORDERS)
_COLOUR_OF = {letter: colour for colour, letter in LETTER_OF.items()}
EDGES: dict[Rotation, tuple[int, int, int]] = {
    rotation: (_COLOUR_OF[order[LEFT]], _COLOUR_OF[order[RIGHT]], _COLOUR_OF[order[BASE]])
    for rotation, order in ORDERS.items()
}


def cell_at(x: int, y: int) -> Cell:
    """Return the cell with these coordinates. The pair of `place_of`."""
    return (y + _MIDDLE) * _ROW + x + _MIDDLE


def place_of(cell: Cell) -> tuple[int, int]:
    """Return the coordinates x, y of a cell. The pair of `cell_at`."""
    y, x = divmod(cell, _ROW)
    return x - _MIDDLE, y - _MIDDLE


FIRST_CELL = cell_at(0, 0)


def points_up(cell: Cell) -> bool:
    """Return whether the cell is a triangle with its base below."""
    return not (cell ^ cell >> _ROW_BITS) & 1


def neighbours(cell: Cell) -> tuple[Cell, Cell, Cell]:
    """Return the cells beyond the left edge, the right edge and the base."""
    return cell - 1, cell + 1, cell + (-_ROW if (cell ^ cell >> _ROW_BITS) & 1 else _ROW)


def around(cell: Cell) -> tuple[Cell, ...]:
    """Return the twelve cells that share an edge or a corner with a cell."""
    beyond_base = neighbours(cell)[BASE]
    beyond_tip = 2 * cell - beyond_base
    return (
        *(cell + step for step in (-2, -1, 1, 2)),
        *(beyond_base + step for step in (-2, -1, 0, 1, 2)),
        *(beyond_tip + step for step in (-1, 0, 1)),
    )


def surroundings(cells: Iterable[Cell]) -> set[Cell]:
    """Return every cell that shares an edge or a corner with one of the cells."""
    return {near for cell in cells for near in around(cell)}


def runs(cells: Iterable[Cell]) -> Iterator[list[Cell]]:
    """Split cells into unbroken stretches of one row, in reading order."""
    run: list[Cell] = []
    for cell in sorted(cells):
        if run and cell != run[-1] + 1:
            yield run
            run = []
        run.append(cell)
    if run:
        yield run
