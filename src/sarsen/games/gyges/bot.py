"""Gyges at eight levels: alpha-beta over a small net, which learnt from its own games.

The set-ups are drawn by lot at every level: all ninety are playable, and games differ
from the first move on.
"""

from __future__ import annotations

import random
from dataclasses import replace
from typing import cast

from sarsen.core.game import AnyPosition
from sarsen.games.gyges import kernel
from sarsen.games.gyges.kernel.coding import knows_all
from sarsen.games.gyges.rules import GygesPosition
from sarsen.search import levels, thinking
from sarsen.search.levels import LevelSettings
from sarsen.search.thinking import Tuning
from sarsen.search.thought import Budget, Stop, Thought

# Compiled together with what is imported here; see `warming.game_parts`.
SEARCHES = ("tactics", "alphabeta")

# Measured by matches of each level with the next two. From level 4 on a level looks at two
# and a half times the positions of the one before, which is worth some 160 points.
LEVELS = (
    LevelSettings(2_000, temperature=0.028, sees_wins=False, sees_threats=False),
    LevelSettings(2_000, temperature=0.016, sees_threats=False),
    LevelSettings(3_000, temperature=0.005),
    LevelSettings(7_000),
    LevelSettings(17_000),
    LevelSettings(42_000),
    LevelSettings(110_000),
    LevelSettings(1_000_000, seconds=4.0),
)
EVEN_POINTS = 1100  # the net's points are thousandths of a logit
_QUIET = 2  # arrangements since the set-ups in which near-equal moves are drawn


def think(
    position: AnyPosition,
    level: int,
    *,
    seed: int,
    budget: Budget | None = None,
    stop: Stop | None = None,
) -> Thought:
    """Find a move; see `BotModule.think`."""
    gyges_position = cast(GygesPosition, position)
    if gyges_position.is_setting_up:
        move = random.Random(seed).choice(gyges_position.legal_moves())
        return Thought(move, 0.5, line=(move,))
    own = LEVELS[level - 1]
    is_opening = len(gyges_position.stood) <= _QUIET
    tuning = tuning_of(own, is_opening)

    def search(budget: Budget) -> Thought:
        thought = thinking.alphabeta(kernel, position, budget, seed, stop, tuning)
        return thought if knows_all(gyges_position) else _unproved(thought)

    return levels.play(
        kernel, position, own, search, seed=seed, budget=budget, is_opening=is_opening
    )


def _unproved(thought: Thought) -> Thought:
    """Take back what was proved without knowing all that Ruling G5 forbids."""
    candidates = tuple(replace(candidate, proved=None) for candidate in thought.candidates)
    return replace(thought, proved=None, plies=None, candidates=candidates)


def tuning_of(level: LevelSettings, is_opening: bool) -> Tuning:
    """Return the tuning: a level that draws among moves needs the scores of more than one."""
    near = max(level.temperature * 4, levels.NEAR * is_opening)
    return Tuning(even_points=EVEN_POINTS, margin=int(near * 4 * EVEN_POINTS), late=8, very_late=40)
