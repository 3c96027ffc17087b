"""The triangular grid, the tile and its six rotations.

A cell is one whole number, so that sorting cells is reading them: top to bottom,
left to right. Seen from the first tile, x counts cells to the right and y rows
downwards; a cell points up when x + y is even.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import lru_cache
from typing import NamedTuple

Cell = int
Rotation = str  # one of ROTATIONS

# A pool of 600 tiles in one row still stays far inside the numbers of a row.
_ROW_BITS = 12
_ROW = 1 << _ROW_BITS
_MIDDLE = _ROW // 2
FARTHEST = 1000  # cells from the first tile; no game reaches it

# One bit a colour: a set of colours is a sum of them.
O_ARC, X_ARC, OVERLAP = 1, 2, 4
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
_BEYOND = (RIGHT, LEFT, BASE)  # the side of a neighbour beyond the left, right and base edge
_APART = 1 << len(ROTATIONS)
_ANY = 2 * _APART - 1
_LAID = _ANY + 1


def cell_at(x: int, y: int) -> Cell:
    """Return the cell with these coordinates. The pair of `place_of`."""
    return (y + _MIDDLE) * _ROW + x + _MIDDLE


def place_of(cell: Cell) -> tuple[int, int]:
    """Return the coordinates x, y of a cell. The pair of `cell_at`."""
    y, x = divmod(cell, _ROW)
    return x - _MIDDLE, y - _MIDDLE


FIRST_CELL = cell_at(0, 0)
MAX_CELLS = 1 << 16  # of which facts are remembered: more than a server's boards have at once


def points_up(cell: Cell) -> bool:
    """Return whether the cell is a triangle with its base below."""
    return not (cell ^ cell >> _ROW_BITS) & 1


@lru_cache(MAX_CELLS)  # asked thousands of times a move
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


def _within_four_edges(cell: Cell) -> tuple[int, ...]:
    """Return the steps to the cells at most four edges away."""
    reached = {cell}
    for _ in range(4):
        reached |= {near for far in reached for near in neighbours(far)}
    return tuple(other - cell for other in reached)


# By whether the cell points up: the same for all cells that do.
_FOUR_EDGES = tuple(_within_four_edges(cell) for cell in (FIRST_CELL + 1, FIRST_CELL))


def depending_on(cells: Iterable[Cell]) -> set[Cell]:
    """Return every cell on which laying a tile may force others when one of these is filled.

    A tile cuts down what fits two edges away, by what is seen there a third edge on, and that
    depends on tiles a fourth edge on.
    """
    return {cell + step for cell in cells for step in _FOUR_EDGES[points_up(cell)]}


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


def _with(side: int, colour: int) -> int:
    """Return the rotations with a colour on a side, as bits."""
    return sum(1 << i for i, rotation in enumerate(ROTATIONS) if EDGES[rotation][side] == colour)


def _cuts(cell: Cell, rotation: Rotation) -> Iterator[tuple[int, tuple[tuple[int, int], ...]]]:
    """Yield the step from a tile to a neighbour; and, if that is empty, the steps to it and to
    what lies beyond, each with what stays possible there, as bits.
    """
    for side, near in enumerate(neighbours(cell)):
        colour, facing = EDGES[rotation][side], _BEYOND[side]
        # Ruling V1: of the ends that an empty cell sees no two are alike.
        farther = [
            (far - cell, _LAID | _ANY & ~_with(_BEYOND[other], colour))
            for other, far in enumerate(neighbours(near))
            if other != facing
        ]
        yield near - cell, ((near - cell, _LAID | _with(facing, colour)), *farther)


# By whether the cell points up: the same for all cells that do.
_CUTS = tuple(
    {rotation: tuple(_cuts(cell, rotation)) for rotation in ROTATIONS}
    for cell in (FIRST_CELL + 1, FIRST_CELL)
)
_FEW: dict[int, Rotation | None] = {0: None} | {1 << i: r for i, r in enumerate(ROTATIONS)}
_READ = [
    tuple(rotation for i, rotation in enumerate(ROTATIONS) if fits >> i & 1)
    for fits in range(_ANY + 1)
]


class PlacedTile(NamedTuple):
    """The effects of a tile that was laid.

    Attributes:
        laid: The tile's cell, then the forced cells in the order they were filled.
        dead: An empty cell beside the group that nothing can fill any more, or None.
    """

    laid: tuple[Cell, ...]
    dead: Cell | None


@dataclass(slots=True)
class LaidTiles:
    """Tiles, and what they leave possible on the cells near them.

    The one thing here that changes: copy a position's table before touching it.

    Attributes:
        tiles: The rotation of every tile.
        fits: The rotations possible on an empty cell, as bits, and `_APART` while no tile lies
            beside it; `_ANY` where absent; `_LAID` where a tile lies.
    """

    tiles: dict[Cell, Rotation] = field(default_factory=dict)
    fits: dict[Cell, int] = field(default_factory=dict, compare=False)

    def copy(self) -> LaidTiles:
        """Return a table that may be changed without changing this one."""
        return LaidTiles(self.tiles.copy(), self.fits.copy())

    def put(self, cell: Cell, rotation: Rotation) -> list[tuple[Cell, Rotation | None]]:
        """Lay a tile on an empty cell.

        Return the empty cells beside tiles of which it changes what fits, and that are left
        with one rotation, or with None.
        """
        fits = self.fits
        self.tiles[cell] = rotation
        fits[cell] = _LAID
        few: list[tuple[Cell, Rotation | None]] = []
        for to_near, cuts in _CUTS[points_up(cell)][rotation]:
            if fits.get(cell + to_near) == _LAID:
                continue
            for step, allowed in cuts:
                empty = cell + step
                fits[empty] = possible = fits.get(empty, _ANY) & allowed
                if possible in _FEW:
                    few.append((empty, _FEW[possible]))
        return few

    def possible(self, cell: Cell) -> tuple[Rotation, ...]:
        """List the rotations possible at an empty cell, in alphabetical order."""
        return _READ[self.fits.get(cell, _ANY)]

    def colour_seen(self, cell: Cell, side: int) -> int:
        """Return the colour that the tile beyond one side of a cell shows it, 0 for no tile."""
        rotation = self.tiles.get(neighbours(cell)[side])
        return EDGES[rotation][_BEYOND[side]] if rotation else 0

    def cells_beside(self) -> list[Cell]:
        """List the empty cells that share an edge with a tile."""
        return [cell for cell, fits in self.fits.items() if fits < _APART]

    def free_cells(self) -> list[Cell]:
        """List the empty cells that share an edge or a corner with a tile, in reading order."""
        return sorted(surroundings(self.tiles) - self.tiles.keys())

    def settle(self, cell: Cell, rotation: Rotation, room: int) -> PlacedTile:
        """Lay a tile, then fill the forced cells until none is left.

        Stops at the first cell that nothing can fill: more tiles only ever take
        possibilities away, so the move is refused whatever follows.

        Args:
            cell: An empty cell.
            rotation: Possible there.
            room: How many tiles the pool still has, this one included.
        """
        laid: list[Cell] = []
        forced: dict[Cell, Rotation] = {}
        while True:
            laid.append(cell)
            for near, only in self.put(cell, rotation):
                if only is None:
                    return PlacedTile(tuple(laid), near)
                forced[near] = only
            # Ruling V4: when the pool runs out the forced cells that remain stay empty.
            if not forced or len(laid) >= room:
                return PlacedTile(tuple(laid), None)
            # Ruling V2: each time the first forced cell in reading order.
            cell = min(forced)
            rotation = forced.pop(cell)

    def joins(self, laid: tuple[Cell, ...]) -> bool:
        """Return whether a tile and what it forced hang together with the older tiles."""
        reached = [laid[0]]
        for cell in reached:
            for near in neighbours(cell):
                if near in self.tiles and near not in reached:
                    if near not in laid:
                        return True
                    reached.append(near)
        return len(self.tiles) == len(laid)


def table_of(tiles: Mapping[Cell, Rotation]) -> LaidTiles:
    """Lay out a table with the given tiles, without asking whether they match."""
    table = LaidTiles()
    for cell, rotation in tiles.items():
        table.put(cell, rotation)
    return table
