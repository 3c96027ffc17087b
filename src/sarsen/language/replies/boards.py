"""Replies about boards."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class ShownBoard:
    """A board that a reply shows: after `ply` plies, None for all, and moves only tried.

    A reply that shows boards says which by its property `shows`.
    """

    board: int
    ply: int | None = None
    tried: tuple[str, ...] = ()


@dataclass(frozen=True)
class Moved:
    """A move was played, as this ply, in this full form."""

    board: int
    ply: int
    text: str

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return (ShownBoard(self.board, self.ply),)


@dataclass(frozen=True)
class ResignAsked:
    """The server asks whether the resignation is meant."""

    board: int


@dataclass(frozen=True)
class Resigned:
    """A board was given up after this many plies."""

    board: int
    ply: int

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return (ShownBoard(self.board, self.ply),)


@dataclass(frozen=True)
class BoardsShown:
    """Boards to draw: pairs of a number and how many plies to show, None for all."""

    boards: tuple[tuple[int, int | None], ...]

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return tuple(ShownBoard(board, ply) for board, ply in self.boards)


@dataclass(frozen=True)
class Previewed:
    """A board to draw after `ply` plies and these moves, in their full forms."""

    board: int
    ply: int
    moves: tuple[str, ...]

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return (ShownBoard(self.board, self.ply, self.moves),)


BoardReply = Moved | ResignAsked | Resigned | BoardsShown | Previewed
