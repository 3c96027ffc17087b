"""Draw the monument as blocks of stone on the site, seen from above its near left corner."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache

from sarsen.core.phrases import Phrase
from sarsen.drawing.scene import Circle, Label, Point, Polygon, Scene, Shape
from sarsen.games.druid.blocks import CELL, FACES, INSET, LEAN, Eye, Marks, block, rise
from sarsen.games.druid.board import (
    EAST,
    NORTH,
    SIDES,
    H,
    Monument,
    V,
    column_row,
    site,
    squares_of,
)
from sarsen.games.druid.notation import Move, Word, square_name
from sarsen.games.druid.rules import DruidPosition

MARGIN = 28.0  # left and below, for the coordinates
COORDINATE = 16.0  # how large they are
AWAY = 14.0  # from the frame to the middle of a coordinate
FRAME = 7.0  # the coloured edges that each side has to join
LETTER = 24.0
# Shapes are kept, and given again as the same objects, since every picture needs dozens.
MAX_SIZES, MAX_SHADOWS = 32, 1024

INKS = {V: "first-ink", H: "second-ink"}


def scene(position: DruidPosition) -> Scene:
    """Draw a position."""
    size = position.terms.size
    room = rise(_overhang(position.monument))
    eye = Eye(left=MARGIN + FRAME, bottom=2 * FRAME + (size + room) * CELL)
    width = eye.left + (size + room * LEAN) * CELL + 2 * FRAME
    height = eye.bottom + FRAME + MARGIN
    ground = (
        Polygon(((0, 0), (width, 0), (width, height), (0, height)), "paper"),
        *_site(size, eye),
        *_coordinates(size, eye),
    )
    shapes = (
        *ground,
        *(_openings(size, eye) if position.is_opening else ()),
        *_shadows(position.monument, eye),
        *_blocks(position, eye),
        *_labels(position, eye),
    )
    return Scene(width, height, title(position), shapes, CELL, len(ground))


def _overhang(monument: Monument) -> int:
    """Return the greatest height in the last row and column; only these reach over the frame."""
    last = monument.size - 1
    ends = range(monument.size)
    return max(
        *(monument.heights[NORTH * last + column] for column in ends),
        *(monument.heights[NORTH * row + last] for row in ends),
    )


def title(position: DruidPosition) -> str:
    """Return one line that says what the picture shows."""
    size, outcome = position.terms.size, position.outcome()
    state = outcome.reason if outcome else Phrase("{side} to move.", side=SIDES[position.side])
    return Phrase(
        "Druid on {size} x {size} squares after move {ply}: {state}",
        size=size,
        ply=position.ply,
        state=state,
    )


@lru_cache(maxsize=MAX_SIZES)
def _site(size: int, eye: Eye) -> tuple[Shape, ...]:
    return (*frame(size, FRAME / CELL, eye.points), *_squares(size, eye))


def frame(
    size: int, width: float, points: Callable[[Iterable[Point]], tuple[Point, ...]]
) -> Iterator[Shape]:
    """Draw the edges in the colours of the sides that join them, from the bottom on.

    Args:
        width: In squares.
        points: Returns where columns and rows are in the picture.
    """
    inner = ((0, 0), (size, 0), (size, size), (0, size))
    near, far = -width, size + width
    outer = ((near, near), (far, near), (far, far), (near, far))
    for at, role in enumerate(("first", "second", "first", "second")):
        after = (at + 1) % 4
        corners = (inner[at], inner[after], outer[after], outer[at])
        yield Polygon(points(corners), role)


def _squares(size: int, eye: Eye) -> Iterator[Shape]:
    across = size + 1
    corners = eye.points([(x, y) for y in range(across) for x in range(across)])
    for row in range(size):
        for column in range(size):
            at = across * row + column
            near, far = corners[at : at + 2], corners[at + across : at + across + 2]
            name = square_name(NORTH * row + column)
            yield Polygon((*near, *reversed(far)), "ground", "grid", 1, name)


def _openings(size: int, eye: Eye) -> Iterator[Shape]:
    squares = squares_of(site(size).edge)
    middles = eye.points([(x + 0.5, y + 0.5) for x, y in map(column_row, squares)])
    for square, middle in zip(squares, middles, strict=True):
        yield Circle(*middle, 4.5, "spot", spot=square_name(square))


@lru_cache(maxsize=MAX_SIZES)
def _coordinates(size: int, eye: Eye) -> tuple[Shape, ...]:
    shapes = []
    below = eye.points([(at + 0.5, 0) for at in range(size)])
    beside = eye.points([(0, at + 0.5) for at in range(size)])
    for at, ((x, bottom), (left, y)) in enumerate(zip(below, beside, strict=True)):
        shapes.append(coordinate(x, bottom + FRAME + AWAY, chr(ord("a") + at)))
        shapes.append(coordinate(left - FRAME - AWAY, y, str(at + 1)))
    return tuple(shapes)


def coordinate(x: float, y: float, text: str) -> Label:
    """Write the letter of a column or the number of a row."""
    return Label(x, y, text, COORDINATE, "ink-soft", is_coordinate=True)


def _shadows(monument: Monument, eye: Eye) -> Iterator[Shape]:
    for square in squares_of(monument.tops[V] | monument.tops[H]):
        yield _shadow(monument.size, square, monument.heights[square], eye)


@lru_cache(maxsize=MAX_SHADOWS)
def _shadow(size: int, square: int, height: int, eye: Eye) -> Polygon:
    """Throw the shadow of a square's stones on the ground, to the right and forwards."""
    x, y = column_row(square)
    west, east, south, north = x + INSET, x + 1 - INSET, y + INSET, y + 1 - INSET
    far = 0.5 * rise(height)
    right, front = min(east + far, size), max(south - 0.6 * far, 0)
    corners = (
        (west, south),
        (west + far, front),
        (right, front),
        (right, north - 0.6 * far),
        (east, north),
        (west, north),
    )
    return Polygon(eye.points(corners), "shadow")


def _blocks(position: DruidPosition, eye: Eye) -> Iterator[Shape]:
    """Draw the stones block by block: from the back, from the right, and upwards.

    Whole lintels have no such order, for three of them can each lie behind the next.
    """
    monument = position.monument
    stones = {
        (square, stone.level): stone for stone in monument.stones for square in stone.piece.squares
    }
    marks = _marks(position)
    for row in reversed(range(monument.size)):
        for column in reversed(range(monument.size)):
            square = NORTH * row + column
            for level in range(monument.heights[square]):
                if (square, level) in stones:
                    is_top = level + 1 == monument.heights[square]
                    look = (marks if is_top else Marks()).look(square)
                    yield from block(stones[square, level], square, eye, look)


def _marks(position: DruidPosition) -> Marks:
    last = position.last
    chain = position.monument.chain(position.winner) if position.winner is not None else 0
    return Marks(last_squares(last), tuple(squares_of(chain)))


def last_squares(last: Move | None) -> tuple[int, ...]:
    """Return the squares of the last move; none of a swap or a pass."""
    return () if last is None or isinstance(last, Word) else last.squares


def _labels(position: DruidPosition, eye: Eye) -> Iterator[Shape]:
    """Name the owner of every top, and its height above one, where it is in sight."""
    monument, last = position.monument, last_squares(position.last)
    for side in (V, H):
        for square in squares_of(monument.tops[side]):
            ink = FACES[side][2] if square in last else INKS[side]
            yield from _label(monument, square, side, ink, eye)
    if position.may_swap:
        (stone,) = monument.stones
        x, y = column_row(stone.start)
        centre = eye.point(x + 0.5, y + 0.5, 1)
        yield Circle(*centre, 20, "", "spot", 2.5, spot=square_name(stone.start))


def _label(monument: Monument, square: int, side: int, ink: str, eye: Eye) -> Iterator[Shape]:
    x, y = column_row(square)
    height = monument.heights[square]
    # Taller neighbours to the west and south hide strips of this top: keep clear of them.
    west = INSET + max(0.0, LEAN * _above(monument, square, EAST) - 2 * INSET)
    south = INSET + max(0.0, _above(monument, square, NORTH) - 2 * INSET)
    middle_x, middle_y = eye.point(x + (west + 1 - INSET) / 2, y + (south + 1 - INSET) / 2, height)
    size = min(LETTER, 0.8 * (1 - INSET - south) * CELL)
    number = str(height) if height > 1 else ""
    spot = square_name(square)
    shift = 0.2 * size * len(number)
    yield Label(middle_x - shift, middle_y, SIDES[side], size, ink, bold=True, spot=spot)
    if number:
        yield Label(
            middle_x - shift + 0.36 * size,
            middle_y + 0.12 * size,
            number,
            0.8 * size,
            ink,
            "start",
            bold=True,
            spot=spot,
        )


def _above(monument: Monument, square: int, step: int) -> float:
    """Return by how much the neighbour one step back rises above a square; at least 0."""
    column, row = column_row(square)
    if (column if step == EAST else row) == 0:
        return 0.0
    return max(0.0, rise(monument.heights[square - step]) - rise(monument.heights[square]))
