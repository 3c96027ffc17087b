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
MOST_CELLS = 1 << 16  # of which facts are remembered: more than a server's boards have at once


def points_up(cell: Cell) -> bool:
    """Return whether the cell is a triangle with its base below."""
    return not (cell ^ cell >> _ROW_BITS) & 1


@lru_cache(MOST_CELLS)  # asked thousands of times a move
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


_SHIFT = (0, 3, 6)  # where the bits of the left, right and base edge begin


def _showing(rotation: Rotation) -> tuple[int, int, int]:
    """Return what the neighbours beyond the left edge, right edge and base see of a tile."""
    left, right, base = EDGES[rotation]
    return left << _SHIFT[RIGHT], right << _SHIFT[LEFT], base << _SHIFT[BASE]


def _fitting(side: int) -> list[int]:
    """Give, for each set of colours, the rotations with one of them on a side, as bits."""
    return [
        sum(1 << i for i, rotation in enumerate(ROTATIONS) if EDGES[rotation][side] & colours)
        for colours in range(EVERY_COLOUR + 1)
    ]


_SHOWS = {rotation: _showing(rotation) for rotation in ROTATIONS}
_FITS_LEFT, _FITS_RIGHT, _FITS_BASE = (_fitting(side) for side in (LEFT, RIGHT, BASE))
# Ruling V1: a new end beside an empty cell must not equal an end that cell sees already.
_HARMLESS = [EVERY_COLOUR & ~(seen | seen >> 3 | seen >> 6) for seen in range(512)]
_ONLY = {1 << i: rotation for i, rotation in enumerate(ROTATIONS)}
_READ = [
    tuple(rotation for i, rotation in enumerate(ROTATIONS) if fits >> i & 1) for fits in range(64)
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
    """Tiles, and what they show to the cells beside them.

    The one thing here that changes: copy a position's table before touching it.

    Attributes:
        tiles: The rotation of every tile.
        seen: What a cell's neighbours show it; 0 or absent when no tile is beside it.
    """

    tiles: dict[Cell, Rotation] = field(default_factory=dict)
    seen: dict[Cell, int] = field(default_factory=dict)

    def copy(self) -> LaidTiles:
        """Return a table that may be changed without changing this one."""
        return LaidTiles(self.tiles.copy(), self.seen.copy())

    def put(self, cell: Cell, rotation: Rotation) -> None:
        """Lay a tile on an empty cell."""
        self.tiles[cell] = rotation
        self._turn(cell, rotation)

    def take(self, cell: Cell) -> None:
        """Take a tile away again. The pair of `put`."""
        self._turn(cell, self.tiles.pop(cell))

    def possible(self, cell: Cell) -> tuple[Rotation, ...]:
        """List the rotations possible at an empty cell, in alphabetical order."""
        return _READ[self._fits(cell)]

    def colour_seen(self, cell: Cell, side: int) -> int:
        """Return the colour that the tile beyond one side of a cell shows it, 0 for no tile."""
        return self.seen.get(cell, 0) >> _SHIFT[side] & EVERY_COLOUR

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
            self.put(cell, rotation)
            laid.append(cell)
            for near in self._concerned_by(cell):
                fits = self._fits(near)
                if not fits:
                    return PlacedTile(tuple(laid), near)
                if fits in _ONLY:
                    forced[near] = _ONLY[fits]
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

    def _turn(self, cell: Cell, rotation: Rotation) -> None:
        seen = self.seen
        left, right, base = neighbours(cell)
        to_left, to_right, to_base = _SHOWS[rotation]
        seen[left] = seen.get(left, 0) ^ to_left
        seen[right] = seen.get(right, 0) ^ to_right
        seen[base] = seen.get(base, 0) ^ to_base

    def _fits(self, cell: Cell) -> int:
        """Return the rotations possible at an empty cell, as bits."""
        seen_by = self.seen.get
        edges = seen_by(cell, 0)
        left, right, base = neighbours(cell)
        return (
            _FITS_LEFT[edges & 7 or _HARMLESS[seen_by(left, 0)]]
            & _FITS_RIGHT[edges >> 3 & 7 or _HARMLESS[seen_by(right, 0)]]
            & _FITS_BASE[edges >> 6 or _HARMLESS[seen_by(base, 0)]]
        )

    def _concerned_by(self, cell: Cell) -> set[Cell]:
        """Return the empty cells beside a tile whose rotations a new tile may have cut down."""
        tiles, seen = self.tiles, self.seen
        concerned = set()
        for near, farther in _within_two_edges(cell):
            if near not in tiles:
                concerned.add(near)
                for next_but_one in farther:
                    if next_but_one not in tiles and seen.get(next_but_one):
                        concerned.add(next_but_one)
        return concerned


@lru_cache(MOST_CELLS)
def _within_two_edges(cell: Cell) -> tuple[tuple[Cell, tuple[Cell, ...]], ...]:
    """Return the neighbours of a cell, each with its other neighbours."""
    return tuple(
        (near, tuple(beyond for beyond in neighbours(near) if beyond != cell))
        for near in neighbours(cell)
    )


def table_of(tiles: Mapping[Cell, Rotation]) -> LaidTiles:
    """Lay out a table with the given tiles, without asking whether they match."""
    table = LaidTiles()
    for cell, rotation in tiles.items():
        table.put(cell, rotation)
    return table
