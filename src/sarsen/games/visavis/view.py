"""The views of a position of Visavis: the text board, the spots to tap, sentences.

On the text board each row stands one column further right than the one above.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from sarsen import drawing
from sarsen.core.phrases import Phrase, joined, listed
from sarsen.drawing.cells import Cell, CellRow, CellTable
from sarsen.drawing.scene import Scene
from sarsen.drawing.view import window
from sarsen.games.visavis.board import LETTERS, SIDES, O, VisavisBoard, X, board_of, chains, name
from sarsen.games.visavis.notation import SWAP
from sarsen.games.visavis.picture import scene_of
from sarsen.games.visavis.rules import GAME, Move, VisavisPosition

MARGIN = 1  # left of the lowest column that a number or a side's mark can need


class VisavisView(drawing.View):
    """Draw positions of Visavis; the board looks the same from every seat."""

    def text(self, position: VisavisPosition, viewer: int | None = None) -> str:
        return board_text(position.board, position.bridges)

    def compact_text(self, position: VisavisPosition, rows: int, columns: int) -> str:
        """Draw the rows around the last bridge; or around the middle, where it is not known."""
        last = position.last
        last_row = position.board.size // 2 + 1
        if last is not None and last != SWAP:
            last_row = int(last[1:])
        return part_text(position.board, position.bridges, last_row, rows)

    def bare_text(self, position: VisavisPosition) -> str:
        """Draw the whole board without the lines of letters and without numbers."""
        size = position.board.size
        rows = (-1, *range(1, size + 1), size + 2)
        return "\n".join(_lines(_whole(position.board, position.bridges), rows))

    def scene(self, position: VisavisPosition, viewer: int | None = None) -> Scene:
        return scene_of(position)

    def clicks(self, position: VisavisPosition, move: Move) -> tuple[str, ...]:
        """Name the place of the bridge; a swap is the ring around the first bridge."""
        return (move,)

    def prompts(self, position: VisavisPosition) -> tuple[str, ...]:
        if not position.may_swap:
            return (Phrase("Tap between two of your pegs to build a bridge."),)
        return (
            Phrase(
                "Tap between two of your pegs to build a bridge, or tap the ring to take over the "
                "first bridge."
            ),
        )

    def describe(self, position: VisavisPosition) -> str:
        return words_of(position)

    def cells(self, position: VisavisPosition) -> CellTable:
        return cells_of(position)


CLOSED = Phrase("closed")
Picture = dict[tuple[int, int], str]  # characters by line and column


def board_text(board: VisavisBoard, bridges: tuple[int, int]) -> str:
    """Draw a whole board."""
    return excerpt(board, bridges, board.size, board.size)


def excerpt(board: VisavisBoard, bridges: tuple[int, int], columns: int, rows: int) -> str:
    """Draw the upper left part of a board, with its own letters, numbers and marks.

    Line 0 holds the upper letters, line `rows + 1` the lower ones; the marks of the
    sides that X joins stand one line further out.
    """
    built: Picture = {}
    for side in (O, X):
        _draw_bridges(built, board, side, bridges[side], (columns, rows))
    lines = [list(line) for line in _without_bridges(board.size, columns, rows)]
    for (row, column), mark in built.items():
        lines[row + 1][column] = mark
    return "\n".join(map("".join, lines))


@lru_cache(maxsize=32)
def _without_bridges(size: int, columns: int, rows: int) -> tuple[str, ...]:
    """Draw what `excerpt` draws, but no bridge: every letter with that part shows it."""
    picture: Picture = {}
    for side in (O, X):
        _draw_pegs(picture, board_of(size), side, (columns, rows))
    _draw_coordinates(picture, columns, range(1, rows + 1))
    _draw_marks(picture, columns, rows)
    return tuple(_lines(picture, range(-1, rows + 3)))


def part_text(board: VisavisBoard, bridges: tuple[int, int], middle: int, lines: int) -> str:
    """Draw the rows around one of them in so many lines, and below which rows they are."""
    rows = window(middle, lines - 3, range(1, board.size + 1))
    whole = _whole(board, bridges)
    picture = {place: mark for place, mark in whole.items() if place[0] in rows}
    _draw_coordinates(picture, board.size, rows)
    drawn = _lines(picture, range(rows.start - 1, rows.stop + 1))
    return "\n".join((*drawn, f"Rows {rows[0]} to {rows[-1]} of {board.size}."))


def _whole(board: VisavisBoard, bridges: tuple[int, int]) -> Picture:
    """Draw a whole board without its coordinates."""
    whole: Picture = {}
    for side in (O, X):
        _draw_pegs(whole, board, side, (board.size, board.size))
        _draw_bridges(whole, board, side, bridges[side], (board.size, board.size))
    _draw_marks(whole, board.size, board.size)
    return whole


def _at(side: int, column: int, row: int) -> int:
    """Return the character column of a coordinate; O's stand one further right than X's."""
    return MARGIN + row + 2 * column - (1 if side == O else 2)


def _draw_pegs(picture: Picture, board: VisavisBoard, side: int, corner: tuple[int, int]) -> None:
    for column, row in _within(board, board.pegs[side], corner):
        picture[row, _at(side, column, row)] = SIDES[side].lower()


def _draw_bridges(
    picture: Picture, board: VisavisBoard, side: int, bridges: int, corner: tuple[int, int]
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


def _within(board: VisavisBoard, places: int, corner: tuple[int, int]) -> Iterator[tuple[int, int]]:
    columns, rows = corner
    for column, row in board.coordinates(places):
        if column <= columns and row <= rows:
            yield column, row


def _lines(picture: Picture, rows: Sequence[int]) -> Iterator[str]:
    marks: dict[int, dict[int, str]] = {row: {} for row in rows}
    for (row, column), mark in picture.items():
        marks[row][column] = mark
    for row in rows:
        line = [" "] * (max(marks[row]) + 1)
        for column, mark in marks[row].items():
            if column >= 0:
                line[column] = mark
        yield "".join(line)


def words_of(position: VisavisPosition) -> Phrase:
    """Return a text that says whose turn it is, what the last move did, and where the chains
    reach.
    """
    sentences = _state(position)
    if position.last is not None and position.last != SWAP:
        other, bridge = SIDES[1 - position.side], str(position.last)
        sentences.append(Phrase("The last bridge is {side}'s {bridge}.", side=other, bridge=bridge))
    sentences += position.effects()
    for side in (O, X):
        sentences += _holdings(position, side)
    return joined(sentences)


def _state(position: VisavisPosition) -> list[str]:
    outcome = position.outcome()
    if outcome is not None:
        return [Phrase("The game is over: {reason}", reason=outcome.reason)]
    mover = SIDES[position.side]
    if position.side == O:
        sentences: list[str] = [Phrase("{side} to move, joining left and right.", side=mover)]
    else:
        sentences = [Phrase("{side} to move, joining top and bottom.", side=mover)]
    if position.may_swap:
        sentences.append(Phrase("{side} may swap sides.", side=mover))
    return sentences


def _holdings(position: VisavisPosition, side: int) -> list[str]:
    """Name the bridges of a side, a sentence a chain, the one with the widest reach first."""
    name, built = SIDES[side], position.bridges[side].bit_count()
    if not built:
        return [Phrase("{side} has no bridge.", side=name)]
    count = Phrase("{built} bridges", built=built)
    if built == 1:
        count = Phrase("1 bridge")
    spoken = sorted(_chains(position, side), key=lambda chain: -chain[0])
    grown = [words for reach, words in spoken if reach]
    alone = ", ".join(words for reach, words in spoken if not reach)
    if len(spoken) > 1:
        heading = Phrase(
            "{side} has {count} in {chains} chains.", side=name, count=count, chains=len(spoken)
        )
        sentences = [
            heading,
            *(Phrase("{side}, {chain}.", side=name, chain=text) for text in grown),
        ]
        last = Phrase("{side}, alone: {bridges}.", side=name, bridges=alone)
        return [*sentences, *([last] if alone else [])]
    if grown:
        return [Phrase("{side} has {count}, {chain}.", side=name, count=count, chain=grown[0])]
    return [Phrase("{side} has {count}: {bridges}.", side=name, count=count, bridges=alone)]


def _chains(position: VisavisPosition, side: int) -> Iterator[tuple[int, str]]:
    """Yield for each chain how far it reaches across and its bridges in words.

    A bridge that stands alone reaches 0 far, and is named only.
    """
    board = position.board
    for pegs, bridges in chains(board, side, position.bridges[side]):
        names = ", ".join(board.names(bridges))
        if bridges.bit_count() == 1:
            yield 0, names
            continue
        reached = [coordinate[side] for coordinate in board.coordinates(pegs)]
        first, last = min(reached), max(reached)
        yield last - first + 1, _reaching(side, first, last, names)


def _reaching(side: int, first: int, last: int, names: str) -> Phrase:
    """Return bridges with the columns of O, or the rows of X, that they reach over."""
    if side == X and first < last:
        return Phrase("rows {first} to {last}: {bridges}", first=first, last=last, bridges=names)
    if side == X:
        return Phrase("row {row}: {bridges}", row=first, bridges=names)
    if first < last:
        return Phrase(
            "columns {first} to {last}: {bridges}",
            first=LETTERS[first - 1],
            last=LETTERS[last - 1],
            bridges=names,
        )
    return Phrase("column {column}: {bridges}", column=LETTERS[first - 1], bridges=names)


def cells_of(position: VisavisPosition) -> CellTable:
    """Return every coordinate: the pegs and bridges there, and who may still build.

    The lattices lie beside each other: where one side has a peg, the other may have a place.
    """
    board = position.board
    marks: dict[str, list[str]] = {}
    for words, places in _layers(position, board):
        for coordinate in board.names(places):
            marks.setdefault(coordinate, []).append(words)
    rows = tuple(
        CellRow(
            str(row),
            tuple(
                Cell(listed(marks.get(coordinate, [CLOSED])), coordinate)
                for coordinate in (name(column, row) for column in range(1, board.size + 1))
            ),
        )
        for row in range(1, board.size + 1)
    )
    if position.may_swap:
        rows += (CellRow(Phrase("Instead"), (Cell(Phrase("swap sides"), SWAP),)),)
    return CellTable(tuple(LETTERS[: board.size]), rows)


def _layers(position: VisavisPosition, board: VisavisBoard) -> list[tuple[Phrase, int]]:
    """Return what is said of which coordinates."""
    open_to_o, open_to_x = (
        board.places[side]
        & ~position.bridges[side]
        & ~board.crossed(1 - side, position.bridges[1 - side])
        for side in (O, X)
    )
    layers = [
        (Phrase("{side} bridge", side=SIDES[side]), position.bridges[side]) for side in (O, X)
    ]
    layers += [(Phrase("{side} peg", side=SIDES[side]), board.pegs[side]) for side in (O, X)]
    layers.append((Phrase("open"), open_to_o & open_to_x))
    layers.append((Phrase("open to {side}", side=SIDES[O]), open_to_o & ~open_to_x))
    layers.append((Phrase("open to {side}", side=SIDES[X]), open_to_x & ~open_to_o))
    return layers


drawing.register(GAME.info.name, VisavisView())
