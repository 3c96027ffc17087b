"""Elo of a match, and when it has been played long enough."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

POINTS = (0.0, 0.25, 0.5, 0.75, 1.0)  # score of a pair with each of the five results
# Twice the drop of the log-likelihood at the ends of a 95 % interval (chi square, 1 degree).
DROP = 3.841458820694124
# What a result never seen counts as: without it, it could never happen. Stockfish's choice.
UNSEEN = 1e-3
BISECTIONS = 50


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
    """Return the expected score of who is so much stronger."""
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
    count = sum(pairs)
    if not count:
        return 0.5
    return sum(number * point for number, point in zip(pairs, POINTS, strict=True)) / count


def estimate(pairs: Sequence[int]) -> Elo:
    """Estimate A's Elo above B from the counts of pairs.

    The interval holds every score whose likelihood is not too far below the best one's.
    It stays within what is possible also when nearly all games went one way.
    """
    if not sum(pairs):
        return Elo(0.0, -math.inf, math.inf)
    score = mean_score(pairs)
    best = _log_likelihood(pairs, _mean(_weights(pairs)))
    low = 0.0 if score == 0 else _where_it_drops(pairs, best, score, 0.0)
    high = 1.0 if score == 1 else _where_it_drops(pairs, best, score, 1.0)
    return Elo(elo_of(score), elo_of(low), elo_of(high))


def _where_it_drops(pairs: Sequence[int], best: float, inside: float, outside: float) -> float:
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
