"""Gyges for searches: positions as arrays of integers, checked against the rules by tests.

Open `reach` first, which finds the ways of a ring, then `wins`, which asks who wins at once,
and `turns`, which plays moves. A small net judges positions, or fixed weights where its file
is damaged.
"""

from __future__ import annotations

from functools import cache

import numpy as np

from sarsen.core.game import AnyPosition
from sarsen.games.gyges.kernel import net, tables
from sarsen.games.gyges.kernel.coding import code, encode, move
from sarsen.games.gyges.kernel.judging import evaluate, order, prove
from sarsen.games.gyges.kernel.random_games import rollout
from sarsen.games.gyges.kernel.turns import MAX_MOVES, STATE_SIZE, legal, lists, play
from sarsen.search.contract import Array, Kernel, aligned_zeros

__all__ = [
    "code",
    "constants",
    "encode",
    "evaluate",
    "kernel",
    "legal",
    "move",
    "order",
    "play",
    "prove",
    "rollout",
]


def kernel(position: AnyPosition) -> Kernel:
    """Return the kernel; Gyges has no options."""
    return _kernel()


def constants(words: Array) -> Array:
    """Return the constants of a kernel that judges by these words of a net; nothing is noted."""
    found = aligned_zeros(net.NOTES + net.SIZE)
    found[: net.NOTES] = np.concatenate([tables.constants(), words])
    return found


@cache
def _kernel() -> Kernel:
    functions = (legal, play, evaluate, order, prove, rollout)
    # Ruling G5 forbids what stood before, and keys do not tell what did.
    return Kernel(
        constants(net.words()), STATE_SIZE, MAX_MOVES, *functions, is_forgetful=True, lists=lists
    )
