"""What a position of Druid is worth, and which moves look best: read off both circuits."""

from __future__ import annotations

import math

import numpy as np
from numba import boolean, float64, int64, void
from numba.types import Tuple

from sarsen.games.druid.kernel import large, small
from sarsen.games.druid.kernel.circuit import (
    FLOATS,
    FRONTS,
    NO_BEARING,
    conductance_ratio,
    lintel_cost,
    list_bearings,
    list_currents,
    list_lintel_costs,
    list_resistances,
    points_of,
    solve_circuit,
    unpack_state,
)
from sarsen.games.druid.kernel.layout import (
    EAST_LINTEL,
    LARGE_STRIDE,
    NORTH_LINTEL,
    SIZE,
    SQUARE,
    SWAP_SIDES,
    SWAPPED,
    TEMPO,
)
from sarsen.search.compiling import compiled
from sarsen.search.contract import (
    EVALUATE_SIGNATURE,
    INTEGERS,
    ONGOING,
    ORDER_SIGNATURE,
    PROVE_SIGNATURE,
    PROVED_WIN,
    RESULT,
    SEAT,
    UNKNOWN,
)


@compiled(boolean(INTEGERS, INTEGERS, int64))
def _threatens(constants, state, side):  # type: ignore[no-untyped-def]
    if constants[SIZE] <= 8:
        return small.threatens(constants, state, side)
    return large.threatens(constants, state, side)


@compiled(PROVE_SIGNATURE)
def prove(constants, state):  # type: ignore[no-untyped-def]
    """See whether the side to move joins its edges at once."""
    side = state[SEAT] ^ state[SWAPPED]
    return PROVED_WIN if _threatens(constants, state, side) else UNKNOWN


@compiled(EVALUATE_SIGNATURE, counts_references=True)
def evaluate(constants, state):  # type: ignore[no-untyped-def]
    """Return a thousand times the logarithm of how much better the mover's circuit conducts."""
    size = constants[SIZE]
    count = size * size
    room, floats = np.empty(6 * count, np.int64), np.empty(2 * count + FRONTS, np.float64)
    owners, heights, bearings = room[:count], room[count : 2 * count], room[2 * count :]
    unpack_state(constants, state, owners, heights)
    costs = room[4 * count :]
    for side in range(2):
        own = slice(side * count, (side + 1) * count)
        list_bearings(owners, heights, side, bearings[own])
        list_lintel_costs(constants, heights, bearings[own], costs[own])
    mover = state[SEAT] ^ state[SWAPPED]
    for side in range(2):
        own, other = side * count, (1 - side) * count
        gaining, losing = costs[own : own + count], costs[other : other + count]
        shift = 0 if side == mover else 10
        list_resistances(constants, owners, gaining, losing, side, shift, floats[own : own + count])
    ratio = conductance_ratio(size, floats[: 2 * count], floats[2 * count :])
    points = np.int64(1000 * math.log(ratio if mover == 0 else 1 / ratio))
    return points + constants[TEMPO]


_WORK = Tuple((INTEGERS, FLOATS, FLOATS))


@compiled(void(INTEGERS, int64, int64, int64, int64))
def _lay(room, squares, square, owner, height):  # type: ignore[no-untyped-def]
    room[square] = owner
    room[squares + square] = height
    room[2 * squares + square] = height if owner != 2 else NO_BEARING
    room[3 * squares + square] = height if owner != 1 else NO_BEARING


@compiled(float64(INTEGERS, int64, int64, int64, _WORK))
def _change(constants, mover, row, column, work):  # type: ignore[no-untyped-def]
    """Return what the change of one square is worth to the side that moved."""
    room, powers, resistances = work
    size = constants[SIZE]
    squares = size * size
    square = row * size + column
    heights = room[squares : 2 * squares]
    first = lintel_cost(constants, heights, room[2 * squares : 3 * squares], row, column, square)
    second = lintel_cost(constants, heights, room[3 * squares :], row, column, square)
    worth = 0.0
    for side in range(2):
        gaining, losing = (first, second) if side == 0 else (second, first)
        shift = 10 if side == mover else 0
        points = points_of(constants, room[square], gaining, losing, side, shift)
        change = points / 1000 - resistances[side * squares + square]
        if change > 0:
            # The more a square resists, the more the current goes around it.
            change /= 1 + change / 2
        power = powers[side * squares + square]
        worth += -power * change if side == mover else power * change
    return worth


@compiled(float64(INTEGERS, int64, int64, _WORK))
def _worth(constants, mover, move, work):  # type: ignore[no-untyped-def]
    """Lay a piece on the survey, sum up what it changes around it, and take it back."""
    size = constants[SIZE]
    stride = 8 if size <= 8 else LARGE_STRIDE
    row, column = (move & SQUARE) // stride, (move & SQUARE) % stride
    first = row * size + column
    wide = 3 if move & EAST_LINTEL else 1
    tall = 3 if move & NORTH_LINTEL else 1
    step = size if tall == 3 else 1
    room = work[0]
    squares = size * size
    heights, saved = room[squares : 2 * squares], room[4 * squares :]
    height = heights[first] + 1
    for place in range(wide * tall):
        square = first + place * step
        saved[2 * place], saved[2 * place + 1] = room[square], heights[square]
        _lay(room, squares, square, 1 + mover, height)
    worth = 0.0
    for y in range(max(row - 1, 0), min(row + tall + 1, size)):
        # What stands corner to corner with a piece is not changed by it.
        reach = int(row <= y < row + tall)
        for x in range(max(column - reach, 0), min(column + wide + reach, size)):
            worth += _change(constants, mover, y, x, work)
    for place in range(wide * tall):
        _lay(room, squares, first + place * step, saved[2 * place], saved[2 * place + 1])
    return worth


@compiled(void(INTEGERS, INTEGERS, int64, INTEGERS, INTEGERS, int64), counts_references=True)
def _score(constants, state, mover, moves, scores, count):  # type: ignore[no-untyped-def]
    """Score moves by the power that the squares they change draw from both circuits.

    As if the enemy moved next: a move that mends what the enemy would break is worth it.
    """
    size = constants[SIZE]
    squares = size * size
    room, floats = np.empty(6 * squares, np.int64), np.empty(squares * (size + 6), np.float64)
    owners, heights, bearings = room[:squares], room[squares : 2 * squares], room[2 * squares :]
    unpack_state(constants, state, owners, heights)
    costs = room[4 * squares :]
    for side in range(2):
        own = slice(side * squares, (side + 1) * squares)
        list_bearings(owners, heights, side, bearings[own])
        list_lintel_costs(constants, heights, bearings[own], costs[own])
    powers, resistances = floats[: 2 * squares], floats[2 * squares : 4 * squares]
    volts, band = floats[4 * squares : 5 * squares], floats[5 * squares :]
    for side in range(2):
        gaining = costs[side * squares : (side + 1) * squares]
        losing = costs[(1 - side) * squares : (2 - side) * squares]
        shift = 10 if side == mover else 0
        own = slice(side * squares, (side + 1) * squares)
        list_resistances(constants, owners, gaining, losing, side, shift, resistances[own])
        total = solve_circuit(size, resistances[own], side, band, volts)
        list_currents(size, resistances[own], side, volts, powers[own])
        for square in range(side * squares, (side + 1) * squares):
            powers[square] *= powers[square] / total
    work = (room, powers, resistances)
    for place in range(count):
        if moves[place] == SWAP_SIDES:
            scores[place] = 0
        else:
            scores[place] = np.int64(1000 * _worth(constants, mover, moves[place], work))


@compiled(int64(INTEGERS, INTEGERS, int64, INTEGERS, int64), counts_references=True)
def _drop_losing(constants, state, side, moves, count):  # type: ignore[no-untyped-def]
    kept_count = 0
    after = np.empty_like(state)
    for place in range(count):
        after[:] = state
        if constants[SIZE] <= 8:
            small.play(constants, after, moves[place])
        else:
            large.play(constants, after, moves[place])
        if after[RESULT] != ONGOING or not _threatens(
            constants, after, after[SEAT] ^ after[SWAPPED]
        ):
            moves[kept_count] = moves[place]
            kept_count += 1
    return kept_count


@compiled(ORDER_SIGNATURE)
def order(constants, state, moves, scores, count):  # type: ignore[no-untyped-def]
    """Score moves by what they change in both circuits; drop those that lose at once."""
    side = state[SEAT] ^ state[SWAPPED]
    if _threatens(constants, state, 1 - side):
        count = _drop_losing(constants, state, side, moves, count)
    if count > 1:
        _score(constants, state, side, moves, scores, count)
    return count
