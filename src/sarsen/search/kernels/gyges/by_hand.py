"""The hand-written evaluation: what each player's rings can get at and the other's cannot.

It plays where the net cannot be loaded, and it taught the net its first games.
"""

from __future__ import annotations

import numpy as np
from numba import int64, uint64

from sarsen.search.compiling import compiled
from sarsen.search.contract import INTEGERS
from sarsen.search.kernels.gyges.reach import count, gathered, shore

# A single that only one player gets at is worth most: it goes wherever it must.
SINGLE, DOUBLE, TRIPLE, SLOT = 1500, 300, 150, 30

_ONE = np.uint64(1)


@compiled(uint64(INTEGERS, uint64, uint64, uint64))
def grasp(constants, low, high, seat):  # type: ignore[no-untyped-def]
    """Give the places that a player's rings get at, roughly.

    Connections serve again and again, and no slot is empty because its ring moves.
    """
    taken = low | high
    return gathered(constants, taken, taken, low, high, shore(taken, seat))


@compiled(int64(uint64, uint64, uint64), inline="always")
def worth(low, high, places):  # type: ignore[no-untyped-def]
    """Add up what rings and empty slots are worth to the player who alone gets at them."""
    points = SINGLE * count(places & low & ~high) + DOUBLE * count(places & high & ~low)
    points += TRIPLE * count(places & low & high) + SLOT * count(places & ~(low | high))
    return np.int64(points)


@compiled(int64(INTEGERS, uint64, uint64, uint64))
def judge_by_hand(constants, low, high, seat):  # type: ignore[no-untyped-def]
    """Give points for a seat to move that cannot win at once."""
    own = grasp(constants, low, high, seat)
    other = grasp(constants, low, high, _ONE - seat)
    return worth(low, high, own & ~other) - worth(low, high, other & ~own)
