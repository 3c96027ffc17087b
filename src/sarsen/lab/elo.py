"""Elo of a match, when it has been played long enough, and Elo of many players.

Many are fitted by Bradley and Terry's model: the chance that one beats another is `score_of`
their difference; a draw counts as half a win and half a loss. The likeliest ratings are found by
Newton's method; their errors are read from the curvature there. The first player's rating is 0,
the others stand above it.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy as np
    import numpy.typing as npt

    Matrix = npt.NDArray[np.float64]

POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)  # score of a pair with each of the five results
# Twice the drop of the log-likelihood at the ends of a 95 % interval (chi square, 1 degree).
DROP = 3.841458820694124
# What a result never seen counts as: without it, it could never happen. Stockfish's choice.
UNSEEN = 1e-3
BISECTIONS = 50
NATURAL = 400 / math.log(10)  # Elo of one unit in natural logarithms
STEPS = 200  # a bound, should the steps never become small
# Each pairing gets one drawn game more than it played: without it, who never lost would
# be infinitely strong. It costs a rung of 200 Elo over 100 games less than 1 Elo.
PRIOR = 1.0
Z = 1.959963984540054  # standard errors of a 95 % interval


@dataclass(frozen=True)
class Elo:
    """The difference in strength of A over B, with the ends of the 95 % interval.

    Infinite where every game of the match went one way.
    """

    elo: float
    low: float
    high: float

    @property
    def text(self) -> str:
        """Write it for a table: `+85 (+20 to +160)`."""
        return f"{signed(self.elo)} ({signed(self.low)} to {signed(self.high)})"


@dataclass(frozen=True)
class Sprt:
    """Test whether A is `elo1` stronger against being only `elo0` stronger.

    Attributes:
        alpha: Chance to accept elo1 where elo0 is the truth.
        beta: Chance to accept elo0 where elo1 is the truth.
    """

    elo0: float
    elo1: float
    alpha: float = 0.05
    beta: float = 0.05

    @property
    def bounds(self) -> tuple[float, float]:
        """Return the log-likelihood ratios at which elo0 and elo1 are accepted (Wald)."""
        return math.log(self.beta / (1 - self.alpha)), math.log((1 - self.beta) / self.alpha)

    def ratio(self, pairs: Sequence[int]) -> float:
        """Return the logarithm of the likelihood of elo1 divided by that of elo0."""
        if not sum(pairs):
            return 0.0
        return _log_likelihood(pairs, score_of(self.elo1)) - _log_likelihood(
            pairs, score_of(self.elo0)
        )

    def accepts(self, pairs: Sequence[int]) -> float | None:
        """Return the Elo that is accepted, or None while the match must go on."""
        low, high = self.bounds
        ratio = self.ratio(pairs)
        if ratio >= high:
            return self.elo1
        return self.elo0 if ratio <= low else None


def score_of(elo: float) -> float:
    """Return the expected score of a player who is so much stronger."""
    return 1 / (1 + 10 ** (-elo / 400))


def elo_of(score: float) -> float:
    """Return the difference in Elo that an expected score means. The pair of `score_of`."""
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def signed(elo: float) -> str:
    """Write Elo as whole points with a sign; infinite as `+∞`."""
    if math.isinf(elo):
        return "+∞" if elo > 0 else "-∞"
    return f"{round(elo):+d}"


def mean_score(pairs: Sequence[int]) -> float:
    """Return A's score, in [0, 1]; a half when nothing was played."""
    return _mean(pairs) if sum(pairs) else 0.5


def estimate(pairs: Sequence[int]) -> Elo:
    """Estimate A's Elo above B from the counts of pairs.

    The interval holds every score whose likelihood is not too far below the best one's.
    It stays within what is possible also when nearly all games went one way.
    """
    if not sum(pairs):
        return Elo(0.0, -math.inf, math.inf)
    score = mean_score(pairs)
    best = _log_likelihood(pairs, _mean(_weights(pairs)))
    low = 0.0 if score == 0 else _bound_of_interval(pairs, best, score, 0.0)
    high = 1.0 if score == 1 else _bound_of_interval(pairs, best, score, 1.0)
    return Elo(elo_of(score), elo_of(low), elo_of(high))


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

    def above(self, player: int, other: int) -> Rated:
        """Return how much stronger one is than the other."""
        spread = self.covariance
        variance = spread[player, player] + spread[other, other] - 2 * spread[player, other]
        difference = self.ratings[player] - self.ratings[other]
        return Rated(difference, Z * math.sqrt(max(0.0, float(variance))))


def fit(players: int, results: Mapping[tuple[int, int], Sequence[int]]) -> EloFit:
    """Fit the ratings of so many players.

    Args:
        players: Counted from 0; each is joined to the first through some pairings.
        results: Wins, draws and losses of the first of two against the second.
    """
    import numpy as np

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
    elo = tuple(float(NATURAL * rating) for rating in ratings)
    return EloFit(elo, NATURAL**2 * covariance)


def _bound_of_interval(pairs: Sequence[int], best: float, inside: float, outside: float) -> float:
    """Find the score between two where twice the log-likelihood has dropped by `DROP`."""
    for _ in range(BISECTIONS):
        middle = (inside + outside) / 2
        if 2 * (best - _log_likelihood(pairs, middle)) < DROP:
            inside = middle
        else:
            outside = middle
    return inside


def _weights(pairs: Sequence[int]) -> list[float]:
    return [number or UNSEEN for number in pairs]


def _mean(weights: Sequence[float]) -> float:
    return sum(w * point for w, point in zip(weights, POINTS, strict=True)) / sum(weights)


def _log_likelihood(pairs: Sequence[int], score: float) -> float:
    """Return the log-likelihood of the likeliest probabilities whose mean is a score.

    With a multiplier for the mean, these are w / (N (1 + x (point - score))), where x
    makes the mean right.
    """
    if not 0 < score < 1:
        return -math.inf
    weights = _weights(pairs)
    total = sum(weights)
    x = _multiplier(weights, score)
    return sum(
        weight * math.log(weight / (total * (1 + x * (point - score))))
        for weight, point in zip(weights, POINTS, strict=True)
    )


def _multiplier(weights: Sequence[float], score: float) -> float:
    """Solve sum w (point - score) / (1 + x (point - score)) = 0 for x."""
    # Every probability stays positive between these two, and the sum falls all the way.
    low, high = -1 / (1 - score), 1 / score
    for _ in range(BISECTIONS):
        x = (low + high) / 2
        total = 0.0
        for weight, point in zip(weights, POINTS, strict=True):
            away = point - score
            total += weight * away / max(1 + x * away, 1e-300)
        if total > 0:
            low = x
        else:
            high = x
    return (low + high) / 2


def _slope(
    ratings: Matrix, results: Mapping[tuple[int, int], Sequence[int]]
) -> tuple[Matrix, Matrix]:
    """Return the slope of the log-likelihood, and its curvature turned positive."""
    import numpy as np

    slope = np.zeros(ratings.size)
    curvature = np.zeros((ratings.size, ratings.size))
    for (player, opponent), (wins, draws, losses) in results.items():
        games = wins + draws + losses + PRIOR
        points = wins + (draws + PRIOR) / 2
        expected = 1 / (1 + math.exp(ratings[opponent] - ratings[player]))
        slope[player] += points - games * expected
        slope[opponent] -= points - games * expected
        weight = games * expected * (1 - expected)
        curvature[player, player] += weight
        curvature[opponent, opponent] += weight
        curvature[player, opponent] -= weight
        curvature[opponent, player] -= weight
    return slope, curvature
