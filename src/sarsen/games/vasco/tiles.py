"""The tiles in the picture of Vasco: triangles, arcs, rims and the glow of a loop."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from sarsen.drawing.scene import Arc, Circle, Point, Polygon, Shape
from sarsen.games.vasco.board import (
    BASE,
    EDGES,
    LEFT,
    O_ARC,
    OVERLAP,
    RIGHT,
    X_ARC,
    Rotation,
)

HEIGHT = sqrt(3) / 2  # of a triangle whose side is 1
STROKE = 0.16  # the width of an arc, by the side
_RIM = 0.045  # how far its dark edge looks out
_HALO = 0.11  # how far the glow of a winning loop looks out
# Tiles are kept, and given again as the same objects, since every picture needs dozens.
MAX_KEPT = 2048
_ROLES = {O_ARC: "first", X_ARC: "second"}
_SHADES = {O_ARC: "first-shade", X_ARC: "second-shade"}


@dataclass(frozen=True, slots=True)
class Triangle:
    """Place one cell in a scene.

    Attributes:
        x: The middle from left to right.
        top: The upper edge or the upper corner.
        side: The length of a side.
    """

    x: float
    top: float
    side: float
    is_up: bool

    @property
    def corners(self) -> tuple[Point, Point, Point]:
        """Return the corners: the one opposite the base, then the base's left and right one."""
        bottom = self.top + HEIGHT * self.side
        tip, base = (self.top, bottom) if self.is_up else (bottom, self.top)
        half = self.side / 2
        return (self.x, tip), (self.x - half, base), (self.x + half, base)

    @property
    def centre(self) -> Point:
        (_, tip), (_, base), _ = self.corners
        return self.x, (tip + 2 * base) / 3

    def edge(self, side: int) -> tuple[Point, Point]:
        """Return the ends of an edge."""
        tip, left, right = self.corners
        return {LEFT: (tip, left), RIGHT: (tip, right), BASE: (left, right)}[side]

    def middle(self, side: int) -> Point:
        """Return the middle of an edge, where the paths run through it."""
        (x, y), (other_x, other_y) = self.edge(side)
        return (x + other_x) / 2, (y + other_y) / 2

    def shrunk(self, part: float) -> tuple[Point, ...]:
        """Return the corners of the same triangle drawn smaller round its centre."""
        (at_x, at_y) = self.centre
        return tuple((at_x + (x - at_x) * part, at_y + (y - at_y) * part) for x, y in self.corners)


@lru_cache(maxsize=MAX_KEPT)
def face(triangle: Triangle, rotation: Rotation, spot: str = "") -> Polygon:
    """Draw the bare tile; front and back, which mirror each other, differ a little."""
    is_front = (rotation in "ade") == triangle.is_up
    role = "ground" if is_front else "ground-alt"
    width = 0.015 * triangle.side
    return Polygon(triangle.shrunk(0.985), role, "grid", width, spot)


def halo(triangle: Triangle, rotation: Rotation, arc: int) -> Arc:
    """Draw the glow that lies under the arc of a winning loop."""
    return _arc(triangle, rotation, arc, "mark", STROKE + 2 * _HALO, "")


@lru_cache(maxsize=MAX_KEPT)
def rims(triangle: Triangle, rotation: Rotation, spot: str = "") -> tuple[Shape, ...]:
    """Draw the dark edges of both arcs, which lie under all arcs of all tiles."""
    x, y = triangle.middle(EDGES[rotation].index(OVERLAP))
    return (
        *(
            _arc(triangle, rotation, arc, shade, STROKE + 2 * _RIM, spot)
            for arc, shade in _SHADES.items()
        ),
        Circle(x, y, (STROKE / 2 + _RIM) * triangle.side, "both-shade", spot=spot),
    )


@lru_cache(maxsize=MAX_KEPT)
def arcs(triangle: Triangle, rotation: Rotation, spot: str = "") -> tuple[Shape, ...]:
    """Draw both arcs."""
    drawn = (_arc(triangle, rotation, arc, role, STROKE, spot) for arc, role in _ROLES.items())
    return tuple(drawn)


@lru_cache(maxsize=MAX_KEPT)
def overlap(triangle: Triangle, rotation: Rotation, spot: str = "") -> tuple[Shape, ...]:
    """Draw what both arcs have in common: a half leaf, and the round end of the stroke."""
    side = EDGES[rotation].index(OVERLAP)
    x, y = triangle.middle(side)
    return (
        Circle(x, y, STROKE / 2 * triangle.side, "both", spot=spot),
        Polygon(_half_leaf(triangle, side), "both", spot=spot),
    )


def _half_leaf(triangle: Triangle, side: int) -> tuple[Point, ...]:
    """Return the outline between the outer rims of the two arcs that end on one edge."""
    outer = 0.5 + STROKE / 2
    deepest = sqrt(outer**2 - 0.25)
    # A little across the edge, so that no seam shows between the halves of two tiles.
    depths = [-0.01, *(deepest * step / 6 for step in range(7))]
    shares = [sqrt(outer**2 - depth**2) for depth in depths]
    start, end = triangle.edge(side)
    (centre_x, centre_y), (middle_x, middle_y) = triangle.centre, triangle.middle(side)
    # The centre of a triangle is a third of its height away from every edge.
    inwards = ((centre_x - middle_x) * 3 / HEIGHT, (centre_y - middle_y) * 3 / HEIGHT)

    def point(share: float, depth: float) -> Point:
        return (
            start[0] + (end[0] - start[0]) * share + inwards[0] * depth,
            start[1] + (end[1] - start[1]) * share + inwards[1] * depth,
        )

    rim = [point(share, depth) for share, depth in zip(shares, depths, strict=True)]
    other_rim = [point(1 - share, depth) for share, depth in zip(shares, depths, strict=True)]
    return (*rim, *reversed(other_rim))


def _arc(
    triangle: Triangle, rotation: Rotation, arc: int, role: str, width: float, spot: str
) -> Arc:
    edges = EDGES[rotation]
    side, other = edges.index(arc), edges.index(OVERLAP)
    start, end = triangle.middle(side), triangle.middle(other)
    corner = next(point for point in triangle.edge(side) if point in triangle.edge(other))
    turn = (start[0] - corner[0]) * (end[1] - corner[1]) - (start[1] - corner[1]) * (
        end[0] - corner[0]
    )
    size = triangle.side
    return Arc(start, end, size / 2, role, width * size, 1 if turn > 0 else -1, spot)
