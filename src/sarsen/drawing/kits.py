"""A whole view from one description: a board, and what stands on it.

    register(GAME.info.name, BoardView(board, contents))

Text, picture, spots to point at, cells and words come from the same contents.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise, zip_longest
from math import ceil, floor
from typing import Any

from sarsen.core.game import AnyPosition
from sarsen.core.phrases import Phrase, joined
from sarsen.drawing.board_picture import draw_pieces, empty_board, extent, mark_last_move, step_of
from sarsen.drawing.board_text import write_board
from sarsen.drawing.boards import LETTERS, Board
from sarsen.drawing.cells import Cell as Place
from sarsen.drawing.cells import CellRow, CellTable
from sarsen.drawing.pieces import Contents, Piece, mark_of
from sarsen.drawing.scene import Scene
from sarsen.drawing.view import View

__all__ = ["RED_AND_BLUE", "WHITE_AND_BLACK", "BoardView", "Contents", "Piece"]

RED_AND_BLUE, WHITE_AND_BLACK = ("first", "second"), ("white", "black")


def last_of_moves(position: Any) -> str:
    """Return the text of the last move, where a position knows it."""
    return "".join(position.moves[-1:]) if hasattr(position, "moves") else ""


@dataclass(frozen=True)
class BoardView(View):
    """Draw the positions of one game, which look the same from every seat.

    Attributes:
        board: Return the empty board of a position.
        contents: Return what stands on it, by names of places and gaps; a side alone is a plain
            piece, line or wall.
        last_move: Return the text of the last move, or another that names the places to mark;
            "" for none. It is the last of the position's `moves`, if not given.
        spots_of_move: Return the places to point at for a move; those that its text names, if
            not given.
        roles: Of the palette, for each side: `RED_AND_BLUE`, which everybody sees in the colours
            they have chosen, or `WHITE_AND_BLACK`.
        prompt_texts: What to point at before the first tap, after one tap …
    """

    board: Callable[[Any], Board]
    contents: Callable[[Any], Contents]
    last_move: Callable[[Any], str] = last_of_moves
    spots_of_move: Callable[[Any, Any], Sequence[str]] | None = None
    roles: tuple[str, ...] = RED_AND_BLUE
    prompt_texts: tuple[str, ...] = ()

    def text(self, position: AnyPosition, viewer: int | None = None) -> str:
        """Return the board in ASCII; the last move stands in brackets."""
        return self._text(position, has_coordinates=True)

    def bare_text(self, position: AnyPosition) -> str:
        """Return the same without coordinates."""
        return self._text(position, has_coordinates=False)

    def scene(self, position: AnyPosition, viewer: int | None = None) -> Scene:
        """Return the board as shapes."""
        board = self.board(position)
        empty = empty_board(board, self.roles)
        pieces = self._pieces(position)
        drawn = [*empty, *draw_pieces(board, pieces, self.roles)]
        drawn += mark_last_move(board, self._last(position), pieces)
        width, height = extent(board)
        title = Phrase("{game}: {state}", game=position.game.info.title, state=state_of(position))
        return Scene(width, height, title, tuple(drawn), step_of(board), len(empty))

    def clicks(self, position: AnyPosition, move: Any) -> tuple[str, ...]:
        """Return the places to point at for a move."""
        if self.spots_of_move is not None:
            return tuple(self.spots_of_move(position, move))
        return tuple(self.board(position).named_in(position.format(move)))

    def prompts(self, position: AnyPosition) -> tuple[str, ...]:
        """Return what to point at, tap by tap."""
        return self.prompt_texts

    def describe(self, position: AnyPosition) -> str:
        """Return who is to move, what stands where, and the last move."""
        sentences = [state_of(position)]
        groups: dict[tuple[int | None, str], list[str]] = {}
        for place, piece in self._pieces(position).items():
            groups.setdefault((piece.side, piece.name), []).append(_with_height(place, piece))
        for side, name in sorted(groups, key=lambda group: (group[0] is None, group)):
            owner = _owner(position, Piece(side, name=name))
            places = joined(groups[side, name], ", ")
            sentences.append(Phrase("{pieces}: {places}.", pieces=owner, places=places))
        if not groups:
            sentences.append(Phrase("The board is empty."))
        if last := self._last(position):
            sentences.append(Phrase("Last move: {places}.", places=", ".join(last)))
        # What ended the game is also what the last move caused: once is enough.
        return joined(list(dict.fromkeys([*sentences, *position.effects()])))

    def cells(self, position: AnyPosition) -> CellTable:
        """Return the board as a table in words; gaps have rows and columns of their own."""
        board, pieces = self.board(position), self._pieces(position)
        rows: dict[float, list[str]] = {}
        for name in sorted(board.names, key=lambda name: board.middle_of(name)[::-1]):
            rows.setdefault(board.row_of(name), []).append(name)
        letters = LETTERS[: board.columns]
        between = [f"{left}-{right}" for left, right in pairwise(letters)] if board.gaps else []
        columns = [head for pair in zip_longest(letters, between) for head in pair if head]
        return CellTable(
            tuple(columns) if board.is_numbered_left else (),
            tuple(
                CellRow(_head(board, row), tuple(_place(position, name, pieces) for name in names))
                for row, names in rows.items()
            ),
        )

    def _text(self, position: AnyPosition, *, has_coordinates: bool) -> str:
        return write_board(
            self.board(position),
            self._marks(position),
            self._last(position),
            seats_of(position),
            has_coordinates=has_coordinates,
        )

    def _pieces(self, position: AnyPosition) -> dict[str, Piece]:
        """Return what stands on the board, in the order of its places.

        Raises:
            ValueError: It stands on a place that the board does not have.
        """
        contents = self.contents(position)
        board = self.board(position)
        for place in contents:
            if place not in board.names:
                raise ValueError(f"`contents` names {place}, which {_told(board)} does not have")
        pieces = {place: contents[place] for place in board.names if place in contents}
        return {
            place: piece if isinstance(piece, Piece) else Piece(piece)
            for place, piece in pieces.items()
        }

    def _marks(self, position: AnyPosition) -> dict[str, str]:
        gaps, seats = self.board(position).gaps, seats_of(position)
        return {
            name: "" if name in gaps and piece.is_plain else mark_of(piece, seats)
            for name, piece in self._pieces(position).items()
        }

    def _last(self, position: AnyPosition) -> list[str]:
        board = self.board(position)
        return [name for name in board.named_in(self.last_move(position)) if name in board.names]


def _told(board: Board) -> str:
    first, *_, last = board.places
    told = f"this board of {len(board.places)} places, from {first} to {last},"
    if not board.gaps:
        return told
    first, *_, last = board.gaps
    return f"{told} and {len(board.gaps)} gaps, from {first} to {last},"


def _head(board: Board, row: float) -> str:
    numbers = sorted({board.number(floor(row)), board.number(ceil(row))})
    return "-".join(map(str, numbers))


def _place(position: AnyPosition, name: str, pieces: Mapping[str, Piece]) -> Place:
    piece = pieces.get(name)
    return Place(_with_height(_owner(position, piece), piece) if piece else "", name)


def seats_of(position: AnyPosition) -> tuple[str, ...]:
    """Return the names of the sides."""
    return position.game.info.seats


def state_of(position: AnyPosition) -> str:
    """Return in a sentence whose turn it is, or how the game ended."""
    outcome = position.outcome()
    if outcome is not None:
        return Phrase("The game is over: {reason}", reason=outcome.reason)
    return Phrase("{side} is to move.", side=position.sides[position.seat])


def _owner(position: AnyPosition, piece: Piece) -> str:
    if piece.side is None:
        return piece.name or Phrase("nobody")
    side = seats_of(position)[piece.side]
    return joined([side, piece.name]) if piece.name else side


def _with_height(words: str, piece: Piece) -> str:
    if piece.height == 1:
        return words
    return Phrase("{pieces}, {height} high", pieces=words, height=piece.height)
