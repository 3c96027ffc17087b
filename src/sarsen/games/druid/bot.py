"""Druid at eight levels: alpha-beta over the circuits of both sides.

Circuits tell well who is ahead, and alpha-beta sees the lintels that they overlook;
random games to the end, which other connection games are played by, tell less here.
A swap is a move like any other: the search sees what it is worth.
"""

from __future__ import annotations

from dataclasses import replace

from sarsen.core.game import AnyPosition
from sarsen.games.druid import kernel
from sarsen.games.druid.rules import DruidPosition
from sarsen.search import levels, thinking
from sarsen.search.levels import LevelSettings
from sarsen.search.thinking import Tuning
from sarsen.search.thought import Budget, Stop, Thought

# Compiled together with what is imported here; see `warming.game_parts`.
SEARCHES = ("tactics", "alphabeta")

# A search of fewer positions would not see every move even once on a large site: what makes
# the lowest levels weak is how they choose. The numbers are measured, on 8 x 8.
LEVELS = (
    LevelSettings(300, temperature=0.125, choice=10, sees_wins=False, sees_threats=False),
    LevelSettings(300, temperature=0.095, choice=7, sees_threats=False),
    LevelSettings(300, temperature=0.075, choice=5),
    LevelSettings(1_200, temperature=0.022, choice=4),
    LevelSettings(3_000, temperature=0.012, choice=3),
    LevelSettings(10_000, temperature=0.003, choice=3),
    LevelSettings(25_000),
    LevelSettings(400_000, seconds=4.0),
)
EVEN_POINTS = 700
# Plies in which near-equal moves are drawn, so that openings vary.
_OPENING = 4


def think(
    position: AnyPosition,
    level: int,
    *,
    seed: int,
    budget: Budget | None = None,
    stop: Stop | None = None,
) -> Thought:
    """Find a move; see `BotModule.think`."""
    assert isinstance(position, DruidPosition)
    own = LEVELS[level - 1]
    is_opening = position.ply < _OPENING
    tuning = tuning_of(own, is_opening)

    def search(budget: Budget) -> Thought:
        return thinking.alphabeta(kernel, position, budget, seed, stop, tuning)

    return levels.play(
        kernel, position, own, search, seed=seed, budget=budget, is_opening=is_opening
    )


def tuning_of(level: LevelSettings, is_opening: bool) -> Tuning:
    """Return the tuning: a level that draws among moves needs the scores of more than one."""
    near = max(level.temperature * 4, levels.NEAR * is_opening)
    tuning = Tuning(even_points=EVEN_POINTS, margin=int(near * 4 * EVEN_POINTS))
    # A level that takes the best move reduces bad-looking moves: 54 % of 88 games. Levels
    # that draw need sound scores of such moves, too.
    return replace(tuning, late=4, very_late=16) if level.temperature == 0 else tuning
