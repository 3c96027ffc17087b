"""Moves and places drawn over a picture: lines from spot to spot, rings, and arrows."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import pairwise
from math import hypot
from typing import Any, Literal

from sarsen.core.game import AnyPosition
from sarsen.drawing.scene import Arc, Circle, Label, Point, Polygon, Scene, Shape, Stroke
from sarsen.drawing.taps import taps_of
from sarsen.drawing.view import scene, view_of

Box = tuple[float, float, float, float]  # left, top, right, bottom
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


def marked(position: AnyPosition, marks: Sequence[str] = (), arrows: Sequence[str] = ()) -> Scene:
    """Draw a position, and over it rings round places, and arrows along ways such as `a1-a3`.

    Places that are not drawn are left out.
    """
    drawn = scene(position)
    stroke = max(drawn.width / 140, 1.5)
    shapes: list[Shape] = []
    for way in arrows:
        shapes += _arrow(_places(drawn, way.split("-")), stroke)
    for (x, y), size in _places(drawn, marks):
        reach = size * 0.53
        shapes += [
            Circle(x, y, reach, "", "paper", stroke * 3),
            Circle(x, y, reach, "", "spot", stroke * 1.8),
        ]
    return replace(drawn, shapes=(*drawn.shapes, *shapes))


def moves_over(position: AnyPosition, texts: Sequence[str]) -> tuple[Scene, ...]:
    """Return the marks and arrows of some moves alone, a scene each, to lie over the picture."""
    drawn = scene(position)
    over = (marked(position, *pointing_at(position, text)) for text in texts)
    return tuple(replace(one, title="", shapes=one.shapes[len(drawn.shapes) :]) for one in over)


def pointing_at(position: AnyPosition, text: str) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the marks and arrows that show a move, also one that the rules refuse.

    Of several places that a piece goes through, an arrow; others, such as a cell and the tile
    for it, are marked.
    """
    drawn = scene(position)
    for spots in (tuple(text.split("-")), taps_of(position, text)):
        # Of the places, not of what stands on them: rings of three sizes stand on like ones.
        places = [place_of(drawn, spot) or _top_of(drawn, spot) for spot in spots]
        sizes = [place[1] for place in places if place]
        if len(sizes) != len(spots) or not sizes:
            continue
        if len(spots) > 1 and ("-".join(spots) == text or max(sizes) <= SAME_SIZE * min(sizes)):
            return (), ("-".join(spots),)
        return spots, ()
    return (), ()


def _places(drawn: Scene, spots: Sequence[str]) -> list[tuple[Point, float]]:
    return [place for spot in spots if (place := _top_of(drawn, spot))]


def _arrow(places: Sequence[tuple[Point, float]], stroke: float) -> list[Shape]:
    """Draw an arrow through some places, whose head is at the last one."""
    if len(places) < 2:
        return []
    points = [point for point, _ in places]
    (x, y), (from_x, from_y) = points[-1], points[-2]
    long = hypot(x - from_x, y - from_y) or 1
    right, down = (x - from_x) / long, (y - from_y) / long
    head, half = stroke * 7, stroke * 3.5
    base = (x - right * head, y - down * head)
    line = Stroke((*points[:-1], base), "spot", stroke * 1.8)
    corners = (
        (x, y),
        (base[0] - down * half, base[1] + right * half),
        (base[0] + down * half, base[1] - right * half),
    )
    below, above = _haloed(line, stroke)
    # A way that comes back over its beginning would else seem to begin further on.
    start = Circle(*points[0], stroke * 2.6, "spot", "paper", stroke * 0.5)
    return [start, below, Polygon(corners, "spot", "paper", stroke * 0.5), above]


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
    return _middle(boxes[0]) if boxes else None


def _top_of(drawn: Scene, spot: str) -> tuple[Point, float] | None:
    """Return the same of what lies on top there: of the last shape about as large as the largest.

    Of a line alone, such as a bridge, its middle and half its length.
    """
    shapes = [shape for shape in drawn.shapes if shape.spot == spot]
    boxed = [(shape, box) for shape in shapes if (box := _box(shape))]
    if boxed:
        largest = max(_area(box) for _, box in boxed)
        shape, box = [one for one in boxed if _area(one[1]) >= largest / 2][-1]
        if isinstance(shape, Polygon) and len(shape.points) == 3:
            return _middle_of_triangle(shape.points)
        return _middle(box)
    line = next((shape for shape in shapes if isinstance(shape, Stroke)), None)
    if line is None:
        return None
    (x, y), (end_x, end_y) = line.points[0], line.points[-1]
    return ((x + end_x) / 2, (y + end_y) / 2), hypot(end_x - x, end_y - y) / 2


def _area(box: Box) -> float:
    left, top, right, bottom = box
    return (right - left) * (bottom - top)


def _middle(box: Box) -> tuple[Point, float]:
    left, top, right, bottom = box
    return ((left + right) / 2, (top + bottom) / 2), min(right - left, bottom - top)


def _middle_of_triangle(points: Sequence[Point]) -> tuple[Point, float]:
    """Return where the corners balance, and twice the way from there to the nearest side."""
    (x, y), (next_x, next_y), (last_x, last_y) = points
    middle = (x + next_x + last_x) / 3, (y + next_y + last_y) / 3
    doubled = abs((next_x - x) * (last_y - y) - (last_x - x) * (next_y - y))  # its area
    longest = max(hypot(a - c, b - d) for (a, b), (c, d) in pairwise((*points, points[0])))
    return middle, 2 * doubled / longest / 3


def _box(shape: Shape) -> Box | None:
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
