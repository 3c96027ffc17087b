"""A scene as a small picture for lists: no letters, whole pixels, few bytes."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from itertools import groupby

from sarsen.drawing.palette import LIGHT
from sarsen.drawing.scene import Arc, Circle, Label, Point, Polygon, Scene, Shape, Stroke
from sarsen.drawing.svg import STRIPES, stripe_pattern

SIDE = 240  # pixels of the longer side
_UNITS = 4  # of a drawing to a pixel: whole numbers are exact enough
THINNEST = 0.25  # pixels; a thinner stroke is not drawn

_STRIPE = 18  # units from stripe to stripe

_Paint = tuple[str, str, float]  # fill, stroke, width of the stroke


def thumbnail(scene: Scene, colours: Mapping[str, str] = LIGHT, *, is_striped: bool = False) -> str:
    """Write a scene as a small SVG document with its title.

    Shapes that follow one another in the same colours become one path.
    """
    stripes = ""
    if is_striped:
        stripes = f"<defs>{stripe_pattern(colours, _STRIPE)}</defs>"
        colours = {**colours, "second": f"url(#{STRIPES})"}
    scale = SIDE * _UNITS / max(scene.width, scene.height)
    drawn = (shape for shape in scene.shapes if not isinstance(shape, Label))
    parts = [
        _path("".join(_trace(shape, scale) for shape in shapes), paint, colours)
        for paint, shapes in groupby(drawn, key=lambda shape: _paint(shape, scale))
        if paint[0] or paint[1]
    ]
    width, height = round(scene.width * scale), round(scene.height * scale)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width // _UNITS}" height="{height // _UNITS}" stroke-linejoin="round" '
        f'stroke-linecap="round"><title>{escape(scene.title)}</title>{stripes}{"".join(parts)}</svg>'
    )


def _path(trace: str, paint: _Paint, colours: Mapping[str, str]) -> str:
    fill, stroke, width = paint
    said = f'fill="{colours[fill] if fill else "none"}"'
    if stroke:
        said += f' stroke="{colours[stroke]}" stroke-width="{width:.3g}"'
    return f'<path {said} d="{trace}"/>'


def _paint(shape: Shape, scale: float) -> _Paint:
    match shape:
        case Polygon() | Circle():
            fill, stroke = shape.role, shape.outline
        case _:
            fill, stroke = "", shape.role
    width = getattr(shape, "width", 0.0) * scale
    return (fill, stroke, width) if width >= THINNEST * _UNITS else (fill, "", 0.0)


def _trace(shape: Shape, scale: float) -> str:
    match shape:
        case Polygon():
            return _corners(shape.points, scale) + "z"
        case Stroke():
            return _corners(shape.points, scale)
        case Circle():
            x, y, radius = (round(one * scale) for one in (shape.x, shape.y, shape.radius))
            half = f"a{radius} {radius} 0 1 0 "
            return f"M{x - radius} {y}{half}{2 * radius} 0{half}{-2 * radius} 0z"
        case Arc():
            radius, sweep = round(shape.radius * scale), int(shape.bulge == 1)
            (start, end) = _whole((shape.start, shape.end), scale)
            return f"M{start[0]} {start[1]}A{radius} {radius} 0 0 {sweep} {end[0]} {end[1]}"
        case Label():
            return ""


def _corners(points: Iterable[Point], scale: float) -> str:
    """Trace corners, each but the first as the way from the one before."""
    whole = _whole(points, scale)
    (x, y), trace = whole[0], f"M{whole[0][0]} {whole[0][1]}l"
    for next_x, next_y in whole[1:]:
        trace += f"{next_x - x} {next_y - y} "
        x, y = next_x, next_y
    return trace.rstrip(" l")


def _whole(points: Iterable[Point], scale: float) -> list[tuple[int, int]]:
    return [(round(x * scale), round(y * scale)) for x, y in points]
