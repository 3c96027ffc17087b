"""Where one ring can end: the heart of the kernel.

Bounces are tried one after the other, connections crossed off. Whether a ring wins is asked
first as if connections could be used again and again, a walk over at most twelve rings:
mostly the goal is out of reach already.
"""

from __future__ import annotations

import numpy as np
from numba import boolean, int64, uint64
from numba.cpython.unsafe.numbers import leading_zeros

from sarsen.games.gyges.kernel.tables import (
    ALL_SLOTS,
    GOALS,
    LEG_CONNECTIONS,
    LEG_END,
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
FRAMES = 4 * 14  # a ring bounces on no more than the eleven others


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
_MAGICS = np.uint64(MAGICS)
_SLOTS, _CENTRE, _SIX, _BY_LEG = np.uint64(36), np.uint64(12), np.uint64(6), np.uint64(6)
_OWN = np.uint64(36)
_TWO, _THREE = np.uint64(2), np.uint64(3)
_NOTHING, _FRAME = np.uint64(0), np.uint64(4)


@compiled(uint64(INTEGERS, uint64, uint64, uint64), inline="always")
def ends_of(constants, taken, value, slot):  # type: ignore[no-untyped-def]
    """Return where the open legs of a ring end."""
    ring = value * _SLOTS + slot
    near = ((taken << _CENTRE) >> slot) & entry(constants, _NEAR + ring)
    rule = _MAGICS + (ring << _TWO)
    index = (near * entry(constants, rule)) >> entry(constants, rule + _ONE)
    return entry(constants, entry(constants, rule + _TWO) + index)


@compiled(boolean(INTEGERS, uint64, uint64, uint64, uint64, uint64, uint64))
def may_reach(constants, closed, rings, low, high, starts, goal):  # type: ignore[no-untyped-def]
    """Return whether rings reach the goal where a ring may pass a connection more than once.

    If not, they do not by the rules, either.

    Args:
        closed: The slots that no ring passes.
        rings: The slots on which a ring can bounce.
    """
    reached, todo, done = starts, starts, _NOTHING
    while todo:
        done |= todo
        # One after the other, but none waits for another's table.
        while todo:
            slot = first(todo)
            todo &= todo - _ONE
            reached |= ends_of(constants, closed, value_at(low, high, slot), slot)
        if reached & goal:
            return True
        todo = reached & rings & ~done
    return False


@compiled(uint64(INTEGERS, uint64, uint64, uint64, uint64, uint64))
def bounce(constants, taken, low, high, start, targets):  # type: ignore[no-untyped-def]
    """Return those of the ends that are wanted which a ring can reach; `taken` is without it.

    Ruling G2: connections behind the ring are crossed off. A ring that it bounced on
    already leads nowhere that the first visit did not lead to.
    """
    frames = room(FRAMES)
    top = _NOTHING
    is_north = targets > _SOUTH_GOAL
    slot, used, passed, reached = start, _NOTHING, _NOTHING, _NOTHING
    while True:
        value = value_at(low, high, slot)
        ring = (value * _SLOTS + slot) << _BY_LEG
        # Values of 1, 2 and 3 have at most 4, 12 and 36 legs.
        blocks = (value * value + _ONE) >> _ONE
        onward, ends = open_legs(constants, ring, blocks, taken, used, taken & ~passed)
        reached |= ends & targets
        if reached == targets:
            return reached
        if not onward:
            if not top:
                return reached
            onward, ring = np.uint64(frames[top]), np.uint64(frames[top + _ONE])
            used, passed = np.uint64(frames[top + _TWO]), np.uint64(frames[top + _THREE])
            top -= _FRAME
        # Legs stand in the order of their ends: those towards a goal that is wanted first.
        leg = last(onward) if is_north else first(onward)
        onward ^= _ONE << leg
        leg += ring
        if onward:
            top += _FRAME
            frames[top], frames[top + _ONE] = np.int64(onward), np.int64(ring)
            frames[top + _TWO], frames[top + _THREE] = np.int64(used), np.int64(passed)
        slot = entry(constants, _LEG_END + leg)
        used |= entry(constants, _LEG_CONNECTIONS + leg)
        passed |= _ONE << slot


@compiled(uint64(INTEGERS, uint64, uint64, uint64, uint64))
def reach(constants, low, high, start, own_goal):  # type: ignore[no-untyped-def]
    """Find all places where a ring can end, those with a ring to relocate included.

    Ruling G3: the own goal is never one of them.
    """
    taken = (low | high) & ~(_ONE << start)
    # To find first what can be hoped for, and stop at that, takes longer than it saves: of
    # random positions' rings not half reach all of it, and the rest were tried to the end.
    targets = _PLACES & ~((_ONE << own_goal) | (_ONE << start))
    return bounce(constants, taken, low, high, start, targets)


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


@compiled(int64(INTEGERS, uint64, uint64, uint64, uint64))
def winner_of(constants, low, high, starts, seat):  # type: ignore[no-untyped-def]
    """Find the first of a player's rings that wins at once: its start, or -1."""
    taken = low | high
    goal = _ONE << (_OWN + _ONE - seat)
    while starts:
        start = first(starts)
        starts &= starts - _ONE
        others = taken & ~(_ONE << start)
        if bounce(constants, others, low, high, start, goal):
            return np.int64(start)
    return np.int64(-1)


@compiled(int64(INTEGERS, uint64, uint64, uint64))
def winner(constants, low, high, seat):  # type: ignore[no-untyped-def]
    """Find a ring that wins at once for a player: its start, or -1."""
    taken = low | high
    starts = shore(taken, seat)
    # As if all rings of the shore were lifted at once: mostly that is out of reach already.
    goal = _ONE << (_OWN + _ONE - seat)
    if not may_reach(constants, taken & ~starts, taken, low, high, starts, goal):
        return np.int64(-1)
    return winner_of(constants, low, high, starts, seat)
