"""Boards of kits as shapes: the empty board, pieces, the last move."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache

from sarsen.drawing.boards import Board, Cell
from sarsen.drawing.pieces import Piece
from sarsen.drawing.scene import Circle, Label, Point, Polygon, Shape, Stroke

STEP = 40.0  # units of a scene from cell to cell
MARGIN = 0.72  # cells from the outermost middles, of letters too, to the border of the picture
LARGEST_LETTER = 22.0
PIECE = 0.36  # radius, of a cell
CROWN = 0.2  # radius of the ring of a crowned piece
LIFT = 0.11  # of a cell, from piece to piece of a stack
MOST_DRAWN = 4  # pieces of a stack; its height is written on it


def _at(board: Board, point: Point) -> Point:
    """Return where a point of a board is in its picture."""
    left, top = _corner(board)
    return (point[0] - left) * STEP, (point[1] - top) * STEP


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
    return round((right - left + around) * STEP, 2), round((bottom - top + around) * STEP, 2)


@lru_cache(maxsize=64)
def empty_board(board: Board, roles: tuple[str, ...]) -> tuple[Shape, ...]:
    """Return the shapes of a board on which nothing stands."""
    width, height = extent(board)
    shapes: list[Shape] = [Polygon(((0, 0), (width, 0), (width, height), (0, height)), "paper")]
    owners = dict(board.owners)
    for edge, _, ends in board.border:
        if edge in owners:
            points = tuple(_at(board, point) for point in ends)
            shapes.append(Stroke(points, roles[owners[edge]], STEP / 4))
    for place, cell in board.places.items():
        shapes.append(_ground(board, place, cell))
    if board.on_points:
        shapes += [
            Stroke((_at(board, start), _at(board, end)), "grid", 1.5)
            for start, end in board.lines()
        ]
    # Large boards are shown smaller, so their letters are larger beside their cells.
    size = min(11 + 0.55 * max(board.columns, board.rows), LARGEST_LETTER)
    for text, cell in (*board.column_labels(), *board.row_labels()):
        x, y = _at(board, board.middle(cell))
        shapes.append(Label(x, y, text, size, "ink-soft", is_coordinate=True))
    return tuple(shapes)


def _ground(board: Board, place: str, cell: Cell) -> Polygon:
    corners = tuple(_at(board, corner) for corner in board.corners(cell))
    if board.on_points:
        return Polygon(corners, "ground", spot=place)
    is_dark = board.is_chequered and (cell[0] + board.number(cell[1])) % 2 == 1  # as a1 is
    return Polygon(corners, "ground-alt" if is_dark else "ground", "grid", 1.2, place)


def draw_piece(board: Board, place: str, piece: Piece, roles: Sequence[str]) -> Iterator[Shape]:
    x, y = _at(board, board.middle(board.places[place]))
    role = "neutral" if piece.side is None else roles[piece.side]
    reach = STEP * PIECE
    for level in range(min(piece.height, MOST_DRAWN)):
        raised = y - level * LIFT * STEP
        yield Circle(x, raised, reach, role, f"{role}-shade", 1.5, place)
    top = y - _lift(piece)
    if piece.is_crowned:
        yield Circle(x, top, STEP * CROWN, "", f"{role}-ink", 2.5, place)
    words = piece.letter if piece.letter.isalpha() else ""
    words += str(piece.height) if piece.height > 1 else ""
    if words:
        yield Label(x, top, words, STEP * 0.4, f"{role}-ink", bold=True, spot=place)


def _lift(piece: Piece) -> float:
    """Return how far above its place the uppermost piece of a stack is drawn."""
    return (min(piece.height, MOST_DRAWN) - 1) * LIFT * STEP


def mark_last_move(
    board: Board, last: Sequence[str], pieces: Mapping[str, Piece]
) -> Iterator[Shape]:
    for place in last:
        x, y = _at(board, board.middle(board.places[place]))
        if place in pieces:
            yield Circle(x, y - _lift(pieces[place]), STEP * PIECE + 2, "", "mark", 3.5, place)
        else:
            yield Circle(x, y, STEP * PIECE / 3, "mark", spot=place)
