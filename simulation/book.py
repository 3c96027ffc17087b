"""The book of the month: what was done, kept by those who did it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime

from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge
from sarsen.games import load


@dataclass
class BookedBoard:
    """One board as its players know it.

    Attributes:
        moves: Texts in full form, with the seat and the time of each.
        position: After all moves.
        ended: How it ended, as the players know it: `played`, `resigned`, `forfeit`, or "".
        plan: Who waits for which move with which answer, or None.
    """

    number: int
    game: str
    options: str
    terms: str
    players: tuple[str, ...]
    started_at: datetime
    position: AnyPosition
    moves: list[tuple[str, int, datetime]] = field(default_factory=list)
    ended: str = ""
    plan: tuple[str, str, str] | None = None

    def play(self, text: str, now: datetime) -> None:
        """Note a move that the server must have taken."""
        seat = self.position.seat
        ruling = judge(self.position, text)
        self.position = ruling.position
        self.moves.append((ruling.text, seat, now))
        if ruling.position.outcome() is not None:
            self.ended = "played"

    @property
    def mover(self) -> str:
        return self.players[self.position.seat]


@dataclass
class Book:
    """Everything that was done.

    Attributes:
        notices: How often a player should have been told of a board at a ply, by channel:
            (userid, board, ply) of every `turn` that fell due.
        planned: The same of every planned answer that was played and ended nothing.
        counts: How often what was done.
    """

    boards: dict[int, BookedBoard] = field(default_factory=dict)
    turns: list[tuple[str, int, int]] = field(default_factory=list)
    planned: list[tuple[str, int, int]] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    def open_board(
        self,
        number: int,
        game: str,
        options: str,
        terms: str,
        players: tuple[str, ...],
        now: datetime,
    ) -> BookedBoard:
        position = load(game).start(options)
        board = BookedBoard(number, game, options, terms, players, now, position)
        self.boards[number] = board
        return board
