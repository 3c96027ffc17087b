"""How near each side is to joining its edges: both sites as circuits of resistors.

A square resists a side by the moves it still costs: none for an own stone that is safe,
more where the enemy can lay a lintel over it, most where the side itself would need a
lintel that it cannot lay soon. The current from edge to edge counts all ways at once,
and the squares through which it runs are those worth fighting for.
"""

from __future__ import annotations

import numpy as np
from numba import float64, int64, uint64, void

from sarsen.games.druid.kernel.layout import (
    BARE,
    ENEMY,
    HEIGHTS,
    LARGE_STRIDE,
    NOBODY,
    NOGAPS,
    OWN,
    OWNED,
    OWNERS,
    RISK,
    SIZE,
)
from sarsen.search.compiling import compiled
from sarsen.search.contract import INTEGERS

FLOATS = float64[::1]
NO_BEARING = -1000
FAR = 9  # moves; more than any that is worth counting
_ONE = np.uint64(1)


@compiled(void(INTEGERS, INTEGERS, INTEGERS, INTEGERS))
def unpack_state(constants, state, owners, heights):  # type: ignore[no-untyped-def]
    """Copy owners (NOBODY, or 1 + side) and heights, row by row without a stride."""
    size = constants[SIZE]
    is_small = size <= 8
    stride = 8 if is_small else LARGE_STRIDE
    first, second = np.uint64(state[OWN]), np.uint64(state[OWN + 1])
    at = 0
    for row in range(size):
        for column in range(size):
            square = row * stride + column
            heights[at] = state[HEIGHTS + square]
            if is_small:
                bit = np.uint64(square)
                owners[at] = np.int64((first >> bit) & np.uint64(1))
                owners[at] += 2 * np.int64((second >> bit) & np.uint64(1))
            else:
                owners[at] = state[OWNERS + square]
            at += 1


@compiled(int64(int64, int64, int64, int64), forceinline=True)
def _bearing_cost(height, first, second, nogaps):  # type: ignore[no-untyped-def]
    """Count the moves for a lintel over a height between two bearings, the lintel included."""
    bed = max(height, 1, first, second)
    cost = 1 + 2 * bed - first - second
    # Without gaps a bed above the middle is of no use.
    cost += FAR * nogaps * (bed - max(height, 1))
    return min(FAR, cost)


@compiled(void(INTEGERS, INTEGERS, int64, INTEGERS))
def list_bearings(owners, heights, side, bearings):  # type: ignore[no-untyped-def]
    """Return how high a side's lintels could rest: what the enemy stands on bears nothing."""
    for square in range(owners.shape[0]):
        bearings[square] = NO_BEARING if owners[square] == 2 - side else heights[square]


@compiled(void(INTEGERS, INTEGERS, INTEGERS, INTEGERS))
def list_lintel_costs(constants, heights, bearings, costs):  # type: ignore[no-untyped-def]
    """Count for every square the moves by which a side brings a lintel over it.

    A bare square counts as if the enemy stood there, one high. The loops are without
    branches so that they run on several squares at once.
    """
    size, nogaps = constants[SIZE], constants[NOGAPS]
    count = size * size
    costs[0] = costs[count - 1] = FAR
    for square in range(1, count - 1):
        costs[square] = _bearing_cost(
            heights[square], bearings[square - 1], bearings[square + 1], nogaps
        )
    for row in range(size):
        costs[row * size] = costs[row * size + size - 1] = FAR
    for square in range(size, count - size):
        other = _bearing_cost(
            heights[square], bearings[square - size], bearings[square + size], nogaps
        )
        costs[square] = min(costs[square], other)


@compiled(int64(INTEGERS, INTEGERS, INTEGERS, int64, int64, int64))
def lintel_cost(constants, heights, bearings, row, column, square):  # type: ignore[no-untyped-def]
    """Count the same for one square."""
    size, cost = constants[SIZE], FAR
    height, nogaps = heights[square], constants[NOGAPS]
    if 0 < column < size - 1:
        cost = _bearing_cost(height, bearings[square - 1], bearings[square + 1], nogaps)
    if 0 < row < size - 1:
        first, second = bearings[square - size], bearings[square + size]
        cost = min(cost, _bearing_cost(height, first, second, nogaps))
    return cost


@compiled(int64(INTEGERS, int64, int64, int64, int64, int64), forceinline=True)
def points_of(constants, owner, gaining, losing, side, shift):  # type: ignore[no-untyped-def]
    """Return a square's resistance to a side in thousandths.

    Args:
        gaining, losing: The moves by which the side, and its enemy, bring lintels over it.
        shift: 0 when the side moves next, else 10: see `layout.OWNED`.
    """
    if owner == 1 + side:
        return constants[OWNED + shift + losing]
    if owner == NOBODY:
        return constants[BARE + gaining] + constants[RISK + shift + losing]
    return constants[ENEMY + shift + gaining]


@compiled(void(INTEGERS, INTEGERS, INTEGERS, INTEGERS, int64, int64, FLOATS))
def list_resistances(constants, owners, gaining, losing, side, shift, resistances):  # type: ignore[no-untyped-def]
    """Return the resistance of every square to a side; see `points_of`."""
    for square in range(owners.shape[0]):
        points = points_of(constants, owners[square], gaining[square], losing[square], side, shift)
        resistances[square] = points / 1000


@compiled(void(uint64, FLOATS, FLOATS), forceinline=True)
def _eliminate(size, band, volts):  # type: ignore[no-untyped-def]
    """Solve the equations of a band for volts, given what flows in from outside.

    Counting with words without sign spares a check at every access to an array.
    """
    count, width = size * size, size + _ONE
    for place in range(count - size):
        base = place * width
        inverse = 1.0 / band[base]
        for lower in range(_ONE, width):
            factor = band[base + lower] * inverse
            target = base + lower * width
            for upper in range(lower, width):
                band[target + upper - lower] -= factor * band[base + upper]
            volts[place + lower] -= factor * volts[place]
        band[base] = inverse
    for place in range(count - size, count):
        base = place * width
        inverse = 1.0 / band[base]
        for lower in range(_ONE, count - place):
            factor = band[base + lower] * inverse
            target = base + lower * width
            for upper in range(lower, count - place):
                band[target + upper - lower] -= factor * band[base + upper]
            volts[place + lower] -= factor * volts[place]
        band[base] = inverse
    for distance in range(count):
        place = count - _ONE - distance
        base = place * width
        volt = volts[place]
        for upper in range(_ONE, min(size, distance) + _ONE):
            volt -= band[base + upper] * volts[place + upper]
        volts[place] = volt * band[base]


@compiled(void(int64, FLOATS, int64, FLOATS, FLOATS))
def _fill(size, resistances, side, band, inflow):  # type: ignore[no-untyped-def]
    """Write down the equations: neighbours are joined by half of both their resistances."""
    along, across = (np.uint64(size), _ONE) if side == 0 else (_ONE, np.uint64(size))
    last, width = np.uint64(size - 1), np.uint64(size + 1)
    band[:] = 0.0
    inflow[:] = 0.0
    place = np.uint64(0)
    for line in range(np.uint64(size)):
        for spot in range(np.uint64(size)):
            square = line * along + spot * across
            own = resistances[square]
            base = place * width
            if line == 0:
                inflow[place] = 2.0 / own
                band[base] += 2.0 / own
            if line == last:
                band[base] += 2.0 / own
            else:
                flow = 2.0 / (own + resistances[square + along])
                band[base] += flow
                band[base + np.uint64(size)] = -flow
                band[base + np.uint64(size) * width] += flow
            if spot != last:
                flow = 2.0 / (own + resistances[square + across])
                band[base] += flow
                band[base + _ONE] = -flow
                band[base + width] += flow
            place += _ONE


@compiled(float64(int64, FLOATS, int64, FLOATS, FLOATS))
def solve_circuit(size, resistances, side, band, volts):  # type: ignore[no-untyped-def]
    """Return the current from edge to edge at one volt; write the volts of all squares.

    Kirchhoff's equations are solved by elimination within a band as wide as the site.

    Args:
        band: Room for `size` squared times `size` + 1.
    """
    _fill(size, resistances, side, band, volts)
    # With a size known to the compiler its short loops are unrolled.
    if size == 8:
        _eliminate(np.uint64(8), band, volts)
    else:
        _eliminate(np.uint64(size), band, volts)
    across = 1 if side == 0 else size
    total = 0.0
    for spot in range(size):
        total += (1.0 - volts[spot]) * 2.0 / resistances[spot * across]
    return total


@compiled(void(int64, FLOATS, int64, FLOATS, FLOATS))
def list_currents(size, resistances, side, volts, currents):  # type: ignore[no-untyped-def]
    """Turn the volts that `solve_circuit` left into currents through squares."""
    along, across = (size, 1) if side == 0 else (1, size)
    for square in range(size * size):
        currents[square] = 0.0
    for line in range(size):
        for spot in range(size):
            place = line * size + spot
            square = line * along + spot * across
            own = resistances[square]
            if line == 0:
                currents[square] += (1.0 - volts[place]) / own
            if line == size - 1:
                currents[square] += volts[place] / own
            else:
                other = square + along
                flow = abs(volts[place] - volts[place + size]) / (own + resistances[other])
                currents[square] += flow
                currents[other] += flow
            if spot < size - 1:
                other = square + across
                flow = abs(volts[place] - volts[place + 1]) / (own + resistances[other])
                currents[square] += flow
                currents[other] += flow


# A matrix is as wide as several squares that a processor counts at once, with one more
# row to copy another to. Lanes beyond the size stay 0.
_FEW, _MANY = 8, 12
FRONTS = 2 * _MANY * (_MANY + 1)


@compiled(void(uint64, uint64, uint64, float64, FLOATS), forceinline=True)
def _lengthen(lanes, size, spot, flow, front):  # type: ignore[no-untyped-def]
    """Put a resistor before one square of the front; its other end takes the square's place."""
    row, scratch = spot * lanes, lanes * lanes
    inverse = 1.0 / (front[row + spot] + flow)
    for lane in range(lanes):
        front[scratch + lane] = front[row + lane]
    for line in range(size):
        factor = front[scratch + line] * inverse
        for lane in range(lanes):
            front[line * lanes + lane] -= factor * front[scratch + lane]


@compiled(void(uint64, uint64, FLOATS, uint64, uint64, FLOATS), forceinline=True)
def _join(lanes, size, resistances, first, across, front):  # type: ignore[no-untyped-def]
    """Put resistors between the squares of a front, the first of which is given."""
    for spot in range(size - _ONE):
        square = first + spot * across
        flow = 2.0 / (resistances[square] + resistances[square + across])
        corner = spot * (lanes + _ONE)
        front[corner] += flow
        front[corner + _ONE] -= flow
        front[corner + lanes] -= flow
        front[corner + lanes + _ONE] += flow


@compiled(float64(uint64, uint64, FLOATS, FLOATS, FLOATS, FLOATS), forceinline=True)
def _sweep(lanes, size, first, second, front, other):  # type: ignore[no-untyped-def]
    """Add line after line to both circuits; neighbours are joined by half of both resistances.

    They take turns: while one waits for a division, the processor goes on with the other.
    """
    front[: lanes * lanes] = 0.0
    other[: lanes * lanes] = 0.0
    for spot in range(size):
        front[spot * (lanes + _ONE)] = 2.0 / first[spot]
        other[spot * (lanes + _ONE)] = 2.0 / second[spot * size]
    for line in range(size):
        _join(lanes, size, first, line * size, _ONE, front)
        _join(lanes, size, second, line, size, other)
        for spot in range(size):
            at_first, at_second = line * size + spot, line + spot * size
            way, other_way = first[at_first], second[at_second]
            if line + _ONE < size:
                way += first[at_first + size]
                other_way += second[at_second + _ONE]
            _lengthen(lanes, size, spot, 2.0 / way, front)
            _lengthen(lanes, size, spot, 2.0 / other_way, other)
    total = other_total = 0.0
    for place in range(lanes * lanes):
        total += front[place]
        other_total += other[place]
    return total / other_total


@compiled(float64(int64, FLOATS, FLOATS))
def conductance_ratio(size, resistances, fronts):  # type: ignore[no-untyped-def]
    """Return how many times better V's circuit conducts than H's.

    Args:
        resistances: To V of all squares, then to H.
        fronts: Room for FRONTS.
    """
    squares, half = size * size, FRONTS // 2
    first, second = resistances[:squares], resistances[squares:]
    # With the width known to the compiler a row is a few instructions.
    if size <= _FEW:
        lanes = np.uint64(_FEW)
        return _sweep(lanes, np.uint64(size), first, second, fronts[:half], fronts[half:])
    lanes = np.uint64(_MANY)
    return _sweep(lanes, np.uint64(size), first, second, fronts[:half], fronts[half:])
