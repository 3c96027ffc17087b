"""Replies about what one side asks the other at a board."""

from __future__ import annotations

from dataclasses import dataclass

from sarsen.language.replies.boards import ShownBoard


@dataclass(frozen=True)
class Offered:
    """What the speaker asks now stands until it is answered.

    Attributes:
        what: `draw` or `undo`.
        moves: The moves that a wish to take back is about: `14 c3`.
        waits_for: Who has not agreed yet.
    """

    board: int
    what: str
    moves: tuple[str, ...]
    waits_for: tuple[str, ...]


@dataclass(frozen=True)
class DrawAgreed:
    """The players have agreed a draw after this many plies."""

    board: int
    ply: int
    event: int | None = None

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return (ShownBoard(self.board, self.ply, event=self.event),)


@dataclass(frozen=True)
class TakenBack:
    """The players have agreed to take these moves back; so many plies stand."""

    board: int
    ply: int
    moves: tuple[str, ...]
    event: int | None = None

    @property
    def shows(self) -> tuple[ShownBoard, ...]:
        """The boards to draw."""
        return (ShownBoard(self.board, self.ply, event=self.event),)


@dataclass(frozen=True)
class OfferRejected:
    """The speaker has said no to what another asked: `draw` or `undo`."""

    board: int
    what: str
    by: str


@dataclass(frozen=True)
class TakenOff:
    """The speaker has taken off what he had asked for, or put forward, himself.

    Attributes:
        what: `draw`, `undo`, `resign`, or `move`.
        move: The move that was put forward, or "".
    """

    board: int
    what: str
    move: str = ""


OfferReply = Offered | DrawAgreed | TakenBack | OfferRejected | TakenOff
