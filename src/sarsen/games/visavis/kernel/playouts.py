"""Random games of Visavis to a full board: by turns, each side any open place of its own.

On a full board exactly one side has joined its ends, and a bridge stands wherever the
other side blocked none; so a playout keeps one byte a place and looks for a way of X
when all is over. Every place is drawn exactly once, and a draw that meets a blocked
place costs no turn: the chances are those of drawing among the open places only.
"""

from __future__ import annotations

import numpy as np
from numba import njit, uint64

from sarsen.games.visavis.board import O, X
from sarsen.games.visavis.kernel.layout import (
    BLOCKED,
    CROSSES,
    DRAWN_AT,
    DRAWN_O,
    DRAWN_ROWS,
    OPEN,
    PLACES,
    SIZE,
    TABLES,
    WIDTH,
)
from sarsen.search.chance import draw, word
from sarsen.search.compiling import compiled

LANES = 4  # games played in step, so that one's memory waits behind another's
_SPAN = DRAWN_O + 512  # bytes of one lane's board, with room for a place that is none
_NOWHERE = _SPAN - 1
_LIST = 512  # most places of a side, as a power of 2

_ONES = np.uint64(0x0101010101010101)
_GATHER = np.uint64(0x0102040810204080)
_STEP = np.uint64(0xA0761D6478BD642F)
_MIX = np.uint64(0xD6E8FEB86659FD93)
_HALF = np.uint64(32)


@compiled("int64[::1](int64[::1])", counts_references=True)
def _crossings(constants):  # type: ignore[no-untyped-def]
    """Return for each place where on a drawn board the two places lie that it crosses."""
    places = constants[PLACES]
    ways = np.empty(4 * places, np.int64)
    for at in range(2 * places):
        other = places if at < places else 0
        for way in range(2):
            crossed = constants[TABLES + at * WIDTH + CROSSES + way]
            ways[2 * at + way] = _NOWHERE
            if crossed < places:
                ways[2 * at + way] = constants[TABLES + (other + crossed) * WIDTH + DRAWN_AT]
    return ways


@njit(inline="always")
def _standing(words, row):  # type: ignore[no-untyped-def]
    """Set the bit of a bridge that stands: its byte is 0."""
    low = (words[2 * row] ^ _ONES) * _GATHER >> np.uint64(56)
    high = (words[2 * row + 1] ^ _ONES) * _GATHER >> np.uint64(56)
    return np.int64(low | high << np.uint64(8))


@njit(inline="always")
def _along(reached, lying):  # type: ignore[no-untyped-def]
    """Spread along the lying bridges of a row; bit j joins pegs j and j + 1."""
    while True:
        wider = reached | (reached & lying) << 1 | (reached >> 1 & lying)
        if wider == reached:
            return reached
        reached = wider


@compiled("boolean(int64, uint8[::1])", counts_references=True)
def _joins_x(size, drawn):  # type: ignore[no-untyped-def]
    """Return whether X has joined top and bottom: flood row by row, down and up."""
    rows = (size + 1) // 2
    across = (1 << (rows - 1)) - 1
    lying = np.empty(DRAWN_ROWS, np.int64)
    upright = np.empty(DRAWN_ROWS, np.int64)
    slanting = np.empty(DRAWN_ROWS, np.int64)
    words = drawn.view(np.uint64)
    for row in range(rows):
        lying[row] = _standing(words, row) & (across >> 1)
        upright[row] = _standing(words, DRAWN_ROWS + row) & across
        slanting[row] = _standing(words, 2 * DRAWN_ROWS + row) & across & ~1
    reached = np.zeros(DRAWN_ROWS, np.int64)
    reached[0] = across
    grows = True
    while grows:
        grows = False
        for row in range(rows - 1):
            down = (reached[row] & upright[row]) | (reached[row] & slanting[row]) >> 1
            if down & ~reached[row + 1]:
                reached[row + 1] = _along(reached[row + 1] | down, lying[row + 1])
                grows = True
        if reached[rows - 1] or not grows:
            return reached[rows - 1] != 0
        grows = False
        for row in range(rows - 2, 0, -1):
            up = (reached[row + 1] & upright[row]) | (reached[row + 1] << 1 & slanting[row])
            if up & ~reached[row]:
                reached[row] = _along(reached[row] | up, lying[row])
                grows = True
    return False


@njit(inline="always")
def _draw_one(lane, drawn, waiting, crossed, seed, left_o, left_x, side):  # type: ignore[no-untyped-def]
    """Draw one place in one lane, without a branch; return what changed.

    `side` has the turn unless it has nothing left to draw.
    """
    one = np.uint32(1)
    either = left_o ^ left_x
    left = left_o ^ (either & (np.uint32(0) - side))
    side = side ^ np.uint32(left == np.uint32(0))
    left = left_o ^ (either & (np.uint32(0) - side))
    left_x = left_x - side
    left_o = left_o - (side ^ one)
    seed = seed + _STEP
    mixed = seed * _MIX
    mixed ^= mixed >> _HALF
    mixed *= _MIX
    list_at = uint64(2 * lane * _LIST) + uint64(side) * uint64(_LIST)
    pick = list_at + ((mixed >> _HALF) * uint64(left) >> _HALF)
    last = list_at + uint64(left) - uint64(1)
    place = waiting[pick]
    waiting[pick] = waiting[last]
    waiting[last] = place
    board_at = uint64(lane * _SPAN)
    is_built = drawn[board_at + uint64(place)] ^ np.uint8(1)
    ways = crossed[uint64(place)]
    first = board_at + uint64(ways & np.uint32(0xFFFF))
    second = board_at + uint64(ways >> np.uint32(16))
    drawn[first] = drawn[first] | is_built
    drawn[second] = drawn[second] | is_built
    return seed, left_o, left_x, side ^ np.uint32(is_built)


@compiled("void(int64, uint8[::1], uint16[::1], uint32[::1], int64[::1])", counts_references=True)
def _fill(places, drawn, waiting, crossed, chance):  # type: ignore[no-untyped-def]
    """Play one game in each lane. O begins."""
    seed, seed1, seed2, seed3 = word(chance), word(chance), word(chance), word(chance)
    full = np.uint32(places)
    left_o, left_o1, left_o2, left_o3 = full, full, full, full
    left_x, left_x1, left_x2, left_x3 = full, full, full, full
    side = side1 = side2 = side3 = np.uint32(O)
    for _ in range(2 * places):
        seed, left_o, left_x, side = _draw_one(
            0, drawn, waiting, crossed, seed, left_o, left_x, side
        )
        seed1, left_o1, left_x1, side1 = _draw_one(
            1, drawn, waiting, crossed, seed1, left_o1, left_x1, side1
        )
        seed2, left_o2, left_x2, side2 = _draw_one(
            2, drawn, waiting, crossed, seed2, left_o2, left_x2, side2
        )
        seed3, left_o3, left_x3, side3 = _draw_one(
            3, drawn, waiting, crossed, seed3, left_o3, left_x3, side3
        )


@compiled("int64(int64[::1], uint8[::1], int64, int64[::1])", counts_references=True)
def finish(constants, board, side, chance):  # type: ignore[no-untyped-def]
    """Fill a board at random and give the side that joined its ends.

    Args:
        board: What stands on each place of O, then of X; left as it is.
        side: Whose turn it is.
    """
    places = constants[PLACES]
    drawn = np.zeros(_SPAN, np.uint8)
    waiting = np.empty(2 * _LIST, np.uint16)
    left = [0, 0]
    for at in range(2 * places):
        owner = np.int64(at >= places)
        if board[at] == OPEN:
            waiting[owner * _LIST + left[owner]] = at
            left[owner] += 1
        elif board[at] == BLOCKED:
            drawn[constants[TABLES + at * WIDTH + DRAWN_AT]] = 1
    crossed = _crossings(constants)
    while left[O] or left[X]:
        if not left[side]:
            side ^= 1
        pick = side * _LIST + draw(chance, left[side])
        left[side] -= 1
        at = waiting[pick]
        waiting[pick] = waiting[side * _LIST + left[side]]
        if not drawn[constants[TABLES + at * WIDTH + DRAWN_AT]]:
            drawn[crossed[2 * at]] = 1
            drawn[crossed[2 * at + 1]] = 1
            side ^= 1
    return X if _joins_x(constants[SIZE], drawn[:DRAWN_O]) else O


@compiled("int64(int64[::1], int64[::1], int64)", counts_references=True)
def playouts(constants, chance, rounds):  # type: ignore[no-untyped-def]
    """Play games from the empty board, LANES a round; return how many X won."""
    places = constants[PLACES]
    drawn = np.zeros(LANES * _SPAN, np.uint8)
    waiting = np.zeros(LANES * 2 * _LIST, np.uint16)
    crossed = np.full(_SPAN, _NOWHERE | _NOWHERE << 16, np.uint32)
    ways = _crossings(constants)
    for at in range(2 * places):
        place = constants[TABLES + at * WIDTH + DRAWN_AT]
        crossed[place] = ways[2 * at] | ways[2 * at + 1] << 16
        owner = np.int64(at >= places)
        for lane in range(LANES):
            waiting[(2 * lane + owner) * _LIST + at - owner * places] = place
    won = 0
    for _ in range(rounds):
        drawn[:] = 0
        _fill(places, drawn, waiting, crossed, chance)
        for lane in range(LANES):
            won += _joins_x(constants[SIZE], drawn[lane * _SPAN :][:DRAWN_O])
    return won
