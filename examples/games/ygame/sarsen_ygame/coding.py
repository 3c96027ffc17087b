"""Numbers: the square around the triangle row by row, then a swap; a plane a side, and the swap."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache

from sarsen.core.coding import Coding, Mark
from sarsen_ygame.rules import YPosition, cells


def coding(position: YPosition) -> Coding:
    """Return the coding for the size of a position."""
    return _coding(position.size)


@cache
def _coding(size: int) -> Coding:
    square = {cell: (int(cell[1:]) - 1) * size + ord(cell[0]) - ord("a") for cell in cells(size)}
    return Coding(
        actions=size**2 + 1,
        longest=len(square) + 1,
        planes=("stones of Red", "stones of Blue"),
        levels=("the seats have swapped",),
        rows=size,
        columns=size,
        number={**square, "swap": size**2}.__getitem__,
        marks=_marks,
        level=_levels,
    )


def _marks(position: YPosition) -> Iterator[Mark]:
    for cell, side in position.stones.items():
        yield side, int(cell[1:]) - 1, ord(cell[0]) - ord("a"), 1.0


def _levels(position: YPosition) -> tuple[float, ...]:
    return (float(position.is_swapped),)
