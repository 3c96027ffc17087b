"""The one SVG writer: a scene becomes a picture for pages, mails and files.

A thumbnail, for lists, has no letters, whole pixels and few bytes.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import lru_cache
from html import escape
from itertools import groupby

from sarsen.drawing.palette import LIGHT
from sarsen.drawing.scene import LONG, Arc, Circle, Label, Point, Polygon, Scene, Shape, Stroke

# In quotes: a name with a number in it is none without, and the whole list would be ignored.
FONT = "'Source Sans Pro', 'Source Sans 3', system-ui, sans-serif"
STRIPES = "stripes"  # the id of the second side's pattern
SIDE = 240  # pixels of the longer side
_UNITS = 4  # of a drawing to a pixel: whole numbers are exact enough
THINNEST = 0.25  # pixels; a thinner stroke is not drawn
_STRIPE = 18  # units from stripe to stripe
_Paint = tuple[str, str, float]  # fill, stroke, width of the stroke


def svg(
    scene: Scene, colours: Mapping[str, str] | None = LIGHT, *, is_striped: bool = False
) -> str:
    """Write a scene as a complete SVG document with exactly one title.

    Every shape carries its colours as attributes, so that the file stands
    alone, and its role as a class, so that a page's style sheet can override them.

    Args:
        colours: By role; None in a page whose style sheet has them all.
        is_striped: The second side's pieces are striped, in a picture with colours.
    """
    stripes = ""
    if colours is not None and is_striped:
        stripes = f"<defs>{stripe_pattern(colours)}</defs>"
        colours = {**colours, "second": f"url(#{STRIPES})"}
    if colours is None:
        body = "".join(map(_page_shape, scene.shapes))
    else:
        body = "".join(_shape(shape, colours) for shape in scene.shapes)
    box = f"0 0 {_number(scene.width)} {_number(scene.height)}"
    size = f'width="{_number(scene.width)}" height="{_number(scene.height)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" role="img" viewBox="{box}" {size} '
        f'font-family="{FONT}" stroke-linecap="round" stroke-linejoin="round">'
        f"<title>{escape(scene.title)}</title>{stripes}{body}</svg>"
    )


def symbols(scenes: Mapping[str, Scene]) -> str:
    """Write small scenes once for a page, which shows them by `<use href="#piece-a"/>`."""
    symbol_tags = "".join(
        f'<symbol class="board" id="piece-{escape(name)}" viewBox="0 0 {_number(scene.width)} '
        f'{_number(scene.height)}">{"".join(map(_page_shape, scene.shapes))}</symbol>'
        for name, scene in scenes.items()
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="pieces" aria-hidden="true" '
        f'stroke-linecap="round">{symbol_tags}</svg>'
        if symbol_tags
        else ""
    )


def stripe_pattern(colours: Mapping[str, str], size: int = 7) -> str:
    """Write the pattern of the second side's pieces.

    Args:
        size: From stripe to stripe, in the units of the picture.
    """
    # Against the diagonals of Visavis, whose bridges would otherwise show one stripe.
    return (
        f'<pattern id="{STRIPES}" width="{size}" height="{size}" patternUnits="userSpaceOnUse" '
        f'patternTransform="rotate(-45)"><rect width="{size}" height="{size}" '
        f'fill="{colours["second"]}"/><rect width="{_number(size * 0.36)}" height="{size}" '
        f'fill="{colours["second-stripe"]}"/></pattern>'
    )


def style_rules() -> str:
    """Write the CSS that gives every role its variable in a page."""
    return "".join(
        f".board .f-{role}{{fill:var(--{role})}}.board .s-{role}{{stroke:var(--{role})}}"
        for role in LIGHT
    )


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
        for paint, shapes in groupby(drawn, key=lambda shape: _thumbnail_paint(shape, scale))
        if paint[0] or paint[1]
    ]
    width, height = round(scene.width * scale), round(scene.height * scale)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'width="{width // _UNITS}" height="{height // _UNITS}" stroke-linejoin="round" '
        f'stroke-linecap="round"><title>{escape(scene.title)}</title>{stripes}{"".join(parts)}</svg>'
    )


def _page_shape(shape: Shape) -> str:
    # A long label is a whole position in words, which no other board has.
    is_kept = not isinstance(shape, Label) or len(shape.text) <= LONG
    return _kept_shape(shape) if is_kept else _shape(shape, None)


# Most of a board is as it was before the move: to write all of it anew takes four times as long.
@lru_cache(maxsize=8_000)  # of a kilobyte each, with the shape
def _kept_shape(shape: Shape) -> str:
    return _shape(shape, None)


def _shape(shape: Shape, colours: Mapping[str, str] | None) -> str:
    tag = _tag(shape, colours)
    is_tray = isinstance(shape, Polygon | Circle | Label) and shape.is_tray
    return tag.replace('class="', 'class="tray ', 1) if is_tray else tag


def _tag(shape: Shape, colours: Mapping[str, str] | None) -> str:
    spot = f' data-spot="{escape(shape.spot)}"' if shape.spot else ""
    match shape:
        case Polygon():
            paint = _paint(shape.role, shape.outline, shape.width, colours)
            return f'<polygon points="{_points(shape.points)}" {paint}{spot}/>'
        case Circle():
            paint = _paint(shape.role, shape.outline, shape.width, colours)
            centre = f'cx="{_number(shape.x)}" cy="{_number(shape.y)}"'
            return f'<circle {centre} r="{_number(shape.radius)}" {paint}{spot}/>'
        case Stroke():
            paint = _paint("", shape.role, shape.width, colours)
            dashes = ' stroke-dasharray="4 4"' if shape.dashed else ""
            return f'<polyline points="{_points(shape.points)}" {paint}{dashes}{spot}/>'
        case Arc():
            paint = _paint("", shape.role, shape.width, colours)
            sweep = 1 if shape.bulge == 1 else 0
            radius = _number(shape.radius)
            start, end = _points((shape.start,)), _points((shape.end,))
            return f'<path d="M{start}A{radius} {radius} 0 0 {sweep} {end}" {paint}{spot}/>'
        case Label():
            return _label(shape, colours, spot)


def _label(label: Label, colours: Mapping[str, str] | None, spot: str) -> str:
    # The baseline is moved by hand: renderers disagree about dominant-baseline.
    place = f'x="{_number(label.x)}" y="{_number(label.y + 0.35 * label.size)}"'
    weight = ' font-weight="700"' if label.bold else ""
    paint = f'class="f-{label.role}{" where" if label.is_coordinate else ""}"'
    if colours is not None:
        paint += f' fill="{colours[label.role]}"'
    return (
        f'<text {place} font-size="{_number(label.size)}" text-anchor="{label.anchor}"{weight} '
        f"{paint}{spot}>{escape(label.text)}</text>"
    )


def _paint(fill: str, stroke: str, width: float, colours: Mapping[str, str] | None) -> str:
    classes = " ".join(
        name for name in (fill and f"f-{fill}", width > 0 and stroke and f"s-{stroke}") if name
    )
    paint = f'class="{classes}"'
    if not fill:
        paint += ' fill="none"'
    elif colours is not None:
        paint += f' fill="{colours[fill]}"'
    if width > 0 and stroke:
        if colours is not None:
            paint += f' stroke="{colours[stroke]}"'
        paint += f' stroke-width="{_number(width)}"'
    return paint


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")


def _path(trace: str, paint: _Paint, colours: Mapping[str, str]) -> str:
    fill, stroke, width = paint
    attributes = f'fill="{colours[fill] if fill else "none"}"'
    if stroke:
        attributes += f' stroke="{colours[stroke]}" stroke-width="{width:.3g}"'
    return f'<path {attributes} d="{trace}"/>'


def _thumbnail_paint(shape: Shape, scale: float) -> _Paint:
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
            x, y, radius = (round(length * scale) for length in (shape.x, shape.y, shape.radius))
            half = f"a{radius} {radius} 0 1 0 "
            return f"M{x - radius} {y}{half}{2 * radius} 0{half}{-2 * radius} 0z"
        case Arc():
            radius, sweep = round(shape.radius * scale), int(shape.bulge == 1)
            (start, end) = _rounded((shape.start, shape.end), scale)
            return f"M{start[0]} {start[1]}A{radius} {radius} 0 0 {sweep} {end[0]} {end[1]}"
        case Label():
            return ""


def _corners(points: Iterable[Point], scale: float) -> str:
    """Trace corners, each but the first as the way from the one before."""
    whole = _rounded(points, scale)
    (x, y), trace = whole[0], f"M{whole[0][0]} {whole[0][1]}l"
    for next_x, next_y in whole[1:]:
        trace += f"{next_x - x} {next_y - y} "
        x, y = next_x, next_y
    return trace.rstrip(" l")


def _rounded(points: Iterable[Point], scale: float) -> list[tuple[int, int]]:
    return [(round(x * scale), round(y * scale)) for x, y in points]
