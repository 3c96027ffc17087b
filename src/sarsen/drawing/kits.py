"""A whole view from one description: a board, and what stands on it.

    register(GAME.info.name, BoardView(board, contents))

Text, picture, spots to point at, cells and words come from the same contents.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sarsen.core.game import AnyPosition
from sarsen.core.phrases import Phrase, joined
from sarsen.drawing.board_picture import STEP, draw_piece, empty_board, extent, mark_last_move
from sarsen.drawing.board_text import write_board
from sarsen.drawing.boards import LETTERS, Board
from sarsen.drawing.cells import Cell as Place
from sarsen.drawing.cells import CellRow, CellTable
from sarsen.drawing.pieces import Contents, Piece, mark_of
from sarsen.drawing.scene import Scene

__all__ = ["RED_AND_BLUE", "WHITE_AND_BLACK", "BoardView", "Contents", "Piece"]

RED_AND_BLUE, WHITE_AND_BLACK = ("first", "second"), ("white", "black")


def _last_of_moves(position: Any) -> str:
    return "".join(position.moves[-1:]) if hasattr(position, "moves") else ""


def _spots_in_text(position: Any, move: Any) -> Sequence[str]:
    return _places_in(position.format(move))


def _places_in(text: str) -> list[str]:
    return re.findall(r"[a-z]\d+", text.lower())


@dataclass(frozen=True)
class BoardView:
    """Draw the positions of one game, which look the same from every seat.

    Attributes:
        board: Return the empty board of a position.
        contents: Return what stands on it, by names of places; a side alone is a plain piece.
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
    last_move: Callable[[Any], str] = _last_of_moves
    spots_of_move: Callable[[Any, Any], Sequence[str]] = _spots_in_text
    roles: tuple[str, ...] = RED_AND_BLUE
    prompt_texts: tuple[str, ...] = ()

    def text(self, position: AnyPosition, viewer: int | None = None) -> str:
        """Return the board in ASCII; the last move stands in brackets."""
        return write_board(
            self.board(position), self._marks(position), self._last(position), _seats_of(position)
        )

    def scene(self, position: AnyPosition, viewer: int | None = None) -> Scene:
        """Return the board as shapes."""
        board = self.board(position)
        empty = empty_board(board, self.roles)
        drawn = [*empty]
        for place, piece in self._pieces(position).items():
            drawn += draw_piece(board, place, piece, self.roles)
        drawn += mark_last_move(board, self._last(position), self._pieces(position))
        width, height = extent(board)
        title = Phrase("{game}: {state}", game=position.game.info.title, state=_state(position))
        return Scene(width, height, title, tuple(drawn), STEP, len(empty))

    def clicks(self, position: AnyPosition, move: Any) -> tuple[str, ...]:
        """Return the places to point at for a move."""
        return tuple(self.spots_of_move(position, move))

    def prompts(self, position: AnyPosition) -> tuple[str, ...]:
        """Return what to point at, tap by tap."""
        return self.prompt_texts

    def describe(self, position: AnyPosition) -> str:
        """Return who is to move, what stands where, and the last move."""
        sentences = [_state(position)]
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
        """Return the board as a table in words."""
        board, pieces = self.board(position), self._pieces(position)
        rows: dict[int, list[Place]] = {}
        for place, (_, row) in board.places.items():
            piece = pieces.get(place)
            words = _with_height(_owner(position, piece), piece) if piece else ""
            rows.setdefault(row, []).append(Place(words, place))
        columns = tuple(LETTERS[: board.columns]) if board.is_numbered_left else ()
        return CellTable(
            columns,
            tuple(CellRow(str(board.number(row)), tuple(places)) for row, places in rows.items()),
        )

    def _pieces(self, position: AnyPosition) -> dict[str, Piece]:
        """Return what stands on the board, in the order of its places.

        Raises:
            ValueError: It stands on a place that the board does not have.
        """
        contents = self.contents(position)
        places = self.board(position).places
        for place in contents:
            if place not in places:
                first, *_, last = places
                raise ValueError(
                    f"`contents` names {place}, which this board of {len(places)} places, "
                    f"from {first} to {last}, does not have"
                )
        pieces = {place: contents[place] for place in places if place in contents}
        return {
            place: piece if isinstance(piece, Piece) else Piece(piece)
            for place, piece in pieces.items()
        }

    def _marks(self, position: AnyPosition) -> dict[str, str]:
        return {
            place: mark_of(piece, _seats_of(position))
            for place, piece in self._pieces(position).items()
        }

    def _last(self, position: AnyPosition) -> list[str]:
        places = self.board(position).places
        return [place for place in _places_in(self.last_move(position)) if place in places]


def _seats_of(position: AnyPosition) -> tuple[str, ...]:
    return position.game.info.seats


def _state(position: AnyPosition) -> str:
    outcome = position.outcome()
    if outcome is not None:
        return Phrase("The game is over: {reason}", reason=outcome.reason)
    return Phrase("{side} is to move.", side=position.sides[position.seat])


def _owner(position: AnyPosition, piece: Piece) -> str:
    if piece.side is None:
        return piece.name or Phrase("nobody")
    side = _seats_of(position)[piece.side]
    return joined([side, piece.name]) if piece.name else side


def _with_height(words: str, piece: Piece) -> str:
    if piece.height == 1:
        return words
    return Phrase("{pieces}, {height} high", pieces=words, height=piece.height)
