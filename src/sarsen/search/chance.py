"""Chance for kernels and searches: one word of state, the same stream from the same seed.

Wang Yi's wyrand: a Weyl sequence and one folded product. The generators of NumPy are
slower here and belong to a thread, not to a search.
"""

from __future__ import annotations

import numpy as np
from numba import uint64

from sarsen.search.compiling import compiled
from sarsen.search.contract import INTEGERS, Array

_STEP = np.uint64(0xA0761D6478BD642F)
_MIX = np.uint64(0xE7037ED1A0B428DB)
_LOW = np.uint64(0xFFFFFFFF)
_HALF = np.uint64(32)


def seeded(seed: int) -> Array:
    """Return the chance of a seed: an array of one word, changed by every draw."""
    mixed = (seed * 0x9E3779B97F4A7C15 + 0xD1B54A32D192ED03) & (2**64 - 1)
    return np.array([mixed], np.uint64).view(np.int64)


@compiled(uint64(INTEGERS), inline="always")
def word(chance):  # type: ignore[no-untyped-def]
    """Draw 64 bits."""
    step = np.uint64(chance[0]) + _STEP
    chance[0] = np.int64(step)
    other = step ^ _MIX
    # The upper half of a 128-bit product, from four of 64 bits.
    low, high = step & _LOW, step >> _HALF
    other_low, other_high = other & _LOW, other >> _HALF
    middle = high * other_low + ((low * other_low) >> _HALF)
    carried = low * other_high + (middle & _LOW)
    upper = high * other_high + (middle >> _HALF) + (carried >> _HALF)
    return upper ^ (step * other)


@compiled("int64(int64[::1], int64)", inline="always")
def draw(chance, bound):  # type: ignore[no-untyped-def]
    """Draw one of 0 .. bound - 1; the bound is positive and below 2**32."""
    return np.int64(((word(chance) >> _HALF) * np.uint64(bound)) >> _HALF)
