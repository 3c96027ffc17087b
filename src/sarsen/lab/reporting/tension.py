"""How exciting games are, by the values of a judge that looks deeper than the players did.

A game is the list of the scores that the judge expects for the first seat, in [0, 1], before
each ply and after the last. The measures follow Browne, "Automatic generation and evaluation
of recombination games" (2008), and Ludii's "Drama", "LeadChange" and "DecisivenessThreshold"
(Piette et al., 2021), with the winner's lead as `2 * score - 1`, in [-1, 1].
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence

EVEN = 0.05  # a lead so small is none
THRESHOLD = 0.8  # a lead so large decides: nine points of ten are expected


def leads(values: Sequence[float], winner: int) -> list[float]:
    """Return the winner's lead at each point of a game."""
    sign = 1.0 if winner == 0 else -1.0
    return [sign * (2.0 * value - 1.0) for value in values]


def drama(values: Sequence[float], winner: int) -> float:
    """Return how far behind the winner was: the mean root of its deficits (Browne, 2008, drama).

    Over the plies at which the winner was behind; 0 when there were none.
    """
    behind = [-lead for lead in leads(values, winner)[:-1] if lead < -EVEN]
    return sum(map(math.sqrt, behind)) / len(behind) if behind else 0.0


def comeback(values: Sequence[float], winner: int) -> float:
    """Return the largest deficit from which the winner came back, in [0, 1]."""
    return max(0.0, *(-lead for lead in leads(values, winner)))


def lead_changes(values: Sequence[float]) -> float:
    """Return how often the side that leads changes, a ply (Browne, 2008, lead change)."""
    leading = [value > 0.5 for value in values if abs(2 * value - 1) > EVEN]
    changes = sum(now_leads != next_leads for now_leads, next_leads in itertools.pairwise(leading))
    return changes / max(1, len(values) - 1)


def decided(values: Sequence[float], winner: int) -> float:
    """Return the part of a game that is left once the winner's lead is decisive for good.

    Browne's decisiveness, with a fixed threshold: a small number is a game decided late.
    """
    course = leads(values, winner)
    last_open = max((at for at, lead in enumerate(course) if lead < THRESHOLD), default=-1)
    return (len(course) - 1 - last_open) / max(1, len(course))


def killer_move(values: Sequence[float], winner: int) -> float:
    """Return the most that one move changed the winner's lead, in [0, 2] (Browne, 2008)."""
    course = leads(values, winner)
    steps = (after - before for before, after in itertools.pairwise(course))
    return max(0.0, *steps) if len(course) > 1 else 0.0


def uncertainty(values: Sequence[float]) -> float:
    """Return how open a game is, on average over its plies: 1 is even, 0 decided.

    Browne's uncertainty in its simplest form: the mean of `1 - |lead|`.
    """
    before = values[:-1] or values
    return sum(1.0 - abs(2 * value - 1) for value in before) / max(1, len(before))
