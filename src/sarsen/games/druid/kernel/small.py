"""Druid up to size 8: a set of squares is one word, 8 bits a row."""

from __future__ import annotations

import numpy as np
from numba import boolean, int64, uint64

from sarsen.games.druid.kernel.layout import (
    BOTTOM,
    EAST_LINTEL,
    EASTWARD,
    EDGE,
    EIGHT,
    EVERY,
    EXACT,
    HEIGHT_KEYS,
    HEIGHTS,
    LEFT,
    MAX_PLIES,
    NOGAPS,
    NORTH_LINTEL,
    ONE,
    OWN,
    OWNER_KEYS,
    PASS_TURN,
    PASSES,
    PLIES_LEFT,
    RIGHT,
    SQUARE,
    SWAP,
    SWAP_SIDES,
    SWAPPED,
    TOP,
    lowest,
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

_NOT_WEST = np.uint64(0xFEFEFEFEFEFEFEFE)
_NOT_EAST = np.uint64(0x7F7F7F7F7F7F7F7F)


@compiled(uint64(uint64))
def neighbours_of(squares):  # type: ignore[no-untyped-def]
    """Return the squares next to those of a set; some may lie off a site below size 8."""
    sideways = ((squares & _NOT_EAST) << ONE) | ((squares & _NOT_WEST) >> ONE)
    return sideways | (squares << EIGHT) | (squares >> EIGHT)


@compiled(uint64(uint64, uint64))
def reach(squares, begin):  # type: ignore[no-untyped-def]
    """Return the squares of a set that hang together with some of them."""
    reached = begin
    while True:
        grown = (reached | neighbours_of(reached)) & squares
        if grown == reached:
            return reached
        reached = grown


@compiled(boolean(INTEGERS, uint64, int64))
def joins(constants, own, side):  # type: ignore[no-untyped-def]
    """Return whether a side's squares join its two edges."""
    # A chain crosses every row, or every column: most sets fail here already.
    if side == 0:
        lines = own | (own >> np.uint64(4))
        lines |= lines >> np.uint64(2)
        lines |= lines >> ONE
        needed = np.uint64(constants[LEFT])
        begin, goal = np.uint64(constants[BOTTOM]), np.uint64(constants[TOP])
    else:
        lines = own | (own >> np.uint64(32))
        lines |= lines >> np.uint64(16)
        lines |= lines >> EIGHT
        needed = np.uint64(constants[BOTTOM])
        begin, goal = np.uint64(constants[LEFT]), np.uint64(constants[RIGHT])
    if lines & needed != needed:
        return False
    return reach(own, own & begin) & goal != 0


@compiled(int64(uint64, INTEGERS))
def _list_squares(squares, moves):  # type: ignore[no-untyped-def]
    count = 0
    while squares:
        moves[count] = lowest(squares)
        squares &= squares - ONE
        count += 1
    return count


@compiled(boolean(INTEGERS, INTEGERS, uint64, int64, int64))
def is_lintel_supported(constants, state, own, start, step):  # type: ignore[no-untyped-def]
    """Return whether a lintel lies flat and supported; its ends are stones, own unless -exact."""
    bed = state[HEIGHTS + start]
    middle = state[HEIGHTS + start + step]
    if state[HEIGHTS + start + 2 * step] != bed or middle > bed:
        return False
    if constants[NOGAPS] and middle != bed:
        return False
    # Ruling D3: three own stones bear a lintel; ruling D4: with -exact just two of them must.
    if constants[EXACT]:
        bits = own >> np.uint64(start)
        bearers = np.int64(bits & ONE) + np.int64((bits >> np.uint64(2 * step)) & ONE)
        if middle == bed:
            bearers += np.int64((bits >> np.uint64(step)) & ONE)
        return bearers == 2
    return True


@compiled(LEGAL_SIGNATURE)
def legal(constants, state, moves):  # type: ignore[no-untyped-def]
    """List the moves, in the order of the rules."""
    if state[RESULT] != ONGOING:
        return 0
    side = state[SEAT] ^ state[SWAPPED]
    own, theirs = np.uint64(state[OWN + side]), np.uint64(state[OWN + 1 - side])
    if own | theirs == 0:
        return _list_squares(np.uint64(constants[EDGE]), moves)
    count = _list_squares(np.uint64(constants[EVERY]) & ~theirs, moves)
    ends = own | theirs if constants[EXACT] else own
    for kind, step in ((EAST_LINTEL, 1), (NORTH_LINTEL, 8)):
        starts = ends & (ends >> np.uint64(2 * step))
        if kind == EAST_LINTEL:
            starts &= np.uint64(constants[EASTWARD])
        while starts:
            start = lowest(starts)
            starts &= starts - ONE
            if is_lintel_supported(constants, state, own, start, step):
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


@compiled("void(int64[::1], int64[::1], int64, int64)")
def _put(constants, state, side, move):  # type: ignore[no-untyped-def]
    start = move & SQUARE
    step = 1 if move & EAST_LINTEL else 8
    height = state[HEIGHTS + start] + 1
    for place in range(3 if move & (EAST_LINTEL | NORTH_LINTEL) else 1):
        square = start + place * step
        bit = ONE << np.uint64(square)
        state[KEY] += (height - state[HEIGHTS + square]) * constants[HEIGHT_KEYS + square]
        state[HEIGHTS + square] = height
        was = np.int64((np.uint64(state[OWN + 1]) & bit) != 0)
        state[KEY] += (side - was) * constants[OWNER_KEYS + square]
        state[OWN + side] |= np.int64(bit)
        state[OWN + 1 - side] &= np.int64(~bit)


@compiled(PLAY_SIGNATURE)
def play(constants, state, move):  # type: ignore[no-untyped-def]
    """Play a legal move."""
    state[KEY] -= turn_key(constants, state)
    side = state[SEAT] ^ state[SWAPPED]
    before = state[OWN + side]
    if move == SWAP_SIDES:
        state[SWAPPED] = 1
    elif move == PASS_TURN:
        state[PASSES] += 1
    else:
        state[PASSES] = 0
        _put(constants, state, side, move)
    own = state[OWN + side]
    if own != before and joins(constants, np.uint64(own), side):
        state[RESULT] = WON_BY_FIRST + state[SEAT]
    # Rulings D1 and D5: two passes in a row, or the last ply without a winner, are a draw.
    elif state[PASSES] == 2 or state[PLIES_LEFT] == 1:
        state[RESULT] = DRAWN
    turn(constants, state)
    return state[RESULT]


@compiled(boolean(INTEGERS, INTEGERS, uint64, uint64, int64))
def can_be_covered(constants, state, own, theirs, square):  # type: ignore[no-untyped-def]
    """Return whether a lintel can take a square from the enemy."""
    ends = own | theirs if constants[EXACT] else own
    east = ends & (ends >> np.uint64(2)) & np.uint64(constants[EASTWARD])
    north = ends & (ends >> np.uint64(16))
    for step, starts in ((1, east), (8, north)):
        # Only with -exact may the enemy's square be an end, ruling D4.
        for place in range(0 if constants[EXACT] else 1, 3 if constants[EXACT] else 2):
            start = square - place * step
            is_borne = start >= 0 and (starts >> np.uint64(start)) & ONE
            if is_borne and is_lintel_supported(constants, state, own, start, step):
                return True
    return False


@compiled(boolean(INTEGERS, INTEGERS, int64))
def threatens(constants, state, side):  # type: ignore[no-untyped-def]
    """Return whether a side, were it to move, could join its edges at once."""
    own, theirs = np.uint64(state[OWN + side]), np.uint64(state[OWN + 1 - side])
    begin, goal = np.uint64(constants[LEFT]), np.uint64(constants[RIGHT])
    if side == 0:
        begin, goal = np.uint64(constants[BOTTOM]), np.uint64(constants[TOP])
    targets = (neighbours_of(reach(own, own & begin)) | begin) & ~own & np.uint64(constants[EVERY])
    if targets != 0:
        targets &= neighbours_of(reach(own, own & goal)) | goal
    if targets & ~theirs != 0:
        return True
    while targets:
        if can_be_covered(constants, state, own, theirs, lowest(targets)):
            return True
        targets &= targets - ONE
    return False
