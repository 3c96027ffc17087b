"""Where one ring can end: the heart of the kernel.

Bounces are tried one after the other, connections crossed off.
"""

from __future__ import annotations

import numpy as np
from numba import uint64
from numba.cpython.unsafe.numbers import leading_zeros

from sarsen.games.gyges.kernel.tables import (
    ALL_SLOTS,
    GOALS,
    LEG_CONNECTIONS,
    LEG_END,
    LEG_PASSED,
    MAGICS,
    NEAR,
    open_legs,
    room,
)
from sarsen.search.compiling import compiled
from sarsen.search.contract import INTEGERS

_ONE = np.uint64(1)
_ROW = _PART = np.uint64(63)
_SOUTH_GOAL = np.uint64(1 << 36)
_PLACES = np.uint64(ALL_SLOTS | GOALS)
FRAMES = 5 * 14  # a ring bounces on no more than the eleven others
WAY = 4  # words


@compiled(uint64(uint64), inline="always")
def count(places):  # type: ignore[no-untyped-def]
    """Count the places of a set."""
    bits = places - ((places >> np.uint64(1)) & np.uint64(0x5555555555555555))
    pairs = np.uint64(0x3333333333333333)
    bits = (bits & pairs) + ((bits >> np.uint64(2)) & pairs)
    bits = (bits + (bits >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return (bits * np.uint64(0x0101010101010101)) >> np.uint64(56)


@compiled(uint64(uint64), inline="always")
def first(places):  # type: ignore[no-untyped-def]
    """Return the lowest place of a set that is not empty."""
    return count(~places & (places - _ONE))


@compiled(uint64(uint64), inline="always")
def last(places):  # type: ignore[no-untyped-def]
    """Return the highest place of a set that is not empty."""
    return _PART - np.uint64(leading_zeros(places))


@compiled(uint64(uint64, uint64, uint64), inline="always")
def value_at(low, high, slot):  # type: ignore[no-untyped-def]
    """Return the value of the ring on a slot, 0 when there is none."""
    return ((low >> slot) & _ONE) | (((high >> slot) & _ONE) << _ONE)


@compiled(uint64(INTEGERS, uint64), inline="always")
def entry(constants, index):  # type: ignore[no-untyped-def]
    """Read a table: an index without a sign is not checked for being negative."""
    return np.uint64(constants[index])


_NEAR, _LEG_CONNECTIONS, _LEG_END = np.uint64(NEAR), np.uint64(LEG_CONNECTIONS), np.uint64(LEG_END)
_MAGICS, _LEG_PASSED = np.uint64(MAGICS), np.uint64(LEG_PASSED)
_SLOTS, _CENTRE, _SIX, _BY_LEG = np.uint64(36), np.uint64(12), np.uint64(6), np.uint64(6)
_TWO, _THREE, _FOUR = np.uint64(2), np.uint64(3), np.uint64(4)
_NOTHING, _FRAME = np.uint64(0), np.uint64(5)


@compiled(uint64(INTEGERS, uint64, uint64, uint64), inline="always")
def ends_of(constants, taken, value, slot):  # type: ignore[no-untyped-def]
    """Return where the open legs of a ring end."""
    ring = value * _SLOTS + slot
    near = ((taken << _CENTRE) >> slot) & entry(constants, _NEAR + ring)
    rule = _MAGICS + (ring << _TWO)
    index = (near * entry(constants, rule)) >> entry(constants, rule + _ONE)
    return entry(constants, entry(constants, rule + _TWO) + index)


@compiled(uint64(INTEGERS, uint64, uint64, uint64, uint64, uint64, INTEGERS))
def bounce(constants, taken, low, high, start, targets, way):  # type: ignore[no-untyped-def]
    """Return those of the ends that are wanted which a ring can reach; `taken` is without it.

    Ruling G2: connections behind the ring are crossed off. A ring that it bounced on
    already leads nowhere that the first visit did not lead to.

    Args:
        way: Filled in when all that is wanted is reached: the rings bounced on, the slots
            passed and the connections used before the last leg, and `ring` of that leg.
    """
    frames = room(FRAMES)
    top = _NOTHING
    is_north = targets > _SOUTH_GOAL
    slot, used, passed, over, reached = start, _NOTHING, _NOTHING, _NOTHING, _NOTHING
    while True:
        value = value_at(low, high, slot)
        ring = (value * _SLOTS + slot) << _BY_LEG
        # Values of 1, 2 and 3 have at most 4, 12 and 36 legs.
        blocks = (value * value + _ONE) >> _ONE
        onward, ends = open_legs(constants, ring, blocks, taken, used, taken & ~passed)
        reached |= ends & targets
        if reached == targets:
            way[0], way[1] = np.int64(passed), np.int64(over)
            way[2], way[3] = np.int64(used), np.int64(ring)
            return reached
        if not onward:
            if not top:
                return reached
            onward, ring = np.uint64(frames[top]), np.uint64(frames[top + _ONE])
            used, passed = np.uint64(frames[top + _TWO]), np.uint64(frames[top + _THREE])
            over = np.uint64(frames[top + _FOUR])
            top -= _FRAME
        # Legs stand in the order of their ends: those towards a goal that is wanted first.
        leg = last(onward) if is_north else first(onward)
        onward ^= _ONE << leg
        leg += ring
        if onward:
            top += _FRAME
            frames[top], frames[top + _ONE] = np.int64(onward), np.int64(ring)
            frames[top + _TWO], frames[top + _THREE] = np.int64(used), np.int64(passed)
            frames[top + _FOUR] = np.int64(over)
        slot = entry(constants, _LEG_END + leg)
        used |= entry(constants, _LEG_CONNECTIONS + leg)
        passed |= _ONE << slot
        over |= entry(constants, _LEG_PASSED + leg)


@compiled(uint64(INTEGERS, uint64, uint64, uint64, uint64))
def reach(constants, low, high, start, own_goal):  # type: ignore[no-untyped-def]
    """Find all places where a ring can end, those with a ring to relocate included.

    Ruling G3: the own goal is never one of them.
    """
    taken = (low | high) & ~(_ONE << start)
    # To find first what can be hoped for, and stop at that, takes longer than it saves: of
    # random positions' rings not half reach all of it, and the rest were tried to the end.
    targets = _PLACES & ~((_ONE << own_goal) | (_ONE << start))
    return bounce(constants, taken, low, high, start, targets, room(WAY))


@compiled(uint64(uint64, uint64), inline="always")
def shore_row(taken, seat):  # type: ignore[no-untyped-def]
    """Return the row, 0 to 5, of a player's shore."""
    if seat == _NOTHING:
        return first(taken) // _SIX
    row = np.uint64(5)
    while not (taken >> (_SIX * row)) & _ROW:
        row -= _ONE
    return row


@compiled(uint64(uint64, uint64), inline="always")
def shore(taken, seat):  # type: ignore[no-untyped-def]
    """Return the slots of the rings that a player may move. Ruling G1: of the shore only."""
    return taken & (_ROW << (_SIX * shore_row(taken, seat)))


@compiled(uint64(uint64, uint64), inline="always")
def free_to_relocate(taken, seat):  # type: ignore[no-untyped-def]
    """Return the empty slots where a ring may be relocated, the start of the move not counted.

    Ruling G4: not strictly beyond the opponent's shore.
    """
    row = shore_row(taken, _ONE - seat)
    if seat == _NOTHING:
        return ~taken & ((_ONE << (_SIX * row + _SIX)) - _ONE)
    return ~taken & np.uint64(ALL_SLOTS) & ~((_ONE << (_SIX * row)) - _ONE)
