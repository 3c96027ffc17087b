"""Ratings of puzzles and of their solvers: Glicko-2 as for games, a try being a game.

The solver wins against the puzzle by solving it at the first try. They are apart from ratings of
games, and bounded: one lucky or careless try says little.
"""

from __future__ import annotations

from dataclasses import replace

from sarsen.services.ratings.glicko import NEWCOMER, Strength, rate_game

PUZZLE_DEVIATION = 250.0  # of a puzzle that nobody has tried: bots have, see its level
# Deviations never fall below these, so that ratings follow people who learn, and one another.
LEAST_OF_PUZZLE, LEAST_OF_SOLVER = 60.0, 75.0
MAX_CHANGE = 40.0  # points, by one try
NEW_SOLVER = NEWCOMER


def new_puzzle(rating: int) -> Strength:
    """Return the strength of a puzzle that nobody has tried."""
    return Strength(float(rating), PUZZLE_DEVIATION)


def rate_try(solver: Strength, puzzle: Strength, *, is_solved: bool) -> tuple[Strength, Strength]:
    """Return the strengths of a solver and of a puzzle after a first try."""
    of_solver, of_puzzle = rate_game(solver, puzzle, float(is_solved))
    return (
        _bounded(solver, of_solver, LEAST_OF_SOLVER),
        _bounded(puzzle, of_puzzle, LEAST_OF_PUZZLE),
    )


def _bounded(before: Strength, after: Strength, least: float) -> Strength:
    change = max(-MAX_CHANGE, min(MAX_CHANGE, after.rating - before.rating))
    return replace(after, rating=before.rating + change, deviation=max(least, after.deviation))
