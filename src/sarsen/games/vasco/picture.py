"""The picture: the tiles, the free positions with their numbers, the six rotations."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from functools import lru_cache

from sarsen.core.phrases import Phrase
from sarsen.drawing.scene import Circle, Label, Polygon, Scene, Shape
from sarsen.games.vasco.board import (
    ROTATIONS,
    SIDES,
    Cell,
    Rotation,
    place_of,
    points_up,
)
from sarsen.games.vasco.paths import ARCS, paths
from sarsen.games.vasco.rules import INFO, VascoPosition
from sarsen.games.vasco.tiles import HEIGHT, Triangle, arcs, face, halo, overlap, rims

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
