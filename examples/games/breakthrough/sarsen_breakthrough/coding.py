"""Numbers: from each square to the three ahead, for White, then for Black; a plane a side."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial

from sarsen.core.coding import Coding, Mark
from sarsen_breakthrough.rules import BreakthroughPosition, name


def coding(position: BreakthroughPosition) -> Coding:
    """Return the coding for the size of a position."""
    return _coding(position.size)


@cache
def _coding(size: int) -> Coding:
    moves = [
        f"{name(column, row)}-{name(column + aside, row + ahead)}"
        for ahead in (1, -1)
        for row in range(size, 0, -1)
        for column in range(1, size + 1)
        for aside in (-1, 0, 1)
    ]
    return Coding(
        actions=len(moves),
        # Every move brings a man nearer to the far row, and the first one there ends the game.
        longest=2 * size * (2 * size - 3),
        planes=("men of White", "men of Black"),
        levels=(),
        rows=size,
        columns=size,
        number={move: number for number, move in enumerate(moves)}.__getitem__,
        marks=partial(_marks, size),
        level=_levels,
    )


def _marks(size: int, position: BreakthroughPosition) -> Iterator[Mark]:
    for square, side in position.men.items():
        yield side, size - int(square[1:]), ord(square[0]) - ord("a"), 1.0


def _levels(position: BreakthroughPosition) -> tuple[float, ...]:
    return ()
