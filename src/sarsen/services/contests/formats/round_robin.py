"""Round robin: each entrant meets each other one, in the rounds of Berger's tables."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache

from sarsen.services.contests.formats.format import Format, Pairing
from sarsen.services.contests.state import State


class RoundRobin(Format):
    """Each pair meets once, or twice with the seats exchanged."""

    name = "round-robin"

    def pairings(self, state: State) -> Sequence[Pairing]:
        """Return all boards, by tier, game and round."""
        sizes = tuple(len(numbers) for numbers in state.tiers)
        return all_pairings(sizes, state.law.games)

    def to_come(self, state: State) -> Sequence[Pairing]:
        """Return the boards between entrants who are still there, lowest round first."""
        out = {entrant.number for entrant in state.entrants if entrant.is_out}
        return [
            pairing for pairing in self.unstarted(state) if not out.intersection(pairing.numbers)
        ]


@lru_cache(maxsize=8)  # a league of a thousand has 4,500 boards
def all_pairings(sizes: Sequence[int], games: int) -> tuple[Pairing, ...]:
    """Return the boards of tiers of these sizes, whose entrants are numbered through."""
    return tuple(
        pairing
        for tier, size in enumerate(sizes, 1)
        for pairing in tier_pairings(tier, sum(sizes[: tier - 1]), size, games)
    )


def tier_pairings(tier: int, before: int, size: int, games: int) -> Iterator[Pairing]:
    """Yield the boards of one tier, by game and round.

    Args:
        before: How many entrants are in the tiers above it.
        games: Of each pair.
    """
    for game in range(1, games + 1):
        for number, (one, other) in berger_rounds(size):
            first, second = (one, other) if game == 1 else (other, one)
            first, second = before + first, before + second
            yield Pairing(f"t{tier}.r{number}.{first}-{second}.g{game}", number, (first, second))


def berger_rounds(entrants: int) -> Iterator[tuple[int, tuple[int, int]]]:
    """Yield the round of each pair, with the numbers by seat, as in the tables of Johann Berger.

    Every pair meets once, and nobody has the first seat twice more often than the second, or the
    other way round. With an odd number the last number of the table is a bye.
    """
    size = entrants + entrants % 2
    last = size - 1
    for number in range(1, size):
        for low in range(1, size):
            for high in range(low + 1, size):
                if (low + high - 1 - number) % last == 0:
                    yield number, (low, high) if (low + high) % 2 else (high, low)
            # The highest number does not move through the table; odd, it is nobody's.
            if size == entrants and (2 * low - 1 - number) % last == 0:
                yield number, (low, size) if low <= size // 2 else (size, low)
