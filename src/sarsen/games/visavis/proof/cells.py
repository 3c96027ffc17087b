"""The board cut into cells: the bridges that can cross each other, and nothing else.

Cell (i, j) stands in column i = 0, 1, … and row j = 1, 2, … It holds up to three bridges
of O, the sides of a triangle of pegs, and up to three of X, the sides of another; each
bridge crosses the two of the other side that do not run its way (LYING, UPRIGHT or
SLANTING). Bridges along an end of their own side lie in no cell: they join nothing and
cross nothing.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cache

import numpy as np

from sarsen.games.visavis.board import Coordinate, O, VisavisBoard, X, board_of, joined_pegs, name
from sarsen.games.visavis.rules import VisavisPosition
from sarsen.search.contract import Array

LYING, UPRIGHT, SLANTING = 0, 1, 2

# One row a side, one number a cell: the ways in which a side has built, as bits.
Built = np.ndarray[tuple[int, int], np.dtype[np.int64]]
Ways = np.ndarray[tuple[int, int, int, int], np.dtype[np.int64]]


@dataclass(frozen=True)
class Cells:
    """The cells of one size.

    Attributes:
        size: Letters and rows of the board.
        places: Column and row of each cell.
        ways: By side, cell, way and end: the vertex there, or -1. A vertex is a peg; all
            pegs of a side's first end are vertex 0, all of its last end vertex 1.
        vertices: How many, the same for both sides.
        names: By side, cell and way: the bridge as a move, or "".
        where: By side: cell and way of each move that has them.
        colours: The checkerboard: (i + j) mod 2 for each cell.
    """

    size: int
    places: tuple[tuple[int, int], ...]
    ways: Ways = field(repr=False)
    vertices: int
    names: tuple[tuple[tuple[str, ...], ...], ...] = field(repr=False)
    where: tuple[dict[str, tuple[int, int]], ...] = field(repr=False)
    colours: Array = field(repr=False)

    @property
    def half(self) -> int:
        """Columns of cells, and rows."""
        return (self.size - 1) // 2

    def built(self, position: VisavisPosition) -> Built:
        """Return what stands in the cells of a position."""
        built = np.zeros((2, len(self.places)), np.int64)
        for side in (O, X):
            for text in position.board.names(position.bridges[side]):
                if text in self.where[side]:
                    cell, way = self.where[side][text]
                    built[side, cell] |= 1 << way
        return built


@cache
def cells_of(size: int) -> Cells:
    """Cut the board of an odd size."""
    board = board_of(size)
    half = (size - 1) // 2
    places = tuple((i, j) for j in range(1, half + 1) for i in range(half))
    names = tuple(tuple(tuple(_names(board, side, i, j)) for i, j in places) for side in (O, X))
    numbers = tuple(_vertices(board, side) for side in (O, X))
    ways = np.full((2, len(places), 3, 2), -1, np.int64)
    where: tuple[dict[str, tuple[int, int]], ...] = ({}, {})
    for side in (O, X):
        for cell, texts in enumerate(names[side]):
            for way, text in enumerate(texts):
                if text:
                    where[side][text] = cell, way
                    pegs = joined_pegs(side, *_coordinate(side, *places[cell], way))
                    ways[side, cell, way] = [numbers[side][peg] for peg in pegs]
    colours = np.array([(i + j) % 2 for i, j in places], np.int64)
    vertices = max(numbers[O].values()) + 1
    return Cells(size, places, ways, vertices, names, where, colours)


def _names(board: VisavisBoard, side: int, i: int, j: int) -> list[str]:
    """Name the bridges of a side in a cell, "" where it has none that joins anything."""
    names = []
    for way in (LYING, UPRIGHT, SLANTING):
        coordinate = _coordinate(side, i, j, way)
        exists = max(coordinate) <= board.size and board.place(side, coordinate)
        ends = {peg[side] for peg in joined_pegs(side, *coordinate)}
        is_idle = ends in ({1}, {board.size})
        names.append(name(*coordinate) if exists and not is_idle else "")
    return names


def _coordinate(side: int, i: int, j: int, way: int) -> Coordinate:
    """Return where a bridge of a side stands that lies in a cell and runs a way."""
    column, row = 2 * i + 1, 2 * j
    if side == O:
        return ((column + 1, row), (column, row + 1), (column + 1, row + 1))[way]
    return ((column + 1, row + 1), (column + 2, row), (column + 1, row))[way]


def _vertices(board: VisavisBoard, side: int) -> dict[Coordinate, int]:
    """Number the vertices of a side by their pegs."""
    numbers: dict[Coordinate, int] = {}
    inner = 2
    for peg in board.coordinates(board.pegs[side]):
        if peg[side] in (1, board.size):
            numbers[peg] = int(peg[side] == board.size)
        else:
            numbers[peg] = inner
            inner += 1
    return numbers
