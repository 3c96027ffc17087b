"""How well both circuits conduct from edge to edge, when the volts between do not matter.

A circuit is put together line by line. What stands already is seen from its front only,
the squares of the latest line: a matrix says what flows into each at given volts. A
resistor put before a square changes it by the product of a row with itself, so there is
no system of equations to solve (Derrida and Vannimenus found this for strips, 1982).
"""

from __future__ import annotations

import numpy as np
from numba import float64, int64, uint64, void

from sarsen.search.compiling import compiled
from sarsen.search.kernels.druid.circuit import FLOATS

# A matrix is as wide as several squares that a processor counts at once, with one more
# row to copy another to. Lanes beyond the size stay 0.
_FEW, _MANY = 8, 12
FRONTS = 2 * _MANY * (_MANY + 1)
_ONE = np.uint64(1)


@compiled(void(uint64, uint64, uint64, float64, FLOATS), forceinline=True)
def _lengthen(lanes, size, spot, flow, front):  # type: ignore[no-untyped-def]
    """Put a resistor before one square of the front; its other end takes the square's place."""
    row, kept = spot * lanes, lanes * lanes
    inverse = 1.0 / (front[row + spot] + flow)
    for lane in range(lanes):
        front[kept + lane] = front[row + lane]
    for line in range(size):
        factor = front[kept + line] * inverse
        for lane in range(lanes):
            front[line * lanes + lane] -= factor * front[kept + lane]


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
            one, two = line * size + spot, line + spot * size
            way, other_way = first[one], second[two]
            if line + _ONE < size:
                way += first[one + size]
                other_way += second[two + _ONE]
            _lengthen(lanes, size, spot, 2.0 / way, front)
            _lengthen(lanes, size, spot, 2.0 / other_way, other)
    total = other_total = 0.0
    for place in range(lanes * lanes):
        total += front[place]
        other_total += other[place]
    return total / other_total


@compiled(float64(int64, FLOATS, FLOATS))
def conduct_better(size, resistances, fronts):  # type: ignore[no-untyped-def]
    """Give how many times better V's circuit conducts than H's.

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
