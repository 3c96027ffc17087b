"""A whole view of a game of pits and seeds, such as Kalah, from one description.

    register(GAME.info.name, PitView(board, counts))

Text, picture, spots to point at, cells and words come from the same counts.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from sarsen.core.game import AnyPosition
from sarsen.core.phrases import Phrase, joined
from sarsen.drawing.board_text import Canvas, lines_of, put
from sarsen.drawing.boards import LEFT, LETTERS, PitBoard
from sarsen.drawing.cells import Cell, CellRow, CellTable
from sarsen.drawing.kits import RED_AND_BLUE, last_of_moves, seats_of, state_of
from sarsen.drawing.pit_picture import draw_counts, empty_pits, extent
from sarsen.drawing.scene import Scene
from sarsen.drawing.view import View


@dataclass(frozen=True)
class PitView(View):
    """Draw the positions of one game, which look the same from both seats.

    Attributes:
        board: Return the empty board of a position.
        counts: Return how many seeds lie in each pit and store, by their names.
        last_move: Return the text of the last move, or another that names the pits to mark;
            "" for none. It is the last of the position's `moves`, if not given.
        spots_of_move: Return the pits to point at for a move; those that its text names, if not
            given.
        roles: Of the palette, for each side.
        prompt_texts: What to point at before the first tap, after one tap …
    """

    board: Callable[[Any], PitBoard]
    counts: Callable[[Any], Mapping[str, int]]
    last_move: Callable[[Any], str] = last_of_moves
    spots_of_move: Callable[[Any, Any], Sequence[str]] | None = None
    roles: tuple[str, ...] = RED_AND_BLUE
    prompt_texts: tuple[str, ...] = ()

    def text(self, position: AnyPosition, viewer: int | None = None) -> str:
        """Return the pits in ASCII; the last move stands in brackets."""
        return self._text(position, has_coordinates=True)

    def bare_text(self, position: AnyPosition) -> str:
        """Return the same without coordinates."""
        return self._text(position, has_coordinates=False)

    def scene(self, position: AnyPosition, viewer: int | None = None) -> Scene:
        """Return the pits as shapes."""
        board = self.board(position)
        empty = empty_pits(board, self.roles, seats_of(position))
        drawn = draw_counts(board, self._counts(position), self._last(position))
        title = Phrase("{game}: {state}", game=position.game.info.title, state=state_of(position))
        return Scene(*extent(board), title, (*empty, *drawn), fixed=len(empty))

    def clicks(self, position: AnyPosition, move: Any) -> tuple[str, ...]:
        """Return the pits to point at for a move."""
        if self.spots_of_move is not None:
            return tuple(self.spots_of_move(position, move))
        return tuple(self.board(position).named_in(position.format(move)))

    def prompts(self, position: AnyPosition) -> tuple[str, ...]:
        """Return what to point at, tap by tap."""
        return self.prompt_texts

    def describe(self, position: AnyPosition) -> str:
        """Return whose turn it is, the seeds of each side, and the last move."""
        board, counts = self.board(position), self._counts(position)
        sentences = [state_of(position)]
        for side, owner in enumerate(seats_of(position)):
            held = [
                Phrase("store {count}", count=counts[name])
                if name in board.stores
                else f"{name} {counts[name]}"
                for name in board.names
                if board.side_of(name) == side
            ]
            places = joined(held, ", ")
            sentences.append(Phrase("{pieces}: {places}.", pieces=owner, places=places))
        if last := self._last(position):
            sentences.append(Phrase("Last move: {places}.", places=", ".join(last)))
        # What ended the game is also what the last move caused: once is enough.
        return joined(list(dict.fromkeys([*sentences, *position.effects()])))

    def cells(self, position: AnyPosition) -> CellTable:
        """Return the pits as a table of numbers, and a row for each store."""
        board, counts = self.board(position), self._counts(position)
        rows: dict[int, list[Cell]] = {}
        for pit, (_, row) in board.pits.items():
            rows.setdefault(row, []).append(Cell(str(counts[pit]), pit))
        table = [CellRow(str(board.rows - row), tuple(pits)) for row, pits in rows.items()]
        for name in board.stores:
            owner = seats_of(position)[board.side_of(name)]
            cell = Cell(str(counts[name]), name)
            table.append(CellRow(Phrase("Store of {side}", side=owner), (cell,)))
        return CellTable(tuple(LETTERS[: board.columns]), tuple(table))

    def _text(self, position: AnyPosition, *, has_coordinates: bool) -> str:
        board, counts = self.board(position), self._counts(position)
        canvas = _text_pits(board, counts, self._last(position))
        if has_coordinates:
            _put_coordinates(canvas, board, _pitch(counts))
        _put_owners(canvas, board, _pitch(counts), seats_of(position))
        return lines_of(canvas)

    def _counts(self, position: AnyPosition) -> dict[str, int]:
        """Return the seeds of each pit and store.

        Raises:
            ValueError: A pit is missing, or is not on the board.
        """
        counts, names = self.counts(position), self.board(position).names
        wrong = sorted(set(counts) ^ set(names))
        if wrong:
            raise ValueError(
                f"`counts` needs a number for each of {', '.join(names)}; "
                f"it lacks, or has besides: {', '.join(wrong)}"
            )
        return {name: counts[name] for name in names}

    def _last(self, position: AnyPosition) -> list[str]:
        board = self.board(position)
        return [name for name in board.named_in(self.last_move(position)) if name in board.names]


def _pitch(counts: Mapping[str, int]) -> int:
    """Return the characters from one pit to the next: room for each count and two brackets."""
    return max(len(str(count)) for count in counts.values()) + 2


def _text_pits(board: PitBoard, counts: Mapping[str, int], last: Sequence[str]) -> Canvas:
    """Return a canvas with the counts of pits and stores; the last move stands in brackets."""
    canvas: Canvas = {}
    pitch, half = _pitch(counts), board.rows // 2
    for name, count in counts.items():
        line, end = half, (-2 if name == LEFT else pitch * (board.columns + 1))
        if name in board.pits:
            column, row = board.pits[name]
            line, end = row + (board.has_stores and row >= half), pitch * (column + 1)
        begin = end - len(str(count))
        put(canvas, line, begin, str(count))
        if name in last:
            put(canvas, line, begin - 1, "(")
            put(canvas, line, end, ")")
    return canvas


def _put_coordinates(canvas: Canvas, board: PitBoard, pitch: int) -> None:
    """Write the numbers of the rows and the letters of the columns."""
    half = board.rows // 2
    for row in range(board.rows):
        number = str(board.rows - row)
        put(canvas, row + (board.has_stores and row >= half), -2 - len(number), number)
    for column in range(board.columns):
        put(canvas, board.rows + board.has_stores, pitch * (column + 1) - 1, LETTERS[column])


def _put_owners(canvas: Canvas, board: PitBoard, pitch: int, seats: Sequence[str]) -> None:
    """Write the name of its side beside each store."""
    half = board.rows // 2
    for name in board.stores:
        owner = seats[board.side_of(name)]
        right = pitch * (board.columns + 1) + 2
        put(canvas, half, -2 - pitch - len(owner) if name == LEFT else right, owner)
