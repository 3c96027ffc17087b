"""Wins at once: first by the ways to a goal that were found last, then by looking for one.

Positions that a search sees one after the other differ by a ring or two, so seven of ten wins
go a way that an earlier one went. A way is kept as what it asks of a position: rings of the
same values where it starts and bounces, nothing where it passes. Where that holds, it is open.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import ir
from numba import boolean, int64, types, uint64, void
from numba.core import cgutils
from numba.extending import intrinsic

from sarsen.games.gyges.kernel.reach import WAY, bounce, ends_of, entry, first, shore, value_at
from sarsen.games.gyges.kernel.tables import (
    KEPT_WINS,
    LEG_CONNECTIONS,
    LEG_ENDS,
    LEG_PASSED,
    NEXT_WIN,
    WIN_FIELDS,
    WINS,
    eight_times,
    room,
)
from sarsen.search.compiling import compiled
from sarsen.search.contract import INTEGERS

# Whose ways are kept apart: South's and North's by seat, and those of the player not to move,
# for the net turned to be North's.
DANGER_WINS = np.uint64(2)

_NOTHING, _ONE, _OWN, _LEGS = np.uint64(0), np.uint64(1), np.uint64(36), np.uint64(64)
_LEG_ENDS, _LEG_PASSED = np.uint64(LEG_ENDS), np.uint64(LEG_PASSED)
_LEG_CONNECTIONS = np.uint64(LEG_CONNECTIONS)
_WINS, _NEXT, _KEPT = np.uint64(WINS), np.uint64(NEXT_WIN), np.uint64(KEPT_WINS)
# The fields of a way: the slots of its rings, the bits of their values, the slots that it
# passes, the slot where it starts, and a hash of the five.
_LOW, _HIGH, _PASSED, _START, _CHECK = (np.uint64(field * KEPT_WINS) for field in range(1, 6))
_FIELDS = np.uint64(WIN_FIELDS * KEPT_WINS)
_MIX, _MIX_AGAIN = np.uint64(0x9E3779B97F4A7C15), np.uint64(0xD1B54A32D192ED03)
_HALF = np.uint64(31)


@intrinsic
def _open_wins(context: Any, constants: Any, begin: Any, low: Any, high: Any, starts: Any) -> Any:
    """Return which of the ways kept a position allows, as bits; eight are compared at once.

    One after the other they take 3 % of a search's time more.

    Args:
        begin: Where in the constants the ways begin.
        starts: The slots of the rings that may move.
    """
    word, eight = ir.IntType(64), ir.VectorType(ir.IntType(64), 8)
    array, number = types.Array(types.int64, 1, "C"), types.uint64

    def generate(target: Any, builder: Any, signature: Any, arguments: Any) -> Any:
        table, begin, *sets = arguments
        data = cgutils.create_struct_proxy(array)(target, builder, table).data
        nothing = ir.Constant(eight, None)

        def load(field: Any, block: int) -> Any:
            index = builder.add(begin, word(int(field) + block))
            place = builder.bitcast(builder.gep(data, [index]), eight.as_pointer())
            return builder.load(place, align=8)

        low, high, starts = (eight_times(builder, places) for places in sets)
        taken, fixed = builder.or_(low, high), builder.not_(starts)
        found = word(0)
        for block in range(0, KEPT_WINS, 8):
            other_low = builder.xor(low, load(_LOW, block))
            other_high = builder.xor(high, load(_HIGH, block))
            hindered = builder.and_(builder.or_(other_low, other_high), load(0, block))
            hindered = builder.or_(hindered, builder.and_(taken, load(_PASSED, block)))
            hindered = builder.or_(hindered, builder.and_(fixed, load(_START, block)))
            is_open = builder.icmp_unsigned("==", hindered, nothing)
            bits = builder.zext(builder.bitcast(is_open, ir.IntType(8)), word)
            found = builder.or_(found, builder.shl(bits, word(block)))
        return found

    return number(array, number, number, number, number), generate


@compiled(uint64(uint64, uint64, uint64, uint64, uint64), inline="always")
def _hash(rings, low, high, passed, start):  # type: ignore[no-untyped-def]
    mixed = (rings * _MIX ^ low) * _MIX_AGAIN
    mixed = ((mixed >> _HALF) ^ mixed ^ high) * _MIX
    return (((mixed >> _HALF) ^ mixed ^ passed) * _MIX_AGAIN) ^ start


@compiled(int64(INTEGERS, uint64, uint64, uint64, uint64))
def _known_winner(constants, low, high, starts, kind):  # type: ignore[no-untyped-def]
    """Return the start of a way kept that is open, or -1."""
    begin = _WINS + kind * _FIELDS
    ways = _open_wins(constants, begin, low, high, starts)
    if ways:
        way = begin + first(ways)
        start = entry(constants, way + _START)
        # Another thread may be writing it, and then no such way was ever found.
        if entry(constants, way + _CHECK) == _hash(
            entry(constants, way),
            entry(constants, way + _LOW),
            entry(constants, way + _HIGH),
            entry(constants, way + _PASSED),
            start,
        ):
            return np.int64(first(start))
    return np.int64(-1)


@compiled(void(INTEGERS, uint64, uint64, uint64, uint64, uint64, INTEGERS))
def _keep(constants, low, high, start, goal, kind, way):  # type: ignore[no-untyped-def]
    """Keep a way that `bounce` found, in place of the one kept longest."""
    own = _ONE << start
    taken = (low | high) & ~own
    bounced, passed, used, ring = way[0], np.uint64(way[1]), np.uint64(way[2]), np.uint64(way[3])
    rings = np.uint64(bounced) | own
    for leg in range(ring, ring + _LEGS):
        between = entry(constants, _LEG_PASSED + leg)
        is_open = not between & taken and not entry(constants, _LEG_CONNECTIONS + leg) & used
        if is_open and entry(constants, _LEG_ENDS + leg) == goal:
            passed |= between
            break
    passed &= ~own
    number = entry(constants, _NEXT + kind)
    constants[_NEXT + kind] = np.int64((number + _ONE) % _KEPT)
    place = _WINS + kind * _FIELDS + number % _KEPT
    constants[place] = np.int64(rings)
    constants[place + _LOW], constants[place + _HIGH] = (
        np.int64(low & rings),
        np.int64(high & rings),
    )
    constants[place + _PASSED], constants[place + _START] = np.int64(passed), np.int64(own)
    constants[place + _CHECK] = np.int64(_hash(rings, low & rings, high & rings, passed, own))


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


@compiled(int64(INTEGERS, uint64, uint64, uint64, uint64, uint64))
def _find_winner(constants, low, high, starts, seat, kind):  # type: ignore[no-untyped-def]
    """Find the first of a player's rings that wins at once: its start, or -1."""
    taken = low | high
    goal = _ONE << (_OWN + _ONE - seat)
    way = room(WAY)
    while starts:
        start = first(starts)
        starts &= starts - _ONE
        others = taken & ~(_ONE << start)
        if bounce(constants, others, low, high, start, goal, way):
            _keep(constants, low, high, start, goal, kind, way)
            return np.int64(start)
    return np.int64(-1)


@compiled(int64(INTEGERS, uint64, uint64, uint64))
def winner(constants, low, high, seat):  # type: ignore[no-untyped-def]
    """Find a ring that wins at once for a player: its start, or -1."""
    taken = low | high
    starts = shore(taken, seat)
    known = _known_winner(constants, low, high, starts, seat)
    if known >= 0:
        return known
    # As if all rings of the shore were lifted at once: mostly that is out of reach already.
    goal = _ONE << (_OWN + _ONE - seat)
    if not may_reach(constants, taken & ~starts, taken, low, high, starts, goal):
        return np.int64(-1)
    return _find_winner(constants, low, high, starts, seat, seat)


@compiled(boolean(INTEGERS, uint64, uint64, uint64), inline="always")
def is_in_danger(constants, low, high, other):  # type: ignore[no-untyped-def]
    """Return whether North would win if it were its turn.

    Args:
        other: What North roughly gets at; `features.rough_reach`.
    """
    if not (other >> _OWN) & _ONE:
        return False
    north = shore(low | high, _ONE)
    if _known_winner(constants, low, high, north, DANGER_WINS) >= 0:
        return True
    return _find_winner(constants, low, high, north, _ONE, DANGER_WINS) >= 0
