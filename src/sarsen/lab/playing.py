"""Play one game between two players; the referee judges every move."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge
from sarsen.lab.players import Fault, Kind, Moved, Player, Resigned

MOST_PLIES = 2_000  # a longer game is adjudicated a draw
RESIGNED = "resigned."  # the end of the reason where a player did


@dataclass(frozen=True)
class Timing:
    """Say how long a player thought in one game."""

    moves: int = 0
    seconds: float = 0.0
    longest: float = 0.0

    def with_move(self, seconds: float) -> Timing:
        """Count another move."""
        return Timing(self.moves + 1, self.seconds + seconds, max(self.longest, seconds))

    def plus(self, other: Timing) -> Timing:
        """Sum up two games."""
        moves, seconds = self.moves + other.moves, self.seconds + other.seconds
        return Timing(moves, seconds, max(self.longest, other.longest))


@dataclass(frozen=True)
class Played:
    """One game of a match.

    Attributes:
        opening: How many of the moves were given to the players.
        scores: One a seat.
        reason: One sentence, with the seat that it speaks of.
        faulty: The seat whose engine failed, or None.
        timings: One a seat.
    """

    moves: tuple[str, ...]
    opening: int
    scores: tuple[float, float]
    reason: str
    faulty: int | None
    timings: tuple[Timing, Timing]

    @property
    def end(self) -> str:
        """Say in a word or two how it was lost: `on the board`, `by resigning`, `by failing`."""
        if self.faulty is not None:
            return "by failing"
        return "by resigning" if self.reason.endswith(RESIGNED) else "on the board"

    def as_dict(self) -> dict[str, Any]:
        """Return what a record keeps of it."""
        return {
            "moves": list(self.moves),
            "opening": self.opening,
            "scores": list(self.scores),
            "reason": self.reason,
            "faulty": self.faulty,
            "seconds": [round(one.seconds, 3) for one in self.timings],
        }


def play_game(
    start: AnyPosition, opening: tuple[str, ...], players: tuple[Player, Player], seed: int
) -> Played:
    """Play a game to its end, whatever the players do."""
    table = _Table(start, players)
    for seat, player in enumerate(players):
        table.blame(seat, player.begin(start, seed + seat))
    for text in opening:
        if table.ended is None:
            table.take(text, watching=(0, 1))
    if table.ended is None:
        for player in players:
            player.get_ready(table.position)
    while table.ended is None:
        table.turn()
    scores, reason, faulty = table.ended
    return Played(
        moves=tuple(table.texts),
        opening=min(len(opening), len(table.texts)),
        scores=scores,
        reason=reason,
        faulty=faulty,
        timings=(table.timings[0], table.timings[1]),
    )


class _Table:
    """The game as it goes on."""

    def __init__(self, start: AnyPosition, players: tuple[Player, Player]) -> None:
        self.position = start
        self.players = players
        self.texts: list[str] = []
        self.timings = [Timing(), Timing()]
        self.ended: tuple[tuple[float, float], str, int | None] | None = None

    def turn(self) -> None:
        """Let the seat to move choose, and do what it chose."""
        seat = self.position.seat
        began = time.perf_counter()
        choice = self.players[seat].choose(self.position)
        self.timings[seat] = self.timings[seat].with_move(time.perf_counter() - began)
        match choice:
            case Fault():
                self.blame(seat, choice)
            case Resigned():
                self._lose(seat, f"{self._name(seat)} {RESIGNED}", None)
            case Moved(text):
                try:
                    self.take(text, watching=(1 - seat,))
                except UserError as refusal:
                    self.blame(seat, Fault(Kind.ILLEGAL, f"{text[:60]!r}: {refusal.text}"))

    def take(self, text: str, watching: tuple[int, ...]) -> None:
        """Play a move that the rules allow, and tell the seats that must know of it.

        Raises:
            UserError: The rules do not allow it.
        """
        before = self.position
        ruling = judge(before, text)
        self.position = ruling.position
        self.texts.append(ruling.text)
        outcome = self.position.outcome()
        if outcome is not None:
            self.ended = (outcome.scores[0], outcome.scores[1]), outcome.reason, None
        elif len(self.texts) >= MOST_PLIES:
            self.ended = (0.5, 0.5), f"A draw after {MOST_PLIES} plies.", None
        else:
            for seat in watching:
                self.blame(seat, self.players[seat].watch(before, ruling.text))

    def blame(self, seat: int, fault: Fault | None) -> None:
        """End the game when a player has failed."""
        if fault and self.ended is None:
            self._lose(seat, f"{self._name(seat)} {fault.text}", seat)

    def _lose(self, seat: int, reason: str, faulty: int | None) -> None:
        self.ended = (0.0 if seat == 0 else 1.0, 0.0 if seat == 1 else 1.0), reason, faulty

    def _name(self, seat: int) -> str:
        return self.position.game.info.seats[seat]
