"""Boards of kits with plain characters, for mails and terminals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sarsen.drawing.boards import Board, Cell
from sarsen.drawing.scene import Point

EMPTY, CROSSING = ".", "+"
ACROSS = {"-": "|", "|": "-", "\\": "/", "/": "\\"}  # walls, by the lines that would cross them
BOX = "*"

# The text board: characters by line and column, of which some may be negative.
Canvas = dict[tuple[int, int], str]


@dataclass(frozen=True)
class _Grid:
    """Where on the text board places are.

    Attributes:
        wide: Characters of the longest mark.
        lines, columns: From each row and column to the next, with room for what is in gaps.
    """

    board: Board
    wide: int

    @property
    def lines(self) -> int:
        return 2 if self.board.has_gaps else 1

    @property
    def columns(self) -> int:
        width = 2 * ((self.wide + 2) // 2) if self.board.is_hexagonal else self.wide + 1
        return self.lines * width

    @property
    def gap(self) -> int:
        """The characters between the marks of two places."""
        return self.columns - self.wide

    def at(self, point: Point, row: float) -> tuple[int, int]:
        """Return the line and column at which the mark of a place begins."""
        return round(self.lines * row), round(self.columns * point[0])

    def of(self, name: str) -> tuple[int, int]:
        """Return the line and column at which the mark of a place or gap begins."""
        return self.at(self.board.middle_of(name), self.board.row_of(name))

    def of_label(self, cell: Cell) -> tuple[int, int]:
        """Return the same for a coordinate, which stands right above or below its column."""
        column, row = cell
        last = self.board.rows - 1
        near = min(max(row, -1 / self.lines), last + 1 / self.lines)
        return self.at(self.board.middle((column, near)), near)


def write_board(
    board: Board,
    marks: Mapping[str, str],
    last: Sequence[str],
    seats: Sequence[str],
    *,
    has_coordinates: bool = True,
) -> str:
    """Return a board in ASCII.

    Args:
        marks: What stands on its places and in its gaps, by their names; "" in a gap for a
            plain line or wall of nobody.
        last: Places and gaps of the last move, which stand in brackets.
        seats: The names of the sides, some of whose edges these may be.
    """
    grid = _Grid(board, max([1, *map(len, marks.values())]))
    empty = CROSSING if board.on_points else EMPTY
    canvas: Canvas = {}
    brackets = defaultdict[tuple[int, int], str](str)
    for name in board.names:
        line, column = grid.of(name)
        mark = marks.get(name, " " if name in board.gaps else empty)
        if not mark:
            mark = _of_nobody(board, name)
        if name in marks and _line_between(board, name) == "-":
            put(canvas, line, column - (grid.gap - grid.wide) // 2, "-" * grid.gap)
        put(canvas, line, column, mark)
        if name in last:
            brackets[line, column - 1] += "("
            brackets[line, column + len(mark)] += ")"
    # Where one place ends and the next begins, one pair of brackets holds both: `(r r)`.
    canvas |= {at: found if len(found) == 1 else " " for at, found in brackets.items()}
    if has_coordinates:
        _put_coordinates(canvas, grid)
    _put_owners(canvas, grid, seats)
    return lines_of(canvas)


def _put_coordinates(canvas: Canvas, grid: _Grid) -> None:
    """Write the letters of the columns and the numbers of the rows around the board."""
    board = grid.board
    for letter, cell in board.column_labels():
        put(canvas, *grid.of_label(cell), letter)
    for number, cell in board.row_labels():
        line, column = grid.at(board.middle(cell), cell[1])
        step = grid.columns
        shift = step - 1 - len(number) if board.is_numbered_left else grid.wide + 1 - step
        put(canvas, line, column + shift, number)


def _of_nobody(board: Board, name: str) -> str:
    """Return the mark of something of nobody that stands in a gap."""
    return _line_between(board, name) or (BOX if board.on_points else CROSSING)


def _line_between(board: Board, name: str) -> str:
    """Return the character of a line, or of a wall, between two places; "" where there is none."""
    if len(board.names[name]) != 2:
        return ""
    (x, y), (right, down) = map(board.middle, board.names[name])
    slope = (right - x) * (down - y)
    line = ("-" if down == y else "|") if slope == 0 else "\\" if slope > 0 else "/"
    return line if board.on_points else ACROSS[line]


def _put_owners(canvas: Canvas, grid: _Grid, seats: Sequence[str]) -> None:
    """Write the name of its side beside the middle of each edge."""
    board = grid.board
    for edge, side in board.owners:
        cells = list(dict.fromkeys(cell for name, cell, _ in board.border if name == edge))
        columns = [grid.of(board.name(cell))[1] for cell in cells]
        row, _ = grid.of(board.name(cells[len(cells) // 2]))
        name = seats[side]
        if edge in ("top", "bottom"):
            across = sum(columns) // len(cells) - len(name) // 2
            lines = [line for line, _ in canvas]
            put(canvas, min(lines) - 1 if edge == "top" else max(lines) + 1, across, name)
            continue
        taken = [at for line, at in canvas if line == row]
        is_left = "left" in edge
        put(canvas, row, min(taken) - 1 - len(name) if is_left else max(taken) + 2, name)


def put(canvas: Canvas, line: int, column: int, text: str) -> None:
    """Write a text on a canvas, over what is there."""
    canvas.update({(line, column + at): letter for at, letter in enumerate(text)})


def lines_of(canvas: Canvas) -> str:
    """Return what is written on a canvas, without blanks at the ends of lines."""
    left = min(column for _, column in canvas)
    lines: dict[int, dict[int, str]] = {}
    for (line, column), letter in canvas.items():
        lines.setdefault(line, {})[column - left] = letter
    return "\n".join(
        "".join(row.get(at, " ") for at in range(max(row) + 1)).rstrip()
        for row in (lines[line] for line in sorted(lines))
    )
