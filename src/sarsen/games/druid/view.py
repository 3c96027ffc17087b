"""The views of a position of Druid: the text board, the spots to tap, sentences.

The text board shows the site in oblique view, then owners and heights in plan.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import lru_cache

from sarsen import drawing
from sarsen.core.phrases import Phrase, joined
from sarsen.drawing.cells import Cell, CellRow, CellTable
from sarsen.drawing.scene import Scene
from sarsen.games.druid import picture, plan
from sarsen.games.druid.board import (
    EAST,
    NORTH,
    SIDES,
    H,
    Lintel,
    Monument,
    V,
    column_row,
    squares_of,
)
from sarsen.games.druid.notation import Move, Word, square_name
from sarsen.games.druid.rules import GAME, DruidPosition

COLUMN, ROW = 6, 3  # characters from one square to the next
BETWEEN = " " * 5  # the two plans
FIRST_LINTEL = 4  # the ply at which a side may have the two stones that a lintel rests on
TALLEST = 99  # height of what is drawn in oblique view; a mail is no place for more lines
LETTERS = "abcdefghijkl"


class DruidView(drawing.View):
    """Draw positions of Druid; the site looks the same from every seat."""

    def text(self, position: DruidPosition, viewer: int | None = None) -> str:
        return board(position.monument)

    def bare_text(self, position: DruidPosition) -> str:
        return board(position.monument, has_coordinates=False)

    def compact_text(self, position: DruidPosition, rows: int, columns: int) -> str:
        return plans(position.monument)

    def scene(self, position: DruidPosition, viewer: int | None = None) -> Scene:
        return picture.scene(position)

    def plan(self, position: DruidPosition) -> Scene:
        return plan.plan(position)

    def clicks(self, position: DruidPosition, move: Move) -> tuple[str, ...]:
        """Name one square for a sarsen, both ends for a lintel, the first stone for a swap.

        A pass has no place on the site, and so no spots.
        """
        match move:
            case Word.SWAP:
                return tuple(square_name(stone.start) for stone in position.monument.stones)
            case Word.PASS:
                return ()
            case Lintel():
                first, _, last = move.squares
                return square_name(first), square_name(last)
            case _:
                return (square_name(move.square),)

    def prompts(self, position: DruidPosition) -> tuple[str, ...]:
        if position.is_opening:
            return (Phrase("Tap an edge square for the first sarsen, a single stone."),)
        first = Phrase("Tap a square for a sarsen, or one end of a lintel.")
        if position.may_swap:
            first = Phrase("Tap a square for a sarsen, or the stone to swap sides.")
        elif position.ply < FIRST_LINTEL:
            return (Phrase("Tap a square for a sarsen, a single stone."),)
        elif position.ply < FIRST_LINTEL + 2:
            first = Phrase("Tap a square for a sarsen, or one end of a lintel, three squares long.")
        return first, Phrase("Tap the other end of the lintel, or choose the sarsen.")

    def describe(self, position: DruidPosition) -> str:
        return words_of(position)

    def cells(self, position: DruidPosition) -> CellTable:
        return cells_of(position)


def board(monument: Monument, *, has_coordinates: bool = True) -> str:
    """Draw the monument in oblique view with its two plans below.

    A monument taller than `TALLEST` is drawn in plan only.
    """
    if max(monument.heights) > TALLEST:
        return plans(monument, has_coordinates=has_coordinates)
    oblique = _oblique(monument, has_coordinates=has_coordinates)
    return f"{oblique}\n\n{plans(monument, has_coordinates=has_coordinates)}"


def plans(monument: Monument, *, has_coordinates: bool = True) -> str:
    """Draw the two plans alone."""
    return "\n".join(_plans(monument, has_coordinates=has_coordinates))


class _Canvas:
    """Lines of characters to draw on, top line first, with what is drawn there already."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._rows = [list(line) for line in lines]

    def put(self, x: int, y: int, text: str) -> None:
        row = self._rows[y]
        if "+" not in text:
            row[x : x + len(text)] = text
            return
        for at, character in enumerate(text, x):
            # An edge that runs into the distance is never cut by the corner of a box.
            if character != "+" or row[at] != "/":
                row[at] = character

    def lines(self) -> list[str]:
        return ["".join(row) for row in self._rows]


def _oblique(monument: Monument, *, has_coordinates: bool) -> str:
    size, tallest = monument.size, max(monument.heights)
    left, bottom = _corner(size, tallest, has_coordinates=has_coordinates)
    canvas = _Canvas(_ground(size, tallest, has_coordinates=has_coordinates))
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
    return "\n".join(line.rstrip() for line in canvas.lines()).strip("\n")


def _corner(size: int, tallest: int, *, has_coordinates: bool) -> tuple[int, int]:
    """Return the column and the line of the near left corner."""
    left = len(str(size)) + 1 if has_coordinates else 0
    return left, ROW * size + tallest + 1


@lru_cache(maxsize=32)
def _ground(size: int, tallest: int, *, has_coordinates: bool) -> list[str]:
    """Draw an empty site with room above it: every letter of a site that size shows it."""
    left, bottom = _corner(size, tallest, has_coordinates=has_coordinates)
    right, top = left + COLUMN * size, bottom - ROW * size
    canvas = _Canvas([" " * (right + tallest + 6)] * (bottom + 2))
    for line in range(size + 1):
        y = bottom - ROW * line
        inside = "-----" if line in (0, size) else "     "
        canvas.put(left, y, "+" + (inside + "+") * size)
    for row in range(size):
        y = bottom - ROW * row
        for line in (y - 1, y - 2):
            canvas.put(left, line, "|")
            canvas.put(right, line, "|")
    if has_coordinates:
        for column in range(size):
            letter = chr(ord("A") + column)
            canvas.put(left + COLUMN * column + 3, top - 1, letter)
            canvas.put(left + COLUMN * column + 3, bottom + 1, letter)
        for row in range(size):
            line = bottom - ROW * row - 2
            canvas.put(0, line, f"{row + 1:>{left - 1}}")
            canvas.put(right + 2, line, str(row + 1))
    return canvas.lines()


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


def _plans(monument: Monument, *, has_coordinates: bool) -> list[str]:
    """Draw the owners and the heights of all squares side by side, seen from above."""
    size = monument.size
    # Ruling D2: heights are unlimited; the columns of their plan grow with their digits.
    width = len(str(max(monument.heights)))
    owners = ["."] * len(monument.heights)
    for side in (V, H):
        for square in squares_of(monument.tops[side]):
            owners[square] = SIDES[side].lower()
    heights = [str(height or ".") for height in monument.heights]
    draw = _plan if has_coordinates else _bare_plan
    left, right = draw(owners, size, 1), draw(heights, size, width)
    return [
        f"{left_line}{BETWEEN}{right_line}".rstrip()
        for left_line, right_line in zip(left, right, strict=True)
    ]


def _plan(marks: list[str], size: int, width: int) -> list[str]:
    letters = [chr(ord("A") + column) for column in range(size)]
    digits = len(str(size)) - 1
    heading = " " * (5 + digits) + _spaced(letters, width) + " " * (3 + digits)
    rows = [
        f"  {row:>{digits + 1}}  {drawn}  {row:<{digits + 1}}"
        for row, drawn in zip(range(size, 0, -1), _bare_plan(marks, size, width), strict=True)
    ]
    return [heading, "", *rows, "", heading]


def _bare_plan(marks: list[str], size: int, width: int) -> list[str]:
    """Draw the rows of a plan, the last one on top, without coordinates."""
    rows = (marks[NORTH * row : NORTH * row + size] for row in reversed(range(size)))
    return [_spaced(row, width) for row in rows]


def _spaced(marks: list[str], width: int) -> str:
    return " ".join(mark.rjust(width) for mark in marks)


def words_of(position: DruidPosition) -> Phrase:
    """Return a text that says whose turn it is, what the last move did, and each group of
    squares.
    """
    sentences = _state(position)
    if position.last is not None:
        sentences.append(_spoken(position.last))
    sentences += position.effects()
    for side in (V, H):
        sentences += _holdings(position.monument, side)
    return joined(sentences)


def cells_of(position: DruidPosition) -> CellTable:
    """Return the squares, the last row on top as in the picture."""
    size = position.monument.size
    rows = []
    for row in reversed(range(size)):
        squares = [NORTH * row + column for column in range(size)]
        cells = tuple(
            Cell(_top(position.monument, square), square_name(square)) for square in squares
        )
        rows.append(CellRow(str(row + 1), cells))
    return CellTable(tuple(LETTERS[:size]), tuple(rows))


def _top(monument: Monument, square: int) -> str:
    owner, height = monument.owner(square), monument.heights[square]
    if owner is None:
        return Phrase("empty")
    if height == 1:
        return SIDES[owner]
    return Phrase("{side}, {height} high", side=SIDES[owner], height=height)


def _state(position: DruidPosition) -> list[str]:
    outcome = position.outcome()
    if outcome is not None:
        ended = Phrase(
            "The game is over after {moves} moves: {reason}",
            moves=position.ply,
            reason=outcome.reason,
        )
        return [ended]
    name = SIDES[position.side]
    if position.side == V:
        sentences: list[str] = [Phrase("{side} to move, joining top and bottom.", side=name)]
    else:
        sentences = [Phrase("{side} to move, joining left and right.", side=name)]
    if position.is_opening:
        sentences.append(Phrase("The first stone is a sarsen on an edge square."))
    if position.may_swap:
        sentences.append(Phrase("{side} may swap sides.", side=name))
    return sentences


def _spoken(move: Move) -> Phrase:
    match move:
        case Word.PASS:
            return Phrase("The last move was a pass.")
        case Word.SWAP:
            return Phrase("The last move was a swap.")
        case Lintel():
            first, middle, last = (square_name(square) for square in move.squares)
            return Phrase(
                "The last move was a lintel on {first}, {middle} and {last}.",
                first=first,
                middle=middle,
                last=last,
            )
        case _:
            return Phrase(
                "The last move was a sarsen on {square}.", square=square_name(move.square)
            )


def _holdings(monument: Monument, side: int) -> list[str]:
    """Name the squares a side is on top of, a sentence a group, the widest reach first."""
    name, squares = SIDES[side], monument.tops[side].bit_count()
    if not squares:
        return [Phrase("{side} has no square.", side=name)]
    count = Phrase("{count} squares", count=squares)
    if squares == 1:
        count = Phrase("1 square")
    groups = sorted(_groups(monument, side), key=lambda group: -group[0])
    grown = [words for reach, words in groups if reach]
    alone = joined([words for reach, words in groups if not reach], ", ")
    if len(groups) > 1:
        heading = Phrase(
            "{side} has {count} in {groups} groups.", side=name, count=count, groups=len(groups)
        )
        sentences = [
            heading,
            *(Phrase("{side}, {group}.", side=name, group=text) for text in grown),
        ]
        last = Phrase("{side}, alone: {squares}.", side=name, squares=alone)
        return [*sentences, *([last] if alone else [])]
    if grown:
        return [Phrase("{side} has {count}, {group}.", side=name, count=count, group=grown[0])]
    return [Phrase("{side} has {count}: {squares}.", side=name, count=count, squares=alone)]


def _groups(monument: Monument, side: int) -> Iterator[tuple[int, Phrase]]:
    """Yield for each group how far it reaches across and its squares in words.

    A square that stands alone reaches 0 far, and is named only.
    """
    for group in _connected(monument.tops[side]):
        squares = squares_of(group)
        names = joined([_with_height(monument, square) for square in squares], ", ")
        if len(squares) == 1:
            yield 0, names
            continue
        reached = [column_row(square)[1 - side] for square in squares]
        first, last = min(reached), max(reached)
        yield last - first + 1, _reaching(side, first, last, names)


def _reaching(side: int, first: int, last: int, names: Phrase) -> Phrase:
    """Return squares with the rows of V, or the columns of H, that they reach over."""
    if side == V and first < last:
        return Phrase(
            "rows {first} to {last}: {squares}", first=first + 1, last=last + 1, squares=names
        )
    if side == V:
        return Phrase("row {row}: {squares}", row=first + 1, squares=names)
    if first < last:
        return Phrase(
            "columns {first} to {last}: {squares}",
            first=LETTERS[first],
            last=LETTERS[last],
            squares=names,
        )
    return Phrase("column {column}: {squares}", column=LETTERS[first], squares=names)


def _with_height(monument: Monument, square: int) -> str:
    name, height = square_name(square), monument.heights[square]
    return Phrase("{square} ({height} high)", square=name, height=height) if height > 1 else name


def _connected(squares: int) -> Iterator[int]:
    """Split a set of squares into those that hang together edge to edge."""
    while squares:
        group, grown = 0, squares & -squares
        while grown != group:
            group = grown
            beside = group << EAST | group >> EAST | group << NORTH | group >> NORTH
            grown |= squares & beside
        yield group
        squares &= ~group


drawing.register(GAME.info.name, DruidView())
