"""The book of the month: what was done, kept by those who did it."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import datetime, timedelta

from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge
from sarsen.games import load

# After so many refused letters in such a time nothing is sent to an address any more.
MAX_REFUSALS = 3
REFUSED_WITHIN = timedelta(days=7)


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


@dataclass(frozen=True)
class BookedTurn:
    """A turn of which a player should have been told, and when it fell due."""

    userid: str
    board: int
    ply: int
    at: datetime

    @property
    def key(self) -> tuple[str, int, int]:
        return self.userid, self.board, self.ply


@dataclass
class Book:
    """Everything that was done.

    Attributes:
        turns: Every `turn` that fell due.
        planned: Every planned answer that was played and ended nothing.
        refusals: When the relay refused a letter, by the userid of its address.
        counts: How often what was done.
    """

    boards: dict[int, BookedBoard] = field(default_factory=dict)
    turns: list[BookedTurn] = field(default_factory=list)
    planned: list[BookedTurn] = field(default_factory=list)
    refusals: dict[str, list[datetime]] = field(default_factory=dict)
    counts: dict[str, int] = field(default_factory=dict)

    def count(self, what: str) -> None:
        self.counts[what] = self.counts.get(what, 0) + 1

    def unreached_since(self, userid: str) -> datetime | None:
        """Return when the server must have stopped to write to a player; None for never.

        Clocks are looked at once an hour: the letters of that hour may be the last or the first.
        """
        times = self.refusals.get(userid, [])
        runs = zip(times, times[MAX_REFUSALS - 1 :], strict=False)
        return next((last for first, last in runs if last - first < REFUSED_WITHIN), None)

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
