"""Where one ring can end: the heart of the kernel.

Bounces are tried one after the other, connections crossed off. Whether a ring wins is asked
first as if connections could be used again and again, a walk over at most twelve rings:
mostly the goal is out of reach already.
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from sarsen.games.gyges.kernel.tables import (
    ALL_SLOTS,
    GOALS,
    LEG_CONNECTIONS,
    LEG_END,
    LEGS_OVER,
    LEGS_TO,
    MAGICS,
    NEAR,
    NEAR_CONNECTIONS,
    room,
)
from sarsen.search.compiling import compiled
from sarsen.search.contract import INTEGERS

_ONE = np.uint64(1)
_ROW = np.uint64(63)
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


@compiled(uint64(uint64, uint64, uint64), inline="always")
def value_at(low, high, slot):  # type: ignore[no-untyped-def]
    """Return the value of the ring on a slot, 0 when there is none."""
    return ((low >> slot) & _ONE) | (((high >> slot) & _ONE) << _ONE)


@compiled(uint64(INTEGERS, uint64), inline="always")
def entry(constants, index):  # type: ignore[no-untyped-def]
    """Read a table: an index without a sign is not checked for being negative."""
    return np.uint64(constants[index])


_NEAR, _NEAR_CONNECTIONS = np.uint64(NEAR), np.uint64(NEAR_CONNECTIONS)
_LEGS_OVER, _LEGS_TO = np.uint64(LEGS_OVER), np.uint64(LEGS_TO)
_LEG_CONNECTIONS, _LEG_END = np.uint64(LEG_CONNECTIONS), np.uint64(LEG_END)
_MAGICS = np.uint64(MAGICS)
_SLOTS, _CENTRE, _SIX, _BY_LEG = np.uint64(36), np.uint64(12), np.uint64(6), np.uint64(6)
_OWN = np.uint64(36)
_TWO, _THREE = np.uint64(2), np.uint64(3)
_NOTHING, _FRAME = np.uint64(0), np.uint64(4)


@compiled(uint64(INTEGERS, uint64, uint64, uint64), inline="always")
def ways(constants, taken, value, slot):  # type: ignore[no-untyped-def]
    """Find where in the constants the open legs from a slot stand; where they end stands next."""
    here = value * _SLOTS + slot
    near = ((taken << _CENTRE) >> slot) & entry(constants, _NEAR + here)
    rule = _MAGICS + (here << _TWO)
    index = (near * entry(constants, rule)) >> entry(constants, rule + _ONE)
    return entry(constants, rule + _TWO) + (index << _ONE)


@compiled(uint64(INTEGERS, uint64, uint64, uint64, uint64, uint64))
def gathered(constants, closed, rings, low, high, starts):  # type: ignore[no-untyped-def]
    """Find the ends of rings if connections served again, and their starts with them.

    Args:
        closed: The slots that no ring passes.
        rings: The slots on which a ring can bounce.
    """
    met, todo, done = starts, starts, _NOTHING
    while todo:
        done |= todo
        # One after the other, but none waits for another's table.
        while todo:
            slot = first(todo)
            todo &= todo - _ONE
            met |= entry(constants, ways(constants, closed, value_at(low, high, slot), slot) + _ONE)
        todo = met & rings & ~done
    return met


@compiled(uint64(INTEGERS, uint64, uint64, uint64, uint64), inline="always")
def hoped(constants, taken, low, high, start):  # type: ignore[no-untyped-def]
    """Find the ends of a ring if connections served again; `taken` is without its start."""
    return gathered(constants, taken, taken, low, high, _ONE << start)


@compiled(uint64(INTEGERS, uint64, uint64, uint64, uint64, uint64))
def bounce(constants, taken, low, high, start, wanted):  # type: ignore[no-untyped-def]
    """Return those of the ends that are wanted which a ring can reach; `taken` is without it.

    Ruling G2: connections behind the ring are crossed off. A ring that it bounced on
    already leads nowhere that the first visit did not lead to.
    """
    frames = room(FRAMES)
    top = _NOTHING
    slot, used, passed, found = start, _NOTHING, _NOTHING, _NOTHING
    while True:
        value = value_at(low, high, slot)
        here = value * _SLOTS + slot
        way = ways(constants, taken, value, slot)
        legs = entry(constants, way)
        ends = entry(constants, way + _ONE)
        crossed = used & entry(constants, _NEAR_CONNECTIONS + here)
        here <<= _BY_LEG
        if crossed:
            while crossed:
                legs &= ~entry(constants, _LEGS_OVER + here + first(crossed))
                crossed &= crossed - _ONE
            todo = ends & wanted & ~found
            while todo:
                end = first(todo)
                if legs & entry(constants, _LEGS_TO + here + end):
                    found |= _ONE << end
                todo &= todo - _ONE
        else:
            found |= ends & wanted
        if found == wanted:
            return found
        onward = _NOTHING
        todo = ends & taken & ~passed
        while todo:
            onward |= entry(constants, _LEGS_TO + here + first(todo))
            todo &= todo - _ONE
        onward &= legs
        if onward:
            top += _FRAME
            frames[top] = np.int64(onward)
            frames[top + _ONE] = np.int64(here)
            frames[top + _TWO] = np.int64(used)
            frames[top + _THREE] = np.int64(passed)
        elif not top:
            return found
        while not frames[top]:
            top -= _FRAME
            if not top:
                return found
        onward = np.uint64(frames[top])
        frames[top] = np.int64(onward & (onward - _ONE))
        leg = np.uint64(frames[top + _ONE]) + first(onward)
        slot = entry(constants, _LEG_END + leg)
        used = np.uint64(frames[top + _TWO]) | entry(constants, _LEG_CONNECTIONS + leg)
        passed = np.uint64(frames[top + _THREE]) | (_ONE << slot)


@compiled(uint64(INTEGERS, uint64, uint64, uint64, uint64))
def reach(constants, low, high, start, own_goal):  # type: ignore[no-untyped-def]
    """Find all places where a ring can end, those with a ring to relocate included.

    Ruling G3: the own goal is never one of them.
    """
    taken = (low | high) & ~(_ONE << start)
    # To find first what can be hoped for, and stop at that, takes longer than it saves: of
    # random positions' rings not half reach all of it, and the rest were tried to the end.
    wanted = _PLACES & ~((_ONE << own_goal) | (_ONE << start))
    return bounce(constants, taken, low, high, start, wanted)


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
        if not hoped(constants, others, low, high, start) & goal:
            continue
        if bounce(constants, others, low, high, start, goal):
            return np.int64(start)
    return np.int64(-1)


@compiled(int64(INTEGERS, uint64, uint64, uint64))
def winner(constants, low, high, seat):  # type: ignore[no-untyped-def]
    """Find a ring that wins at once for a player: its start, or -1."""
    taken = low | high
    starts = shore(taken, seat)
    # As if all rings of the shore were lifted at once: mostly that is out of reach already.
    ends = gathered(constants, taken & ~starts, taken, low, high, starts)
    if not (ends >> (_OWN + _ONE - seat)) & _ONE:
        return np.int64(-1)
    return winner_of(constants, low, high, starts, seat)
