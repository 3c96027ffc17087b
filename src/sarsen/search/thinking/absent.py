"""What stands in where a kernel has no function of its own."""

from __future__ import annotations

from sarsen.search.compiling import compiled
from sarsen.search.contract import (
    DRAWN,
    EVALUATE_SIGNATURE,
    ORDER_SIGNATURE,
    PROVE_SIGNATURE,
    ROLLOUT_SIGNATURE,
    UNKNOWN,
)


@compiled(EVALUATE_SIGNATURE)
def evaluate(constants, state):  # type: ignore[no-untyped-def]
    """Find both seats equal."""
    return 0


@compiled(ORDER_SIGNATURE)
def order(constants, state, moves, scores, count):  # type: ignore[no-untyped-def]
    """Keep all moves, and find none better."""
    scores[:count] = 0
    return count


@compiled(PROVE_SIGNATURE)
def prove(constants, state):  # type: ignore[no-untyped-def]
    """Know nothing."""
    return UNKNOWN


@compiled(ROLLOUT_SIGNATURE)
def rollout(constants, state, chance):  # type: ignore[no-untyped-def]
    """Find both seats equal; searches play out by `legal` and `play` instead."""
    return DRAWN
