"""League: seasons, in tiers in which each entrant meets each other one."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Sequence
from functools import lru_cache

from sarsen.services.contests.formats.format import FIRST_PLACES, Pairing
from sarsen.services.contests.formats.round_robin import RoundRobin, tier_pairings
from sarsen.services.contests.formats.tiers import (
    SMALL_TIER,
    Finish,
    finishes,
    places_that_move,
)
from sarsen.services.contests.state import State


class League(RoundRobin):
    """Each pair of a tier meets once; in small tiers twice, where that is wanted."""

    name = "league"
    has_seasons = True

    def pairings(self, state: State) -> Sequence[Pairing]:
        """Return all boards, by tier, game and round; none before the tiers are made."""
        if state.started_at is None:
            return ()
        return _pairings(tuple(len(numbers) for numbers in state.tiers), state.law.games)

    def lines(self, entrants: int) -> Collection[int]:
        """Return the places below which a line is drawn: the first three, and the ups and downs."""
        moving = places_that_move(entrants)
        return {*FIRST_PLACES, moving, entrants - moving}

    def finishes(self, state: State, programs: Collection[int]) -> Sequence[Finish]:
        """Return who goes up and down when all is over.

        Args:
            programs: The players who are programs.
        """
        return finishes(self.table(state), programs, flawless(state))


def flawless(state: State) -> set[int]:
    """Return the players who have won every game that counts, and at least one."""
    games: Counter[int] = Counter()
    wins: Counter[int] = Counter()
    for board in state.boards:
        for number, score in zip(board.numbers, board.scores or (), strict=False):
            games[number] += 1
            wins[number] += score == 1.0
    return {one.player for one in state.entrants if 0 < games[one.number] == wins[one.number]}


@lru_cache(maxsize=8)  # a league of a thousand has 4,500 boards
def _pairings(sizes: Sequence[int], games: int) -> tuple[Pairing, ...]:
    """Return the boards; a second game of each pair only in tiers of at most six."""
    return tuple(
        pairing
        for tier, size in enumerate(sizes, 1)
        for each in [games if size <= SMALL_TIER else 1]
        for pairing in tier_pairings(tier, sum(sizes[: tier - 1]), size, each)
    )
