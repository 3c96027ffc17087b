"""Where things stand in Druid's states and constants, and how moves are coded.

A square is `stride * row + column`: the stride is 8 up to size 8, where a set of
squares is one word, and 12 beyond. Sides are 0 for V and 1 for H; seats differ from
them once the players have swapped.
"""

from __future__ import annotations

from typing import Any

import numpy as np
from llvmlite import binding, ir
from numba import int64, types, uint64
from numba.extending import intrinsic

from sarsen.search.compiling import compiled
from sarsen.search.contract import HEADER, INTEGERS, KEY, PLY, SEAT

# State, after the header.
SWAPPED = HEADER  # 1 once the seats have changed sides
PASSES = HEADER + 1  # passes in a row
PLIES_LEFT = HEADER + 2  # until the game is a draw
OWN = HEADER + 3  # up to size 8: the set of squares topped by V, then by H
HEIGHTS = HEADER + 5  # of every square, stride by stride
LARGE_STRIDE = 12
OWNERS = HEIGHTS + LARGE_STRIDE * LARGE_STRIDE  # beyond size 8: NOBODY, or 1 + side
NOBODY = 0
SMALL_STATE = HEIGHTS + 64
LARGE_STATE = OWNERS + LARGE_STRIDE * LARGE_STRIDE

# Constants.
SIZE, NOGAPS, EXACT, SWAP, MAX_PLIES = range(5)
EVERY, EDGE, BOTTOM, TOP, LEFT, RIGHT, EASTWARD = range(5, 12)  # sets of squares, size <= 8
SIDE_KEY, SEAT_KEY, PASS_KEY, PLY_KEY = range(12, 16)
HEIGHT_KEYS = 16  # by square
OWNER_KEYS = HEIGHT_KEYS + LARGE_STRIDE * LARGE_STRIDE  # by square, for those of H
KEYS_END = OWNER_KEYS + LARGE_STRIDE * LARGE_STRIDE
# Resistances in thousandths, tables by moves 0 .. 9: of an own square that the enemy could
# take with so many; of a bare square that an own lintel could cross with so many, and what
# an enemy lintel adds; of an enemy square to be taken with so many. Where a table is
# double, the first half holds when the side moves next.
OWNED = KEYS_END
BARE = OWNED + 20
RISK = BARE + 10
ENEMY = RISK + 20
TEMPO = ENEMY + 20  # points for the side to move
CONSTANTS = TEMPO + 1

# A move is KIND | square; of a lintel, its west or south end.
SARSEN, EAST_LINTEL, NORTH_LINTEL, SWAP_SIDES, PASS_TURN = 0, 1 << 8, 2 << 8, 3 << 8, 4 << 8
SQUARE = 255

# How near the last ply must be for a key to tell apart what differs in plies only.
_NEAR = 100


@compiled(int64(INTEGERS, INTEGERS), inline="always")
def turn_key(constants, state):  # type: ignore[no-untyped-def]
    """Return the part of the key that changes with every move.

    The whole key is a sum of odd random numbers, each times what it stands for: with
    heights without limit no table could hold one number for each.
    """
    seat = state[SEAT]
    key = seat * constants[SEAT_KEY] + (seat ^ state[SWAPPED]) * constants[SIDE_KEY]
    key += state[PASSES] * constants[PASS_KEY]
    if state[PLIES_LEFT] < _NEAR:
        key += (state[PLIES_LEFT] + 1) * constants[PLY_KEY]
    return key


@compiled("void(int64[::1], int64[::1])", inline="always")
def turn(constants, state):  # type: ignore[no-untyped-def]
    """Pass the turn to the other seat."""
    state[SEAT] ^= 1
    state[PLY] += 1
    state[PLIES_LEFT] -= 1
    state[KEY] += turn_key(constants, state)


ONE = np.uint64(1)
EIGHT = np.uint64(8)
_EVERY_BYTE = np.uint64(0x0101010101010101)
_TOP_OF_BYTE = np.uint64(0x8080808080808080)
_PAIRS = np.uint64(0x5555555555555555)
_QUADS = np.uint64(0x3333333333333333)
_NIBBLES = np.uint64(0x0F0F0F0F0F0F0F0F)


@intrinsic
def _population(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.ctpop(values[0])

    return types.uint64(types.uint64), generate


@intrinsic
def _zeros_below(typing: Any, word: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        return builder.cttz(values[0], ir.Constant(ir.IntType(1), 1))

    return types.uint64(types.uint64), generate


@intrinsic
def _deposit(typing: Any, word: Any, mask: Any) -> Any:
    def generate(context: Any, builder: Any, signature: Any, values: Any) -> Any:
        word = ir.IntType(64)
        kind = ir.FunctionType(word, [word, word])
        pdep = builder.module.declare_intrinsic("llvm.x86.bmi.pdep.64", (), kind)
        return builder.call(pdep, values)

    return types.uint64(types.uint64, types.uint64), generate


@compiled(int64(uint64), inline="always")
def size_of(squares):  # type: ignore[no-untyped-def]
    """Count the squares of a set."""
    return np.int64(_population(squares))


@compiled(int64(uint64), inline="always")
def lowest(squares):  # type: ignore[no-untyped-def]
    """Return the lowest square of a set that is not empty."""
    return np.int64(_zeros_below(squares))


@compiled(int64(uint64, int64))
def nth_by_bytes(squares, place):  # type: ignore[no-untyped-def]
    """Return the square at a place (from 0) of a set; for any processor."""
    sums = squares - ((squares >> ONE) & _PAIRS)
    sums = (sums & _QUADS) + ((sums >> np.uint64(2)) & _QUADS)
    # Each byte counts the squares in itself and in all bytes below it.
    sums = ((sums + (sums >> np.uint64(4))) & _NIBBLES) * _EVERY_BYTE
    threshold = np.uint64(place + 1) * _EVERY_BYTE
    reached = ((sums | _TOP_OF_BYTE) - threshold) & _TOP_OF_BYTE
    shift = np.uint64(_zeros_below(reached)) & ~np.uint64(7)
    below = np.int64(((sums << EIGHT) >> shift) & np.uint64(255))
    byte = squares >> shift
    for _ in range(place - below):
        byte &= byte - ONE
    return np.int64(shift + _zeros_below(byte))


@compiled(int64(uint64, int64), inline="always")
def _nth_by_deposit(squares, place):  # type: ignore[no-untyped-def]
    return np.int64(_zeros_below(_deposit(ONE << np.uint64(place), squares)))


# One instruction where the processor has it: depositing a single bit below a mask.
nth = _nth_by_deposit if binding.get_host_cpu_features().get("bmi2") else nth_by_bytes
