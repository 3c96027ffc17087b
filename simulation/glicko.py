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


def after_period(
    own: Strength, results: list[tuple[Strength, float]], tau: float, most_deviation: float
) -> Strength:
    """Give the strength after a period with these opponents and scores (0, 0.5 or 1)."""
    mu, phi = (own.rating - 1500) / SCALE, own.deviation / SCALE  # step 2
    if not results:
        widened = sqrt(phi**2 + own.volatility**2)  # step 6, without a game
        return Strength(own.rating, min(widened * SCALE, most_deviation), own.volatility)
    weights = []
    for opponent, score in results:
        other_mu, other_phi = (opponent.rating - 1500) / SCALE, opponent.deviation / SCALE
        g = 1 / sqrt(1 + 3 * other_phi**2 / pi**2)
        expected = 1 / (1 + exp(-g * (mu - other_mu)))
        weights.append((g, expected, score))
    variance = 1 / sum(g * g * e * (1 - e) for g, e, _ in weights)  # step 3
    gain = sum(g * (score - e) for g, e, score in weights)
    delta = variance * gain  # step 4
    volatility = _volatility(own.volatility, phi, variance, delta, tau)
    widened = sqrt(phi**2 + volatility**2)  # step 6
    new_phi = 1 / sqrt(1 / widened**2 + 1 / variance)  # step 7
    new_mu = mu + new_phi**2 * gain
    return Strength(new_mu * SCALE + 1500, min(new_phi * SCALE, most_deviation), volatility)


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
