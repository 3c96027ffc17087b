"""Reviews of finished games, made by a process that thinks; the others never import Numba."""

from __future__ import annotations

from django.utils import timezone

from sarsen.core.game import AnyPosition
from sarsen.search import bots
from sarsen.search.thought import Budget, Stop, Thought
from sarsen.services.reviews import working


def review_next(stop: Stop) -> bool:
    """Do one bounded step of a review; False when none waits.

    Args:
        stop: Set by another thread when something more urgent waits; the step is then
            given back as it was.
    """
    return working.work_step(_think, stop, timezone.now())


def _think(game: str, position: AnyPosition, seed: int, budget: Budget, stop: Stop) -> Thought:
    return bots.load(game, bots.MOST).think(position, seed=seed, budget=budget, stop=stop)
