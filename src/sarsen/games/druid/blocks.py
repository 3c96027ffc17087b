"""The blocks of stones in the picture of Druid: places, faces and edges."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from sarsen.drawing.scene import Point, Polygon, Shape, Stroke
from sarsen.games.druid.board import (
    EAST,
    NORTH,
    H,
    Stone,
    V,
    column_row,
)
from sarsen.games.druid.notation import square_name

CELL = 60.0  # the side of a square in the picture
INSET = 0.055  # of a square, around each stone
RIM = 0.1  # of a square: how much of its owner's colour the last stone keeps round the amber
OVERLAP = 0.02  # of a square, into the next part of a lintel, so that no hair shows between
LEAN = 0.45  # how far a rising edge runs to the right, for each unit upwards
FIRST_RISE = 0.24  # of a square: how far the first level rises
SHRINK = 0.7  # each level rises less than the one below it
HIGHEST = FIRST_RISE / (1 - SHRINK)
MAX_KEPT = 2048  # blocks, given again as the same objects: every picture needs dozens

# Top, west and south face, as lit from behind the left shoulder.
FACES = {V: ("first", "first-side", "first-shade"), H: ("second", "second-side", "second-shade")}


def rise(height: int) -> float:
    """Return how far a height rises in the picture, in squares.

    Heights have no limit, the picture has: a tower of any height stays below one
    square, so that it never hides the whole top of a stone behind it.
    """
    return HIGHEST * (1 - SHRINK**height)


@dataclass(frozen=True, slots=True)
class Eye:
    """Turn columns, rows (both may be broken) and heights into points of the picture."""

    left: float
    bottom: float

    def point(self, column: float, row: float, height: int = 0) -> Point:
        (point,) = self.points([(column, row)], height)
        return point

    def points(self, places: Iterable[Point], height: int = 0) -> tuple[Point, ...]:
        """Turn places of one height, each a column and a row."""
        up = rise(height)
        right, left, bottom = LEAN * up, self.left, self.bottom
        return tuple([(left + (x + right) * CELL, bottom - (y + up) * CELL) for x, y in places])


@dataclass(frozen=True, slots=True)
class Marks:
    """Name the squares whose tops stand out."""

    last: tuple[int, ...] = ()
    chain: tuple[int, ...] = ()

    def look(self, square: int) -> TopFace:
        """Return how a top face is drawn."""
        return TopFace(square in self.last, square in self.chain)


@dataclass(frozen=True, slots=True)
class TopFace:
    """How a top face is drawn: filled in amber inside its rim, or with amber edges."""

    is_last: bool = False
    is_in_chain: bool = False


@lru_cache(maxsize=MAX_KEPT)
def block(stone: Stone, square: int, eye: Eye, look: TopFace) -> tuple[Shape, ...]:
    """Draw the part of a stone on one square; parts of a lintel join without a seam."""
    return tuple(_block(stone, square, eye, look))


def _block(stone: Stone, square: int, eye: Eye, look: TopFace) -> Iterator[Shape]:
    column, row = column_row(square)
    part = (square - stone.start) // stone.step if stone.step else 0
    ends_west, ends_east = stone.step != EAST or part == 0, stone.step != EAST or part == 2
    ends_south, ends_north = stone.step != NORTH or part == 0, stone.step != NORTH or part == 2
    west, east = _extent(column, ends_west, ends_east)
    south, north = _extent(row, ends_south, ends_north)
    left, right = _extent(column, ends_west, ends_east, INSET + RIM)
    front, back = _extent(row, ends_south, ends_north, INSET + RIM)
    low, high = stone.level, stone.level + 1
    top = ((west, north), (east, north), (west, south), (east, south))
    north_west, north_east, south_west, south_east = eye.points(top, high)
    left_foot, foot, right_foot = eye.points(((west, north), (west, south), (east, south)), low)
    top_role, west_role, south_role = FACES[stone.side]
    spot = square_name(square)
    if ends_west:
        points = (left_foot, foot, south_west, north_west)
        yield Polygon(points, west_role, spot=spot)
    if ends_south:
        points = (foot, right_foot, south_east, south_west)
        yield Polygon(points, south_role, spot=spot)
    yield Polygon((north_west, south_west, south_east, north_east), top_role, spot=spot)
    if look.is_last:
        inner = ((left, back), (left, front), (right, front), (right, back))
        yield Polygon(eye.points(inner, high), "mark", spot=spot)
    role, width = ("mark", 1.8) if look.is_in_chain else ("ground", 1.1)
    edges = {
        (north_west, north_east): ends_north,
        (north_east, south_east): ends_east,
        (north_west, south_west): ends_west,
        (south_west, south_east): ends_south,
    }
    yield from (Stroke(edge, role, width, spot=spot) for edge, is_end in edges.items() if is_end)


def _extent(
    at: int, ends_before: bool, ends_after: bool, inset: float = INSET
) -> tuple[float, float]:
    """Return where a block begins and ends in its column or row, given where its stone ends."""
    before, after = inset if ends_before else -OVERLAP, inset if ends_after else -OVERLAP
    return at + before, at + 1 - after
