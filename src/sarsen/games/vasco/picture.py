"""The picture: the tiles, the free positions with their numbers, the six rotations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache
from math import sqrt

from sarsen.core.phrases import Phrase
from sarsen.drawing.scene import Arc, Circle, Label, Point, Polygon, Scene, Shape
from sarsen.games.vasco.board import (
    BASE,
    EDGES,
    LEFT,
    O_ARC,
    OVERLAP,
    RIGHT,
    ROTATIONS,
    SIDES,
    X_ARC,
    Cell,
    Rotation,
    place_of,
    points_up,
)
from sarsen.games.vasco.paths import ARCS, paths
from sarsen.games.vasco.rules import INFO, VascoPosition

SIDE = 100.0
_MARGIN = 40.0
# Small tables get air around them rather than giant tiles, but their free positions stay large
# enough for a finger on a phone.
_NARROWEST = 420.0
_LEGEND_PARTS = 7.8  # the legend's tiles take this part of the width, while that is not giant
_LARGEST_LEGEND = 2 * SIDE
_GAP = 0.62  # between the two rows of the legend, by its tile
_STEP = SIDE / 15  # 13 of them are a triangle's height, all but a two thousandth of it


@dataclass(frozen=True, slots=True)
class Sheet:
    """The place of the table in the picture: its size, and the place of its first column."""

    width: float
    height: float
    x: float
    column: int
    row: int

    def triangle(self, cell: Cell) -> Triangle:
        """Return the triangle of a cell."""
        x, y = place_of(cell)
        # Counted from the first row, so that equal places of two tables are equal numbers.
        left = self.x + (x - self.column) * SIDE / 2
        top = _MARGIN + (y - self.row) * HEIGHT * SIDE
        return Triangle(left, top, SIDE, points_up(cell))

    def name(self, cell: Cell) -> str:
        """Return the row and the place in it, counted from 1, as the table of cells does."""
        x, y = place_of(cell)
        return f"{y - self.row + 1}.{x - self.column + 1}"


def scene_of(position: VascoPosition) -> Scene:
    """Draw a position."""
    is_over = position.outcome() is not None
    numbers = {} if is_over else position.survey().numbers
    sheet = _sheet([*position.tiles, *numbers])
    foot, foot_height = _foot(sheet, position)
    height = sheet.height + foot_height
    shapes: list[Shape] = [_paper(sheet.width, height)]
    shapes += [_free_cell(sheet.triangle(cell), str(number)) for cell, number in numbers.items()]
    shapes += _tiles(sheet, position)
    shapes += [_number(sheet, position, cell, str(number)) for cell, number in numbers.items()]
    return Scene(sheet.width, height, title_of(position), (*shapes, *foot), _STEP)


@lru_cache
def tiles_alone() -> dict[Rotation, Scene]:
    """Draw each rotation as it looks on a cell that points up."""
    triangle = Triangle(0.65 * SIDE, 0.15 * SIDE, SIDE, True)
    return {
        rotation: Scene(
            1.3 * SIDE,
            1.2 * SIDE,
            "",
            (
                face(triangle, rotation),
                *(shape for layer in (rims, arcs, overlap) for shape in layer(triangle, rotation)),
            ),
        )
        for rotation in ROTATIONS
    }


def title_of(position: VascoPosition) -> str:
    """Return the position in one line."""
    laid = len(position.tiles)
    tiles = Phrase("{laid} tiles", laid=laid)
    if laid == 1:
        tiles = Phrase("1 tile")
    outcome = position.outcome()
    if outcome is not None:
        return Phrase("Vasco, {tiles} laid. {reason}", tiles=tiles, reason=outcome.reason)
    return Phrase(
        "Vasco, {tiles} laid, {room} left: {side} to move.",
        tiles=tiles,
        room=position.room,
        side=INFO.seats[position.seat],
    )


def _sheet(cells: Iterable[Cell]) -> Sheet:
    places = [place_of(cell) for cell in cells]
    columns, rows = [x for x, _ in places], [y for _, y in places]
    wide = (max(columns) - min(columns) + 2) * SIDE / 2
    high = (max(rows) - min(rows) + 1) * HEIGHT * SIDE
    width = max(wide + 2 * _MARGIN, _NARROWEST)
    left = (width - wide + SIDE) / 2
    return Sheet(width, high + 2 * _MARGIN, left, min(columns), min(rows))


def _paper(width: float, height: float) -> Polygon:
    return Polygon(((0, 0), (width, 0), (width, height), (0, height)), "paper")


def _free_cell(triangle: Triangle, spot: str) -> Polygon:
    return Polygon(triangle.shrunk(0.84), "paper", "grid", 1.4, spot)


def _number(sheet: Sheet, position: VascoPosition, cell: Cell, spot: str) -> Label:
    """Write a number, a little away from the path ends that reach into its cell."""
    triangle = sheet.triangle(cell)
    at_x, at_y = x, y = triangle.centre
    for side in SIDES:
        if position.table.colour_seen(cell, side):
            end_x, end_y = triangle.middle(side)
            at_x += 0.22 * (x - end_x)
            at_y += 0.22 * (y - end_y)
    return Label(at_x, at_y, spot, 25 if len(spot) < 3 else 20, "ink-soft", spot=spot)


def _tiles(sheet: Sheet, position: VascoPosition) -> list[Shape]:
    """Draw the tiles in layers, so that no tile covers the arc that leads out of another."""
    laid = [(sheet.triangle(cell), rotation) for cell, rotation in position.tiles.items()]
    shapes: list[Shape] = [
        face(sheet.triangle(cell), rotation, sheet.name(cell))
        for cell, rotation in position.tiles.items()
    ]
    shapes += _marks(sheet, position.last)
    shapes += _halos(sheet, position)
    for layer in (rims, arcs, overlap):
        shapes += [shape for triangle, rotation in laid for shape in layer(triangle, rotation)]
    return shapes


def _marks(sheet: Sheet, last: tuple[Cell, ...]) -> list[Shape]:
    """Fill the tile of the last move in amber, and frame those that it forced."""
    return [
        Polygon(sheet.triangle(cell).shrunk(0.94), "mark")
        if cell == last[0]
        else Polygon(sheet.triangle(cell).shrunk(0.88), "", "mark", 4)
        for cell in last
    ]


def _halos(sheet: Sheet, position: VascoPosition) -> list[Shape]:
    return [
        halo(sheet.triangle(cell), position.tiles[cell], arc)
        for arc in ARCS
        for loop in paths(position.tiles, arc)
        if loop.is_closed
        for cell in loop.cells
    ]


def _foot(sheet: Sheet, position: VascoPosition) -> tuple[list[Shape], float]:
    """Draw what stands below the table, and give its height: sides, pool, rotations."""
    tile = min(sheet.width / _LEGEND_PARTS, _LARGEST_LEGEND)
    left = (sheet.width - _LEGEND_PARTS * tile) / 2
    shapes = _caption(position, left, sheet.height + 0.15 * tile, tile)
    if position.outcome() is not None:
        return shapes, 0.6 * tile
    shapes += _legend(left, sheet.height + 0.6 * tile, tile)
    return shapes, (0.6 + 2 * HEIGHT + _GAP + 0.35) * tile


def _caption(position: VascoPosition, left: float, y: float, tile: float) -> list[Shape]:
    """Write whose colour is whose, in bold who is to move, and what the pool has."""
    size = 0.28 * tile
    shapes: list[Shape] = []
    for seat, role in enumerate(("first", "second")):
        x = left + (0.5 + seat) * tile
        is_to_move = position.outcome() is None and seat == position.seat
        shapes += [
            Circle(x, y, 0.15 * tile, role, f"{role}-shade", 0.03 * tile),
            Label(x + 0.25 * tile, y, INFO.seats[seat], size, anchor="start", bold=is_to_move),
        ]
    pool = Phrase("{room} of {size} tiles left", room=position.room, size=position.size)
    right = left + (_LEGEND_PARTS - 0.4) * tile
    return [*shapes, Label(right, y, pool, size, "ink-soft", "end")]


def _legend(left: float, top: float, tile: float) -> list[Shape]:
    """Draw every rotation as it looks on a cell that points up, and on one that points down."""
    shapes: list[Shape] = []
    step = (_LEGEND_PARTS - 0.4) / len(ROTATIONS)
    for place, rotation in enumerate(ROTATIONS):
        x = left + (0.2 + step * (place + 0.5)) * tile
        low = top + (HEIGHT + _GAP) * tile
        for triangle in (Triangle(x, top, tile, True), Triangle(x, low, tile, False)):
            shapes.append(face(triangle, rotation, rotation))
            for layer in (rims, arcs, overlap):
                shapes += layer(triangle, rotation, rotation)
        middle = top + (HEIGHT + _GAP / 2) * tile
        shapes.append(Label(x, middle, rotation, 0.36 * tile, bold=True, spot=rotation))
    return shapes


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
