"""The rules of Kalah. A move is a pit of one's own, whose seeds are sown: `c1`."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from sarsen.core.errors import IllegalMove
from sarsen.core.game import Game, GameInfo, Outcome
from sarsen.core.options import Number, Options
from sarsen.core.recorded import RecordedGame, RecordedPosition

SEATS, STORES = ("South", "North"), ("right", "left")
PITS, SEEDS = Number("pits", "of each side", 1, 6, 6), Number("seeds", "in each pit", 1, 6, 4)


@cache
def row(side: int, pits: int) -> tuple[str, ...]:
    """Return the pits of a side in the order of sowing."""
    names = [f"{chr(97 + column)}{side + 1}" for column in range(pits)]
    return tuple(names[::-1] if side else names)


@cache
def ring(side: int, pits: int) -> tuple[str, ...]:
    """Return where a side sows: its pits, its store, the pits of the other side."""
    return (*row(side, pits), STORES[side], *row(1 - side, pits))


@dataclass(frozen=True)
class KalahPosition(RecordedPosition):
    """The moves played, the seeds in each pit and store, and whose turn it is."""

    terms: Options
    moves: tuple[str, ...]
    seeds: Mapping[str, int]
    seat: int = 0
    notation = (r"[a-z][12]", "a1")

    @property
    def game(self) -> Game:
        return GAME

    @property
    def pits(self) -> int:
        return self.terms.number("pits")

    def outcome(self) -> Outcome | None:
        if any(self.seeds[pit] for side in (0, 1) for pit in row(side, self.pits)):
            return None
        south, north = (self.seeds[store] for store in STORES)
        if south == north:
            return Outcome((0.5, 0.5), f"Both have {south} seeds.")
        winner = 0 if south > north else 1
        return self.won_by(
            winner, f"{SEATS[winner]} has {max(south, north)} of {south + north} seeds."
        )

    def legal_moves(self) -> tuple[str, ...]:
        return tuple(pit for pit in row(self.side, self.pits) if self.seeds[pit])

    def after(self, move: str) -> KalahPosition:
        side, mine = self.side, row(self.side, self.pits)
        if move not in mine:
            text = f"{SEATS[side]} sows from {', '.join(mine)}."
            raise IllegalMove(text, code="kalah.not-yours")
        if not self.seeds[move]:
            raise IllegalMove(f"There is no seed in {move}.", code="kalah.empty")
        way, seeds = ring(side, self.pits), {**self.seeds, move: 0}
        start = way.index(move) + 1
        for at in range(start, start + self.seeds[move]):
            last = way[at % len(way)]
            seeds[last] += 1
        opposite = f"{last[0]}{2 - side}"
        if last in mine and seeds[last] == 1 and seeds[opposite]:
            seeds[STORES[side]] += 1 + seeds[opposite]
            seeds[last] = seeds[opposite] = 0
        rows = [row(one, self.pits) for one in (0, 1)]
        if any(not any(seeds[pit] for pit in pits) for pits in rows):
            for store, pits in zip(STORES, rows, strict=True):
                seeds[store] += sum(seeds[pit] for pit in pits)
                seeds |= dict.fromkeys(pits, 0)
        seat = self.seat if last == STORES[side] else 1 - self.seat
        return KalahPosition(self.terms, (*self.moves, move), seeds, seat)

    def plies_left(self) -> int:
        """Count steps to a store; a seed in a store makes up for all steps of the others."""
        steps = {pit: self.pits - at for s in (0, 1) for at, pit in enumerate(row(s, self.pits))}
        most = 1 + self.pits * sum(self.seeds.values())
        return sum(self.seeds[pit] * (most + far) for pit, far in steps.items())


def first(terms: Options) -> KalahPosition:
    pits, seeds = terms.number("pits"), terms.number("seeds")
    sown = {pit: seeds for side in (0, 1) for pit in row(side, pits)}
    return KalahPosition(terms, (), {**sown, **dict.fromkeys(STORES, 0)})


SUMMARY = "Sow your seeds pit by pit; the last one may take others, or let you sow again."
INFO = GameInfo("kalah", "Kalah", SEATS, "William Champion", 1940, 1, (PITS, SEEDS), SUMMARY)
GAME: Game = RecordedGame(INFO, first)
