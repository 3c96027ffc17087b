"""The one SVG writer: a scene becomes a picture for pages, mails and files."""

from __future__ import annotations

from collections.abc import Mapping
from html import escape

from sarsen.drawing.palette import DARK, LIGHT
from sarsen.drawing.scene import Arc, Circle, Label, Line, Point, Polygon, Scene, Shape

# In quotes: a name with a number in it is none without, and the whole list would be ignored.
FONT = "'Source Sans Pro', 'Source Sans 3', system-ui, sans-serif"


def svg(scene: Scene, colours: Mapping[str, str] = LIGHT) -> str:
    """Write a scene as a complete SVG document with exactly one title.

    Every shape carries its colours as attributes, so that the file stands
    alone, and its role as a class, so that a page's style sheet can override them.
    """
    body = "".join(_shape(shape, colours) for shape in scene.shapes)
    box = f"0 0 {_number(scene.width)} {_number(scene.height)}"
    size = f'width="{_number(scene.width)}" height="{_number(scene.height)}"'
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" class="board" role="img" viewBox="{box}" {size} '
        f'font-family="{FONT}"><title>{escape(scene.title)}</title>{body}</svg>'
    )


def style_sheet() -> str:
    """Write the CSS that gives every role its colour by theme in a page."""
    light = "".join(f"--{role}:{colour};" for role, colour in LIGHT.items())
    dark = "".join(f"--{role}:{colour};" for role, colour in DARK.items())
    rules = "".join(
        f".board .f-{role}{{fill:var(--{role})}}.board .s-{role}{{stroke:var(--{role})}}"
        for role in LIGHT
    )
    return f":root{{{light}}}@media (prefers-color-scheme:dark){{:root{{{dark}}}}}{rules}"


def _shape(shape: Shape, colours: Mapping[str, str]) -> str:
    spot = f' data-spot="{escape(shape.spot)}"' if shape.spot else ""
    match shape:
        case Polygon():
            paint = _paint(shape.role, shape.outline, shape.width, colours)
            return f'<polygon points="{_points(shape.points)}" {paint}{spot}/>'
        case Circle():
            paint = _paint(shape.role, shape.outline, shape.width, colours)
            centre = f'cx="{_number(shape.x)}" cy="{_number(shape.y)}"'
            return f'<circle {centre} r="{_number(shape.radius)}" {paint}{spot}/>'
        case Line():
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


def _label(label: Label, colours: Mapping[str, str], spot: str) -> str:
    # The baseline is moved by hand: renderers disagree about dominant-baseline.
    place = f'x="{_number(label.x)}" y="{_number(label.y + 0.35 * label.size)}"'
    weight = ' font-weight="700"' if label.bold else ""
    paint = f'class="f-{label.role}" fill="{colours[label.role]}"'
    return (
        f'<text {place} font-size="{_number(label.size)}" text-anchor="{label.anchor}"{weight} '
        f"{paint}{spot}>{escape(label.text)}</text>"
    )


def _paint(fill: str, stroke: str, width: float, colours: Mapping[str, str]) -> str:
    classes = " ".join(
        name for name in (fill and f"f-{fill}", width > 0 and stroke and f"s-{stroke}") if name
    )
    paint = f'class="{classes}" fill="{colours[fill] if fill else "none"}"'
    if width > 0 and stroke:
        paint += (
            f' stroke="{colours[stroke]}" stroke-width="{_number(width)}"'
            ' stroke-linecap="round" stroke-linejoin="round"'
        )
    return paint


def _points(points: tuple[Point, ...]) -> str:
    return " ".join(f"{_number(x)},{_number(y)}" for x, y in points)


def _number(value: float) -> str:
    return f"{value:.2f}".rstrip("0").rstrip(".")
