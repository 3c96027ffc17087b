"""What is the same in Y: the triangle turned and mirrored, in six ways."""

from __future__ import annotations

from itertools import permutations

from sarsen_ygame.rules import YPosition


def canonical(position: YPosition) -> str:
    """Return a text as `sarsen.core.symmetry` describes it."""
    last = position.size - 1
    swap = "swap " * (position.terms.flag("swap") and len(position.moves) < 2)
    stones = [(_distances(cell, last), side) for cell, side in position.stones.items()]
    ways = [
        sorted((at[one], at[two], side) for at, side in stones)
        for one, two, _ in permutations(range(3))
    ]
    board = " ".join(f"{'RB'[side]}{one},{two}" for one, two, side in min(ways))
    return f"{position.size} {swap}:{board}"


def _distances(cell: str, last: int) -> tuple[int, int, int]:
    """Return how far a cell is from each of the three edges."""
    column, row = ord(cell[0]) - 97, int(cell[1:]) - 1
    return last - column, last - row, column + row - last
