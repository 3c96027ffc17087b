"""Draw the board with characters: each row stands one column further right than the one above."""

from __future__ import annotations

from collections.abc import Iterator

from sarsen.drawing.compact import window
from sarsen.games.visavis.board import LETTERS, SIDES, Board, O, X

MARGIN = 1  # left of the lowest column that a number or a side's mark can need

Picture = dict[tuple[int, int], str]  # characters by line and column


def board_text(board: Board, bridges: tuple[int, int]) -> str:
    """Draw a whole board."""
    return excerpt(board, bridges, board.size, board.size)


def excerpt(board: Board, bridges: tuple[int, int], columns: int, rows: int) -> str:
    """Draw the upper left part of a board, with its own letters, numbers and marks.

    Line 0 holds the upper letters, line `rows + 1` the lower ones; the marks of the
    sides that X joins stand one line further out.
    """
    picture: Picture = {}
    for side in (O, X):
        _draw_pegs(picture, board, side, (columns, rows))
        _draw_bridges(picture, board, side, bridges[side], (columns, rows))
    _draw_coordinates(picture, columns, range(1, rows + 1))
    _draw_marks(picture, columns, rows)
    return "\n".join(_lines(picture, range(-1, rows + 3)))


def part_text(board: Board, bridges: tuple[int, int], middle: int, lines: int) -> str:
    """Draw the rows around one of them in so many lines, and below which rows they are."""
    shown = window(middle, lines - 3, range(1, board.size + 1))
    whole: Picture = {}
    for side in (O, X):
        _draw_pegs(whole, board, side, (board.size, board.size))
        _draw_bridges(whole, board, side, bridges[side], (board.size, board.size))
    _draw_marks(whole, board.size, board.size)
    picture = {place: mark for place, mark in whole.items() if place[0] in shown}
    _draw_coordinates(picture, board.size, shown)
    drawn = _lines(picture, range(shown.start - 1, shown.stop + 1))
    return "\n".join((*drawn, f"Rows {shown[0]} to {shown[-1]} of {board.size}."))


def _at(side: int, column: int, row: int) -> int:
    """Return the character column of a coordinate; O's stand one further right than X's."""
    return MARGIN + row + 2 * column - (1 if side == O else 2)


def _draw_pegs(picture: Picture, board: Board, side: int, corner: tuple[int, int]) -> None:
    for column, row in _within(board, board.pegs[side], corner):
        picture[row, _at(side, column, row)] = SIDES[side].lower()


def _draw_bridges(
    picture: Picture, board: Board, side: int, bridges: int, corner: tuple[int, int]
) -> None:
    for column, row in _within(board, bridges, corner):
        middle = _at(side, column, row)
        if row % 2 == side:
            picture.update({(row, at): "-" for at in (middle - 1, middle, middle + 1)})
        else:
            picture[row, middle] = "\\" if column % 2 else "/"


def _draw_coordinates(picture: Picture, columns: int, rows: range) -> None:
    for column in range(1, columns + 1):
        letter = LETTERS[column - 1]
        picture[rows.start - 1, _at(O, column, rows.start - 1)] = letter
        picture[rows.stop, _at(X, column, rows.stop)] = letter
    for row in rows:
        number = str(row)
        left = MARGIN + row - 1
        right = _at(O, columns, row) + 2
        for place, digit in enumerate(number):
            picture[row, left - len(number) + 1 + place] = digit
            picture[row, right + place] = digit


def _draw_marks(picture: Picture, columns: int, rows: int) -> None:
    """Write O and X beside the sides they join, O in the line of the middle row."""
    middle = (rows + 1) // 2
    picture[middle, MARGIN + middle - 4] = SIDES[O]
    picture[middle, _at(O, columns, middle) + 5] = SIDES[O]
    picture[-1, MARGIN + columns + 1] = SIDES[X]
    picture[rows + 2, MARGIN + columns + rows + 2] = SIDES[X]


def _within(board: Board, places: int, corner: tuple[int, int]) -> Iterator[tuple[int, int]]:
    columns, rows = corner
    for column, row in board.coordinates(places):
        if column <= columns and row <= rows:
            yield column, row


def _lines(picture: Picture, rows: range) -> Iterator[str]:
    marks: dict[int, dict[int, str]] = {row: {} for row in rows}
    for (row, column), mark in picture.items():
        marks[row][column] = mark
    for row in rows:
        line = [" "] * (max(marks[row]) + 1)
        for column, mark in marks[row].items():
            if column >= 0:
                line[column] = mark
        yield "".join(line)
