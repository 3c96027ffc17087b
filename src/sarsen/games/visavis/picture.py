"""Draw the board seen from above: two lattices of pegs, bridges, and the sides to be joined."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache

from sarsen.core.phrases import Phrase
from sarsen.drawing.scene import Circle, Label, Point, Polygon, Scene, Shape, Stroke
from sarsen.games.visavis.board import (
    LETTERS,
    SIDES,
    Coordinate,
    O,
    X,
    board_of,
    joined_pegs,
    name,
    winning_chain,
)
from sarsen.games.visavis.notation import SWAP
from sarsen.games.visavis.rules import VisavisPosition

# A board of 25 is 390 pixels wide on a phone, a unit 0.7 of a pixel; parallel bridges of both
# sides are 12 units apart.
BRIDGE = 8.6  # how broad a bridge is
RIM = 2.0  # its outline, both edges together
HALO = 7.0  # the glow of the last bridge, both edges together
PEG = 3.8
DOCK = 3.2  # how broad the line from an outermost peg to its edge is
INLAY = 0.5  # of a bridge: the bright line along it
LARGEST_LETTER = 14.5  # larger ones would touch each other
# Shapes are kept, and given again as the same objects, since every picture needs hundreds.
MAX_SIZES, MAX_PLACES = 8, 2048

PAINT = ("first", "second")
RIMS = ("first-shade", "second-shade")


def scene_of(position: VisavisPosition) -> Scene:
    """Draw a position."""
    plane = Plane(position.board.size)
    grounds = _grounds(plane.size)
    shapes = (
        *grounds,
        *_open_places(position),
        *_pegs(plane.size),
        *_bridges(position, plane),
        *_winning_chain(position, plane),
        *_offer_of_swap(position, plane),
    )
    return Scene(plane.width, plane.height, title(position), shapes, STEP, len(grounds))


def title(position: VisavisPosition) -> str:
    """Return one line that says what the picture shows."""
    size, outcome = position.board.size, position.outcome()
    built = position.bridges[O].bit_count() + position.bridges[X].bit_count()
    count = Phrase("{built} bridges", built=built)
    if built == 1:
        count = Phrase("1 bridge")
    state = outcome.reason if outcome else Phrase("{side} to move.", side=SIDES[position.side])
    return Phrase(
        "Visavis of size {size} with {count}: {state}", size=size, count=count, state=state
    )


@lru_cache(maxsize=MAX_SIZES)
def _grounds(size: int) -> tuple[Shape, ...]:
    """Draw paper, ground, and its edges in the colours of the sides that join them."""
    plane = Plane(size)
    return (*_areas(plane), *_coordinates(plane))


def _areas(plane: Plane) -> Iterator[Shape]:
    width, height = plane.width, plane.height
    yield Polygon(((0, 0), (width, 0), (width, height), (0, height)), "paper")
    inner = _box(plane, 0)
    outer = _box(plane, FRAME)
    for at, side in enumerate((X, O, X, O)):
        after = (at + 1) % 4
        yield Polygon((inner[at], inner[after], outer[after], outer[at]), PAINT[side])
    yield Polygon(inner, "ground")


def _box(plane: Plane, margin: float) -> tuple[tuple[float, float], ...]:
    left, right = plane.left - margin, plane.right + margin
    top, bottom = plane.top - margin, plane.bottom + margin
    return (left, top), (right, top), (right, bottom), (left, bottom)


def _coordinates(plane: Plane) -> Iterator[Shape]:
    # Large boards are shown smaller, so their letters are larger beside their steps.
    size = min(8 + 0.38 * plane.size, LARGEST_LETTER)
    before, behind = 0.54 * LABELS, plane.width - 0.54 * LABELS
    for at in range(1, plane.size + 1):
        x, y = plane.letter(at), plane.number(at)
        for edge in (before, behind):
            yield Label(x, edge, LETTERS[at - 1], size, "ink-soft", is_coordinate=True)
            yield Label(edge, y, str(at), size, "ink-soft", is_coordinate=True)


def _open_places(position: VisavisPosition) -> Iterator[Shape]:
    """Draw what can be tapped, a tile on the ground and a faint line where the bridge would be."""
    side, size = position.side, position.board.size
    places = list(position.board.coordinates(position.open_places))
    yield from (_tile(size, side, place) for place in places)
    yield from (_hint(size, side, place) for place in places)


@lru_cache(maxsize=MAX_PLACES)
def _tile(size: int, side: int, place: Coordinate) -> Polygon:
    corners = Plane(size).tile(side, place)
    return Polygon(corners, "ground", spot=name(*place), is_unseen=True)


@lru_cache(maxsize=MAX_PLACES)
def _hint(size: int, side: int, place: Coordinate) -> Stroke:
    hint = ("grid", 0.7) if size < 15 else ("ground-alt", 2.2)
    return Stroke(Plane(size).bridge(side, place), *hint, spot=name(*place))


@lru_cache(maxsize=MAX_SIZES)
def _pegs(size: int) -> tuple[Shape, ...]:
    board, plane = board_of(size), Plane(size)
    shapes: list[Shape] = []
    for side in (O, X):
        for end in board.ends[side]:
            for peg in board.coordinates(end):
                shapes.append(Stroke(plane.dock(side, peg), PAINT[side], DOCK))
        for peg in board.coordinates(board.pegs[side]):
            shapes.append(Circle(*plane.place(side, peg), PEG, PAINT[side]))
    return tuple(shapes)


def _bridges(position: VisavisPosition, plane: Plane) -> Iterator[Shape]:
    """Draw the bridges: every rim before any surface, so that chains look joined."""
    board = position.board
    bridges = [
        _bridge(board.size, side, place)
        for side in (O, X)
        for place in board.coordinates(position.bridges[side])
    ]
    last = _last_bridge(position, plane)
    yield from (Stroke(line, "mark", BRIDGE + HALO) for _, line in last)
    yield from (rim for rim, _, _ in bridges)
    yield from (surface for _, surface, _ in bridges)
    for _, _, ends in bridges:
        yield from ends
    yield from (Stroke(line, "mark", INLAY * BRIDGE) for _, line in last)


@lru_cache(maxsize=MAX_PLACES)
def _bridge(size: int, side: int, place: Coordinate) -> tuple[Stroke, Stroke, tuple[Circle, ...]]:
    """Return a bridge's rim, its surface and the studs at its ends."""
    line = Plane(size).bridge(side, place)
    studs = tuple(Circle(x, y, 0.27 * BRIDGE, RIMS[side]) for x, y in line)
    surface = Stroke(line, PAINT[side], BRIDGE, spot=name(*place))
    return Stroke(line, RIMS[side], BRIDGE + RIM), surface, studs


def _last_bridge(
    position: VisavisPosition, plane: Plane
) -> tuple[tuple[int, tuple[tuple[float, float], ...]], ...]:
    if position.last is None or position.last == SWAP:
        return ()
    mover = 1 - position.side
    (place,) = position.board.coordinates(position.board.bits[mover][position.last])
    return ((mover, plane.bridge(mover, place)),)


def _winning_chain(position: VisavisPosition, plane: Plane) -> Iterator[Shape]:
    """Inlay a bright line in a shortest chain, from edge to edge."""
    board, side = position.board, position.winner
    if side is None:
        return
    chain = list(board.coordinates(winning_chain(board, side, position.bridges[side])))
    pegs = {peg for place in chain for peg in joined_pegs(side, *place)}
    ends = [peg for end in board.ends[side] for peg in board.coordinates(end) if peg in pegs]
    yield from (Stroke(plane.bridge(side, place), RIMS[side], BRIDGE + RIM) for place in chain)
    yield from (Stroke(plane.dock(side, peg), "mark", INLAY * BRIDGE) for peg in ends)
    yield from (Stroke(plane.bridge(side, place), "mark", INLAY * BRIDGE) for place in chain)


def _offer_of_swap(position: VisavisPosition, plane: Plane) -> Iterator[Shape]:
    """Ring the first bridge, which X may take over with its side."""
    if position.may_swap:
        (place,) = position.board.coordinates(position.bridges[O])
        yield Stroke(plane.bridge(O, place), PAINT[O], BRIDGE, spot=SWAP)
        yield Circle(*plane.place(O, place), 1.6 * BRIDGE, "", "spot", 2.4, spot=SWAP)


STEP = 20.0  # between letters, and between rows
# O's lattice lies so far to the right of its letters and above its numbers: parallel
# bridges of both sides are then equally far apart, slanting or not.
RIGHT, UP = 0.6, 0.4
GROUND = 0.85  # steps of bare ground between the outermost pegs and the frame
FRAME = 6.0  # how broad the coloured edges are
LABELS = 20.0  # outside the frame, for the coordinates

# From the middle of a bridge to the middle of a triangle beside it, in steps.
_LYING, _UPRIGHT, _SLANTING = (1 / 3, -2 / 3), (2 / 3, -1 / 3), (1 / 3, 1 / 3)


@dataclass(frozen=True, slots=True)
class Plane:
    """Lay a board of one size in the plane.

    Attributes:
        size: Letters and rows.
        left, right, top, bottom: The edges of the ground.
        width, height: The whole picture.
    """

    size: int

    @property
    def left(self) -> float:
        return FRAME + LABELS

    @property
    def right(self) -> float:
        return self.left + (self.size - 1 + 2 * GROUND) * STEP

    @property
    def top(self) -> float:
        return FRAME + LABELS

    @property
    def bottom(self) -> float:
        return self.top + (self.size - 1 + 2 * GROUND) * STEP

    @property
    def width(self) -> float:
        return self.right + FRAME + LABELS

    @property
    def height(self) -> float:
        return self.bottom + FRAME + LABELS

    def place(self, side: int, coordinate: Coordinate) -> Point:
        """Return the point of a peg, or of the middle of a bridge."""
        column, row = coordinate
        if side == O:
            return self._point(column + RIGHT, row - UP)
        return self._point(column, row)

    def bridge(self, side: int, coordinate: Coordinate) -> tuple[Point, Point]:
        """Return the two pegs of a bridge."""
        first, second = joined_pegs(side, *coordinate)
        return self.place(side, first), self.place(side, second)

    def tile(self, side: int, coordinate: Coordinate) -> tuple[Point, ...]:
        """Return the rhomb around a bridge; those of one side cover the plane without a gap."""
        first, second = self.bridge(side, coordinate)
        x, y = self.place(side, coordinate)
        column, row = coordinate
        across, down = _LYING if row % 2 == side else _UPRIGHT if column % 2 else _SLANTING
        dx, dy = across * STEP, down * STEP
        return first, (x + dx, y + dy), second, (x - dx, y - dy)

    def dock(self, side: int, peg: Coordinate) -> tuple[Point, Point]:
        """Return the line from an outermost peg of a side to the edge it belongs to."""
        x, y = self.place(side, peg)
        column, row = peg
        if side == X:
            return (x, y), (x, self.top if row == 1 else self.bottom)
        return (x, y), (self.left if column == 1 else self.right, y)

    def letter(self, column: int) -> float:
        """Return the x of a column's letter, between its pegs of X and of O."""
        return self._point(column + RIGHT / 2, 0)[0]

    def number(self, row: int) -> float:
        """Return the y of a row's number."""
        return self._point(0, row - UP / 2)[1]

    def _point(self, x: float, y: float) -> Point:
        # The ground begins with O's first column and X's first row.
        return (
            self.left + (x - 1 - RIGHT + GROUND) * STEP,
            self.top + (y - 1 + GROUND) * STEP,
        )
