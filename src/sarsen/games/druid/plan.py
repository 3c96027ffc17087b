"""Draw the site from straight above: who is on top of each square, and how high.

The picture of blocks hides low squares behind tall ones; nothing is hidden here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from sarsen.core.phrases import Phrase
from sarsen.drawing.scene import Circle, Label, Point, Polygon, Scene, Shape
from sarsen.games.druid.blocks import RIM
from sarsen.games.druid.board import NORTH, SIDES, H, Stone, V, column_row, site, squares_of
from sarsen.games.druid.notation import square_name
from sarsen.games.druid.picture import (
    AWAY,
    FRAME,
    INKS,
    MARGIN,
    coordinate,
    frame,
    last_squares,
    title,
)
from sarsen.games.druid.rules import DruidPosition

CELL = 60.0
INSET = 0.06  # of a square, around each stone
PAINT = {V: "first", H: "second"}
RIMS = {V: "first-shade", H: "second-shade"}


def plan(position: DruidPosition) -> Scene:
    """Draw a position."""
    size = position.terms.size
    side = size * CELL + MARGIN + 3 * FRAME
    shapes = (
        Polygon(((0, 0), (side, 0), (side, side), (0, side)), "paper"),
        *frame(size, FRAME / CELL, partial(_points, size)),
        *_squares(position),
        *_coordinates(size),
        *_stones(position),
        *_labels(position),
    )
    return Scene(side, side, Phrase("{title} From above.", title=title(position)), shapes)


def _squares(position: DruidPosition) -> Iterator[Shape]:
    size = position.terms.size
    edges = site(size)
    for y in range(size):
        for x in range(size):
            name = square_name(NORTH * y + x)
            yield _plate(size, (x, y), (x + 1, y + 1), "ground", "grid", 1, name)
    if position.is_opening:
        for square in squares_of(edges.edge):
            x, y = column_row(square)
            middle = _point(size, x + 0.5, y + 0.5)
            yield Circle(*middle, 4.5, "spot", spot=square_name(square))


def _coordinates(size: int) -> Iterator[Shape]:
    for at in range(size):
        x, y = _point(size, at + 0.5, 0)
        yield coordinate(x, y + FRAME + AWAY, chr(ord("a") + at))
        x, y = _point(size, 0, at + 0.5)
        yield coordinate(x - FRAME - AWAY, y, str(at + 1))


def _stones(position: DruidPosition) -> Iterator[Shape]:
    """Draw every square's uppermost stone; the squares of one lintel join without a seam."""
    monument, size = position.monument, position.terms.size
    last = last_squares(position.last)
    stones = {
        (square, stone.level): stone for stone in monument.stones for square in stone.piece.squares
    }
    for square in squares_of(monument.tops[V] | monument.tops[H]):
        stone = stones[square, monument.heights[square] - 1]
        yield _top(size, stone, square, INSET, PAINT[stone.side], RIMS[stone.side])
        if square in last:
            yield _top(size, stone, square, INSET + RIM, "mark", "")


def _top(size: int, stone: Stone, square: int, inset: float, role: str, rim: str) -> Polygon:
    x, y = column_row(square)
    squares = stone.piece.squares
    at = squares.index(square)
    step = (0, 0)
    if len(squares) > 1:
        (first_x, first_y), (next_x, next_y) = column_row(squares[0]), column_row(squares[1])
        step = (next_x - first_x, next_y - first_y)
    before, after = at > 0, at + 1 < len(squares)
    low = (x + inset * (not (before and step[0])), y + inset * (not (before and step[1])))
    high = (x + 1 - inset * (not (after and step[0])), y + 1 - inset * (not (after and step[1])))
    return _plate(size, low, high, role, rim, 2.0 if rim else 0.0, square_name(square))


def _labels(position: DruidPosition) -> Iterator[Shape]:
    monument, size = position.monument, position.terms.size
    last = last_squares(position.last)
    for side in (V, H):
        for square in squares_of(monument.tops[side]):
            x, y = column_row(square)
            words = f"{SIDES[side]}{monument.heights[square]}"
            middle = _point(size, x + 0.5, y + 0.5)
            ink = RIMS[side] if square in last else INKS[side]
            yield Label(*middle, words, 23, ink, bold=True, spot=square_name(square))
    if position.may_swap:
        (stone,) = monument.stones
        x, y = column_row(stone.start)
        middle = _point(size, x + 0.5, y + 0.5)
        yield Circle(*middle, 24, "", "spot", 2.5, spot=square_name(stone.start))


def _plate(
    size: int, low: Point, high: Point, role: str, rim: str, width: float, spot: str
) -> Polygon:
    corners = (low, (high[0], low[1]), high, (low[0], high[1]))
    return Polygon(_points(size, corners), role, rim, width, spot)


def _points(size: int, places: Iterable[Point]) -> tuple[Point, ...]:
    return tuple([_point(size, column, row) for column, row in places])


def _point(size: int, column: float, row: float) -> Point:
    return MARGIN + FRAME + column * CELL, 2 * FRAME + (size - row) * CELL
