"""Nim at eight levels: alpha-beta over a compiled kernel, which sees to the end."""

from __future__ import annotations

from typing import Any

from sarsen.search import levels, thinking
from sarsen.search.levels import LevelSettings
from sarsen.search.thought import Budget, Stop, Thought
from sarsen_nim import kernel

SEARCHES = ("tactics", "alphabeta")
LEVELS = tuple(LevelSettings(10**level, temperature=0.1) for level in range(1, 8))
LEVELS = (*LEVELS, LevelSettings(10**7))


def think(
    position: Any, level: int, *, seed: int, budget: Budget | None = None, stop: Stop | None = None
) -> Thought:
    def search(budget: Budget) -> Thought:
        return thinking.alphabeta(kernel, position, budget, seed, stop)

    own = LEVELS[level - 1]
    return levels.play(kernel, position, own, search, seed=seed, budget=budget)
