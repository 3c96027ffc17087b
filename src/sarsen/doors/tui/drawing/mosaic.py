"""A scene as characters: which sign stands where, in which roles, and where the places are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor

from sarsen.doors.tui.drawing.fitting import LETTER, Box, SceneSize, box_of
from sarsen.doors.tui.drawing.raster import ACROSS, CLEAR, DOWN, ROLES, Raster, matched
from sarsen.drawing.scene import Arc, Circle, Label, Point, Polygon, Scene, Shape, Stroke

FINEST_BAND = 5.0  # samples; finer rings are counted
SMALLEST_DISC = 4.6  # samples; the radius on which a number has room
LOW = 0.05  # samples: what lies between two rows belongs to the upper one
STRETCH = 1.35  # by which words may be wider than in the picture
NEARLY = 0.5  # of the largest shape of a place: what is drawn later counts as its face

At = tuple[int, int]  # column and row of a character


@dataclass(frozen=True)
class Character:
    """One character; `front` and `behind` are roles of the palette."""

    sign: str = " "
    front: str = "ink"
    behind: str = "paper"
    is_bold: bool = False


@dataclass(frozen=True)
class SpotPlace:
    """Where a spot is: the character in its middle, and all that belong to it."""

    middle: At
    cells: frozenset[At]


@dataclass(frozen=True)
class Mosaic:
    """A drawing in characters, row by row, and the places to point at."""

    cells: tuple[tuple[Character, ...], ...]
    places: Mapping[str, SpotPlace] = field(default_factory=dict)

    @property
    def columns(self) -> int:
        return max(map(len, self.cells), default=0)

    @property
    def rows(self) -> int:
        return len(self.cells)


def mosaic_of(scene: Scene, fit: SceneSize) -> Mosaic:
    """Draw a scene with characters."""
    stroke = fit.transform.stroke
    shapes = counted(scene.shapes, FINEST_BAND / stroke, SMALLEST_DISC / stroke)
    raster = Raster(fit.columns, fit.rows, fit.transform)
    raster.draw(shapes)
    cells = [
        [_cell(raster, column, row) for column in range(fit.columns)] for row in range(fit.rows)
    ]
    _write_labels(cells, raster, shapes)
    return Mosaic(tuple(map(tuple, cells)), _places(scene, fit))


def text_mosaic(text: str) -> Mosaic:
    """Return the game's own text board; it has no places."""
    return Mosaic(tuple(tuple(Character(sign) for sign in line) for line in text.splitlines()))


def _cell(raster: Raster, column: int, row: int) -> Character:
    sign, front, behind = matched(raster.block(column, row))
    return Character(sign, ROLES[front] or "paper", ROLES[behind] or "paper")


def _write_labels(cells: list[list[Character]], raster: Raster, shapes: Iterable[Shape]) -> None:
    taken: dict[At, str] = {}
    for label in shapes:
        if not isinstance(label, Label):
            continue
        x, y = raster.transform.point((label.x, label.y))
        row, words = floor((y - LOW) / DOWN), _shortened(label, raster)
        if not 0 <= row < raster.rows:
            continue
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor]
        column = floor(x / ACROSS - share * len(words) + (0.5 if share else 0.0))
        while label.spot and taken.get((column, row)) == label.spot:
            column += 1  # a second label of the same place stands beside the first
        for at, sign in enumerate(words, start=column):
            if 0 <= at < raster.columns:
                behind = _ground(raster, at, row)
                cells[row][at] = Character(sign, label.role, behind, label.bold)
                taken[at, row] = label.spot


def _shortened(label: Label, raster: Raster) -> str:
    """Return the words of a label that have room: the first at least."""
    room = STRETCH * LETTER * label.size * len(label.text) * raster.transform.across / ACROSS
    words = label.text.split(" ")
    while len(words) > 1 and len(" ".join(words)) > room:
        del words[-1]
    return " ".join(words)


def _ground(raster: Raster, column: int, row: int) -> str:
    """Return the role that fills most of a character."""
    block = raster.block(column, row)
    return ROLES[max(set(block), key=block.count)] or "paper"


def _places(scene: Scene, fit: SceneSize) -> dict[str, SpotPlace]:
    faces: dict[str, tuple[float, Shape]] = {}
    for shape in scene.shapes:
        if not shape.spot:
            continue
        box = box_of(shape)
        size = box.width * box.height if isinstance(shape, Polygon | Circle) else 0.0
        known = faces.get(shape.spot)
        if known is None or size >= NEARLY * known[0]:
            faces[shape.spot] = max(size, known[0] if known else 0.0), shape
    return {spot: _place(shape, fit) for spot, (_, shape) in faces.items()}


def _place(shape: Shape, fit: SceneSize) -> SpotPlace:
    """Return the characters that a shape fills at least half."""
    box = _in_samples(box_of(shape), fit)
    middle = floor(box.middle[0] / ACROSS), floor(box.middle[1] / DOWN)
    first, top = floor(box.left / ACROSS), floor(box.top / DOWN)
    columns, rows = floor(box.right / ACROSS) - first + 1, floor(box.bottom / DOWN) - top + 1
    moved = replace(
        fit.transform,
        left=fit.transform.left - first * ACROSS,
        top=fit.transform.top - top * DOWN,
    )
    raster = Raster(columns, rows, moved)
    raster.draw([_filled(shape)])
    found = {
        (first + column, top + row)
        for column in range(columns)
        for row in range(rows)
        if 2 * raster.block(column, row).count(CLEAR) < ACROSS * DOWN
    }
    return SpotPlace(middle, frozenset(found or {middle}))


def _filled(shape: Shape) -> Shape:
    """Return a shape as an area without a rim."""
    match shape:
        case Polygon() | Circle():
            return replace(shape, role=shape.role or shape.outline, outline="", width=0.0)
        case Stroke() | Arc() | Label():
            return shape


def _in_samples(box: Box, fit: SceneSize) -> Box:
    point: Point = fit.transform.point((box.left, box.top))
    other: Point = fit.transform.point((box.right, box.bottom))
    return Box(*point, *other)


_Ring = tuple[float, float, str, str]


def counted(shapes: Sequence[Shape], finest: float, smallest: float) -> tuple[Shape, ...]:
    """Return the shapes with the outermost of such rings only, and how many there are.

    Args:
        finest: Units of the scene; a ring whose band is wider can be seen as it is.
        smallest: The least radius of a disc with a number on it.
    """
    rings: dict[_Ring, list[Circle]] = {}
    for shape in shapes:
        if isinstance(shape, Circle) and _is_band(shape, finest):
            rings.setdefault(_kind(shape), []).append(shape)
    # A single role counts only where some of its rings have others inside them.
    counted_roles = {kind[2:] for kind, ones in rings.items() if len(ones) > 1}
    found: list[Shape] = []
    for shape in shapes:
        ones = rings.get(_kind(shape), []) if isinstance(shape, Circle) else []
        if not ones or not isinstance(shape, Circle) or _kind(shape)[2:] not in counted_roles:
            found.append(shape)
        elif shape is ones[0]:
            radius = max(smallest, *(one.radius for one in ones))
            found.append(Circle(shape.x, shape.y, radius, shape.outline, spot=shape.spot))
            number = str(len(ones))
            found.append(
                Label(shape.x, shape.y, number, 12, shape.role, bold=True, spot=shape.spot)
            )
    return tuple(found)


def _is_band(shape: Circle, finest: float) -> bool:
    return bool(shape.role and shape.outline) and 0 < shape.width < finest


def _kind(shape: Circle) -> _Ring:
    return shape.x, shape.y, shape.role, shape.outline
