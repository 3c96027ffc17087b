"""The PNG writer: a scene becomes a picture for mails, in little time and few bytes.

Each shape is a mask, drawn larger and reduced, through which its colour is pasted. These stamps
are kept: a board has hundreds of shapes and dozens of different ones, as its places lie whole
pixels apart. With few shades at the edges, a small palette has the colours that matter.

Not imported by the rest of `drawing`, because it needs Pillow. `tests/drawing/test_png.py`
compares its pictures with those that resvg draws of the SVG.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache
from io import BytesIO
from itertools import pairwise
from math import atan2, ceil, cos, floor, hypot, pi, sin, sqrt
from pathlib import Path
from typing import Any, cast

import font_source_sans_pro
from PIL import Image, ImageChops, ImageColor, ImageDraw, ImageFont

from sarsen.drawing.palette import LIGHT
from sarsen.drawing.scene import LONG, Arc, Circle, Label, Point, Polygon, Scene, Shape, Stroke

WIDTH, HEIGHT = 600, 760  # pixels; mail programs scale it down to the window
FINER = 8  # samples to a pixel, across and down
PHASE = 2  # samples: points are at quarters of a pixel, so that more masks are equal
SHADES = 3  # from bare to covered; more cost bytes and are not seen
EFFORT = 6  # of 9, in compressing; the next steps take far longer than they save bytes
COLOURS = 24  # of the palette, with those that areas have; more cost bytes and are not seen
ALIKE = 4  # Pillow tells colours apart by levels that are multiples of it
FEW, ALL = 4096, 1 << 24  # colours; to count up to all of them takes 100 ms
FARTHEST = 20  # sizes of the picture: Pillow draws far larger circles for half a minute
DASH = 4.0  # units of the scene; as long as what lies between two dashes
SMALL = 16_384  # pixels of a stamp
# Places are tuples of a few numbers; stamps have 4 kB on average, large ones and boards up to 2 MB.
MAX_PLACED, MAX_STAMPS, MAX_LARGE, MAX_BOARDS, MAX_PICTURES = 8192, 4096, 12, 4, 64
_COLOURS = {role: ImageColor.getrgb(colour) for role, colour in LIGHT.items()}
_STEPS = [round(round(value * SHADES / 255) * 255 / SHADES) for value in range(256)]
_SHADED = bytes(step for step in _STEPS for _ in range(3))

_Size = tuple[int, int]
_Sample = tuple[int, int]
_Layer = tuple[Any, ...]  # role, function that draws its mask, further arguments of that


@dataclass(frozen=True, eq=False)
class _Stamp:
    """The paste of a shape: one colour or several, through a mask; None for all of a box."""

    colours: tuple[int, ...] | Image.Image
    mask: Image.Image | None


_Placed = tuple[_Stamp, tuple[int, int, int, int]]  # with its box in the picture


@lru_cache(maxsize=MAX_PICTURES)
def png(scene: Scene, width: int = WIDTH, height: int = HEIGHT) -> bytes:
    """Write a scene as a PNG picture of at most this size, on its own paper for dark themes."""
    scale = min(width / scene.width, height / scene.height)
    if scene.step * scale >= 1:
        scale = floor(scene.step * scale) / scene.step
    size = max(round(scene.width * scale), 1), max(round(scene.height * scale), 1)
    image = _board(scene.shapes[: scene.fixed], size, scale).copy()
    _paint(image, scene.shapes[scene.fixed :], scale)
    return _compressed(image)


def width_of(picture: bytes) -> int:
    """Return how many pixels wide a PNG picture is."""
    return int.from_bytes(picture[16:20])


@lru_cache(maxsize=MAX_BOARDS)
def _board(shapes: tuple[Shape, ...], size: _Size, scale: float) -> Image.Image:
    image = Image.new("RGB", size, _COLOURS["paper"])
    _paint(image, shapes, scale)
    return image


def _paint(image: Image.Image, shapes: Iterable[Shape], scale: float) -> None:
    for shape in shapes:
        is_kept = not isinstance(shape, Label) or len(shape.text) <= LONG
        placed = (_placed if is_kept else _placed.__wrapped__)(shape, scale, image.size)
        if placed:
            stamp, box = placed
            image.paste(stamp.colours, box, stamp.mask)


def _compressed(image: Image.Image) -> bytes:
    """Write an image with a palette: its colours where there are few, or those most used."""
    colours = image.getcolors(FEW) or image.getcolors(ALL)
    counted = cast("list[tuple[int, tuple[int, ...]]]", colours)
    exact: dict[tuple[int, ...], tuple[int, ...]] = {}
    # A colour that is seen as itself, however little of it, goes before any mixture.
    pure = set(_COLOURS.values())
    for _, _, colour in sorted(
        ((colour in pure, count, colour) for count, colour in counted), reverse=True
    ):
        exact.setdefault(tuple(level - level % ALIKE for level in colour), colour)
        if len(exact) == COLOURS:
            break
    # Found by the level at which Pillow compares colours, so that areas keep theirs exactly.
    rounded = Image.new("P", (1, 1))
    rounded.putpalette([level for colour in exact for level in colour])
    indexed = image.quantize(palette=rounded, dither=Image.Dither.NONE)
    indexed.putpalette([level for colour in exact.values() for level in colour])
    file = BytesIO()
    indexed.save(file, "PNG", compress_level=EFFORT)
    return file.getvalue()


@lru_cache(maxsize=MAX_PLACED)
def _placed(shape: Shape, scale: float, size: _Size) -> _Placed | None:
    """Return the stamp of a shape and its box; None where nothing is to be seen of it."""
    stroke = getattr(shape, "width", 0.0) * scale / 2
    match shape:
        case Polygon(is_unseen=True) | Polygon(points=()) | Stroke(points=()):
            return None
        case Label() if not shape.text or shape.size <= 0:
            return None
        case Arc() if shape.start == shape.end:
            return None
        case Polygon():
            points = _scaled(shape.points, scale)
            layers: list[_Layer] = [(shape.role, _fill)] if shape.role else []
            if shape.outline and stroke:
                layers += [(shape.outline, _closed, stroke)]
            elif shape.role and _is_whole(points, size):
                return _Stamp(_COLOURS[shape.role], None), (0, 0, *size)
            return _place_stamp(points, stroke, size, *layers)
        case Circle():
            radius = shape.radius * scale
            layers = [(shape.role, _ring, radius, 0.0)] if shape.role else []
            if shape.outline and stroke:
                layers += [(shape.outline, _ring, radius + stroke, radius - stroke)]
            return _place_stamp(
                _scaled([(shape.x, shape.y)], scale), radius + stroke, size, *layers
            )
        case Stroke():
            points, dash = _scaled(shape.points, scale), DASH * scale * shape.dashed
            return _place_stamp(points, stroke, size, (shape.role, _line, stroke, dash))
        case Arc():
            return _arc(shape, scale, size)
        case Label():
            return _label(shape, scale, size)


def _label(label: Label, scale: float, size: _Size) -> _Placed | None:
    points = label.size * scale * FINER
    font = _font(label.bold, points)
    left, top, right, bottom = font.getbbox(label.text, anchor="ls")
    length = font.getlength(label.text)
    start = {"start": 0.0, "middle": length / 2, "end": length}[label.anchor]
    # The baseline is where the SVG has it.
    x, y = label.x * scale - start / FINER, (label.y + 0.35 * label.size) * scale
    corners = [(x + left / FINER, y + top / FINER), (x + right / FINER, y + bottom / FINER)]
    layer = (label.role, _write, label.text, label.bold, points, left, top)
    return _place_stamp(corners, 0, size, layer)


def _arc(arc: Arc, scale: float, size: _Size) -> _Placed | None:
    start, end = _scaled((arc.start, arc.end), scale)
    chord = hypot(end[0] - start[0], end[1] - start[1])
    # As in SVG, a radius that is too short for its ends becomes half of their distance.
    radius, stroke = max(arc.radius * scale, chord / 2), arc.width * scale / 2
    rise = radius - sqrt(max(radius**2 - chord**2 / 4, 0))
    up, right = arc.bulge * rise / chord * (start[0] - end[0]), arc.bulge * rise / chord
    right *= end[1] - start[1]
    top = (start[0] + end[0]) / 2 + right, (start[1] + end[1]) / 2 + up
    # An arc reaches beyond its ends and its top by at most so much of its rise.
    reach = stroke + 0.3 * rise
    layer = (arc.role, _curve, radius, arc.bulge, stroke)
    return _place_stamp((start, top, end), reach, size, layer)


def _place_stamp(
    points: Sequence[Point], reach: float, size: _Size, *layers: _Layer
) -> _Placed | None:
    """Return the stamp of what is drawn at points and reaches beyond them, in pixels."""
    samples = [
        (PHASE * round(x * FINER / PHASE), PHASE * round(y * FINER / PHASE)) for x, y in points
    ]
    across, down = zip(*samples, strict=True)
    margin = ceil(reach * FINER)
    left, top = max((min(across) - margin) // FINER, 0), max((min(down) - margin) // FINER, 0)
    right = min((max(across) + margin - 1) // FINER + 1, size[0])
    bottom = min((max(down) + margin - 1) // FINER + 1, size[1])
    if not layers or left >= right or top >= bottom or reach > FARTHEST * max(size):
        return None
    wide, high = right - left, bottom - top
    samples = [(x - left * FINER, y - top * FINER) for x, y in samples]
    make = _stamp if wide * high <= SMALL else _large_stamp
    return make((wide, high), tuple(samples), layers), (left, top, right, bottom)


def _make_stamp(size: _Size, points: tuple[_Sample, ...], layers: tuple[_Layer, ...]) -> _Stamp:
    """Make the stamp of layers, from the lowest to the uppermost."""
    (role, *arguments), *others = layers
    mask, colour = _mask(size, points, *arguments), _COLOURS[role]
    colours = Image.new("RGB", size, colour) if {other for other, *_ in others} - {role} else None
    for role, *arguments in others:
        above = _mask(size, points, *arguments)
        mask = ImageChops.lighter(mask, above)
        if colours:
            colours.paste(_COLOURS[role], (0, 0), above)
    return _Stamp(colours or colour, mask)


def _mask(
    size: _Size, points: tuple[_Sample, ...], draw: Callable[..., None], *arguments: object
) -> Image.Image:
    samples = Image.new("L", (size[0] * FINER, size[1] * FINER))
    draw(ImageDraw.Draw(samples), points, *arguments)
    mask = samples.reduce(FINER)
    # As `mask.point` would do, which takes longer than all before.
    mask.putpalette(_SHADED)
    return mask.convert("L")


_stamp = lru_cache(maxsize=MAX_STAMPS)(_make_stamp)
_large_stamp = lru_cache(maxsize=MAX_LARGE)(_make_stamp)


def _is_whole(points: Sequence[Point], size: _Size) -> bool:
    """Return whether a polygon is a rectangle that covers all."""
    across, down = ({round(at) for at in line} for line in zip(*points, strict=True))
    return len(points) == 4 and across == {0, size[0]} and down == {0, size[1]}


def _fill(drawing: ImageDraw.ImageDraw, points: Sequence[Point]) -> None:
    # Pillow fills up to the corners and with them, which is a sample too much.
    middle_x = sum(x for x, _ in points) / len(points)
    middle_y = sum(y for _, y in points) / len(points)
    drawing.polygon(
        [(round(x) - (x > middle_x), round(y) - (y > middle_y)) for x, y in points], 255
    )


def _closed(drawing: ImageDraw.ImageDraw, points: Sequence[_Sample], radius: float) -> None:
    _line(drawing, (*points, points[0]), radius, 0.0)


def _line(
    drawing: ImageDraw.ImageDraw, points: Sequence[_Sample], radius: float, dash: float
) -> None:
    reach = radius * FINER
    for start, end in _dashed(points, dash * FINER) if dash else pairwise(points):
        length = hypot(end[0] - start[0], end[1] - start[1])
        if length:
            x, y = (start[1] - end[1]) * reach / length, (end[0] - start[0]) * reach / length
            sides = [(start, 1), (end, 1), (end, -1), (start, -1)]
            _fill(drawing, [(at[0] + x * side, at[1] + y * side) for at, side in sides])
        _ring(drawing, [start], radius, 0)
        _ring(drawing, [end], radius, 0)


def _dashed(points: Sequence[Point], dash: float) -> Iterator[tuple[Point, Point]]:
    """Cut the lines between points into dashes; their lengths go on round a corner."""
    drawn = 0.0
    for start, end in pairwise(points):
        length = hypot(end[0] - start[0], end[1] - start[1])
        way = -(drawn % (2 * dash))
        while way < length:
            parts = [max(way, 0) / length, min(way + dash, length) / length]
            if parts[0] < parts[1]:
                ends = [
                    (start[0] + (end[0] - start[0]) * part, start[1] + (end[1] - start[1]) * part)
                    for part in parts
                ]
                yield ends[0], ends[1]
            way += 2 * dash
        drawn += length


def _curve(
    drawing: ImageDraw.ImageDraw,
    points: Sequence[_Sample],
    radius: float,
    bulge: int,
    stroke: float,
) -> None:
    """Draw the stroke of an arc from the first to the last point, the short way round."""
    (x, y), (to_x, to_y) = points[0], points[-1]
    chord = hypot(to_x - x, to_y - y)
    radius, reach = max(radius * FINER, chord / 2), stroke * FINER
    away = bulge * sqrt(max(radius**2 - chord**2 / 4, 0)) / chord
    middle_x, middle_y = (x + to_x) / 2 + (y - to_y) * away, (y + to_y) / 2 + (to_x - x) * away
    begin, end = atan2(y - middle_y, x - middle_x), atan2(to_y - middle_y, to_x - middle_x)
    turn = (end - begin) * bulge % (2 * pi) * bulge
    count = ceil(abs(turn) * 8)
    ways = [
        (cos(angle), sin(angle)) for angle in (begin + turn * at / count for at in range(count + 1))
    ]
    outer, inner = (
        [(round(middle_x + far * right), round(middle_y + far * down)) for right, down in ways]
        for far in (radius + reach, radius - reach)
    )
    drawing.polygon([*outer, *reversed(inner)], 255)
    _ring(drawing, points[:1], stroke, 0)
    _ring(drawing, points[-1:], stroke, 0)


def _ring(
    drawing: ImageDraw.ImageDraw, centre: Sequence[Point], outer: float, inner: float
) -> None:
    ((x, y),) = centre
    for radius, shade in ((outer * FINER, 255), (inner * FINER, 0)):
        if radius > 0:
            box = [round(x - radius), round(y - radius)]
            box += [round(x + radius) - 1, round(y + radius) - 1]
            drawing.ellipse(box, shade)


def _write(
    drawing: ImageDraw.ImageDraw,
    box: Sequence[_Sample],
    text: str,
    bold: bool,
    size: float,
    left: float,
    top: float,
) -> None:
    x, y = box[0]
    drawing.text((x - left, y - top), text, 255, _font(bold, size), "ls")


@lru_cache(maxsize=64)
def _font(bold: bool, size: float) -> ImageFont.FreeTypeFont:
    name = f"SourceSansPro-{'Bold' if bold else 'Regular'}.ttf"
    path = Path(font_source_sans_pro.font_directory) / name
    return ImageFont.truetype(path, size, layout_engine=ImageFont.Layout.BASIC)


def _scaled(points: Iterable[Point], scale: float) -> list[Point]:
    return [(x * scale, y * scale) for x, y in points]
