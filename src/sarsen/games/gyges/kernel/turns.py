"""Turns of Gyges on a state: which moves there are, and what playing one does.

    state[LOW], state[HIGH]   the bits of the rings' values: 1, 2, or both for 3, by slot
    state[STOOD]              how many arrangements have stood since the set-ups
    state[MET ..]             a small filter of them, then the hashes of the last MEMORY

A move is start | end << 6 | relocation << 12 with NOWHERE for none, or SET_UP and the
number of a set-up.
"""

from __future__ import annotations

import numpy as np
from numba import boolean, int64, uint64, void
from numba.types import UniTuple

from sarsen.games.gyges.kernel.net import prefetch_note
from sarsen.games.gyges.kernel.reach import (
    WAY,
    bounce,
    ends_of,
    entry,
    first,
    free_to_relocate,
    reach,
    shore,
    value_at,
)
from sarsen.games.gyges.kernel.tables import ALL_SLOTS, HASH_NORTH, HASHES, SET_UP_BITS, room
from sarsen.search.compiling import compiled
from sarsen.search.contract import (
    DRAWN,
    HEADER,
    INTEGERS,
    KEY,
    LEGAL_SIGNATURE,
    LISTED,
    LISTS_SIGNATURE,
    NOT_LISTED,
    PLAY_SIGNATURE,
    PLY,
    RESULT,
    SEAT,
)

LOW, HIGH, STOOD, MET = HEADER, HEADER + 1, HEADER + 2, HEADER + 3
FILTER = 4  # words
MEMORY = 128  # a power of two; longer matches are remembered in part
STATE_SIZE = MET + FILTER + MEMORY
MAX_MOVES = 1400  # 6 starts, each 24 slots and 8 rings relocated to 25, and one win

NOWHERE = 63
SET_UP = 1 << 18
SET_UPS = 90

_ONE, _NOTHING, _SIX, _SLOTS = np.uint64(1), np.uint64(0), np.uint64(6), np.uint64(36)
_ALL, _PART = np.uint64(ALL_SLOTS), np.uint64(63)
_HASHES, _HASH_NORTH = np.uint64(HASHES), np.uint64(HASH_NORTH)
_GOALS, _NOWHERE = np.uint64(36), np.uint64(NOWHERE)
_BITS = UniTuple(uint64, 2)


@compiled(uint64(INTEGERS, uint64, uint64), inline="always")
def ring_hash(constants, value, slot):  # type: ignore[no-untyped-def]
    """Return the hash of a ring on a slot; that of an arrangement joins those of its rings."""
    return entry(constants, _HASHES + value * _SLOTS + slot)


@compiled(boolean(INTEGERS, uint64), inline="always")
def has_stood(state, arrangement):  # type: ignore[no-untyped-def]
    """Return whether an arrangement stood on the board earlier, by its hash."""
    word = np.uint64(MET) + ((arrangement >> _SIX) & np.uint64(FILTER - 1))
    if not (np.uint64(state[word]) >> (arrangement & _PART)) & _ONE:
        return False
    begin = MET + FILTER
    for index in range(begin, begin + min(state[STOOD], MEMORY)):
        if state[index] == np.int64(arrangement):
            return True
    return False


@compiled(void(INTEGERS, uint64))
def remember(state, arrangement):  # type: ignore[no-untyped-def]
    """Keep the hash of an arrangement that stands now."""
    word = np.uint64(MET) + ((arrangement >> _SIX) & np.uint64(FILTER - 1))
    state[word] = np.int64(np.uint64(state[word]) | (_ONE << (arrangement & _PART)))
    state[MET + FILTER + (state[STOOD] & (MEMORY - 1))] = np.int64(arrangement)
    state[STOOD] += 1


@compiled(uint64(INTEGERS, INTEGERS), inline="always")
def arrangement_of(constants, state):  # type: ignore[no-untyped-def]
    """Return the hash of the present arrangement: the key without the seat."""
    key = np.uint64(state[KEY])
    return key ^ entry(constants, _HASH_NORTH) if state[SEAT] else key


@compiled(
    int64(
        INTEGERS,
        INTEGERS,
        uint64,
        uint64,
        uint64,
        uint64,
        uint64,
        uint64,
        INTEGERS,
        uint64,
        INTEGERS,
        int64,
    )
)
def _list_of_ring(  # type: ignore[no-untyped-def]
    constants, state, now, low, high, start, ends, earlier, places, free, moves, total
):
    taken = low | high
    value = value_at(low, high, start)
    lifted = now ^ ring_hash(constants, value, start)
    slots = ends & _ALL & ~taken
    hits = ends & taken
    while slots:
        end = first(slots)
        slots &= slots - _ONE
        if not has_stood(state, lifted ^ ring_hash(constants, value, end)):
            moves[total] = np.int64(start | end << _SIX) | NOWHERE << 12
            total += 1
    free_now = free | _ONE << start
    same_value = hits & (low if value & _ONE else ~low) & (high if value >> _ONE else ~high)
    others = hits & ~same_value
    if same_value:
        # A ring that relocates one of its own value moved there, as it were.
        slots = free & ~ends
        while slots:
            slot = first(slots)
            slots &= slots - _ONE
            if not has_stood(state, lifted ^ ring_hash(constants, value, slot)):
                moves[total] = np.int64(start | first(same_value) << _SIX | slot << _SIX + _SIX)
                total += 1
    while others:
        hit = first(others)
        others &= others - _ONE
        other = value_at(low, high, hit)
        landed = lifted ^ ring_hash(constants, value, hit) ^ ring_hash(constants, other, hit)
        slots = free_now
        if (earlier >> hit) & (np.uint64(places[hit % _SIX]) >> start) & _ONE:
            slots = free  # The two rings swap: the earlier one did so already.
        while slots:
            slot = first(slots)
            slots &= slots - _ONE
            if not has_stood(state, landed ^ ring_hash(constants, other, slot)):
                moves[total] = np.int64(start | hit << _SIX | slot << _SIX + _SIX)
                total += 1
    return total


@compiled(int64(INTEGERS, INTEGERS, uint64, INTEGERS))
def list_moves(constants, state, seat, moves):  # type: ignore[no-untyped-def]
    """List the moves of rings of a player, each result once, all wins as one."""
    low, high = np.uint64(state[LOW]), np.uint64(state[HIGH])
    taken = low | high
    now = arrangement_of(constants, state)
    free = free_to_relocate(taken, seat)
    goal = _GOALS + _ONE - seat
    places = room(6)
    total = 0
    has_won = False
    earlier = _NOTHING
    starts = shore(taken, seat)
    while starts:
        start = first(starts)
        starts &= starts - _ONE
        ends = reach(constants, low, high, start, _GOALS + seat)
        places[start % _SIX] = np.int64(ends)
        if ends >> goal & _ONE and not has_won:
            has_won = True
            moves[total] = np.int64(start | goal << _SIX) | NOWHERE << 12
            total += 1
        total = _list_of_ring(
            constants, state, now, low, high, start, ends, earlier, places, free, moves, total
        )
        earlier |= _ONE << start
    return total


@compiled(boolean(INTEGERS, INTEGERS, uint64))
def has_any(constants, state, seat):  # type: ignore[no-untyped-def]
    """Return whether a player has a legal move, looking at all."""
    moves = room(MAX_MOVES)
    return list_moves(constants, state, seat, moves) > 0


@compiled(boolean(INTEGERS, INTEGERS, uint64))
def can_move(constants, state, seat):  # type: ignore[no-untyped-def]
    """Return whether a player has a legal move; mostly the first leg looked at is one."""
    low, high = np.uint64(state[LOW]), np.uint64(state[HIGH])
    taken = low | high
    now = arrangement_of(constants, state)
    starts = shore(taken, seat)
    while starts:
        start = first(starts)
        starts &= starts - _ONE
        value = value_at(low, high, start)
        others = taken & ~(_ONE << start)
        ends = ends_of(constants, others, value, start)
        if ends >> (_GOALS + _ONE - seat) & _ONE:
            return True
        ends &= _ALL & ~taken
        lifted = now ^ ring_hash(constants, value, start)
        while ends:
            end = first(ends)
            ends &= ends - _ONE
            if not has_stood(state, lifted ^ ring_hash(constants, value, end)):
                return True
    return has_any(constants, state, seat)


@compiled(LEGAL_SIGNATURE)
def legal(constants, state, moves):  # type: ignore[no-untyped-def]
    """List the moves; see the contract."""
    if state[RESULT]:
        return 0
    if np.uint64(state[LOW] | state[HIGH]) <= _PART:
        for number in range(SET_UPS):
            moves[number] = SET_UP | number
        return SET_UPS
    return list_moves(constants, state, np.uint64(state[SEAT]), moves)


@compiled(int64(INTEGERS, uint64, uint64, uint64, uint64))
def _wins_first(constants, low, high, seat, start):  # type: ignore[no-untyped-def]
    """Return whether a ring is the first of a player's rings that wins."""
    starts = shore(low | high, seat)
    while starts:
        ring = first(starts)
        starts &= starts - _ONE
        if reach(constants, low, high, ring, _GOALS + seat) >> (_GOALS + _ONE - seat) & _ONE:
            return ring == start
    return False


@compiled(LISTS_SIGNATURE)
def lists(constants, state, move):  # type: ignore[no-untyped-def]
    """Return whether `legal` lists a move; see the contract."""
    if state[RESULT]:
        return NOT_LISTED
    low, high, seat = np.uint64(state[LOW]), np.uint64(state[HIGH]), np.uint64(state[SEAT])
    taken = low | high
    if taken <= _PART or move & SET_UP:
        return taken <= _PART and SET_UP <= move < SET_UP + SET_UPS
    start, end = np.uint64(move) & _PART, (np.uint64(move) >> _SIX) & _PART
    slot = np.uint64(move) >> _SIX + _SIX
    starts = shore(taken, seat)
    if not (starts >> start) & _ONE:
        return NOT_LISTED
    if end >= _GOALS:
        is_goal = end == _GOALS + _ONE - seat and slot == _NOWHERE
        return is_goal and _wins_first(constants, low, high, seat, start)
    is_hit = (taken >> end) & _ONE != _NOTHING
    if is_hit == (slot == _NOWHERE) or start == end:
        return NOT_LISTED
    value, other = value_at(low, high, start), value_at(low, high, end)
    free = free_to_relocate(taken, seat)
    if is_hit and not ((free | (_ONE << start if value != other else _NOTHING)) >> slot) & _ONE:
        return NOT_LISTED
    changed = np.uint64(hash_changed(constants, low, high, np.uint64(move)))
    if has_stood(state, arrangement_of(constants, state) ^ changed):
        return NOT_LISTED
    if value != other:
        others = taken & ~(_ONE << start)
        if not bounce(constants, others, low, high, start, _ONE << end, room(WAY)):
            return NOT_LISTED
    else:
        ends = reach(constants, low, high, start, _GOALS + seat)
        same_value = (low if value & _ONE else ~low) & (high if value >> _ONE else ~high)
        alike = ends & taken & same_value
        if not (alike >> end) & _ONE:
            return NOT_LISTED
        # A ring that relocates one of its own value moved there, as it were.
        return first(alike) == end and not (ends >> slot) & _ONE
    if slot == start and end < start and (starts >> end) & _ONE:
        # The two rings swap: the earlier one did so already.
        return not (reach(constants, low, high, end, _GOALS + seat) >> start) & _ONE
    return LISTED


@compiled(_BITS(uint64, uint64, uint64), inline="always")
def arranged(low, high, move):  # type: ignore[no-untyped-def]
    """Return the bits of the values after a move of a ring that does not win."""
    start, end, slot = move & _PART, (move >> _SIX) & _PART, (move >> _SIX + _SIX) & _PART
    unmoved = ~((_ONE << start) | (_ONE << end))
    new_low = (low & unmoved) | (((low >> start) & _ONE) << end)
    new_high = (high & unmoved) | (((high >> start) & _ONE) << end)
    if slot != _NOWHERE:
        new_low |= ((low >> end) & _ONE) << slot
        new_high |= ((high >> end) & _ONE) << slot
    return new_low, new_high


@compiled(int64(INTEGERS, uint64, uint64, uint64), inline="always")
def hash_changed(constants, low, high, move):  # type: ignore[no-untyped-def]
    """Return what a move of a ring that does not win changes in the hash of the arrangement."""
    start, end, slot = move & _PART, (move >> _SIX) & _PART, (move >> _SIX + _SIX) & _PART
    value = value_at(low, high, start)
    changed = ring_hash(constants, value, start) ^ ring_hash(constants, value, end)
    if slot != _NOWHERE:
        other = value_at(low, high, end)
        changed ^= ring_hash(constants, other, end) ^ ring_hash(constants, other, slot)
    return np.int64(changed)


@compiled(void(INTEGERS, INTEGERS, uint64, uint64), inline="always")
def put(constants, state, value, slot):  # type: ignore[no-untyped-def]
    """Put a ring on an empty slot, or take the same ring away."""
    state[LOW] ^= np.int64((value & _ONE) << slot)
    state[HIGH] ^= np.int64((value >> _ONE) << slot)
    state[KEY] ^= np.int64(ring_hash(constants, value, slot))


@compiled(void(INTEGERS, INTEGERS, int64))
def set_up(constants, state, number):  # type: ignore[no-untyped-def]
    """Set up a row of rings for the seat to move."""
    row = np.uint64(30) if state[SEAT] else _NOTHING
    bits = entry(constants, np.uint64(SET_UP_BITS + number))
    for column in range(np.uint64(6)):
        put(constants, state, value_at(bits, bits >> _SIX, column), row + column)
    if state[SEAT]:
        remember(state, arrangement_of(constants, state))
    state[SEAT] ^= 1
    state[KEY] ^= constants[HASH_NORTH]


@compiled(PLAY_SIGNATURE)
def play(constants, state, move):  # type: ignore[no-untyped-def]
    """Play a move; see the contract."""
    state[PLY] += 1
    if move & SET_UP:
        set_up(constants, state, move - SET_UP)
        return 0
    seat = state[SEAT]
    start, end = np.uint64(move & 63), np.uint64((move >> 6) & 63)
    slot = np.uint64((move >> 12) & 63)
    low, high = np.uint64(state[LOW]), np.uint64(state[HIGH])
    if end < _GOALS:
        value = value_at(low, high, start)
        put(constants, state, value, start)
        if slot != np.uint64(NOWHERE):
            other = value_at(low, high, end)
            put(constants, state, other, end)
            put(constants, state, other, slot)
        put(constants, state, value, end)
        # It is soon asked who wins and stands better, the other to move.
        prefetch_note(constants, state[KEY] ^ constants[HASH_NORTH])
        remember(state, arrangement_of(constants, state))
        if not can_move(constants, state, np.uint64(1 - seat)):
            # Ruling G6: a player without a move is skipped; a draw when neither has one.
            if can_move(constants, state, np.uint64(seat)):
                return 0
            state[RESULT] = DRAWN
    else:
        state[RESULT] = 1 + seat
    state[SEAT] = 1 - seat
    state[KEY] ^= constants[HASH_NORTH]
    return state[RESULT]
