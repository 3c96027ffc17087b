"""The views of a position of Vasco: the text board of `text`, spots to tap, sentences, cells."""

from __future__ import annotations

from sarsen.core.phrases import Phrase, joined, listed
from sarsen.drawing import View, register
from sarsen.drawing.cells import Cell as Place
from sarsen.drawing.cells import CellRow, CellTable
from sarsen.drawing.scene import Scene
from sarsen.games.vasco.board import (
    BASE,
    EDGES,
    LEFT,
    LETTER_OF,
    ORDERS,
    SIDES,
    Cell,
    cell_at,
    place_of,
    points_up,
    runs,
)
from sarsen.games.vasco.moves import Move
from sarsen.games.vasco.paths import ARCS, longest, paths
from sarsen.games.vasco.picture import scene_of, tiles_alone
from sarsen.games.vasco.rules import INFO, VascoPosition
from sarsen.games.vasco.text import compact_text_of, text_of


class VascoView(View):
    """Draw Vasco; it looks the same from every seat."""

    def text(self, position: VascoPosition, viewer: int | None = None) -> str:
        return text_of(position)

    def compact_text(self, position: VascoPosition, rows: int, columns: int) -> str:
        return compact_text_of(position, rows, columns)

    def scene(self, position: VascoPosition, viewer: int | None = None) -> Scene:
        return scene_of(position)

    def clicks(self, position: VascoPosition, move: Move) -> tuple[str, ...]:
        """Name the position to tap and then the rotation in the legend."""
        return str(position.survey().numbers[cell_at(move.x, move.y)]), move.rotation

    def prompts(self, position: VascoPosition) -> tuple[str, ...]:
        return Phrase("Tap a numbered place."), Phrase("Now choose a tile.")

    def pieces(self) -> dict[str, Scene]:
        """Draw each rotation: later nobody knows the number of its place."""
        return tiles_alone()

    def describe(self, position: VascoPosition) -> str:
        return words_of(position)

    def cells(self, position: VascoPosition) -> CellTable:
        return cells_of(position)


def words_of(position: VascoPosition) -> Phrase:
    """Return the turn, the last move, the tiles row by row, and every free position, in words."""
    outcome = position.outcome()
    if outcome is None:
        sentences: list[str] = [Phrase("{side} is to move.", side=INFO.seats[position.seat])]
    else:
        sentences = [Phrase("The game is over."), outcome.reason]
    left = Phrase("{room} of {size} tiles are left.", room=position.room, size=position.size)
    sentences += [left, *position.effects()]
    if position.tiles:
        sentences += [_longest_paths(position), *_rows(position)]
    if outcome is None:
        sentences += _free_positions(position)
    # What ended the game is also what the last move caused: once is enough.
    return joined(list(dict.fromkeys(sentences)))


def _longest_paths(position: VascoPosition) -> str:
    o_path, x_path = (longest(paths(position.tiles, arc)) for arc in ARCS)
    return Phrase("Longest path of O: {o_path}; of X: {x_path}.", o_path=o_path, x_path=x_path)


def _rows(position: VascoPosition) -> list[str]:
    table, sentences = extent(position), list[str]()
    for run in runs(position.tiles):
        tiles = joined([joined([position.tiles[cell], _pointing(cell)]) for cell in run], ", ")
        first = _where(table, run[0])
        sentences.append(Phrase("From {place}: {tiles}.", place=first, tiles=tiles))
    if position.last:
        last = _where(table, position.last[0])
        sentences.append(Phrase("The tile laid last is the one in {place}.", place=last))
    if len(position.last) > 1:
        forced = joined([_where(table, cell) for cell in position.last[1:]], ", ")
        sentences.append(Phrase("It forced {places}.", places=forced))
    return sentences


def _where(table: tuple[range, range], cell: Cell) -> Phrase:
    """Return a place by row and column of the table, as the table of cells counts them."""
    x, y = place_of(cell)
    across, down = table
    row, place = y - down.start + 1, x - across.start + 1
    return Phrase("row {row} place {place}", row=row, place=place)


def _free_positions(position: VascoPosition) -> list[str]:
    survey, table = position.survey(), extent(position)
    fitting: dict[Cell, list[str]] = {cell: [] for cell in survey.numbers}
    for move in survey.placements:
        fitting[cell_at(move.x, move.y)].append(move.rotation)
    return [
        Phrase(
            "Position {number}, {place}, points {up_or_down}, {ends}: {rotations}.",
            number=number,
            place=_where(table, cell),
            up_or_down=_pointing(cell),
            ends=_ends(position, cell),
            rotations=", ".join(fitting[cell]),
        )
        for cell, number in survey.numbers.items()
    ]


def _pointing(cell: Cell) -> Phrase:
    return Phrase("up") if points_up(cell) else Phrase("down")


def _ends(position: VascoPosition, cell: Cell) -> str:
    if ends := [_on_its(letter, side) for letter, side in _seen(position, cell)]:
        return listed(ends, "and")
    return Phrase("no tile beside it") if position.tiles else Phrase("the first tile")


def _on_its(letter: str, side: int) -> Phrase:
    if side == BASE:
        return Phrase("{letter} on its base", letter=letter)
    if side == LEFT:
        return Phrase("{letter} on its left", letter=letter)
    return Phrase("{letter} on its right", letter=letter)


def _seen(position: VascoPosition, cell: Cell) -> list[tuple[str, int]]:
    """List the ends that a cell meets: whose they are, and at which side."""
    return [
        (LETTER_OF[colour], side)
        for side in SIDES
        if (colour := position.table.colour_seen(cell, side))
    ]


def cells_of(position: VascoPosition) -> CellTable:
    """Return the table from its first row and column, free positions included."""
    numbers = _numbers(position)
    across, down = extent(position)
    rows = tuple(
        CellRow(
            Phrase("Row {row}", row=row),
            tuple(
                _place(position, numbers, cell_at(x, y), f"{row}.{column}")
                for column, x in enumerate(across, start=1)
            ),
        )
        for row, y in enumerate(down, start=1)
    )
    if numbers:
        rows += (CellRow(Phrase("Rotations"), tuple(map(_rotation, ORDERS))),)
    return CellTable(tuple(map(str, range(1, max(len(across), len(ORDERS)) + 1))), rows)


def _numbers(position: VascoPosition) -> dict[Cell, int]:
    """Return the numbers of the free positions of a game that goes on."""
    return {} if position.outcome() is not None else position.survey().numbers


def extent(position: VascoPosition) -> tuple[range, range]:
    """Return the columns and rows of the tiles and of the free positions around them."""
    places = [place_of(cell) for cell in (*position.tiles, *_numbers(position))]
    columns, rows = [x for x, _ in places], [y for _, y in places]
    return range(min(columns), max(columns) + 1), range(min(rows), max(rows) + 1)


def _place(position: VascoPosition, numbers: dict[Cell, int], cell: Cell, name: str) -> Place:
    if cell in position.tiles:
        tile = Phrase("tile {rotation}", rotation=position.tiles[cell])
        return Place(listed([tile, _pointing(cell)]), name)
    if cell in numbers:
        edges = [_end(letter, side) for letter, side in _seen(position, cell)]
        return Place(listed([Phrase("free"), _pointing(cell), *edges]), str(numbers[cell]))
    return Place("")


def _rotation(rotation: str) -> Place:
    edges = zip(SIDES, EDGES[rotation], strict=True)
    return Place(listed([_end(LETTER_OF[colour], side) for side, colour in edges]), rotation)


def _end(letter: str, side: int) -> Phrase:
    if side == BASE:
        return Phrase("{letter} base", letter=letter)
    if side == LEFT:
        return Phrase("{letter} left", letter=letter)
    return Phrase("{letter} right", letter=letter)


register(INFO.name, VascoView())
