"""The plane of the picture: where pegs and bridges lie, in the scene's units.

The board of the text is straightened here, so that it fills a square: `\\` stands
upright, `/` runs from lower left to upper right. Bridges still cross where ruling X2
says so and nowhere else, for that only needs every peg of O to lie inside one
triangle of X's pegs.
"""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.drawing.scene import Point
from sarsen.games.visavis.board import Coordinate, O, X, joined_pegs

STEP = 20.0  # between letters, and between rows
# O's lattice lies so far to the right of its letters and above its numbers: parallel
# bridges of both sides are then equally far apart, slanting or not.
RIGHT, UP = 0.6, 0.4
GROUND = 0.85  # steps of bare ground between the outermost pegs and the frame
FRAME = 6.0  # how broad the coloured edges are
LABELS = 23.0  # outside the frame, for the coordinates

# From the middle of a bridge to the middle of a triangle beside it, in steps.
_LYING, _UPRIGHT, _SLANTING = (1 / 3, -2 / 3), (2 / 3, -1 / 3), (1 / 3, 1 / 3)


@dataclass(frozen=True, slots=True)
class Plane:
    """Lay a board of one size in the plane.

    Attributes:
        size: Letters and rows.
        left, right, top, bottom: The edges of the ground.
        width, height: The whole picture.
    """

    size: int

    @property
    def left(self) -> float:
        return FRAME + LABELS

    @property
    def right(self) -> float:
        return self.left + (self.size - 1 + 2 * GROUND) * STEP

    @property
    def top(self) -> float:
        return FRAME + LABELS

    @property
    def bottom(self) -> float:
        return self.top + (self.size - 1 + 2 * GROUND) * STEP

    @property
    def width(self) -> float:
        return self.right + FRAME + LABELS

    @property
    def height(self) -> float:
        return self.bottom + FRAME + LABELS

    def place(self, side: int, coordinate: Coordinate) -> Point:
        """Return the point of a peg, or of the middle of a bridge."""
        column, row = coordinate
        if side == O:
            return self._point(column + RIGHT, row - UP)
        return self._point(column, row)

    def bridge(self, side: int, coordinate: Coordinate) -> tuple[Point, Point]:
        """Return the two pegs of a bridge."""
        first, second = joined_pegs(side, *coordinate)
        return self.place(side, first), self.place(side, second)

    def tile(self, side: int, coordinate: Coordinate) -> tuple[Point, ...]:
        """Return the rhomb around a bridge; those of one side cover the plane without a gap."""
        first, second = self.bridge(side, coordinate)
        x, y = self.place(side, coordinate)
        column, row = coordinate
        across, down = _LYING if row % 2 == side else _UPRIGHT if column % 2 else _SLANTING
        dx, dy = across * STEP, down * STEP
        return first, (x + dx, y + dy), second, (x - dx, y - dy)

    def dock(self, side: int, peg: Coordinate) -> tuple[Point, Point]:
        """Return the line from an outermost peg of a side to the edge it belongs to."""
        x, y = self.place(side, peg)
        column, row = peg
        if side == X:
            return (x, y), (x, self.top if row == 1 else self.bottom)
        return (x, y), (self.left if column == 1 else self.right, y)

    def letter(self, column: int) -> float:
        """Return the x of a column's letter, between its pegs of X and of O."""
        return self._point(column + RIGHT / 2, 0)[0]

    def number(self, row: int) -> float:
        """Return the y of a row's number."""
        return self._point(0, row - UP / 2)[1]

    def _point(self, x: float, y: float) -> Point:
        # The ground begins with O's first column and X's first row.
        return (
            self.left + (x - 1 - RIGHT + GROUND) * STEP,
            self.top + (y - 1 + GROUND) * STEP,
        )
