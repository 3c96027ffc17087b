"""Druid's symmetries: two mirrors, and the diagonal, which exchanges the goals and so the sides.

Heights and owners of the top stones are all that rules look at; what lies below is not told.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, lru_cache
from operator import itemgetter

from sarsen.games.druid.board import NORTH, H
from sarsen.games.druid.rules import DruidPosition

MAX_CELLS = 4096  # a height and an owner each: no game of people builds as high

_Reader = Callable[[list[int]], tuple[int, ...]]


def canonical(position: DruidPosition) -> str:
    """Return a text as `sarsen.core.symmetry` describes it.

    The size and options, then the squares: each is a dot, or the height with a plus below a stone
    of the side to move and a minus below one of the other side, which joins left and right. After
    the semicolon stand the plies left (Ruling D5) and the passes in a row (D1).
    """
    terms, monument = position.terms, position.monument
    heights = [2 * height for height in monument.heights]
    other = monument.tops[1 - position.side]
    while other:
        lowest = other & -other
        heights[lowest.bit_length() - 1] += 1
        other ^= lowest
    readers = _readers(terms.size, position.side)
    squares = "".join(map(_square, min([read(heights) for read in readers])))
    words = [
        str(terms.size),
        *(word for word in ("nogaps", "exact") if getattr(terms, word)),
        *(["swap"] if terms.swap and position.ply < 2 else []),
    ]
    return f"{' '.join(words)}:{squares};{terms.most_plies - position.ply} {position.passes}"


@lru_cache(MAX_CELLS)
def _square(code: int) -> str:
    return f"{'+-'[code % 2]}{code // 2}" if code else "."


@cache
def _readers(size: int, side: int) -> tuple[_Reader, ...]:
    """Return functions that read all squares as V sees them, in each of its four ways.

    The board of H is turned over along the diagonal, so that its goals lie at bottom and top.
    """
    there, back = range(size), range(size)[::-1]
    ways = [(rows, columns) for rows in (there, back) for columns in (there, back)]
    squares = [[(row, column) for row in rows for column in columns] for rows, columns in ways]
    if side == H:
        squares = [[(column, row) for row, column in way] for way in squares]
    return tuple(itemgetter(*(NORTH * row + column for row, column in way)) for way in squares)
