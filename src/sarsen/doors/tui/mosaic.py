"""A scene as characters: which sign stands where, in which roles, and where the places are."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from math import floor

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.doors.tui.characters import closest_character, most_seen
from sarsen.doors.tui.fitting import (
    LETTER,
    Pitch,
    SceneSize,
    best_size,
    box_of,
    pitch_of,
    possible_sizes,
)
from sarsen.doors.tui.raster import ACROSS, CLEAR, DOWN, MAX_NUMBERS, Raster
from sarsen.drawing.scene import Circle, Label, Polygon, Scene, Shape
from sarsen.language.translating import translated

FINEST_BAND = 5.0  # samples; finer rings are counted
SMALLEST_DISC = 4.6  # samples; the radius on which a number has room
LOW = 0.05  # samples: what lies between two rows belongs to the upper one
STRETCH = 1.35  # by which words may be wider than in the picture
MIN_FACE_SHARE = 0.5  # of the largest shape of a place: a later shape of this size is its face

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
    shapes = outermost_rings(scene.shapes, FINEST_BAND / stroke, SMALLEST_DISC / stroke)
    raster = Raster(shapes, fit.transform, fit.columns, fit.rows)
    cells = [
        [Character(*closest_character(raster.block(column, row))) for column in range(fit.columns)]
        for row in range(fit.rows)
    ]
    _write_labels(cells, raster, fit, shapes)
    return Mosaic(tuple(map(tuple, cells)), _places(scene, fit))


def draw_board(position: AnyPosition, start: AnyPosition, room: At, zoom: int) -> Mosaic:
    """Draw a position for so many columns and rows; as text where nothing can be pointed at."""
    scene = drawing.scene(position)
    pitch = _pitch(position, start)
    if pitch is None:
        return text_mosaic(translated(drawing.text(position)))
    return mosaic_of(scene, best_size(possible_sizes(scene, pitch), *room, zoom))


def _pitch(position: AnyPosition, start: AnyPosition) -> Pitch | None:
    """Find the lattice where it is seen best: when a game begins, or as it has grown."""
    pitches: Iterable[Pitch | None] = (
        pitch_of(drawing.scene(start)),
        pitch_of(drawing.scene(position)),
    )
    return max((pitch for pitch in pitches if pitch), key=lambda pitch: pitch.places, default=None)


def text_mosaic(text: str) -> Mosaic:
    """Return the game's own text board; it has no places."""
    return Mosaic(tuple(tuple(Character(sign) for sign in line) for line in text.splitlines()))


def _write_labels(
    cells: list[list[Character]], raster: Raster, fit: SceneSize, shapes: Iterable[Shape]
) -> None:
    spot_at: dict[At, str] = {}
    for label in shapes:
        if not isinstance(label, Label):
            continue
        x, y = fit.transform.point((label.x, label.y))
        row, words = floor((y - LOW) / DOWN), _shortened(label, fit.transform.across)
        if not 0 <= row < fit.rows:
            continue
        share = {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor]
        column = floor(x / ACROSS - share * len(words) + (0.5 if share else 0.0))
        while label.spot and spot_at.get((column, row)) == label.spot:
            column += 1  # a second label of the same place stands beside the first
        for at, sign in enumerate(words, start=column):
            if 0 <= at < fit.columns:
                behind = most_seen(raster.block(at, row))
                cells[row][at] = Character(sign, label.role, behind, label.bold)
                spot_at[at, row] = label.spot


def _shortened(label: Label, across: float) -> str:
    """Return the words of a label that have room: the first at least.

    Args:
        across: Samples a unit of the scene.
    """
    room = STRETCH * LETTER * label.size * len(label.text) * across / ACROSS
    words = label.text.split(" ")
    while len(words) > 1 and len(" ".join(words)) > room:
        del words[-1]
    return " ".join(words)


def _places(scene: Scene, fit: SceneSize) -> dict[str, SpotPlace]:
    """Find the characters of each spot: those that its face fills at least half."""
    faces = [*_faces(scene).items()]
    cells: dict[str, set[At]] = {spot: set() for spot, _ in faces}
    for begin in range(0, len(faces), MAX_NUMBERS):
        batch = faces[begin : begin + MAX_NUMBERS]
        numbers = {str(number): number for number in range(1, len(batch) + 1)}
        shapes = [_filled(face, str(number)) for number, (_, face) in enumerate(batch, start=1)]
        raster = Raster(shapes, fit.transform, fit.columns, fit.rows, numbers)
        for row in range(fit.rows):
            for column in range(fit.columns):
                block = raster.block(column, row)
                number = max(set(block), key=block.count)
                if number != CLEAR and 2 * block.count(number) >= ACROSS * DOWN:
                    cells[batch[number - 1][0]].add((column, row))
    places = {}
    for spot, face in faces:
        x, y = fit.transform.point(box_of(face).middle)
        middle = floor(x / ACROSS), floor(y / DOWN)
        places[spot] = SpotPlace(middle, frozenset(cells[spot] or {middle}))
    return places


def _faces(scene: Scene) -> dict[str, Shape]:
    """Return the shape of each spot that is pointed at: the last of about the largest."""
    faces: dict[str, tuple[float, Shape]] = {}
    for shape in scene.shapes:
        if not shape.spot:
            continue
        box = box_of(shape)
        size = box.width * box.height if isinstance(shape, Polygon | Circle) else 0.0
        largest = faces[shape.spot][0] if shape.spot in faces else 0.0
        if size >= MIN_FACE_SHARE * largest:
            faces[shape.spot] = max(size, largest), shape
    return {spot: shape for spot, (_, shape) in faces.items()}


def _filled(shape: Shape, role: str) -> Shape:
    """Return a shape in one role, without a rim."""
    if isinstance(shape, Polygon | Circle):
        return replace(shape, role=role, outline="", width=0.0)
    return replace(shape, role=role)


_Ring = tuple[float, float, str, str]


def outermost_rings(shapes: Sequence[Shape], finest: float, smallest: float) -> tuple[Shape, ...]:
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
    counted_roles = {kind[2:] for kind, circles in rings.items() if len(circles) > 1}
    result: list[Shape] = []
    for shape in shapes:
        circles = rings.get(_kind(shape), []) if isinstance(shape, Circle) else []
        if not circles or not isinstance(shape, Circle) or _kind(shape)[2:] not in counted_roles:
            result.append(shape)
        elif shape is circles[0]:
            radius = max(smallest, *(circle.radius for circle in circles))
            result.append(Circle(shape.x, shape.y, radius, shape.outline, spot=shape.spot))
            number = str(len(circles))
            result.append(
                Label(shape.x, shape.y, number, 12, shape.role, bold=True, spot=shape.spot)
            )
    return tuple(result)


def _is_band(shape: Circle, finest: float) -> bool:
    return bool(shape.role and shape.outline) and 0 < shape.width < finest


def _kind(shape: Circle) -> _Ring:
    return shape.x, shape.y, shape.role, shape.outline
