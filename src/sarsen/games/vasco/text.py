r"""The text board: triangles of `+ - / \`, their colours, the numbers of free positions.

Corners stand 8 columns apart, each row of them 4 lines below the last. A tile is
9 columns wide and 5 lines high, and its neighbour begins 4 columns further.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from sarsen.core.phrases import Phrase, joined
from sarsen.drawing.view import window
from sarsen.games.vasco.board import (
    BASE,
    EDGES,
    FIRST_CELL,
    LEFT,
    LETTER_OF,
    OVERLAP,
    RIGHT,
    ROTATIONS,
    Cell,
    Rotation,
    neighbours,
    place_of,
    points_up,
)
from sarsen.games.vasco.paths import ARCS, paths
from sarsen.games.vasco.rules import VascoPosition

WIDEST = 180  # columns; a wider table is cut into strips

_UP = (
    "    +    ",
    r"   / \   ",
    r"  /   \  ",
    r" /     \ ",
    "+-------+",
)
_DOWN = (
    "+-------+",
    r" \     / ",
    r"  \   /  ",
    r"   \ /   ",
    "    +    ",
)
_OUTER = {LEFT: (2, 3), RIGHT: (5, 6)}  # columns of the letters on a slanted edge
_INNER = {LEFT: (1, 2, 3), RIGHT: (5, 6, 7)}

Canvas = dict[tuple[int, int], str]  # by line and column


def text_of(position: VascoPosition) -> Phrase:
    """Draw the table, with the rotations and the numbers of the positions to choose from."""
    table = _joined(_table(position))
    if position.outcome() is not None:
        return joined((table, _pool(position)), "\n\n")
    legend = Phrase("Rotations, on tiles that point up and down:")
    return joined((table, legend, LEGEND, _pool(position)), "\n\n")


def compact_text_of(position: VascoPosition, rows: int, columns: int) -> Phrase:
    """Draw the table with the rotations in one line; of a large table the part around a move."""
    below: list[str] = [_pool(position)]
    if position.outcome() is None:
        below.insert(0, LEGEND_LINE)
    canvas = _table(position)
    top, first = _corner(position.last[0] if position.last else FIRST_CELL)
    lines = window(top + 2, rows - len(below), _extent(line for line, _ in canvas))
    places = window(first + 4, columns, _extent(column for _, column in canvas))
    part = {at: mark for at, mark in canvas.items() if at[0] in lines and at[1] in places}
    if len(part) < len(canvas):
        below[-1] = joined((below[-1], Phrase("This is the part around the last move.")))
    return joined((_joined(part), *below), "\n")


def _table(position: VascoPosition) -> Canvas:
    """Draw the tiles, and the numbers of the free positions of a game that goes on."""
    canvas: Canvas = {}
    if not position.tiles:
        _outline(canvas, _corner(FIRST_CELL), is_up=True)
    _draw_tiles(canvas, position.tiles)
    if position.outcome() is None:
        for cell, number in position.survey().numbers.items():
            _write_number(canvas, cell, number)
    return canvas


def _pool(position: VascoPosition) -> Phrase:
    return Phrase(
        "{room} of {size} tiles left in the pool.", room=position.room, size=position.size
    )


def _extent(places: Iterable[int]) -> range:
    distinct = set(places)
    return range(min(distinct), max(distinct) + 1)


def _draw_tiles(canvas: Canvas, tiles: Mapping[Cell, Rotation]) -> None:
    for cell in tiles:
        _outline(canvas, _corner(cell), is_up=points_up(cell))
    for cell, rotation in tiles.items():
        left, right, _ = neighbours(cell)
        _colour(
            canvas,
            _corner(cell),
            rotation,
            is_up=points_up(cell),
            left=_INNER if left in tiles else _OUTER,
            right=_INNER if right in tiles else _OUTER,
        )
    _join_loops(canvas, tiles)


def _corner(cell: Cell) -> tuple[int, int]:
    """Return the first line and the first column of a cell."""
    x, y = place_of(cell)
    return 4 * y, 4 * x


def _outline(canvas: Canvas, corner: tuple[int, int], *, is_up: bool) -> None:
    top, first = corner
    for line, marks in enumerate(_UP if is_up else _DOWN):
        for column, mark in enumerate(marks):
            if mark != " ":
                canvas[top + line, first + column] = mark


def _colour(
    canvas: Canvas,
    corner: tuple[int, int],
    rotation: Rotation,
    *,
    is_up: bool,
    left: Mapping[int, tuple[int, ...]] = _OUTER,
    right: Mapping[int, tuple[int, ...]] = _OUTER,
) -> None:
    """Write the colours of a tile; on an edge between two tiles three letters stand for both."""
    top, first = corner
    letters = [LETTER_OF[colour] for colour in EDGES[rotation]]
    for column in left[LEFT]:
        canvas[top + 2, first + column] = letters[LEFT]
    for column in right[RIGHT]:
        canvas[top + 2, first + column] = letters[RIGHT]
    for line in (3, 4) if is_up else (0, 1):
        canvas[top + line, first + 4] = letters[BASE]


def _join_loops(canvas: Canvas, tiles: Mapping[Cell, Rotation]) -> None:
    """Run the colour of a closed loop through the tiles which it crosses from side to side."""
    for arc in ARCS:
        for loop in paths(tiles, arc):
            for cell in loop.cells if loop.is_closed else ():
                if EDGES[tiles[cell]][BASE] not in (arc, OVERLAP):
                    top, first = _corner(cell)
                    canvas[top + 2, first + 4] = LETTER_OF[arc]


def _write_number(canvas: Canvas, cell: Cell, number: int) -> None:
    """Write a number into a free cell, and dots on those of its corners where no tile lies."""
    top, first = _corner(cell)
    for line, marks in enumerate(_UP if points_up(cell) else _DOWN):
        for column, mark in enumerate(marks):
            if mark == "+":
                canvas.setdefault((top + line, first + column), ".")
    digits = str(number)
    # Four digits need the wider line of the triangle.
    line = 2 if len(digits) < 4 else (3 if points_up(cell) else 1)
    begin = first + 4 - len(digits) // 2
    if len(digits) == 2 and (top + line, begin - 1) in canvas:
        begin += 1  # A blank keeps the number apart from the letters on its left.
    for step, digit in enumerate(digits):
        canvas[top + line, begin + step] = digit


def _joined(canvas: Canvas) -> str:
    """Join the marks into lines, cut into strips when they are too wide."""
    top = min(line for line, _ in canvas)
    bottom = max(line for line, _ in canvas)
    first = min(column for _, column in canvas)
    last = max(column for _, column in canvas)
    lines = [[" "] * (last + 1 - first) for _ in range(top, bottom + 1)]
    for (line, column), mark in canvas.items():
        lines[line - top][column - first] = mark
    strips = []
    for begin in range(0, last + 1 - first, WIDEST):
        rows = ("".join(line[begin : begin + WIDEST]).rstrip() for line in lines)
        strips.append("\n".join(rows).rstrip("\n"))
    return "\n\n(and further to the right)\n\n".join(strips)


def _legend() -> str:
    canvas: Canvas = {}
    for step, rotation in enumerate(ROTATIONS):
        first = 11 * step
        for top, is_up in ((0, True), (6, False)):
            _outline(canvas, (top, first), is_up=is_up)
            _colour(canvas, (top, first), rotation, is_up=is_up)
        canvas[5, first + 4] = rotation
    return _joined(canvas)


def _legend_line() -> Phrase:
    rotations = (
        f"{rotation} {''.join(LETTER_OF[colour] for colour in EDGES[rotation])}"
        for rotation in ROTATIONS
    )
    return Phrase("Left, right and level edge: {rotations}", rotations="  ".join(rotations))


LEGEND = _legend()
LEGEND_LINE = _legend_line()
