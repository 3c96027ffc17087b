"""Numbers: the pits of North, then those of South, from left to right; a plane of seeds."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sarsen.core.coding import Coding, Mark
from sarsen_kalah.rules import STORES, KalahPosition


def coding(position: KalahPosition) -> Coding:
    """Return the coding for the pits and seeds of a position."""
    return _coding(position.pits, sum(position.seeds.values()))


@cache
def _coding(pits: int, seeds: int) -> Coding:
    return Coding(
        actions=2 * pits,
        longest=None,
        planes=("seeds",),
        levels=("seeds in the store of South", "seeds in the store of North"),
        rows=2,
        columns=pits,
        number={f"{chr(97 + at % pits)}{2 - at // pits}": at for at in range(2 * pits)}.__getitem__,
        marks=_marks,
        level=_levels,
        highest=float(seeds),
    )


def _marks(position: KalahPosition) -> Iterator[Mark]:
    for pit, count in position.seeds.items():
        if count and pit not in STORES:
            yield 0, 2 - int(pit[1]), ord(pit[0]) - ord("a"), float(count)


def _levels(position: KalahPosition) -> tuple[float, ...]:
    return tuple(float(position.seeds[store]) for store in STORES)
