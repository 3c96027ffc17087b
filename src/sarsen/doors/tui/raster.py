"""A scene as samples, and the character that shows a block of them best.

A character is four samples wide and eight high, so that samples are about square. resvg draws
the scene's SVG without smoothing, each role in a grey of its own, which is then its number.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from functools import lru_cache
from io import BytesIO

import resvg_py
from PIL import Image

from sarsen.drawing.palette import LIGHT
from sarsen.drawing.scene import Arc, Circle, Label, Point, Polygon, Scene, Shape, Stroke
from sarsen.drawing.svg import svg

ACROSS, DOWN = 4, 8  # samples of a character
THINNEST = 1.2  # samples; a finer stroke would be seen here and lost there
ASIDE = 0.1  # samples by which all is moved: an edge between two of them is on one side
MAX_NUMBERS = 255
CLEAR = 0  # where nothing was drawn
ROLES = ("", *LIGHT)  # by number


@dataclass(frozen=True)
class Transform:
    """Turn the units of a scene into samples: scale, then shift."""

    across: float
    down: float
    left: float
    top: float

    def point(self, point: Point) -> Point:
        """Return a point in samples."""
        return point[0] * self.across + self.left, point[1] * self.down + self.top

    @property
    def stroke(self) -> float:
        """Samples a unit, for the width of strokes."""
        return (self.across + self.down) / 2


class Raster:
    """The samples of some columns and rows of characters; labels are no part of them."""

    def __init__(
        self,
        shapes: Iterable[Shape],
        transform: Transform,
        columns: int,
        rows: int,
        numbers: Mapping[str, int] | None = None,
    ) -> None:
        """Draw shapes from back to front.

        Args:
            numbers: By role, from 1 to `MAX_NUMBERS`; None for those of `ROLES`.
        """
        if numbers is None:
            numbers = {role: number for number, role in enumerate(ROLES) if role}
        self._width = columns * ACROSS
        picture = _document(shapes, transform, self._width, rows * DOWN, numbers)
        png = resvg_py.svg_to_bytes(
            svg_string=picture, shape_rendering="crisp_edges", skip_system_fonts=True
        )
        with Image.open(BytesIO(png)) as image:
            self._samples = image.getchannel("R").tobytes()

    def block(self, column: int, row: int) -> bytes:
        """Return the samples of one character, line by line."""
        begin = row * DOWN * self._width + column * ACROSS
        starts = range(begin, begin + DOWN * self._width, self._width)
        return b"".join(self._samples[start : start + ACROSS] for start in starts)


def _document(
    shapes: Iterable[Shape], at: Transform, width: int, height: int, numbers: Mapping[str, int]
) -> str:
    """Write the SVG whose pixels are the samples."""
    thinnest = THINNEST / at.stroke
    widened = tuple(_widened(shape, thinnest) for shape in shapes if not isinstance(shape, Label))
    greys = {role: "#" + 3 * f"{number:02x}" for role, number in numbers.items()}
    left, top = (-at.left - ASIDE) / at.across, (-at.top - ASIDE) / at.down
    size = width / at.across, height / at.down
    # From the corner that is seen; what is drawn left of it or above has nowhere to be.
    inner = svg(Scene(left + size[0], top + size[1], "", widened), greys)
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" '
        f'viewBox="{left} {top} {size[0]} {size[1]}" preserveAspectRatio="none">{inner}</svg>'
    )


def _widened(shape: Polygon | Circle | Stroke | Arc, thinnest: float) -> Shape:
    """Return a shape whose strokes are seen at every place."""
    return replace(shape, width=max(shape.width, thinnest)) if shape.width else shape


GROUNDS = frozenset({"", "paper", "ground", "ground-alt", "shadow"})
_WEIGHTS = tuple(1 if role in GROUNDS else 3 for role in ROLES)
_FAMILIES = tuple(role.partition("-")[0] or "paper" for role in ROLES)
_LOWER = "▁▂▃▄▅▆▇"  # one to seven eighths, from below
_LEFT = "▎▌▊"  # one to three quarters, from the left
_QUADRANTS = {
    "▘": (1, 0, 0, 0), "▝": (0, 1, 0, 0), "▖": (0, 0, 1, 0), "▗": (0, 0, 0, 1),
    "▚": (1, 0, 0, 1), "▞": (0, 1, 1, 0), "▛": (1, 1, 1, 0), "▜": (1, 1, 0, 1),
    "▙": (1, 0, 1, 1), "▟": (0, 1, 1, 1),
}  # fmt: skip
_DRAWN = {
    "─": ("....", "....", "....", "####", "....", "....", "....", "...."),
    "━": ("....", "....", "....", "####", "####", "....", "....", "...."),
    "│": (".#..",) * 8,
    "┃": (".##.",) * 8,
    "╱": ("...#", "...#", "..#.", "..#.", ".#..", ".#..", "#...", "#..."),
    "╲": ("#...", "#...", ".#..", ".#..", "..#.", "..#.", "...#", "...#"),
    "╳": ("#..#", "#..#", ".##.", ".##.", ".##.", ".##.", "#..#", "#..#"),
    "•": ("....", "....", ".##.", ".##.", ".##.", "....", "....", "...."),
    "·": ("....", "....", "....", ".##.", ".##.", "....", "....", "...."),
    "■": ("....", "....", "####", "####", "####", "####", "....", "...."),
}


@lru_cache(maxsize=50_000)
def closest_character(block: bytes) -> tuple[str, str, str]:
    """Return a character, the role in front and the role behind it, for one character's samples.

    Two families of roles are shown, such as a stone and the ground; grounds count for less.
    Light and shade are told apart only where there is nothing else.
    """
    counted = Counter(block)
    families: Counter[str] = Counter()
    for role, count in counted.items():
        families[_FAMILIES[role]] += count * _WEIGHTS[role]
    ranked = sorted(families, key=lambda family: (-families[family], family))
    groups = [[role for role in counted if _FAMILIES[role] == family] for family in ranked[:2]]
    if len(groups) == 1:
        groups = [[role] for role, _ in counted.most_common(2)]
    if len(groups) == 1:
        return " ", _role(groups[0][0]), _role(groups[0][0])
    front_group, back_group = sorted(groups, key=lambda group: sum(counted[role] for role in group))
    front, behind = (
        _role(max(group, key=counted.__getitem__)) for group in (front_group, back_group)
    )
    sign, is_turned = _sign(sum(1 << at for at, role in enumerate(block) if role in front_group))
    return (sign, behind, front) if is_turned else (sign, front, behind)


def most_seen(block: bytes) -> str:
    """Return the role that fills most of a character."""
    return _role(max(set(block), key=block.count))


def _role(number: int) -> str:
    return ROLES[number] or "paper"


def _sign(mask: int) -> tuple[str, bool]:
    """Find the character whose strokes lie on most of a mask; True for its reverse."""
    signs = [
        (ACROSS * DOWN - far if is_turned else far, sign, is_turned)
        for sign, shape in _MASKS.items()
        for far in [(mask ^ shape).bit_count()]
        for is_turned in ((False, True) if sign in _SOLID else (False,))
    ]
    _, sign, is_turned = min(signs, key=lambda candidate: candidate[0])
    return sign, is_turned


def _mask(lines: Iterable[str]) -> int:
    return sum(1 << at for at, mark in enumerate("".join(lines)) if mark == "#")


_MASKS = {
    " ": 0,
    **{sign: _mask(("....",) * (7 - at) + ("####",) * (at + 1)) for at, sign in enumerate(_LOWER)},
    **{sign: _mask((("#" * (at + 1)).ljust(4, "."),) * 8) for at, sign in enumerate(_LEFT)},
    **{
        sign: _mask([".#"[a] * 2 + ".#"[b] * 2] * 4 + [".#"[c] * 2 + ".#"[d] * 2] * 4)
        for sign, (a, b, c, d) in _QUADRANTS.items()
    },
    **{sign: _mask(lines) for sign, lines in _DRAWN.items()},
}
# These fill their part of a character in every font, so their reverse does, too.
_SOLID = frozenset({" ", *_LOWER, *_LEFT, *_QUADRANTS})
