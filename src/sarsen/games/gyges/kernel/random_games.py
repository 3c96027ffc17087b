"""Games at random to their end, by players who take a win when they see one."""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from sarsen.games.gyges.kernel.reach import count, first, free_to_relocate, reach, shore, value_at
from sarsen.games.gyges.kernel.tables import ALL_SLOTS, HASH_NORTH, room
from sarsen.games.gyges.kernel.turns import (
    HIGH,
    LOW,
    NOWHERE,
    SET_UPS,
    arranged,
    arrangement_of,
    has_stood,
    remember,
    ring_hash,
    set_up,
)
from sarsen.search.chance import draw
from sarsen.search.compiling import compiled
from sarsen.search.contract import (
    DRAWN,
    INTEGERS,
    KEY,
    ONGOING,
    RESULT,
    ROLLOUT_SIGNATURE,
    SEAT,
)

MAX_PLIES = 1000  # by chance most end within some hundred; a few go round for ever
_TRIES = 64  # before a player whose moves nearly all repeat is taken to have none

_ONE, _NOTHING, _SIX, _TWELVE = np.uint64(1), np.uint64(0), np.uint64(6), np.uint64(12)
_SLOTS, _NOWHERE, _ALL = np.uint64(36), np.uint64(NOWHERE), np.uint64(ALL_SLOTS)
_SET_UP_SLOTS, _PART = np.uint64(63), np.uint64(63)


@compiled(uint64(uint64, int64), inline="always")
def nth(places, number):  # type: ignore[no-untyped-def]
    """Return the n-th lowest place of a set, counted from 0."""
    for _ in range(number):
        places &= places - _ONE
    return first(places)


@compiled(int64(INTEGERS, INTEGERS, INTEGERS, uint64, uint64, INTEGERS, INTEGERS, int64))
def _drawn(constants, state, chance, low, high, plain, relocating, total):  # type: ignore[no-untyped-def]
    """Draw a move that repeats no arrangement, each result as likely as any; -1 for none."""
    taken = low | high
    seat = np.uint64(state[SEAT])
    free = free_to_relocate(taken, seat)
    relocations = np.int64(count(free)) + 1
    now = arrangement_of(constants, state)
    for _ in range(_TRIES):
        number = draw(chance, total)
        column, starts = 0, shore(taken, seat)
        start = first(starts)
        while True:
            choices = np.int64(count(np.uint64(plain[column])))
            hits = np.int64(count(np.uint64(relocating[column])))
            if number < choices + hits * relocations:
                break
            number -= choices + hits * relocations
            starts &= starts - _ONE
            start = first(starts)
            column += 1
        value = value_at(low, high, start)
        after = now ^ ring_hash(constants, value, start)
        if number < choices:
            end, slot = nth(np.uint64(plain[column]), number), _NOWHERE
            after ^= ring_hash(constants, value, end)
        else:
            number -= choices
            end = nth(np.uint64(relocating[column]), number // relocations)
            slot = nth(free | (_ONE << start), number % relocations)
            other = value_at(low, high, end)
            after ^= ring_hash(constants, value, end) ^ ring_hash(constants, other, end)
            after ^= ring_hash(constants, other, slot)
            # Of two rings that swap, the one further left does so.
            if slot == start and end < start and end >= first(shore(taken, seat)):
                earlier = count(shore(taken, seat) & ((_ONE << end) - _ONE))
                if (np.uint64(relocating[earlier]) >> start) & _ONE:
                    continue
        if not has_stood(state, after):
            return np.int64(start | (end << _SIX) | (slot << _TWELVE))
    return -1


@compiled(int64(INTEGERS, INTEGERS, uint64, uint64, uint64))
def _apply(constants, state, low, high, move):  # type: ignore[no-untyped-def]
    start, end, slot = move & _PART, (move >> _SIX) & _PART, move >> _TWELVE
    value, other = value_at(low, high, start), value_at(low, high, end)
    changed = ring_hash(constants, value, start) ^ ring_hash(constants, value, end)
    if slot != _NOWHERE:
        changed ^= ring_hash(constants, other, end) ^ ring_hash(constants, other, slot)
    new_low, new_high = arranged(low, high, move)
    state[LOW], state[HIGH] = np.int64(new_low), np.int64(new_high)
    # The seat changed already; the key follows.
    key = np.uint64(state[KEY] ^ constants[HASH_NORTH]) ^ changed
    state[KEY] = np.int64(key)
    remember(state, arrangement_of(constants, state))
    return 0


@compiled(int64(INTEGERS, INTEGERS, INTEGERS))
def step(constants, state, chance):  # type: ignore[no-untyped-def]
    """Play a turn at random, or win; return 1 when the player cannot move."""
    low, high = np.uint64(state[LOW]), np.uint64(state[HIGH])
    taken = low | high
    seat = np.uint64(state[SEAT])
    plain, relocating = room(6), room(6)
    relocations = np.int64(count(free_to_relocate(taken, seat))) + 1
    total, column = np.int64(0), 0
    starts = shore(taken, seat)
    while starts:
        start = first(starts)
        starts &= starts - _ONE
        ends = reach(constants, low, high, start, _SLOTS + seat)
        if ends > _ALL:
            state[RESULT] = 1 + state[SEAT]
            return 0
        value = value_at(low, high, start)
        same_value = taken & (low if value & _ONE else ~low) & (high if value >> _ONE else ~high)
        slots = ends & ~taken
        if ends & same_value:
            # A ring that relocates one of its own value moved there, as it were.
            slots |= free_to_relocate(taken, seat)
        plain[column] = np.int64(slots)
        relocating[column] = np.int64(ends & taken & ~same_value)
        total += np.int64(count(slots)) + relocations * np.int64(count(ends & taken & ~same_value))
        column += 1
    move = -1
    if total:
        move = _drawn(constants, state, chance, low, high, plain, relocating, total)
    state[SEAT] ^= 1
    if move < 0:
        state[KEY] ^= constants[HASH_NORTH]
        return 1
    return _apply(constants, state, low, high, np.uint64(move))


@compiled(ROLLOUT_SIGNATURE)
def rollout(constants, state, chance):  # type: ignore[no-untyped-def]
    """Play to the end; see the contract. A game of MAX_PLIES counts as drawn."""
    while np.uint64(state[LOW] | state[HIGH]) <= _SET_UP_SLOTS:
        set_up(constants, state, draw(chance, SET_UPS))
    skipped = 0
    for _ in range(MAX_PLIES):
        if state[RESULT] != ONGOING:
            return state[RESULT]
        skipped = (skipped + 1) * step(constants, state, chance)
        if skipped == 2:
            break
    if state[RESULT] == ONGOING:
        state[RESULT] = DRAWN
    return state[RESULT]
