"""Numbers: the cells row by row, then a swap; a plane a side, and whether they have swapped."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sarsen.core.coding import Coding, Mark
from sarsen_hex.rules import HexPosition, cells


def coding(position: HexPosition) -> Coding:
    """Return the coding for the size of a position."""
    return _coding(position.size)


@cache
def _coding(size: int) -> Coding:
    number = {move: at for at, move in enumerate((*cells(size), "swap"))}
    return Coding(
        actions=size**2 + 1,
        longest=size**2 + 1,
        planes=("stones of Red", "stones of Blue"),
        levels=("the seats have swapped",),
        rows=size,
        columns=size,
        number=number.__getitem__,
        marks=_marks,
        level=_levels,
    )


def _marks(position: HexPosition) -> Iterator[Mark]:
    for cell, side in position.stones.items():
        yield side, int(cell[1:]) - 1, ord(cell[0]) - ord("a"), 1.0


def _levels(position: HexPosition) -> tuple[float, ...]:
    return (float(position.is_swapped),)
