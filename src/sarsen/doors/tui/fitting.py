"""How large a scene is drawn: so that its places fall upon whole characters.

The distance from one place to the next is a whole number of columns and of rows; all
places of a kind then look alike, and a cursor can stand on each of them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from itertools import pairwise

from sarsen.doors.tui.raster import ACROSS, DOWN, Transform
from sarsen.drawing.scene import Arc, Circle, Label, Polygon, Scene, Shape, Stroke

LARGEST = 9  # rows from one place to the next; more of a board is not seen better
BROADEST_CURVE = 4.0  # samples: a curve that is finer cannot be told from its neighbours
LETTER = 0.6  # the width of a letter, by its size
SAME = 0.12  # of the distance between places: what lies nearer lies in one row
FIRST_GUESS = (0.6, 1.0)  # of the size of the only place there is


@dataclass(frozen=True)
class Box:
    """A rectangle in units of the scene."""

    left: float
    top: float
    right: float
    bottom: float

    @property
    def width(self) -> float:
        return self.right - self.left

    @property
    def height(self) -> float:
        return self.bottom - self.top

    @property
    def middle(self) -> tuple[float, float]:
        return (self.left + self.right) / 2, (self.top + self.bottom) / 2


@dataclass(frozen=True)
class Pitch:
    """How far it is from one place to the next, and one place to begin from.

    Attributes:
        places: How many places it was found from.
        x, y: A point that falls upon the middle of a character, or between characters
            where `is_edge_x`, `is_edge_y` say so.
    """

    across: float
    down: float
    x: float
    y: float
    is_edge_x: bool = False
    is_edge_y: bool = False
    places: int = 1


@dataclass(frozen=True)
class SceneSize:
    """A size at which a scene is drawn.

    Attributes:
        columns, rows: Characters of the whole of it.
        step: Columns and rows from one place to the next.
    """

    transform: Transform
    columns: int
    rows: int
    step: tuple[int, int]


def box_of(shape: Shape) -> Box:
    """Return the rectangle around a shape; for a label, its middle alone."""
    match shape:
        case Circle():
            reach = shape.radius
            return Box(shape.x - reach, shape.y - reach, shape.x + reach, shape.y + reach)
        case Label():
            return Box(shape.x, shape.y, shape.x, shape.y)
        case Polygon() | Stroke():
            return _around(shape.points)
        case Arc():
            return _around((shape.start, shape.end))


def content_box(scene: Scene) -> Box:
    """Return the part of a scene where there is anything but paper."""
    boxes = [
        _words_box(shape) if isinstance(shape, Label) else box_of(shape)
        for shape in scene.shapes
        if not (isinstance(shape, Polygon) and shape.role == "paper" and not shape.spot)
    ]
    if not boxes:
        return Box(0, 0, scene.width, scene.height)
    return Box(
        max(min(box.left for box in boxes), 0),
        max(min(box.top for box in boxes), 0),
        min(max(box.right for box in boxes), scene.width),
        min(max(box.bottom for box in boxes), scene.height),
    )


def pitch_of(scene: Scene) -> Pitch | None:
    """Find how far apart the places of a scene lie; None when it has none."""
    first = {shape.spot: box_of(shape) for shape in reversed(scene.shapes) if shape.spot}
    if not first:
        return None
    boxes = _board_places(first.values())
    size = _size(boxes[0])
    xs, ys = [box.middle[0] for box in boxes], [box.middle[1] for box in boxes]
    across, down = _distance(xs, size), _distance(ys, size)
    across, down = across or FIRST_GUESS[0] * size, down or FIRST_GUESS[1] * size
    first_box = boxes[0]
    is_edge_x, is_edge_y = _tiles(first_box.width, across), _tiles(first_box.height, down)
    return Pitch(
        across,
        down,
        first_box.left if is_edge_x else first_box.middle[0],
        first_box.top if is_edge_y else first_box.middle[1],
        is_edge_x,
        is_edge_y,
        len(boxes),
    )


def _board_places(boxes: Iterable[Box]) -> list[Box]:
    """Return the places of the board: the smallest, since a goal is larger, and no legend."""
    alike: dict[int, list[Box]] = {}
    for box in boxes:
        alike.setdefault(_size(box), []).append(box)
    tops = {size: min(box.top for box in group) for size, group in alike.items()}
    ends = {size: max(box.bottom for box in group) for size, group in alike.items()}
    # A legend stands below all the rest.
    board = [
        size
        for size in alike
        if len(alike) == 1 or any(tops[size] < ends[other] for other in alike if other != size)
    ]
    return alike[min(board)]


def possible_sizes(scene: Scene, pitch: Pitch) -> Iterator[SceneSize]:
    """Yield the sizes at which a scene can be drawn, the smallest first."""
    box = content_box(scene)
    # Those of the board: a legend may be finer.
    finest = max((shape.width for shape in scene.shapes if isinstance(shape, Arc)), default=0.0)
    for rows in range(1, LARGEST + 1):
        columns = max(1, round(2 * rows * pitch.across / pitch.down))
        fit = _fit(box, pitch, columns, rows)
        if not finest or finest * fit.transform.stroke >= BROADEST_CURVE:
            yield fit


def best_size(candidates: Iterable[SceneSize], columns: int, rows: int, zoom: int = 0) -> SceneSize:
    """Choose the largest size that is seen whole, else the smallest; `zoom` goes on from it."""
    sizes = list(candidates)
    whole = [at for at, fit in enumerate(sizes) if fit.columns <= columns and fit.rows <= rows]
    at = (whole[-1] if whole else 0) + zoom
    return sizes[max(0, min(at, len(sizes) - 1))]


def _fit(box: Box, pitch: Pitch, columns: int, rows: int) -> SceneSize:
    across, down = ACROSS * columns / pitch.across, DOWN * rows / pitch.down
    left, before = _shift(pitch.x, box.left, across, ACROSS, pitch.is_edge_x)
    top, above = _shift(pitch.y, box.top, down, DOWN, pitch.is_edge_y)
    wide = -(-(box.width * across + before) // ACROSS) + 1
    high = -(-(box.height * down + above) // DOWN)
    return SceneSize(Transform(across, down, left, top), int(wide), int(high), (columns, rows))


def _shift(
    place: float, begin: float, scale: float, samples: int, is_edge: bool
) -> tuple[float, float]:
    """Return the shift after scaling, and how many samples stay empty before the content."""
    target = 0.0 if is_edge else samples / 2
    empty = (target - (place - begin) * scale) % samples
    return empty - begin * scale, empty


def _distance(values: list[float], size: float) -> float:
    """Return the distance of neighbours; 0 when all are in one row."""
    groups: list[list[float]] = []
    for value in sorted(values):
        if groups and value - groups[-1][-1] < SAME * size:
            groups[-1].append(value)
        else:
            groups.append([value])
    # Rows with few places are no part of the lattice; but where all are short, all count.
    most = max(len(group) for group in groups)
    middles = [sum(group) / len(group) for group in groups if 3 * len(group) >= most]
    if len(middles) < 2:
        return 0.0
    nearest = min(after - before for before, after in pairwise(middles))
    far = middles[-1] - middles[0]
    return far / round(far / nearest)


def _words_box(label: Label) -> Box:
    wide = LETTER * label.size * len(label.text)
    left = label.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[label.anchor] * wide
    return Box(left, label.y, left + wide, label.y)


def _tiles(size: float, distance: float) -> bool:
    """Return whether places touch each other, so that their edges fall between characters."""
    return abs(size - distance) < SAME * distance


def _size(box: Box) -> int:
    return round(max(box.width, box.height))


def _around(points: Iterable[tuple[float, float]]) -> Box:
    xs, ys = zip(*points, strict=True)
    return Box(min(xs), min(ys), max(xs), max(ys))
