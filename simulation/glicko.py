"""Glicko-2 once more, from the paper alone, to compare the server's ratings with.

Source: Mark E. Glickman, "Example of the Glicko-2 system", 2022 revision; the step
numbers are the paper's.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import exp, log, pi, sqrt

SCALE = 173.7178


@dataclass(frozen=True)
class Strength:
    """A rating, its deviation and its volatility, on the scale people see."""

    rating: float
    deviation: float
    volatility: float


def grown(own: Strength, periods: float, most_deviation: float) -> Strength:
    """Return the strength after so many periods, or parts of one, without a game: step 6."""
    widened = sqrt((own.deviation / SCALE) ** 2 + periods * own.volatility**2) * SCALE
    return Strength(own.rating, min(widened, most_deviation), own.volatility)


def after_game(own: Strength, opponent: Strength, score: float, tau: float) -> Strength:
    """Return the strength after one game that took no time, with a score of 0, 0.5 or 1."""
    mu, phi = (own.rating - 1500) / SCALE, own.deviation / SCALE  # step 2
    other_mu, other_phi = (opponent.rating - 1500) / SCALE, opponent.deviation / SCALE
    g = 1 / sqrt(1 + 3 * other_phi**2 / pi**2)
    expected = 1 / (1 + exp(-g * (mu - other_mu)))
    variance = 1 / (g * g * expected * (1 - expected))  # step 3
    gain = g * (score - expected)
    volatility = _volatility(own.volatility, phi, variance, variance * gain, tau)  # steps 4, 5
    new_phi = 1 / sqrt(1 / phi**2 + 1 / variance)  # step 7
    return Strength((mu + new_phi**2 * gain) * SCALE + 1500, new_phi * SCALE, volatility)


def _volatility(sigma: float, phi: float, variance: float, delta: float, tau: float) -> float:
    """Step 5: the Illinois iteration."""
    a = log(sigma**2)

    def f(x: float) -> float:
        top = exp(x) * (delta**2 - phi**2 - variance - exp(x))
        return top / (2 * (phi**2 + variance + exp(x)) ** 2) - (x - a) / tau**2

    low = a
    if delta**2 > phi**2 + variance:
        high = log(delta**2 - phi**2 - variance)
    else:
        steps = 1
        while f(a - steps * tau) < 0:
            steps += 1
        high = a - steps * tau
    at_low, at_high = f(low), f(high)
    while abs(high - low) > 1e-6:
        middle = low + (low - high) * at_low / (at_high - at_low)
        at_middle = f(middle)
        if at_middle * at_high <= 0:
            low, at_low = high, at_high
        else:
            at_low /= 2
        high, at_high = middle, at_middle
    return exp(low / 2)
