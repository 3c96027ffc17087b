"""Boards of kits as shapes: the empty board, pieces, lines and walls, the last move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from math import sqrt

from sarsen.drawing.boards import Board, Cell
from sarsen.drawing.pieces import Piece
from sarsen.drawing.scene import Circle, Label, Point, Polygon, Shape, Stroke

STEP = 40.0  # units of a scene from cell to cell
# With gaps, so much that a circle of 40 units fits into whatever one points at: the diamond of a
# line between points, or the middle of a cell and the diamond of a wall.
STEP_OF_POINTS, STEP_OF_CELLS = 57.0, 80.0
MARGIN = 0.72  # cells from the outermost middles, of letters too, to the border of the picture
LARGEST_LETTER = 22.0
PIECE = 0.36  # radius, of a cell
CROWN = 0.2  # radius of the ring of a crowned piece
LIFT = 0.11  # of a cell, from piece to piece of a stack
MAX_DRAWN = 4  # pieces of a stack; its height is written on it
TILE = 0.8  # of a cell among walls; the rest is the groove in which they stand
LINE, WALL, DOT, BOX = 0.15, 0.13, 0.085, 0.76  # of a cell: how broad they are; radius of a dot


def step_of(board: Board) -> float:
    """Return the units of a scene from place to place."""
    if not board.has_gaps:
        return STEP
    is_narrow = board.on_points and not board.is_hexagonal
    return STEP_OF_POINTS if is_narrow else STEP_OF_CELLS


def _at(board: Board, point: Point) -> Point:
    """Return where a point of a board is in its picture."""
    left, top = _corner(board)
    step = step_of(board)
    return (point[0] - left) * step, (point[1] - top) * step


@lru_cache(maxsize=64)
def _outer(board: Board) -> tuple[float, float, float, float]:
    labels = [cell for _, cell in (*board.column_labels(), *board.row_labels())]
    points = [board.middle(cell) for cell in (*board.places.values(), *labels)]
    across, down = [x for x, _ in points], [y for _, y in points]
    return min(across), min(down), max(across), max(down)


def _corner(board: Board) -> Point:
    left, top, _, _ = _outer(board)
    return left - MARGIN, top - MARGIN


def extent(board: Board) -> tuple[float, float]:
    """Return the width and height of the picture of a board."""
    left, top, right, bottom = _outer(board)
    around = 2 * MARGIN
    step = step_of(board)
    return round((right - left + around) * step, 2), round((bottom - top + around) * step, 2)


@lru_cache(maxsize=64)
def empty_board(board: Board, roles: tuple[str, ...]) -> tuple[Shape, ...]:
    """Return the shapes of a board on which nothing stands."""
    width, height = extent(board)
    shapes: list[Shape] = [Polygon(((0, 0), (width, 0), (width, height), (0, height)), "paper")]
    owners = dict(board.owners)
    for edge, _, ends in board.border:
        if edge in owners:
            points = tuple(_at(board, point) for point in ends)
            shapes.append(Stroke(points, roles[owners[edge]], step_of(board) / 4))
    for place, cell in board.places.items():
        shapes.append(_ground(board, place, cell))
    if board.has_gaps:
        shapes += _gaps(board)
    elif board.on_points:
        shapes += [
            Stroke((_at(board, start), _at(board, end)), "grid", 1.5)
            for start, end in board.lines()
        ]
    # Large boards are shown smaller, so their letters are larger beside their cells.
    size = min(11 + 0.55 * max(board.columns, board.rows), LARGEST_LETTER)
    size *= step_of(board) / STEP
    for text, cell in (*board.column_labels(), *board.row_labels()):
        x, y = _at(board, board.middle(cell))
        shapes.append(Label(x, y, text, size, "ink-soft", is_coordinate=True))
    return tuple(shapes)


def _ground(board: Board, place: str, cell: Cell) -> Polygon:
    corners = tuple(_at(board, corner) for corner in board.corners(cell))
    if board.has_gaps:  # the place is the middle of it
        return Polygon(corners, "ground" if board.on_points else "ground-alt")
    if board.on_points:
        return Polygon(corners, "ground", spot=place)
    is_dark = board.is_chequered and (cell[0] + board.number(cell[1])) % 2 == 1  # as a1 is
    return Polygon(corners, "ground-alt" if is_dark else "ground", "grid", 1.2, place)


def _gaps(board: Board) -> Iterator[Shape]:
    """Draw lines yet to be drawn between points, or the tiles of cells, and what is pointed at.

    Spots lie over each other, places and boxes uppermost. Pages take the uppermost of those that
    may be pointed at: a line has its whole diamond where only lines are drawn.
    """
    role = "ground" if board.on_points else "ground-alt"
    part = STEP / step_of(board)
    for gap, cells in board.gaps.items():
        if len(cells) == 2:
            yield Polygon(_diamond(board, *cells), role, spot=gap, is_unseen=True)
    for gap, cells in board.gaps.items():
        if len(cells) == 4:
            yield Polygon(_part(board, cells[0], part, gap), role, spot=gap, is_unseen=True)
    for place, cell in board.places.items():
        if not board.on_points:
            yield Polygon(_part(board, cell, TILE, place), "ground", "grid", 1.2)
        yield Polygon(_part(board, cell, part, place), "ground", spot=place, is_unseen=True)
    if board.on_points:
        for cells in board.gaps.values():
            if len(cells) == 2:
                start, end = (_at(board, board.middle(cell)) for cell in cells)
                yield Stroke((start, end), "ground-alt", 2.5)


def _diamond(board: Board, start: Cell, end: Cell) -> tuple[Point, ...]:
    """Return the corners around the gap between two places; all diamonds cover the board."""
    (left, top), (right, bottom) = board.middle(start), board.middle(end)
    x, y = (left + right) / 2, (top + bottom) / 2
    aside = 1 / sqrt(3) if board.is_hexagonal else 1.0
    across, down = aside * (bottom - top) / 2, aside * (right - left) / 2
    corners = (left, top), (x + across, y - down), (right, bottom), (x - across, y + down)
    return tuple(_at(board, corner) for corner in corners)


def _part(board: Board, cell: Cell, part: float, name: str) -> tuple[Point, ...]:
    """Return the outline of a cell, made smaller, around the middle of a place or gap."""
    x, y = board.middle_of(name)
    column, row = board.middle(cell)
    return tuple(
        _at(board, (x + part * (right - column), y + part * (down - row)))
        for right, down in board.corners(cell)
    )


def draw_pieces(board: Board, pieces: Mapping[str, Piece], roles: Sequence[str]) -> Iterator[Shape]:
    """Draw what stands on a board.

    Rims of lines and walls come before any surface, so that they look joined.
    """
    bars = [
        (place, piece, points)
        for place, piece in pieces.items()
        for points in _bars(board, pieces, place)
    ]
    width = _width(board)
    for _, piece, points in bars:
        rim = "ink" if piece.side is None else f"{_role(piece, roles)}-shade"
        yield Stroke(points, rim, width + 2.5)
    for place, piece, points in bars:
        # Pieces of nobody are light, which a thin line would not show.
        surface = "neutral-shade" if piece.side is None else _role(piece, roles)
        yield Stroke(points, surface, width, spot=place)
    for place, piece in pieces.items():
        if place in board.places:
            yield from _piece(board, place, piece, _role(piece, roles))
        elif board.on_points and len(board.gaps[place]) == 4:
            yield from _box(board, place, piece, _role(piece, roles))
    if board.has_gaps and board.on_points:
        for place in board.places:
            if place not in pieces:
                yield Circle(*_at(board, board.middle_of(place)), DOT * step_of(board), "ink")


def _role(piece: Piece, roles: Sequence[str]) -> str:
    return "neutral" if piece.side is None else roles[piece.side]


def _width(board: Board) -> float:
    """Return how broad lines and walls are."""
    return step_of(board) * (LINE if board.on_points else WALL)


def _bars(board: Board, pieces: Mapping[str, Piece], place: str) -> Iterator[tuple[Point, ...]]:
    """Yield the strokes of a line or wall, or of the crossing in which walls are joined."""
    cells = board.names[place]
    if len(cells) == 2:
        yield _bar(board, cells)
    elif len(cells) == 4 and not board.on_points:
        middle = board.middle_of(place)
        around = [
            [board.middle_of(name) for name in pair if pieces.get(name) == pieces[place]]
            for pair in _walls_around(board, cells)
        ]
        # A wall goes straight on; another that only ends there is no part of it.
        straight = [ends for ends in around if len(ends) == 2]
        ends = straight[0] if len(straight) == 1 else [end for pair in around for end in pair]
        for end in ends or [middle]:
            yield _at(board, middle), _at(board, end)


def _bar(board: Board, cells: tuple[Cell, ...]) -> tuple[Point, ...]:
    start, end = (board.middle(cell) for cell in cells)
    if board.on_points:
        return _at(board, start), _at(board, end)
    left, right = _diamond(board, *cells)[1::2]
    (x, y), part = ((left[0] + right[0]) / 2, (left[1] + right[1]) / 2), TILE - WALL
    return tuple((x + part * (at - x), y + part * (down - y)) for at, down in (left, right))


def _walls_around(board: Board, cells: tuple[Cell, ...]) -> tuple[tuple[str, str], tuple[str, str]]:
    """Return the gaps left and right of a crossing, then those above and below it."""
    lower, upper, far, right = cells
    left, beside = board.gap_name(lower, upper), board.gap_name(right, far)
    return (left, beside), (board.gap_name(upper, far), board.gap_name(lower, right))


def _box(board: Board, place: str, piece: Piece, role: str) -> Iterator[Shape]:
    corners = _part(board, board.gaps[place][0], BOX, place)
    yield Polygon(corners, role, f"{role}-shade", 1.5, place)
    if piece.letter.isalpha():
        x, y = _at(board, board.middle_of(place))
        yield Label(x, y, piece.letter, step_of(board) * 0.4, f"{role}-ink", bold=True, spot=place)


def _piece(board: Board, place: str, piece: Piece, role: str) -> Iterator[Shape]:
    x, y = _at(board, board.middle_of(place))
    step = step_of(board)
    for level in range(min(piece.height, MAX_DRAWN)):
        raised = y - level * LIFT * step
        yield Circle(x, raised, step * PIECE, role, f"{role}-shade", 1.5, place)
    top = y - _lift(board, piece)
    if piece.is_crowned:
        yield Circle(x, top, step * CROWN, "", f"{role}-ink", 2.5, place)
    words = piece.letter if piece.letter.isalpha() else ""
    words += str(piece.height) if piece.height > 1 else ""
    if words:
        yield Label(x, top, words, step * 0.4, f"{role}-ink", bold=True, spot=place)


def _lift(board: Board, piece: Piece) -> float:
    """Return how far above its place the uppermost piece of a stack is drawn."""
    return (min(piece.height, MAX_DRAWN) - 1) * LIFT * step_of(board)


def mark_last_move(
    board: Board, last: Sequence[str], pieces: Mapping[str, Piece]
) -> Iterator[Shape]:
    """Mark what the last move moved or placed, and the places that it left empty."""
    for place in last:
        x, y = _at(board, board.middle_of(place))
        reach = step_of(board) * PIECE
        if place not in pieces:
            yield Circle(x, y, reach / 3, "mark", spot=place)
        elif place in board.places:
            yield Circle(x, y - _lift(board, pieces[place]), reach + 2, "", "mark", 3.5, place)
        elif len(board.gaps[place]) == 2 or not board.on_points:
            for points in _bars(board, pieces, place):
                yield Stroke(points, "mark", _width(board) / 2.4, spot=place)
        else:
            corners = _part(board, board.gaps[place][0], BOX, place)
            yield Polygon(corners, "", "mark", 3.5, place)
