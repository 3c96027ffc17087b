"""Of moves with one result, the one that the rules list.

The kernel lists any of them: what a search asks is what they lead to. The rules list a plain
move before a relocation, then the way with the fewest stops, then with the smallest slots;
`routes.ring_moves` says so, and ways are found here as `routes.arrivals` finds them.
"""

from __future__ import annotations

import numpy as np
from numba import boolean, int64, uint64, void

from sarsen.games.gyges.kernel.reach import ends_of, entry, first, shore, value_at
from sarsen.games.gyges.kernel.tables import (
    LEG_CONNECTIONS,
    LEG_END,
    LEG_PASSED,
    room,
)
from sarsen.games.gyges.kernel.turns import HIGH, LOW, NOWHERE, SET_UP
from sarsen.search.compiling import compiled
from sarsen.search.contract import INTEGERS, SEAT

# A random position has some dozen. Of more the later ones are left out; then a move may be listed
# by another number than that of the rules.
MAX_WAYS = 2048
_ROOM = 2 * 2048  # a number in the source, as `room` wants it

_NONE = -1
_ONE, _SIX, _SLOTS = np.uint64(1), np.uint64(6), np.uint64(36)
_PART = np.uint64(63)
_ENDS, _PASSED, _CONNECTIONS = np.uint64(LEG_END), np.uint64(LEG_PASSED), np.uint64(LEG_CONNECTIONS)

# A way is two words: its last place, then how many legs it has, then the way it prolongs; and the
# connections it uses.
_LEGS_AT, _FROM_AT, _BYTE = 8, 16, 255
_ENDS_OF_MOVE = (1 << 12) - 1
_ANY_LEGS = 61  # as `routes.MAX_CONNECTIONS` counts them


@compiled(boolean(INTEGERS, int64, int64, int64, int64))
def _is_before(ways, one, end, other, other_end):  # type: ignore[no-untyped-def]
    """Return whether of two ways prolonged, of one length, the first has the smaller slots."""
    is_before = end < other_end
    while one != other:
        first_place, second_place = ways[2 * one] & _BYTE, ways[2 * other] & _BYTE
        if first_place != second_place:
            is_before = first_place < second_place
        one, other = ways[2 * one] >> _FROM_AT, ways[2 * other] >> _FROM_AT
    return is_before


@compiled(boolean(INTEGERS, int64, int64, uint64))
def _is_new(ways, count, end, used):  # type: ignore[no-untyped-def]
    """Return whether no earlier way to a place used these connections, or some of them."""
    for way in range(1, count):
        before = np.uint64(ways[2 * way + 1])
        if ways[2 * way] & _BYTE == end and before & used == before:
            return False
    return True


@compiled(int64(INTEGERS, uint64, uint64, uint64, uint64, uint64, int64))
def best_end(constants, low, high, start, seat, targets, most_legs):  # type: ignore[no-untyped-def]
    """Return the target with the fewest stops, then the smallest ones, and above it its legs.

    -1 when none is reached by so many legs.
    """
    taken = (low | high) & ~(_ONE << start)
    direct = ends_of(constants, taken, value_at(low, high, start), start) & targets
    if direct and most_legs:
        return np.int64(first(direct)) | 1 << _LEGS_AT
    ways = room(_ROOM)
    own_goal = np.int64(_SLOTS + seat)
    ways[0], ways[1] = np.int64(start), 0
    begin, count = 0, 1
    seen = np.uint64(0)
    while begin < count:
        wave_end, best, best_way = count, _NONE, _NONE
        legs = (ways[2 * begin] >> _LEGS_AT & _BYTE) + 1
        if legs > most_legs:
            return _NONE
        for way in range(begin, wave_end):
            place, used = np.uint64(ways[2 * way] & _BYTE), np.uint64(ways[2 * way + 1])
            value = value_at(low, high, place)
            ring = (value * _SLOTS + place) << _SIX
            # Values of 1, 2 and 3 have at most 4, 12 and 36 legs.
            for leg in range(ring, ring + ((value * value + _ONE) >> _ONE << np.uint64(3))):
                connections = entry(constants, _CONNECTIONS + leg)
                if entry(constants, _PASSED + leg) & taken or connections & used:
                    continue
                end = constants[_ENDS + leg]
                if end == own_goal:
                    continue
                bit = _ONE << np.uint64(end)
                is_first, seen = bit & targets & ~seen, seen | bit
                if is_first and (best == _NONE or _is_before(ways, way, end, best_way, best)):
                    best, best_way = end, way
                leads_on = bit & taken and count < MAX_WAYS and legs < most_legs
                if leads_on and _is_new(ways, count, end, used | connections):
                    ways[2 * count] = end | legs << _LEGS_AT | way << _FROM_AT
                    ways[2 * count + 1] = np.int64(used | connections)
                    count += 1
        if best != _NONE:
            return best | legs << _LEGS_AT
        begin = wave_end
    return _NONE


@compiled(int64(INTEGERS, uint64, uint64, uint64, int64))
def _shortest_win(constants, low, high, seat, move):  # type: ignore[no-untyped-def]
    """Return the win with the fewest stops; `move` is that of the leftmost ring that wins."""
    goal = _ONE << (_SLOTS + _ONE - seat)
    begun = np.uint64(move) & _PART
    starts = shore(low | high, seat) & ~((_ONE << (begun + _ONE)) - _ONE)
    if not starts:
        return move
    legs = best_end(constants, low, high, begun, seat, goal, _ANY_LEGS) >> _LEGS_AT
    while starts and legs > 1:
        start = first(starts)
        starts &= starts - _ONE
        shorter = best_end(constants, low, high, start, seat, goal, legs - 1)
        if shorter != _NONE:
            legs, move = shorter >> _LEGS_AT, np.int64(start) | move >> 6 << 6
    return move


@compiled(int64(INTEGERS, uint64, uint64, uint64, int64))
def _shorter_swap(constants, low, high, seat, move):  # type: ignore[no-untyped-def]
    """Return the move by which two rings of the shore swap with the fewer stops."""
    start, end = np.uint64(move) & _PART, (np.uint64(move) >> _SIX) & _PART
    legs = best_end(constants, low, high, start, seat, _ONE << end, _ANY_LEGS) >> _LEGS_AT
    if best_end(constants, low, high, end, seat, _ONE << start, legs - 1) == _NONE:
        return move
    return np.int64(end | start << _SIX | end << _SIX + _SIX)


@compiled(uint64(INTEGERS, uint64, uint64, uint64, uint64, uint64))
def _nearest_alike(constants, low, high, seat, start, end):  # type: ignore[no-untyped-def]
    """Return, of the rings of its own value that a ring reaches, the one with the fewest stops."""
    value = value_at(low, high, start)
    alike = (low | high) & (low if value & _ONE else ~low) & (high if value >> _ONE else ~high)
    alike &= ~(_ONE << start)
    if not alike & (alike - _ONE):
        return end
    return np.uint64(best_end(constants, low, high, start, seat, alike, _ANY_LEGS) & _BYTE)


@compiled(void(INTEGERS, INTEGERS, INTEGERS, int64))
def list_as_rules_do(constants, state, moves, count):  # type: ignore[no-untyped-def]
    """Replace moves listed by `turns.legal` by those of the same results that the rules list."""
    if count == 0 or moves[0] & SET_UP:
        return
    low, high, seat = np.uint64(state[LOW]), np.uint64(state[HIGH]), np.uint64(state[SEAT])
    own_shore = shore(low | high, seat)
    index = 0
    while index < count:
        # Moves with one start and end stand together.
        move = moves[index]
        begin, ends = index, move & _ENDS_OF_MOVE
        while index < count and moves[index] & _ENDS_OF_MOVE == ends:
            index += 1
        start, end = np.uint64(move & 63), np.uint64(move >> 6 & 63)
        if end >= _SLOTS:
            moves[begin] = _shortest_win(constants, low, high, seat, move)
        elif move >> 12 == NOWHERE:
            continue
        elif value_at(low, high, start) == value_at(low, high, end):
            change = np.int64(_nearest_alike(constants, low, high, seat, start, end) ^ end) << 6
            for place in range(begin, index):
                moves[place] ^= change
        elif end > start and own_shore >> end & _ONE:
            for place in range(begin, index):
                if moves[place] >> 12 == np.int64(start):
                    moves[place] = _shorter_swap(constants, low, high, seat, moves[place])
