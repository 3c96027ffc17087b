"""Fit Elo to the results of many players against each other (Bradley and Terry's model).

The chance that one beats another is `score_of` their difference; a draw counts as half a
win and half a loss. The likeliest ratings are found by Newton's method; their errors are
read from the curvature there. The first player's rating is 0, the others stand above it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

NATURAL = 400 / math.log(10)  # Elo of one unit in natural logarithms
STEPS = 200
# Each pairing gets one drawn game more than it played: without it, who never lost would
# be infinitely strong. It costs a rung of 200 Elo over 100 games less than 1 Elo.
PRIOR = 1.0
Z = 1.959963984540054  # standard errors of a 95 % interval

Matrix = npt.NDArray[np.float64]


@dataclass(frozen=True)
class Rated:
    """A strength: Elo above the first, and the half-width of the 95 % interval."""

    elo: float
    error: float


@dataclass(frozen=True)
class EloFit:
    """Fitted ratings.

    Attributes:
        ratings: One a player, the first 0.
        covariance: Of all of them, in Elo squared; the first's row is 0.
    """

    ratings: tuple[float, ...]
    covariance: Matrix

    def above(self, one: int, other: int) -> Rated:
        """Return how much stronger one is than the other."""
        spread = self.covariance
        variance = spread[one, one] + spread[other, other] - 2 * spread[one, other]
        difference = self.ratings[one] - self.ratings[other]
        return Rated(difference, Z * math.sqrt(max(0.0, float(variance))))


def fit(players: int, results: Mapping[tuple[int, int], Sequence[int]]) -> EloFit:
    """Fit the ratings of so many players.

    Args:
        players: Counted from 0; each is joined to the first through some pairings.
        results: Wins, draws and losses of the first of two against the second.
    """
    ratings = np.zeros(players)
    for _ in range(STEPS):
        slope, curvature = _slope(ratings, results)
        step = np.zeros(players)
        step[1:] = np.linalg.solve(curvature[1:, 1:], slope[1:])
        # A long step would overshoot where nearly every game went one way.
        ratings = ratings + np.clip(step, -1.0, 1.0)
        if float(np.abs(step).max()) < 1e-10:
            break
    covariance = np.zeros((players, players))
    covariance[1:, 1:] = np.linalg.inv(_slope(ratings, results)[1][1:, 1:])
    elo = tuple(float(NATURAL * one) for one in ratings)
    return EloFit(elo, NATURAL**2 * covariance)


def _slope(
    ratings: Matrix, results: Mapping[tuple[int, int], Sequence[int]]
) -> tuple[Matrix, Matrix]:
    """Return the slope of the log-likelihood, and its curvature turned positive."""
    slope = np.zeros(ratings.size)
    curvature = np.zeros((ratings.size, ratings.size))
    for (one, other), (wins, draws, losses) in results.items():
        games = wins + draws + losses + PRIOR
        points = wins + (draws + PRIOR) / 2
        expected = 1 / (1 + math.exp(ratings[other] - ratings[one]))
        slope[one] += points - games * expected
        slope[other] -= points - games * expected
        weight = games * expected * (1 - expected)
        curvature[one, one] += weight
        curvature[other, other] += weight
        curvature[one, other] -= weight
        curvature[other, one] -= weight
    return slope, curvature
