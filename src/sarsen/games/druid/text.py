"""Draw with plain characters: the oblique picture, then owners and heights in plan."""

from __future__ import annotations

from sarsen.games.druid.monument import NORTH, SIDES, H, Monument, V, column_row, squares_of

COLUMN, ROW = 6, 3  # characters from one square to the next
BETWEEN = " " * 5  # the two plans
TALLEST = 99  # height of what is drawn in oblique view; a mail is no place for more lines


def board(monument: Monument) -> str:
    """Draw the monument in oblique view with its two plans below.

    A monument taller than `TALLEST` is drawn in plan only.
    """
    if max(monument.heights) > TALLEST:
        return plans(monument)
    return "\n".join((*_oblique(monument), "", *_plans(monument)))


def plans(monument: Monument) -> str:
    """Draw the two plans alone."""
    return "\n".join(_plans(monument))


class _Canvas:
    """Lines of characters to draw on, top line first."""

    def __init__(self, width: int, height: int) -> None:
        self._rows = [[" "] * width for _ in range(height)]

    def put(self, x: int, y: int, text: str) -> None:
        for offset, character in enumerate(text):
            # An edge that runs into the distance is never cut by the corner of a box.
            if character != "+" or self._rows[y][x + offset] != "/":
                self._rows[y][x + offset] = character

    def lines(self) -> list[str]:
        lines = ["".join(row).rstrip() for row in self._rows]
        first = next(at for at, line in enumerate(lines) if line)
        return lines[first:]


def _oblique(monument: Monument) -> list[str]:
    size, tallest = monument.size, max(monument.heights)
    left = 2 if size < 10 else 3
    bottom = ROW * size + tallest + 1
    canvas = _Canvas(left + COLUMN * size + tallest + 6, bottom + 2)
    _draw_ground(canvas, size, left, bottom)
    filled = _filled(monument)
    for row in reversed(range(size)):
        for column in reversed(range(size)):
            square = NORTH * row + column
            x, y = left + COLUMN * column, bottom - ROW * row
            for level in range(monument.heights[square]):
                if (square, level) in filled:
                    _draw_block(canvas, x + level, y - level)
            if monument.heights[square]:
                level = monument.heights[square] - 1
                _finish_top(canvas, monument, square, x + level, y - level)
    return canvas.lines()


def _draw_ground(canvas: _Canvas, size: int, left: int, bottom: int) -> None:
    right, top = left + COLUMN * size, bottom - ROW * size
    for column in range(size):
        letter = chr(ord("A") + column)
        canvas.put(left + COLUMN * column + 3, top - 1, letter)
        canvas.put(left + COLUMN * column + 3, bottom + 1, letter)
    for line in range(size + 1):
        y = bottom - ROW * line
        inside = "-----" if line in (0, size) else "     "
        canvas.put(left, y, "+" + (inside + "+") * size)
    for row in range(size):
        y = bottom - ROW * row
        for line in (y - 1, y - 2):
            canvas.put(left, line, "|")
            canvas.put(right, line, "|")
        canvas.put(0, y - 2, f"{row + 1:>{left - 1}}")
        canvas.put(right + 2, y - 2, str(row + 1))


def _filled(monument: Monument) -> set[tuple[int, int]]:
    """Return the squares and levels where there is stone; the others are gaps below lintels."""
    return {(square, stone.level) for stone in monument.stones for square in stone.piece.squares}


def _draw_block(canvas: _Canvas, x: int, y: int) -> None:
    """Draw the left, front and top faces of a block whose near left foot is at (x, y)."""
    for line, edge in zip(range(y - 3, y + 1), "/||/", strict=True):
        canvas.put(x, line, edge)
    canvas.put(x + 1, y, "-----/")
    box = ("+-----+", "|     |", "|     |", "+-----+")
    for line, edge in zip(range(y - 4, y), box, strict=True):
        canvas.put(x + 1, line, edge)


def _finish_top(canvas: _Canvas, monument: Monument, square: int, x: int, y: int) -> None:
    """Write the owner on a top face and open it towards equally high neighbours of one owner."""
    owner = monument.owner(square)
    letter = SIDES[owner].lower() if owner is not None else ""
    for line in (y - 3, y - 2):
        canvas.put(x + 3, line, f"{letter} {letter}")
    if _continues(monument, square, square + NORTH):
        canvas.put(x + 2, y - 4, "     ")
    if column_row(square)[0] + 1 < monument.size and _continues(monument, square, square + 1):
        canvas.put(x + 7, y - 3, " ")
        canvas.put(x + 7, y - 2, " ")


def _continues(monument: Monument, square: int, beside: int) -> bool:
    return (
        beside < len(monument.heights)
        and monument.heights[beside] == monument.heights[square]
        and monument.owner(beside) == monument.owner(square)
    )


def _plans(monument: Monument) -> list[str]:
    """Draw the owners and the heights of all squares side by side, seen from above."""
    size = monument.size
    # Ruling D2: heights are unlimited; the columns of their plan grow with their digits.
    width = len(str(max(monument.heights)))
    owners = ["."] * len(monument.heights)
    for side in (V, H):
        for square in squares_of(monument.tops[side]):
            owners[square] = SIDES[side].lower()
    heights = [str(height or ".") for height in monument.heights]
    left, right = _plan(owners, size, 1), _plan(heights, size, width)
    return [f"{one}{BETWEEN}{other}".rstrip() for one, other in zip(left, right, strict=True)]


def _plan(marks: list[str], size: int, width: int) -> list[str]:
    letters = [chr(ord("A") + column) for column in range(size)]
    digits = len(str(size)) - 1
    heading = " " * (5 + digits) + _spaced(letters, width) + " " * (3 + digits)
    rows = [
        f"  {row + 1:>{digits + 1}}  {_spaced(marks[NORTH * row : NORTH * row + size], width)}"
        f"  {row + 1:<{digits + 1}}"
        for row in reversed(range(size))
    ]
    return [heading, "", *rows, "", heading]


def _spaced(marks: list[str], width: int) -> str:
    return " ".join(f"{mark:>{width}}" for mark in marks)
