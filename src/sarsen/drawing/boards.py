"""Boards of cells, points or pits: names, geometry, edges, gaps.

Coordinates of a cell are its column and row, counted from 0; row 0 is the top one. In a hexagonal
board each row lies half a cell further right than the one above. Sizes are in cells, x to the
right and y down.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import cos, pi, sin, sqrt

from sarsen.drawing.scene import Point

Cell = tuple[int, int]
LETTERS = "abcdefghijklmnopqrstuvwxyz"
_SQUARE = ((-0.5, -0.5), (0.5, -0.5), (0.5, 0.5), (-0.5, 0.5))
_HEXAGON = tuple((sin(k * pi / 3) / sqrt(3), -cos(k * pi / 3) / sqrt(3)) for k in range(6))
# Neighbours, in the order of the sides from corner to corner.
_BESIDE_SQUARE = ((0, -1), (1, 0), (0, 1), (-1, 0))
_BESIDE_HEXAGON = ((1, -1), (1, 0), (0, 1), (-1, 1), (-1, 0), (0, -1))
_KEPT = 64  # boards: each size of each game that is drawn now is made once


@dataclass(frozen=True)
class Bound:
    """One edge of a board: the cells with `columns * column + rows * row >= least` are inside."""

    edge: str
    columns: int
    rows: int
    least: int

    def is_inside(self, cell: Cell) -> bool:
        """Return whether a cell is on the inner side of the edge."""
        return self.columns * cell[0] + self.rows * cell[1] >= self.least


@dataclass(frozen=True)
class Board:
    """An empty board.

    Attributes:
        columns, rows: The numbers of them.
        bounds: Its edges; a cell is inside all of them.
        on_points: Pieces stand where lines cross.
        is_chequered: Every other cell is darker.
        owners: The side to which an edge belongs, by the edge's name: `(("top", 0), …)`.
        has_gaps: Things stand between its places, too: lines and boxes, walls.
    """

    columns: int
    rows: int
    bounds: tuple[Bound, ...]
    is_hexagonal: bool = False
    on_points: bool = False
    is_chequered: bool = False
    owners: tuple[tuple[str, int], ...] = ()
    has_gaps: bool = False

    def __post_init__(self) -> None:
        if not 1 <= self.columns <= len(LETTERS) or self.rows < 1:
            raise ValueError(f"a board has 1 to {len(LETTERS)} columns, and at least 1 row")
        unknown = {edge for edge, _ in self.owners} - {bound.edge for bound in self.bounds}
        if unknown:
            edges = ", ".join(bound.edge for bound in self.bounds)
            raise ValueError(f"no edge {min(unknown)!r}: the edges are {edges}")

    @cached_property
    def places(self) -> dict[str, Cell]:
        """The cells by their names, row by row from the top."""
        cells = ((c, r) for r in range(self.rows) for c in range(self.columns))
        return {self.name(cell): cell for cell in cells if self._is_on_board(cell)}

    @cached_property
    def gaps(self) -> dict[str, tuple[Cell, ...]]:
        """The places around each gap, by the names of two of them; empty without `has_gaps`.

        Between two neighbours, `a1-b1`, there is a line from point to point, or a wall between
        cells. Among four of a square board, `a1-b2`, there is a box between points, or the
        crossing of two walls.
        """
        if not self.has_gaps:
            return {}
        steps = [(step,) for step in self._beside[: len(self._beside) // 2]]
        squares = [] if self.is_hexagonal else [((0, -1), (1, -1), (1, 0))]
        gaps: dict[str, tuple[Cell, ...]] = {}
        for column, row in self.places.values():
            for others in (*steps, *squares):
                cells = ((column, row), *((column + c, row + r) for c, r in others))
                if all(map(self._is_on_board, cells)):
                    gaps[self.gap_name(*cells)] = cells
        return gaps

    def gap_name(self, *cells: Cell) -> str:
        """Return the name of the gap among neighbouring places."""
        ordered = sorted(cells, key=lambda cell: (cell[0], self.number(cell[1])))
        return f"{self.name(ordered[0])}-{self.name(ordered[-1])}"

    @cached_property
    def names(self) -> dict[str, tuple[Cell, ...]]:
        """All that something may stand on, places before gaps, by their names."""
        return {name: (cell,) for name, cell in self.places.items()} | self.gaps

    def middle_of(self, name: str) -> Point:
        """Return where the middle of a place or gap is."""
        points = [self.middle(cell) for cell in self.names[name]]
        return sum(x for x, _ in points) / len(points), sum(y for _, y in points) / len(points)

    def row_of(self, name: str) -> float:
        """Return the row of a place, or half a row more for a gap below it."""
        cells = self.names[name]
        return sum(row for _, row in cells) / len(cells)

    def named_in(self, text: str) -> list[str]:
        """Return the places and gaps that a text names: `c3-d4` is one gap, or two places."""
        found: list[str] = []
        for named in re.findall(r"[a-z]\d+(?:-[a-z]\d+)?", text.lower()):
            found += [named] if named in self.gaps else named.split("-")
        return found

    def name(self, cell: Cell) -> str:
        """Return the name of a cell: `c3`.

        Rows are numbered from below in squares, as in chess; from the top in hexagons, as in Hex.
        """
        return f"{LETTERS[cell[0]]}{self.number(cell[1])}"

    def number(self, row: int) -> int:
        """Return the number by which players know a row."""
        return row + 1 if self.is_hexagonal else self.rows - row

    def middle(self, cell: Point) -> Point:
        """Return where the middle of a cell is, also of one that would lie outside."""
        column, row = cell
        return (column + row / 2, row * sqrt(3) / 2) if self.is_hexagonal else (column, row)

    def corners(self, cell: Cell) -> tuple[Point, ...]:
        """Return the corners of a cell."""
        x, y = self.middle(cell)
        return tuple((x + right, y + down) for right, down in self._outline)

    @property
    def is_numbered_left(self) -> bool:
        """Whether every column begins in the top row, so that numbers fit on the left."""
        return len(self.bounds) == 4

    def column_labels(self) -> Iterator[tuple[str, Cell]]:
        """Yield each letter, and the cell outside the board where it stands: above columns of
        hexagons, but below those of a triangle, which all end in the lowest row.
        """
        for column in range(self.columns):
            rows = [row for c, row in self.places.values() if c == column]
            is_above = self.is_hexagonal and len(self.bounds) != 3
            yield LETTERS[column], (column, min(rows) - 1 if is_above else self.rows)

    def row_labels(self) -> Iterator[tuple[str, Cell]]:
        """Yield each number, and the cell outside the board where it stands."""
        for row in range(self.rows):
            columns = [column for column, r in self.places.values() if r == row]
            beyond = min(columns) - 1 if self.is_numbered_left else max(columns) + 1
            yield str(self.number(row)), (beyond, row)

    def lines(self) -> Iterator[tuple[Point, Point]]:
        """Yield the lines between neighbouring points."""
        for column, row in self.places.values():
            for right, down in self._beside[: len(self._beside) // 2]:
                other = column + right, row + down
                if self._is_on_board(other):
                    yield self.middle((column, row)), self.middle(other)

    @cached_property
    def border(self) -> tuple[tuple[str, Cell, tuple[Point, Point]], ...]:
        """The lines around the board: the edge, the cell, and the ends of the line.

        A side of a cell that two edges share is halved.
        """
        return tuple(self._border())

    def _border(self) -> Iterator[tuple[str, Cell, tuple[Point, Point]]]:
        for cell in self.places.values():
            beyond = [self._edges_beyond(cell, at) for at in range(len(self._beside))]
            corners = self.corners(cell)
            for at, edges in enumerate(beyond):
                start, end = corners[at], corners[(at + 1) % len(corners)]
                middle = ((start[0] + end[0]) / 2, (start[1] + end[1]) / 2)
                before, after = beyond[at - 1], beyond[(at + 1) % len(beyond)]
                if len(edges) == 1:
                    yield edges[0], cell, (start, end)
                elif edges:
                    yield next((e for e in edges if e in before), edges[0]), cell, (start, middle)
                    yield next((e for e in edges if e in after), edges[1]), cell, (middle, end)

    def _is_on_board(self, cell: Cell) -> bool:
        return all(bound.is_inside(cell) for bound in self.bounds)

    def _edges_beyond(self, cell: Cell, at: int) -> list[str]:
        right, down = self._beside[at]
        other = cell[0] + right, cell[1] + down
        return [bound.edge for bound in self.bounds if not bound.is_inside(other)]

    @property
    def _outline(self) -> tuple[Point, ...]:
        return _HEXAGON if self.is_hexagonal else _SQUARE

    @property
    def _beside(self) -> tuple[Cell, ...]:
        return _BESIDE_HEXAGON if self.is_hexagonal else _BESIDE_SQUARE


Owners = tuple[tuple[str, int], ...]


@lru_cache(maxsize=_KEPT)
def square_board(
    columns: int,
    rows: int | None = None,
    *,
    on_points: bool = False,
    is_chequered: bool = False,
    owners: Owners = (),
    has_gaps: bool = False,
) -> Board:
    """Return a board of squares, with the edges top, bottom, left and right.

    Args:
        rows: As many as columns if not given.
        owners: `(("top", 0), ("bottom", 0))`: edges that belong to a side.
        has_gaps: Lines and boxes are drawn between points, or walls between cells.
    """
    rows = rows or columns
    bounds = _box(columns, rows)
    return Board(columns, rows, bounds, False, on_points, is_chequered, owners, has_gaps)


@lru_cache(maxsize=_KEPT)
def rhombus_board(
    columns: int,
    rows: int | None = None,
    *,
    on_points: bool = False,
    owners: Owners = (),
    has_gaps: bool = False,
) -> Board:
    """Return the board of Hex, with the edges top, bottom, left and right."""
    rows = rows or columns
    bounds = _box(columns, rows)
    return Board(columns, rows, bounds, True, on_points, False, owners, has_gaps)


@lru_cache(maxsize=_KEPT)
def hexagon_board(
    side: int, *, on_points: bool = False, owners: Owners = (), has_gaps: bool = False
) -> Board:
    """Return a hexagon of hexagons, with so many cells along each of its six edges.

    The edges are top, bottom, and left and right of each: `upper left`, `lower right` …
    """
    across = 2 * side - 1
    bounds = (
        Bound("top", 0, 1, 0),
        Bound("bottom", 0, -1, 1 - across),
        Bound("lower left", 1, 0, 0),
        Bound("upper right", -1, 0, 1 - across),
        Bound("upper left", 1, 1, side - 1),
        Bound("lower right", -1, -1, 3 - 3 * side),
    )
    return Board(across, across, bounds, True, on_points, False, owners, has_gaps)


@lru_cache(maxsize=_KEPT)
def triangle_board(
    side: int, *, on_points: bool = False, owners: Owners = (), has_gaps: bool = False
) -> Board:
    """Return a triangle of hexagons with one corner on top: the edges left, right and bottom."""
    bounds = (
        Bound("left", 1, 1, side - 1),
        Bound("right", -1, 0, 1 - side),
        Bound("bottom", 0, -1, 1 - side),
    )
    return Board(side, side, bounds, True, on_points, False, owners, has_gaps)


def _box(columns: int, rows: int) -> tuple[Bound, ...]:
    return (
        Bound("top", 0, 1, 0),
        Bound("bottom", 0, -1, 1 - rows),
        Bound("left", 1, 0, 0),
        Bound("right", -1, 0, 1 - columns),
    )


LEFT, RIGHT = "left", "right"  # stores


@dataclass(frozen=True)
class PitBoard:
    """Rows of pits, the lower half of them the first seat's, and its store on the right.

    Pits are named as squares of chess are: `a1` is at the lower left, seen from the first seat.
    The stores are called `left` and `right`.
    """

    columns: int
    rows: int
    has_stores: bool

    @cached_property
    def pits(self) -> dict[str, Cell]:
        """The pits by their names, row by row from the top."""
        cells = ((c, r) for r in range(self.rows) for c in range(self.columns))
        return {f"{LETTERS[c]}{self.rows - r}": (c, r) for c, r in cells}

    @property
    def stores(self) -> tuple[str, ...]:
        """The names of the stores."""
        return (LEFT, RIGHT) if self.has_stores else ()

    @property
    def names(self) -> tuple[str, ...]:
        """The names of all that holds seeds."""
        return (*self.pits, *self.stores)

    def side_of(self, name: str) -> int:
        """Return the side to which a pit or store belongs."""
        is_first = self.pits[name][1] >= self.rows // 2 if name in self.pits else name == RIGHT
        return 0 if is_first else 1

    def named_in(self, text: str) -> list[str]:
        """Return the pits and stores that a text names."""
        return re.findall(rf"\b(?:[a-z]\d+|{LEFT}|{RIGHT})\b", text.lower())


@lru_cache(maxsize=_KEPT)
def pit_board(columns: int, rows: int = 2, *, has_stores: bool = True) -> PitBoard:
    """Return rows of pits, of which the lower half belongs to the first seat."""
    if not 1 <= columns <= len(LETTERS) or rows < 2 or rows % 2:
        raise ValueError(f"pits have 1 to {len(LETTERS)} columns, and 2, 4, 6 … rows")
    return PitBoard(columns, rows, has_stores)
