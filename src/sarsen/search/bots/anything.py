"""How a game without a module of its own is played."""

from __future__ import annotations

import random

from sarsen.core.game import AnyPosition
from sarsen.search.thought import Budget, Stop, Thought


def think(
    position: AnyPosition,
    level: int,
    *,
    seed: int,
    budget: Budget | None = None,
    stop: Stop | None = None,
) -> Thought:
    """Find a move; see `BotModule.think`."""
    move = random.Random(seed).choice(position.legal_moves())
    return Thought(move, 0.5, line=(move,))
