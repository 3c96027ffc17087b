"""Moves drawn over a picture: lines from spot to spot, and a sign where each move ends."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from typing import Any, Literal

from sarsen.core.game import AnyPosition
from sarsen.drawing.scene import Arc, Circle, Label, Point, Polygon, Scene, Shape, Stroke
from sarsen.drawing.view import scene, view_of

Sign = Literal["ring", "cross"]
_ROLES = {"ring": "spot", "cross": "ink"}
SAME_SIZE = 1.05
# Of a spot's smaller side.
_REACH = {"ring": 0.36, "cross": 0.22}


def pointed(position: AnyPosition, moves: Sequence[tuple[Any, Sign]]) -> Scene:
    """Draw a position, and over it moves that could be made there."""
    drawn = scene(position)
    signs: list[Shape] = []
    for move, sign in moves:
        spots = view_of(position).clicks(position, move)
        places = [place_of(drawn, spot) for spot in spots]
        signs += _signs([place for place in places if place], sign, drawn.width)
    return replace(drawn, shapes=(*drawn.shapes, *signs))


def _signs(places: Sequence[tuple[Point, float]], sign: Sign, width: float) -> list[Shape]:
    """Draw the way of a move, and a sign where it ends.

    Spots of one size are places a piece goes through. Others, such as a cell and the tile
    for it, are chosen one after the other: each gets the sign.
    """
    stroke = max(width / 140, 1.5)
    sizes = [size for _, size in places]
    if len(places) < 2 or max(sizes) > SAME_SIZE * min(sizes):
        return [shape for place in places for shape in _sign(place, sign, stroke)]
    shapes: list[Shape] = []
    for (start, _), (end, _) in pairwise(places):
        shapes += _haloed(Stroke((start, end), _ROLES[sign], stroke), stroke)
    x, y = places[0][0]
    shapes.append(Circle(x, y, stroke * 1.6, _ROLES[sign], "paper", stroke * 0.6))
    return [*shapes, *_sign(places[-1], sign, stroke)]


def _sign(place: tuple[Point, float], sign: Sign, stroke: float) -> list[Shape]:
    (x, y), size = place
    reach = max(size * _REACH[sign], stroke * 1.5)
    if sign == "ring":
        return [
            Circle(x, y, reach, "", "paper", stroke * 2.4),
            Circle(x, y, reach, "", _ROLES[sign], stroke * 1.4),
        ]
    strokes = []
    for ends in (((-1, -1), (1, 1)), ((-1, 1), (1, -1))):
        points = tuple((x + reach * right, y + reach * down) for right, down in ends)
        strokes.append(Stroke(points, _ROLES[sign], stroke * 1.4))
    # Both halos below both strokes.
    haloed = [_haloed(line, stroke) for line in strokes]
    return [*(below for below, _ in haloed), *(above for _, above in haloed)]


def _haloed(line: Stroke, stroke: float) -> list[Shape]:
    return [replace(line, role="paper", width=line.width + stroke), line]


def place_of(drawn: Scene, spot: str) -> tuple[Point, float] | None:
    """Return the middle of a spot and its smaller side; None when it is not drawn."""
    boxes = [box for shape in drawn.shapes if shape.spot == spot and (box := _box(shape))]
    if not boxes:
        return None
    left, top, right, bottom = boxes[0]
    return ((left + right) / 2, (top + bottom) / 2), min(right - left, bottom - top)


def _box(shape: Shape) -> tuple[float, float, float, float] | None:
    match shape:
        case Circle():
            x, y, reach = shape.x, shape.y, shape.radius
            return x - reach, y - reach, x + reach, y + reach
        case Polygon():
            across = [x for x, _ in shape.points]
            down = [y for _, y in shape.points]
            return min(across), min(down), max(across), max(down)
        case Label():
            half = shape.size / 2
            return shape.x - half, shape.y - half, shape.x + half, shape.y + half
        case Stroke() | Arc():
            return None
