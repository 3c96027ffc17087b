"""Glicko-2 after Mark E. Glickman, "Example of the Glicko-2 system" (22 March 2022).

The step numbers are the paper's. Each game is rated by itself, as soon as it ends: both
deviations first grow by the time since the last rated game (`strength_after_pause`, step 6 with a
period counted in fractions), then `rate_game` does the other steps for one game. See decision 0011.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from math import exp, hypot, log, pi, sqrt

from sarsen.language.ratings import points

SCALE = 173.7178  # points for one unit of the paper's inner scale
PERIOD = timedelta(days=28)  # one rating period: it only says how fast deviations grow
MAX_DEVIATION = 350.0  # of a player of whom nothing is known, as the paper begins
# The paper: "reasonable choices are between 0.3 and 1.2"; its example has 0.5.
SYSTEM_CONSTANT = 0.5
PROVISIONAL_ABOVE = 110.0  # deviation above which a rating says little
CONVERGED = 1e-6  # of the logarithm of the squared volatility
# Where the server's own programs begin, by level: the levels were measured against each
# other, steps of about 150 points apart. Uncertain enough to be corrected soon.
WEAKEST_PROGRAM, LEVEL_STEP, PROGRAM_DEVIATION = 1000.0, 150.0, 200.0
# Where they were measured on this server: sure enough to be shown, and hardly surer, because
# nothing is known yet of people.
MEASURED_DEVIATION = 100.0


@dataclass(frozen=True)
class Strength:
    """The three numbers of a player; the defaults are those of a newcomer."""

    rating: float = 1500.0
    deviation: float = MAX_DEVIATION
    volatility: float = 0.06

    @property
    def is_provisional(self) -> bool:
        """Whether the rating is too uncertain to say much."""
        return self.deviation > PROVISIONAL_ABOVE

    @property
    def figures(self) -> str:
        """The rating as people read it: `1662`, or `1662?` where it is provisional."""
        return points(self.rating, is_provisional=self.is_provisional)


@dataclass(frozen=True)
class RatedGame:
    """A game of the player's: how strong the opponent was, and 1, 0.5 or 0 for the player."""

    opponent: Strength
    score: float


NEWCOMER = Strength()


def first_strength(level: int | None, measured: Sequence[float] = ()) -> Strength:
    """Return the strength before the first rated game.

    Args:
        level: Of a program of the server's.
        measured: The ratings of programs at this game, by level from 1 on, if it was measured.
    """
    if level is None:
        return NEWCOMER
    if level <= len(measured):
        return Strength(measured[level - 1], MEASURED_DEVIATION)
    return Strength(WEAKEST_PROGRAM + LEVEL_STEP * (level - 1), PROGRAM_DEVIATION)


def strength_after_pause(before: Strength, since: datetime | None, now: datetime) -> Strength:
    """Return the strength after the time since the last rated game: only less certain.

    The paper's step 6 for a fraction of a period, or for many.

    Args:
        since: None before the first rated game; then nothing grows.
    """
    if since is None or now <= since:
        return before
    step = before.volatility * SCALE * sqrt((now - since) / PERIOD)
    return replace(before, deviation=min(hypot(before.deviation, step), MAX_DEVIATION))


def certain_until(strength: Strength, since: datetime) -> datetime | None:
    """Return when a rating becomes provisional without a further game; None if it is."""
    if strength.is_provisional:
        return None
    growth = PROVISIONAL_ABOVE**2 - strength.deviation**2
    return since + PERIOD * (growth / (strength.volatility * SCALE) ** 2)


def rate_game(first: Strength, second: Strength, score: float) -> tuple[Strength, Strength]:
    """Return both strengths after a game, each from what both were before it.

    Args:
        score: Of the first, 0 to 1.
    """
    return (
        after_games(first, [RatedGame(second, score)]),
        after_games(second, [RatedGame(first, 1.0 - score)]),
    )


def after_games(before: Strength, games: Sequence[RatedGame], periods: float = 0.0) -> Strength:
    """Return the strength after games that count together, at least one: steps 2 to 8.

    Args:
        games: With the strength that each opponent had before.
        periods: How much time they took, for step 6: 1.0 in the paper, none for one game.
    """
    phi = before.deviation / SCALE
    pulls = [_pull(before.rating, game) for game in games]
    variance = 1 / sum(weight**2 * expected * (1 - expected) for weight, expected, _ in pulls)
    gain = sum(weight * (score - expected) for weight, expected, score in pulls)
    volatility = _volatility(before.volatility, phi, variance, variance * gain)
    spread = hypot(phi, volatility * sqrt(periods))
    after = 1 / sqrt(1 / spread**2 + 1 / variance)
    rating = before.rating + SCALE * after**2 * gain
    return Strength(rating, min(after * SCALE, MAX_DEVIATION), volatility)


def _pull(rating: float, game: RatedGame) -> tuple[float, float, float]:
    """Return the paper's g and E of an opponent (step 3), and the score."""
    weight = 1 / sqrt(1 + 3 * (game.opponent.deviation / SCALE / pi) ** 2)
    expected = 1 / (1 + exp(-weight * (rating - game.opponent.rating) / SCALE))
    return weight, expected, game.score


def _volatility(sigma: float, phi: float, variance: float, delta: float) -> float:
    """Return the new volatility: step 5, by the Illinois algorithm."""
    start, total_variance = log(sigma**2), phi**2 + variance

    def f(x: float) -> float:
        surprise = (
            exp(x) * (delta**2 - total_variance - exp(x)) / (2 * (total_variance + exp(x)) ** 2)
        )
        return surprise - (x - start) / SYSTEM_CONSTANT**2

    low, high = start, _other_end(f, start, delta**2 - total_variance)
    at_low, at_high = f(low), f(high)
    while abs(high - low) > CONVERGED:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)


def _other_end(f: Callable[[float], float], start: float, surprise: float) -> float:
    """Return the other end of an interval that contains the zero of `f` (step 5.2)."""
    if surprise > 0:
        return log(surprise)
    end = start - SYSTEM_CONSTANT
    while f(end) < 0:
        end -= SYSTEM_CONSTANT
    return end
