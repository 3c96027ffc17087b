"""Druid beyond size 8: every square by itself, 12 to a row."""

from __future__ import annotations

import numpy as np
from numba import boolean, int64

from sarsen.games.druid.kernel.layout import (
    EAST_LINTEL,
    EXACT,
    HEIGHT_KEYS,
    HEIGHTS,
    LARGE_STRIDE,
    MAX_PLIES,
    NOBODY,
    NOGAPS,
    NORTH_LINTEL,
    OWNER_KEYS,
    OWNERS,
    PASS_TURN,
    PASSES,
    PLIES_LEFT,
    SIZE,
    SQUARE,
    SWAP,
    SWAP_SIDES,
    SWAPPED,
    turn,
    turn_key,
)
from sarsen.search.compiling import compiled
from sarsen.search.contract import (
    DRAWN,
    INTEGERS,
    KEY,
    LEGAL_SIGNATURE,
    ONGOING,
    PLAY_SIGNATURE,
    RESULT,
    SEAT,
    WON_BY_FIRST,
)


@compiled(boolean(INTEGERS, INTEGERS, int64, int64, int64))
def is_lintel_supported(constants, state, side, start, step):  # type: ignore[no-untyped-def]
    """Return whether a side's lintel lies flat and supported, within the site."""
    ends = (state[OWNERS + start], state[OWNERS + start + 2 * step])
    bed, middle = state[HEIGHTS + start], state[HEIGHTS + start + step]
    if bed == 0 or state[HEIGHTS + start + 2 * step] != bed or middle > bed:
        return False
    if constants[NOGAPS] and middle != bed:
        return False
    bearers = int(ends[0] == 1 + side) + int(ends[1] == 1 + side)
    # Ruling D3: three own stones bear a lintel; ruling D4: with -exact just two of them must.
    if constants[EXACT]:
        return bearers + int(middle == bed and state[OWNERS + start + step] == 1 + side) == 2
    return bearers == 2


@compiled(LEGAL_SIGNATURE)
def legal(constants, state, moves):  # type: ignore[no-untyped-def]
    """List the moves, in the order of the rules."""
    if state[RESULT] != ONGOING:
        return 0
    side, size = state[SEAT] ^ state[SWAPPED], constants[SIZE]
    is_bare, count = True, 0
    for square in range(LARGE_STRIDE * size):
        is_bare &= state[OWNERS + square] == NOBODY
    for row in range(size):
        for column in range(size):
            square = LARGE_STRIDE * row + column
            is_edge = row in (0, size - 1) or column in (0, size - 1)
            if state[OWNERS + square] != 2 - side and (is_edge or not is_bare):
                moves[count] = square
                count += 1
    for kind, step in ((EAST_LINTEL, 1), (NORTH_LINTEL, LARGE_STRIDE)):
        for row in range(size if step == 1 else size - 2):
            for column in range(size - 2 if step == 1 else size):
                start = LARGE_STRIDE * row + column
                if is_lintel_supported(constants, state, side, start, step):
                    moves[count] = kind | start
                    count += 1
    if constants[SWAP] and state[PLIES_LEFT] == constants[MAX_PLIES] - 1:
        moves[count] = SWAP_SIDES
        count += 1
    if count == 0:
        # Ruling D1: a side passes only when it has no other move.
        moves[0] = PASS_TURN
        return 1
    return count


@compiled("void(int64[::1], int64[::1], int64, int64, int64, int64[::1])", counts_references=True)
def mark(constants, state, side, begin, sign, marks):  # type: ignore[no-untyped-def]
    """Mark the chain of a side through a square of its own, if it is not marked yet."""
    size = constants[SIZE]
    if marks[begin] & sign:
        return
    waiting = np.empty(LARGE_STRIDE * LARGE_STRIDE, np.int64)
    waiting[0], count = begin, 1
    marks[begin] |= sign
    while count:
        count -= 1
        square = waiting[count]
        row, column = square // LARGE_STRIDE, square % LARGE_STRIDE
        for other, is_on_site in (
            (square - 1, column > 0),
            (square + 1, column < size - 1),
            (square - LARGE_STRIDE, row > 0),
            (square + LARGE_STRIDE, row < size - 1),
        ):
            if is_on_site and not marks[other] & sign:
                # The squares around a chain are marked too, but lead no further.
                marks[other] |= sign
                if state[OWNERS + other] == 1 + side:
                    waiting[count] = other
                    count += 1


@compiled(boolean(INTEGERS, INTEGERS, int64, int64), counts_references=True)
def joins(constants, state, side, through):  # type: ignore[no-untyped-def]
    """Return whether a side's chain through a square of its own joins its two edges."""
    size = constants[SIZE]
    along, across = (LARGE_STRIDE, 1) if side == 0 else (1, LARGE_STRIDE)
    marks = np.zeros(LARGE_STRIDE * LARGE_STRIDE, np.int64)
    mark(constants, state, side, through, 1, marks)
    begins = ends = False
    for spot in range(size):
        first, last = spot * across, spot * across + (size - 1) * along
        begins |= marks[first] != 0 and state[OWNERS + first] == 1 + side
        ends |= marks[last] != 0 and state[OWNERS + last] == 1 + side
    return begins and ends


@compiled(boolean(INTEGERS, INTEGERS, int64, int64, int64))
def can_be_covered(constants, state, side, row, column):  # type: ignore[no-untyped-def]
    """Return whether a lintel can take a square from the enemy."""
    size = constants[SIZE]
    # Only with -exact may the enemy's square be an end, ruling D4.
    for place in range(0 if constants[EXACT] else 1, 3 if constants[EXACT] else 2):
        square = LARGE_STRIDE * row + column
        for along, start, step in (
            (column - place, square - place, 1),
            (row - place, square - place * LARGE_STRIDE, LARGE_STRIDE),
        ):
            if 0 <= along < size - 2 and is_lintel_supported(constants, state, side, start, step):
                return True
    return False


@compiled(boolean(INTEGERS, INTEGERS, int64), counts_references=True)
def threatens(constants, state, side):  # type: ignore[no-untyped-def]
    """Return whether a side, were it to move, could join its edges at once."""
    size = constants[SIZE]
    along, across = (LARGE_STRIDE, 1) if side == 0 else (1, LARGE_STRIDE)
    marks = np.zeros(LARGE_STRIDE * LARGE_STRIDE, np.int64)
    for spot in range(size):
        for sign, edge in ((1, spot * across), (2, spot * across + (size - 1) * along)):
            if state[OWNERS + edge] == 1 + side:
                mark(constants, state, side, edge, sign, marks)
            marks[edge] |= sign
    for row in range(size):
        for column in range(size):
            square = LARGE_STRIDE * row + column
            if marks[square] == 3 and state[OWNERS + square] != 1 + side:
                if state[OWNERS + square] == NOBODY:
                    return True
                if can_be_covered(constants, state, side, row, column):
                    return True
    return False


@compiled(int64(INTEGERS, INTEGERS, int64, int64))
def put(constants, state, side, move):  # type: ignore[no-untyped-def]
    """Put a piece down; return a square that its side gained by it, or -1."""
    start = move & SQUARE
    step = 1 if move & EAST_LINTEL else LARGE_STRIDE
    height, gained = state[HEIGHTS + start] + 1, -1
    for place in range(3 if move & (EAST_LINTEL | NORTH_LINTEL) else 1):
        square = start + place * step
        owner = state[OWNERS + square]
        state[KEY] += (height - state[HEIGHTS + square]) * constants[HEIGHT_KEYS + square]
        state[KEY] += (side - int(owner == 2)) * constants[OWNER_KEYS + square]
        state[HEIGHTS + square] = height
        if owner != 1 + side:
            state[OWNERS + square] = 1 + side
            gained = square
    return gained


@compiled(PLAY_SIGNATURE)
def play(constants, state, move):  # type: ignore[no-untyped-def]
    """Play a legal move."""
    state[KEY] -= turn_key(constants, state)
    side, gained = state[SEAT] ^ state[SWAPPED], -1
    if move == SWAP_SIDES:
        state[SWAPPED] = 1
    elif move == PASS_TURN:
        state[PASSES] += 1
    else:
        state[PASSES] = 0
        gained = put(constants, state, side, move)
    if gained >= 0 and joins(constants, state, side, gained):
        state[RESULT] = WON_BY_FIRST + state[SEAT]
    # Rulings D1 and D5: two passes in a row, or the last ply without a winner, are a draw.
    elif state[PASSES] == 2 or state[PLIES_LEFT] == 1:
        state[RESULT] = DRAWN
    turn(constants, state)
    return state[RESULT]
