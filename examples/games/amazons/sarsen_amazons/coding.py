"""Planes of amazons and arrows. A move has its place in the list of legal moves for a number.

A number for each way and shot of a queen of chess would take half a million of them, with size 10.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from sarsen.core.coding import Coding, Mark
from sarsen_amazons.rules import AmazonsPosition


def coding(position: AmazonsPosition) -> Coding:
    """Return the coding for the size of a position."""
    return _coding(position.size)


@cache
def _coding(size: int) -> Coding:
    return Coding(
        # Four amazons, each of which goes to so many squares at most, and shoots at as many.
        actions=4 * (4 * (size - 1)) ** 2,
        longest=size**2 - 8,  # each arrow takes a square
        planes=("amazons of White", "amazons of Black", "arrows"),
        levels=(),
        rows=size,
        columns=size,
        number=None,
        marks=partial(_marks, size),
        level=_levels,
    )


def _marks(size: int, position: AmazonsPosition) -> Iterator[Mark]:
    for square, kind in position.taken.items():
        yield kind, size - int(square[1:]), ord(square[0]) - ord("a"), 1.0


def _levels(position: AmazonsPosition) -> tuple[float, ...]:
    return ()
