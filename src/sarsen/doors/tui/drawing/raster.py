"""Shapes as samples: a grid of small squares, each of which knows the role that it shows.

A character is four samples wide and eight high; so samples are about square.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import pairwise
from math import atan2, ceil, cos, hypot, pi, sin, sqrt

from sarsen.drawing.palette import LIGHT
from sarsen.drawing.scene import Arc, Circle, Point, Polygon, Shape, Stroke

ACROSS, DOWN = 4, 8  # samples of a character
THINNEST = 1.0  # samples; a finer stroke would be seen here and lost there
ASIDE = 0.25  # samples by which such a stroke is moved: between two lines it would fill both
ARC_STEPS = 8
ROLES = ("", *LIGHT)  # by number
CLEAR = 0  # where nothing was drawn
_NUMBERS = {role: number for number, role in enumerate(ROLES)}


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


@dataclass
class Raster:
    """The samples of some columns and rows of characters."""

    columns: int
    rows: int
    transform: Transform

    def __post_init__(self) -> None:
        self.width, self.height = self.columns * ACROSS, self.rows * DOWN
        self.lines = [bytearray(self.width) for _ in range(self.height)]

    def draw(self, shapes: Iterable[Shape]) -> None:
        """Draw shapes from back to front; labels are written later, as characters."""
        for shape in shapes:
            match shape:
                case Polygon():
                    self._polygon(shape)
                case Circle():
                    self._circle(shape)
                case Stroke():
                    self._stroke([self.transform.point(one) for one in shape.points], shape)
                case Arc():
                    self._stroke([self.transform.point(one) for one in _along(shape)], shape)

    def block(self, column: int, row: int) -> bytes:
        """Return the samples of one character, line by line."""
        begin = column * ACROSS
        lines = self.lines[row * DOWN : (row + 1) * DOWN]
        return b"".join(line[begin : begin + ACROSS] for line in lines)

    def _polygon(self, shape: Polygon) -> None:
        points = [self.transform.point(point) for point in shape.points]
        if shape.role:
            self._fill(points, _number(shape.role))
        if shape.width and shape.outline:
            width = max(shape.width * self.transform.stroke, THINNEST)
            number = _number(shape.outline)
            for start, end in pairwise([*points, points[0]]):
                self._bar(start, end, width, number)
                if width > 2 * THINNEST:
                    self._ellipse(start, (width / 2, width / 2), number)

    def _circle(self, shape: Circle) -> None:
        centre = self.transform.point((shape.x, shape.y))
        across, down = shape.radius * self.transform.across, shape.radius * self.transform.down
        half = max(shape.width * self.transform.stroke, THINNEST) / 2 if shape.width else 0
        if half and shape.outline:
            hole = (across - half, down - half) if not shape.role else (0.0, 0.0)
            self._ellipse(centre, (across + half, down + half), _number(shape.outline), hole)
            across, down = across - half, down - half
        if shape.role and across > 0 and down > 0:
            self._ellipse(centre, (across, down), _number(shape.role))

    def _stroke(self, points: list[Point], shape: Stroke | Arc) -> None:
        width = max(shape.width * self.transform.stroke, THINNEST)
        number = _number(shape.role)
        for start, end in pairwise(points):
            if isinstance(shape, Stroke) and shape.dashed:
                for first, last in _dashes(start, end, 3 * width):
                    self._bar(first, last, width, number)
            else:
                self._bar(start, end, width, number)
        if width > 2 * THINNEST:
            # Round ends; thin strokes have flat ones, for round ones would be longer.
            for point in points if isinstance(shape, Stroke) else (points[0], points[-1]):
                self._ellipse(point, (width / 2, width / 2), number)

    def _bar(self, start: Point, end: Point, width: float, number: int) -> None:
        if width <= THINNEST:
            start, end = (start[0] + ASIDE, start[1] + ASIDE), (end[0] + ASIDE, end[1] + ASIDE)
        length = hypot(end[0] - start[0], end[1] - start[1])
        if length:
            aside = (
                (end[1] - start[1]) / length * width / 2,
                (start[0] - end[0]) / length * width / 2,
            )
            corners = [
                (start[0] + aside[0], start[1] + aside[1]),
                (end[0] + aside[0], end[1] + aside[1]),
                (end[0] - aside[0], end[1] - aside[1]),
                (start[0] - aside[0], start[1] - aside[1]),
            ]
            self._fill(corners, number)

    def _fill(self, points: list[Point], number: int) -> None:
        crossings: dict[int, list[float]] = {}
        for ends in pairwise([*points, points[0]]):
            (x, y), (end_x, end_y) = sorted(ends, key=lambda point: point[1])
            begin, end = max(ceil(y - 0.5), 0), min(ceil(end_y - 0.5), self.height)
            if begin < end:
                slope = (end_x - x) / (end_y - y)
                for line in range(begin, end):
                    crossings.setdefault(line, []).append(x + (line + 0.5 - y) * slope)
        for line, found in crossings.items():
            found.sort()
            for left, right in zip(found[::2], found[1::2], strict=False):
                self._span(line, left, right, number)

    def _ellipse(self, centre: Point, radii: Point, number: int, hole: Point = (0.0, 0.0)) -> None:
        (x, y), (across, down) = centre, radii
        for line in range(max(ceil(y - down - 0.5), 0), min(ceil(y + down - 0.5), self.height)):
            reach = across * _rest((line + 0.5 - y) / down)
            inner = hole[0] * _rest((line + 0.5 - y) / hole[1]) if hole[1] > 0 else 0.0
            if inner:
                self._span(line, x - reach, x - inner, number)
                self._span(line, x + inner, x + reach, number)
            else:
                self._span(line, x - reach, x + reach, number)

    def _span(self, line: int, left: float, right: float, number: int) -> None:
        begin, end = max(ceil(left - 0.5), 0), min(ceil(right - 0.5), self.width)
        if begin < end:
            self.lines[line][begin:end] = bytes((number,)) * (end - begin)


def _number(role: str) -> int:
    return _NUMBERS.get(role, _NUMBERS["ink"])


def _rest(share: float) -> float:
    return sqrt(1 - share * share) if abs(share) < 1 else 0.0


def _along(arc: Arc) -> list[Point]:
    """Return points of an arc, the short way round."""
    (x, y), (end_x, end_y) = arc.start, arc.end
    half = hypot(end_x - x, end_y - y) / 2
    if not half:
        return [arc.start, arc.end]
    away = sqrt(max(arc.radius**2 - half**2, 0.0)) * arc.bulge / (2 * half)
    centre_x, centre_y = (x + end_x) / 2 - (end_y - y) * away, (y + end_y) / 2 + (end_x - x) * away
    begin = atan2(y - centre_y, x - centre_x)
    turn = (atan2(end_y - centre_y, end_x - centre_x) - begin + pi) % (2 * pi) - pi
    return [
        (
            centre_x + arc.radius * cos(begin + turn * step / ARC_STEPS),
            centre_y + arc.radius * sin(begin + turn * step / ARC_STEPS),
        )
        for step in range(ARC_STEPS + 1)
    ]


def _dashes(start: Point, end: Point, length: float) -> Iterator[tuple[Point, Point]]:
    far = hypot(end[0] - start[0], end[1] - start[1])
    count = max(1, round(far / (2 * length)))
    for step in range(count):
        first, last = step / count, (step + 0.5) / count
        yield (
            (start[0] + (end[0] - start[0]) * first, start[1] + (end[1] - start[1]) * first),
            (start[0] + (end[0] - start[0]) * last, start[1] + (end[1] - start[1]) * last),
        )


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
def matched(block: bytes) -> tuple[str, int, int]:
    """Return a character, the role in front and the role behind it, for one character's samples.

    Two families of roles are shown, such as a stone and the ground; grounds count for less.
    Light and shade are told apart only where there is nothing else.
    """
    counted = Counter(block)
    if len(counted) == 1:
        return " ", block[0], block[0]
    families: dict[str, int] = {}
    for role, count in counted.items():
        family = _FAMILIES[role]
        families[family] = families.get(family, 0) + count * _WEIGHTS[role]
    ranked = sorted(families, key=lambda one: (-families[one], one))
    groups = [[role for role in counted if _FAMILIES[role] == family] for family in ranked[:2]]
    if len(groups) == 1:
        groups = [[role] for role, _ in counted.most_common(2)]
    front, behind = sorted(groups, key=lambda group: sum(counted[role] for role in group))
    return _drawn(block, counted, frozenset(front), behind)


def _drawn(
    block: bytes, counted: Counter[int], shown: frozenset[int], others: list[int]
) -> tuple[str, int, int]:
    """Find the character whose strokes lie where some roles are."""
    front = max(shown, key=lambda role: counted[role])
    behind = max(others, key=lambda role: counted[role])
    mask = sum(1 << at for at, role in enumerate(block) if role in shown)
    best, glyph, is_turned = ACROSS * DOWN + 1, " ", False
    for sign, shape in _MASKS:
        apart = (mask ^ shape).bit_count()
        if apart < best:
            best, glyph, is_turned = apart, sign, False
        if ACROSS * DOWN - apart < best and sign in _SOLID:
            best, glyph, is_turned = ACROSS * DOWN - apart, sign, True
    return (glyph, behind, front) if is_turned else (glyph, front, behind)


def _mask(lines: tuple[str, ...]) -> int:
    return sum(
        1 << row * ACROSS + column
        for row, line in enumerate(lines)
        for column, mark in enumerate(line)
        if mark == "#"
    )


def _masks() -> list[tuple[str, int]]:
    found = [(" ", 0)]
    for eighths, sign in enumerate(_LOWER, start=1):
        found.append((sign, _mask(("....",) * (8 - eighths) + ("####",) * eighths)))
    for quarters, sign in enumerate(_LEFT, start=1):
        found.append((sign, _mask(("#" * quarters + "." * (4 - quarters),) * 8)))
    for sign, (a, b, c, d) in _QUADRANTS.items():
        upper, lower = "#" * 2 * a + "." * 2 * (1 - a), "#" * 2 * c + "." * 2 * (1 - c)
        upper, lower = upper + ("##" if b else ".."), lower + ("##" if d else "..")
        found.append((sign, _mask((upper,) * 4 + (lower,) * 4)))
    found += [(sign, _mask(lines)) for sign, lines in _DRAWN.items()]
    return found


_MASKS = _masks()
# These fill their part of a character in every font, so their reverse does, too.
_SOLID = frozenset({" ", *_LOWER, *_LEFT, *_QUADRANTS})
