"""Boards of kits with plain characters, for mails and terminals."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Mapping, Sequence

from sarsen.drawing.boards import Board, Cell

EMPTY, CROSSING = ".", "+"

# The text board: characters by line and column, of which some may be negative.
_Canvas = dict[tuple[int, int], str]


def write_board(
    board: Board, marks: Mapping[str, str], last: Sequence[str], seats: Sequence[str]
) -> str:
    """Return a board in ASCII.

    Args:
        marks: What stands on its places, by their names.
        last: Places of the last move, which stand in brackets.
        seats: The names of the sides, some of whose edges these may be.
    """
    wide = max([1, *map(len, marks.values())])
    half = (wide + 2) // 2 if board.is_hexagonal else (wide + 1) / 2
    canvas: _Canvas = {}
    brackets = defaultdict[tuple[int, int], str](str)

    def column_of(cell: Cell) -> int:
        return round(2 * half * board.middle(cell)[0])

    for place, cell in board.places.items():
        mark = marks.get(place, CROSSING if board.on_points else EMPTY)
        _put(canvas, cell[1], column_of(cell), mark)
        if place in last:
            brackets[cell[1], column_of(cell) - 1] += "("
            brackets[cell[1], column_of(cell) + len(mark)] += ")"
    # Where one place ends and the next begins, one pair of brackets holds both: `(r r)`.
    canvas |= {at: found if len(found) == 1 else " " for at, found in brackets.items()}
    for letter, cell in board.column_labels():
        _put(canvas, cell[1], column_of(cell), letter)
    for number, cell in board.row_labels():
        step = round(2 * half)
        shift = step - 1 - len(number) if board.is_numbered_left else wide + 1 - step
        _put(canvas, cell[1], column_of(cell) + shift, number)
    _put_owners(canvas, board, column_of, seats)
    return _lines(canvas)


def _put_owners(
    canvas: _Canvas, board: Board, column_of: Callable[[Cell], int], seats: Sequence[str]
) -> None:
    """Write the name of its side beside the middle of each edge."""
    for edge, side in board.owners:
        cells = list(dict.fromkeys(cell for name, cell, _ in board.border if name == edge))
        _, row = cells[len(cells) // 2]
        name = seats[side]
        if edge in ("top", "bottom"):
            across = sum(map(column_of, cells)) // len(cells) - len(name) // 2
            lines = [line for line, _ in canvas]
            _put(canvas, min(lines) - 1 if edge == "top" else max(lines) + 1, across, name)
            continue
        taken = [at for line, at in canvas if line == row]
        is_left = "left" in edge
        _put(canvas, row, min(taken) - 1 - len(name) if is_left else max(taken) + 2, name)


def _put(canvas: _Canvas, line: int, column: int, text: str) -> None:
    canvas.update({(line, column + at): letter for at, letter in enumerate(text)})


def _lines(canvas: _Canvas) -> str:
    left = min(column for _, column in canvas)
    lines: dict[int, dict[int, str]] = {}
    for (line, column), letter in canvas.items():
        lines.setdefault(line, {})[column - left] = letter
    return "\n".join(
        "".join(row.get(at, " ") for at in range(max(row) + 1)).rstrip()
        for row in (lines[line] for line in sorted(lines))
    )
