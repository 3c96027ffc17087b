"""Play one game between two players; the referee judges every move."""

from __future__ import annotations

import random
import time
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge
from sarsen.lab.contestants import Contestant, EngineFault, EngineMoved, EngineResigned, Kind

MAX_PLIES = 2_000  # a longer game is adjudicated a draw: some engines would never end it
RESIGNED = "resigned."  # the end of the reason where a player did


@dataclass(frozen=True)
class Timing:
    """The thinking time of a player in one game."""

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
        """Return in a word or two how it was lost: `on the board`, `by resigning`, `by failing`."""
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
            "seconds": [round(timing.seconds, 3) for timing in self.timings],
        }


def play_game(
    start: AnyPosition, opening: tuple[str, ...], players: tuple[Contestant, Contestant], seed: int
) -> Played:
    """Play a game to its end, whatever the players do."""
    table = _RunningGame(start, players)
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


class _RunningGame:
    """The game as it goes on."""

    def __init__(self, start: AnyPosition, players: tuple[Contestant, Contestant]) -> None:
        self.position = start
        self.players = players
        self.texts: list[str] = []
        self.timings = [Timing(), Timing()]
        self.ended: tuple[tuple[float, float], str, int | None] | None = None

    def turn(self) -> None:
        """Ask the seat to move for its choice, and perform it."""
        seat = self.position.seat
        began = time.perf_counter()
        choice = self.players[seat].choose(self.position)
        self.timings[seat] = self.timings[seat].with_move(time.perf_counter() - began)
        match choice:
            case EngineFault():
                self.blame(seat, choice)
            case EngineResigned():
                self._lose(seat, f"{self._name(seat)} {RESIGNED}", None)
            case EngineMoved(text):
                try:
                    self.take(text, watching=(1 - seat,))
                except UserError as refusal:
                    self.blame(seat, EngineFault(Kind.ILLEGAL, f"{text[:60]!r}: {refusal.text}"))

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
        elif len(self.texts) >= MAX_PLIES:
            self.ended = (0.5, 0.5), f"A draw after {MAX_PLIES} plies.", None
        else:
            for seat in watching:
                self.blame(seat, self.players[seat].watch(before, ruling.text))

    def blame(self, seat: int, fault: EngineFault | None) -> None:
        """End the game when a player has failed."""
        if fault and self.ended is None:
            self._lose(seat, f"{self._name(seat)} {fault.text}", seat)

    def _lose(self, seat: int, reason: str, faulty: int | None) -> None:
        self.ended = (0.0 if seat == 0 else 1.0, 0.0 if seat == 1 else 1.0), reason, faulty

    def _name(self, seat: int) -> str:
        return self.position.game.info.seats[seat]


TRIES = 50  # of one opening, until it is new and decides nothing
MAX_ASKED = 1_000  # moves asked whether they end the game at once


def openings(start: AnyPosition, plies: int, seed: int) -> Iterator[tuple[str, ...]]:
    """Yield openings for ever, all from one seed; new ones as long as some are found.

    None ends the game, and none leaves a move that ends it at once, as far as that goes.
    """
    chance = random.Random(f"openings {seed}")
    seen: set[tuple[str, ...]] = set()
    while True:
        opening: tuple[str, ...] = ()
        for _ in range(TRIES):
            position, opening = _walk(start, plies, chance)
            if opening not in seen and not _is_decided(position):
                break
        seen.add(opening)
        yield opening


def _walk(
    start: AnyPosition, plies: int, chance: random.Random
) -> tuple[AnyPosition, tuple[str, ...]]:
    position, texts = start, []
    for _ in range(plies):
        after = position
        for move in chance.sample(list(position.legal_moves()), len(position.legal_moves())):
            after = position.play(move)
            if after.outcome() is None:
                texts.append(position.format(move))
                break
        else:
            break  # every move ends the game: the opening is as long as it can be
        position = after
    return position, tuple(texts)


def _is_decided(position: AnyPosition) -> bool:
    moves = position.legal_moves()[:MAX_ASKED]
    return any(position.play(move).outcome() is not None for move in moves)
