"""Random games up to size 8: the process that the C loop of the bench plays."""

from __future__ import annotations

import numpy as np
from numba import int64

from sarsen.games.druid.kernel.layout import (
    EASTWARD,
    EDGE,
    EIGHT,
    EVERY,
    EXACT,
    HEIGHTS,
    ONE,
    OWN,
    PLIES_LEFT,
    SIZE,
    SWAPPED,
    nth,
    size_of,
)
from sarsen.games.druid.kernel.small import is_lintel_supported, joins
from sarsen.search.chance import word
from sarsen.search.compiling import compiled
from sarsen.search.contract import (
    DRAWN,
    INTEGERS,
    RESULT,
    SEAT,
    WON_BY_FIRST,
)

ANY, GAIN = 0, 1
_MAX_PLIES = 1000  # only so that the loop ends: chance fills the board much earlier
_TRIES = 24  # for a move that gains a square, before any move will do
_TWO = np.uint64(2)
_SIXTEEN = np.uint64(16)
_HALF = np.uint64(32)
# Knuth's multiplier; only the upper half of the word is used.
_TIMES, _PLUS = np.uint64(6364136223846793005), np.uint64(1442695040888963407)


@compiled(int64(INTEGERS, INTEGERS, INTEGERS, int64))
def play_out(constants, state, chance, policy):  # type: ignore[no-untyped-def]
    """Play a state at random to its end, and give the result; the state is spoilt.

    ANY draws evenly from the legal moves, GAIN from those that gain a square, as long
    as some are found.
    """
    if state[RESULT]:
        return state[RESULT]
    side = state[SEAT] ^ state[SWAPPED]
    own, theirs = np.uint64(state[OWN + side]), np.uint64(state[OWN + 1 - side])
    every, eastward = np.uint64(constants[EVERY]), np.uint64(constants[EASTWARD])
    # Nobody joins two edges with fewer stones than there are rows.
    fewest = constants[SIZE]
    luck = word(chance)
    for _ in range(state[PLIES_LEFT]):
        squares = every & ~theirs
        if own | theirs == 0:
            squares = np.uint64(constants[EDGE])
        ends = own | theirs if constants[EXACT] else own
        east = ends & (ends >> _TWO) & eastward
        north = ends & (ends >> _SIXTEEN)
        choosy = policy == GAIN
        square_choices, east_choices, north_choices = squares, east, north
        if choosy:
            square_choices = squares & ~own
            if not constants[EXACT]:
                east_choices = east & ~(own >> ONE)
                north_choices = north & ~(own >> EIGHT)
        first, second = size_of(square_choices), size_of(east_choices)
        count = first + second + size_of(north_choices)
        tries = 0
        gained = np.uint64(0)
        while True:
            if choosy and (tries == _TRIES or count == 0):
                choosy = False
                square_choices, east_choices, north_choices = squares, east, north
                first, second = size_of(square_choices), size_of(east_choices)
                count = first + second + size_of(north_choices)
            if count == 0:
                return DRAWN
            tries += 1
            luck = luck * _TIMES + _PLUS
            place = np.int64(((luck >> _HALF) * np.uint64(count)) >> _HALF)
            if place < first:
                square = nth(square_choices, place)
                state[HEIGHTS + square] += 1
                gained = ONE << np.uint64(square)
                break
            place -= first
            is_east = place < second
            step = 1 if is_east else 8
            start = nth(
                east_choices if is_east else north_choices, place - (0 if is_east else second)
            )
            if not is_lintel_supported(constants, state, own, start, step):
                continue
            height = state[HEIGHTS + start] + 1
            state[HEIGHTS + start] = height
            state[HEIGHTS + start + step] = height
            state[HEIGHTS + start + 2 * step] = height
            gained = ONE << np.uint64(start + step)
            if constants[EXACT]:
                gained |= (ONE << np.uint64(start)) | (ONE << np.uint64(start + 2 * step))
            break
        if gained & ~own != 0:
            own |= gained
            theirs &= ~gained
            if size_of(own) >= fewest and joins(constants, own, side):
                return WON_BY_FIRST + (side ^ state[SWAPPED])
        own, theirs = theirs, own
        side = 1 - side
    return DRAWN


@compiled("int64[::1](int64[::1], int64[::1], int64[::1], int64, int64)", counts_references=True)
def count_results(constants, state, chance, policy, count):  # type: ignore[no-untyped-def]
    """Play a state out many times, a thousand plies at most; return how often each result came."""
    counts = np.zeros(4, np.int64)
    scratch = state.copy()
    for _ in range(count):
        scratch[:] = state
        scratch[PLIES_LEFT] = _MAX_PLIES
        counts[play_out(constants, scratch, chance, policy)] += 1
    return counts
