"""What the net sees of a position, as South to move sees it.

a ring of a value on a slot                          108
two of these                                       5,778
who gets at a ring: mover, other, both or neither    432
who gets at an empty slot: mover, other or both      108
the rows of both shores                               36
the other would win if it were its turn                1
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64
from numba.types import UniTuple

from sarsen.games.gyges.kernel.reach import (
    count,
    ends_of,
    entry,
    first,
    shore,
    shore_row,
    value_at,
)
from sarsen.games.gyges.kernel.tables import room
from sarsen.games.gyges.kernel.wins import is_in_danger
from sarsen.search.compiling import compiled
from sarsen.search.contract import INTEGERS

RINGS = 3 * 36
PAIRS = RINGS
GRASPED_RINGS = PAIRS + RINGS * (RINGS - 1) // 2
GRASPED_SLOTS = GRASPED_RINGS + 4 * RINGS
SHORES = GRASPED_SLOTS + 3 * 36
DANGER = SHORES + 36
FEATURES = DANGER + 1
MAX_ACTIVE = 12 + 66 + 36 + 2  # a feature for each ring, pair and place, and the last two

_ONE, _THREE, _NOTHING = np.uint64(1), np.uint64(3), np.uint64(0)
_SLOTS, _RINGS, _SIX = np.uint64(36), np.uint64(RINGS), np.uint64(6)
_ALL = np.uint64((1 << 36) - 1)


@compiled(uint64(uint64))
def turned(slots):  # type: ignore[no-untyped-def]
    """Turn a set of slots by half a turn: as the other player sees it."""
    bits = slots
    for step, mask in (
        (np.uint64(1), np.uint64(0x5555555555555555)),
        (np.uint64(2), np.uint64(0x3333333333333333)),
        (np.uint64(4), np.uint64(0x0F0F0F0F0F0F0F0F)),
        (np.uint64(8), np.uint64(0x00FF00FF00FF00FF)),
        (np.uint64(16), np.uint64(0x0000FFFF0000FFFF)),
    ):
        bits = ((bits >> step) & mask) | ((bits & mask) << step)
    bits = (bits >> np.uint64(32)) | (bits << np.uint64(32))
    return bits >> np.uint64(28)


@compiled(int64(uint64, uint64, INTEGERS))
def list_rings(low, high, active):  # type: ignore[no-untyped-def]
    """Fill in the features of single rings, rising, and count them."""
    left = low | high
    length = _NOTHING
    while left:
        slot = first(left)
        left &= left - _ONE
        active[length] = np.int64(_THREE * slot + value_at(low, high, slot) - _ONE)
        length += _ONE
    return np.int64(length)


@compiled(int64(INTEGERS, uint64, uint64, INTEGERS, int64, int64))
def list_others(constants, low, high, active, rings, length):  # type: ignore[no-untyped-def]
    """Fill in, after those listed, the features that are not of rings and pairs."""
    taken = low | high
    own, other = rough_reach(constants, low, high)
    end = np.uint64(length)
    left = taken
    for index in range(np.uint64(rings)):
        slot = first(left)
        left &= left - _ONE
        graspers = ((own >> slot) & _ONE) | ((other >> slot) & _ONE) << _ONE
        active[end] = GRASPED_RINGS + np.int64(graspers) * RINGS + active[index]
        end += _ONE
    left = (own | other) & ~taken & _ALL
    while left:
        slot = first(left)
        left &= left - _ONE
        graspers = ((own >> slot) & _ONE) | ((other >> slot) & _ONE) << _ONE
        active[end] = GRASPED_SLOTS + np.int64((graspers - _ONE) * _SLOTS + slot)
        end += _ONE
    rows = shore_row(taken, _NOTHING) * _SIX + shore_row(taken, _ONE)
    active[end] = SHORES + np.int64(rows)
    end += _ONE
    if is_in_danger(constants, low, high, other):
        active[end] = DANGER
        end += _ONE
    return np.int64(end)


@compiled(int64(INTEGERS, uint64, uint64, INTEGERS))
def features(constants, low, high, active):  # type: ignore[no-untyped-def]
    """Fill in the numbers of the features that hold for South to move, and count them."""
    rings = list_rings(low, high, active)
    length = rings
    for later in range(1, rings):
        # Pairs stand in rows: those of ring n with each ring before it.
        begin = PAIRS + active[later] * (active[later] - 1) // 2
        for earlier in range(later):
            active[length] = begin + active[earlier]
            length += 1
    return list_others(constants, low, high, active, rings, length)


# A single that only one player gets at is worth most: it goes wherever it must.
SINGLE, DOUBLE, TRIPLE, SLOT = 1500, 300, 150, 30

_BY_HAND_ONE, _BY_HAND_NOTHING = np.uint64(1), np.uint64(0)


@compiled(uint64(INTEGERS, uint64, uint64), inline="always")
def _gathered(ends, taken, starts):  # type: ignore[no-untyped-def]
    reached, todo, done = starts, starts, _BY_HAND_NOTHING
    while todo:
        slot = first(todo)
        done |= _BY_HAND_ONE << slot
        reached |= entry(ends, slot)
        todo = reached & taken & ~done
    return reached


@compiled(UniTuple(uint64, 2)(INTEGERS, uint64, uint64))
def rough_reach(constants, low, high):  # type: ignore[no-untyped-def]
    """Return the places that South's rings get at, roughly, and those that North's do.

    Connections serve again and again, and no slot is empty because its ring moves.
    """
    taken = low | high
    ends = room(36)
    left = taken
    while left:
        slot = first(left)
        left &= left - _BY_HAND_ONE
        ends[slot] = np.int64(ends_of(constants, taken, value_at(low, high, slot), slot))
    south, north = shore(taken, _BY_HAND_NOTHING), shore(taken, _BY_HAND_ONE)
    return _gathered(ends, taken, south), _gathered(ends, taken, north)


@compiled(int64(uint64, uint64, uint64), inline="always")
def worth(low, high, places):  # type: ignore[no-untyped-def]
    """Add up what rings and empty slots are worth to the player who alone gets at them."""
    points = SINGLE * count(places & low & ~high) + DOUBLE * count(places & high & ~low)
    points += TRIPLE * count(places & low & high) + SLOT * count(places & ~(low | high))
    return np.int64(points)


@compiled(int64(INTEGERS, uint64, uint64, uint64))
def judge_by_hand(constants, low, high, seat):  # type: ignore[no-untyped-def]
    """Return points for a seat to move that cannot win at once."""
    south, north = rough_reach(constants, low, high)
    points = worth(low, high, south & ~north) - worth(low, high, north & ~south)
    return -points if seat else points
