"""The hand-written evaluation: what each player's rings can get at and the other's cannot.

It plays where the net cannot be loaded, and it taught the net its first games.
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64
from numba.types import UniTuple

from sarsen.search.compiling import compiled
from sarsen.search.contract import INTEGERS
from sarsen.search.kernels.gyges.reach import count, entry, first, shore, value_at, ways
from sarsen.search.kernels.gyges.stack import room

# A single that only one player gets at is worth most: it goes wherever it must.
SINGLE, DOUBLE, TRIPLE, SLOT = 1500, 300, 150, 30

_ONE, _NOTHING = np.uint64(1), np.uint64(0)


@compiled(uint64(INTEGERS, uint64, uint64), inline="always")
def _gathered(ends, taken, starts):  # type: ignore[no-untyped-def]
    met, todo, done = starts, starts, _NOTHING
    while todo:
        slot = first(todo)
        done |= _ONE << slot
        met |= entry(ends, slot)
        todo = met & taken & ~done
    return met


@compiled(UniTuple(uint64, 2)(INTEGERS, uint64, uint64))
def grasps(constants, low, high):  # type: ignore[no-untyped-def]
    """Give the places that South's rings get at, roughly, and those that North's do.

    Connections serve again and again, and no slot is empty because its ring moves.
    """
    taken = low | high
    ends = room(36)
    left = taken
    while left:
        slot = first(left)
        left &= left - _ONE
        way = ways(constants, taken, value_at(low, high, slot), slot)
        ends[slot] = np.int64(entry(constants, way + _ONE))
    south, north = shore(taken, _NOTHING), shore(taken, _ONE)
    return _gathered(ends, taken, south), _gathered(ends, taken, north)


@compiled(int64(uint64, uint64, uint64), inline="always")
def worth(low, high, places):  # type: ignore[no-untyped-def]
    """Add up what rings and empty slots are worth to the player who alone gets at them."""
    points = SINGLE * count(places & low & ~high) + DOUBLE * count(places & high & ~low)
    points += TRIPLE * count(places & low & high) + SLOT * count(places & ~(low | high))
    return np.int64(points)


@compiled(int64(INTEGERS, uint64, uint64, uint64))
def judge_by_hand(constants, low, high, seat):  # type: ignore[no-untyped-def]
    """Give points for a seat to move that cannot win at once."""
    south, north = grasps(constants, low, high)
    points = worth(low, high, south & ~north) - worth(low, high, north & ~south)
    return -points if seat else points
