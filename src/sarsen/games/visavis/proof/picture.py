"""The proof as a picture: the chains of both colours, and the bridge that closes the gap."""

from __future__ import annotations

from collections.abc import Iterator

from sarsen.drawing.scene import Circle, Label, Point, Polygon, Scene, Shape, Stroke
from sarsen.games.visavis.board import LETTERS, O, X, board_of, joined_pegs
from sarsen.games.visavis.picture import FRAME, LABELS, Plane
from sarsen.games.visavis.proof.cells import Cells, cells_of
from sarsen.games.visavis.proof.strategy import opening

ROLES = ("mark", "spot")  # of the colour that is whole at first, and of the one in two
LEGEND = 40.0  # below the board, for what the colours mean
_INSET = 0.86  # of a triangle, so that neighbours do not touch


def proof_scene(size: int) -> Scene:
    """Draw the strategy's two colours on an empty board, with its first bridge."""
    cells, plane = cells_of(size), Plane(size)
    name = opening(size)
    shapes = (
        *_ground(plane),
        *_letters(plane),
        *_chains(cells, plane),
        *_pegs(plane),
        *_first_bridge(cells, plane, name),
        *_legend(plane, name),
    )
    title = f"Visavis of size {size}: two colours, each joining left and right once {name} stands."
    return Scene(plane.width, plane.height + LEGEND, title, shapes)


def _ground(plane: Plane) -> Iterator[Shape]:
    width, height = plane.width, plane.height + LEGEND
    yield Polygon(((0, 0), (width, 0), (width, height), (0, height)), "paper")
    left, right, top, bottom = plane.left, plane.right, plane.top, plane.bottom
    inner = ((left, top), (right, top), (right, bottom), (left, bottom))
    left, right, top, bottom = left - FRAME, right + FRAME, top - FRAME, bottom + FRAME
    outer = ((left, top), (right, top), (right, bottom), (left, bottom))
    for at, role in enumerate(("second", "first", "second", "first")):
        after = (at + 1) % 4
        yield Polygon((inner[at], inner[after], outer[after], outer[at]), role)
    yield Polygon(inner, "ground")


def _letters(plane: Plane) -> Iterator[Shape]:
    size = 8 + 0.38 * plane.size
    before, behind = 0.54 * LABELS, plane.width - 0.54 * LABELS
    for at in range(1, plane.size + 1):
        for edge in (before, behind):
            yield Label(plane.letter(at), edge, LETTERS[at - 1], size, "ink-soft")
            yield Label(edge, plane.number(at), str(at), size, "ink-soft")


def _chains(cells: Cells, plane: Plane) -> Iterator[Shape]:
    """Draw each cell as what it can join, a triangle or a stroke, in its colour."""
    for cell, colour in enumerate(cells.colours):
        role = ROLES[(int(colour) + cells.half) % 2]
        pegs = _corners(cells, cell)
        points = [plane.place(O, peg) for peg in pegs]
        if len(points) == 3:
            yield Polygon(tuple(_inset(points)), role, role, 2.0)
        else:
            yield Stroke((points[0], points[1]), role, 6.0)


def _corners(cells: Cells, cell: int) -> list[tuple[int, int]]:
    """Return the pegs of O at a cell; at the left edge the two that are one vertex count."""
    i, j = cells.places[cell]
    pegs = [(2 * i + 1, 2 * j), (2 * i + 3, 2 * j), (2 * i + 1, 2 * j + 2)]
    return [peg for peg in pegs if peg[1] <= cells.size - 1]


def _inset(points: list[Point]) -> Iterator[Point]:
    middle_x = sum(x for x, _ in points) / 3
    middle_y = sum(y for _, y in points) / 3
    for x, y in points:
        yield middle_x + _INSET * (x - middle_x), middle_y + _INSET * (y - middle_y)


def _pegs(plane: Plane) -> Iterator[Shape]:
    board = board_of(plane.size)
    for end in board.ends[O]:
        for peg in board.coordinates(end):
            yield Stroke(plane.dock(O, peg), "first", 2.4)
    for peg in board.coordinates(board.pegs[X]):
        yield Circle(*plane.place(X, peg), 2.0, "second")
    for peg in board.coordinates(board.pegs[O]):
        yield Circle(*plane.place(O, peg), 3.4, "first")


def _first_bridge(cells: Cells, plane: Plane, name: str) -> Iterator[Shape]:
    (place,) = board_of(cells.size).coordinates(board_of(cells.size).bits[O][name])
    ends = tuple(plane.place(O, peg) for peg in joined_pegs(O, *place))
    yield Stroke(ends, "first-shade", 8.4)
    yield Stroke(ends, "first", 6.6)


def _legend(plane: Plane, name: str) -> Iterator[Shape]:
    lines = ("joins all pegs of O from the start", f"joins them once {name} stands")
    for at, (role, text) in enumerate(zip(ROLES, lines, strict=True)):
        y = plane.height + 6 + 18 * at
        yield Circle(plane.left + 5, y, 5.0, role)
        yield Label(plane.left + 16, y, text, 11 + 0.2 * plane.size, "ink", "start")
