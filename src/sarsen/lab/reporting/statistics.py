"""Numbers with their 95 % intervals."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from sarsen.lab.elo import Z, elo_of

RESAMPLES = 400
WIDE = 0.2  # of an interval of a share: a statement about it says that there were too few games
FEW = 8  # games: with fewer an interval says little, and no difference is told


@dataclass(frozen=True)
class Figure:
    """A measured number.

    Attributes:
        name: Of the figure in the file for programs: `draws`.
        label: What it is, for people.
        low, high: The ends of its 95 % interval.
        count: Of games or positions that it rests on.
        unit: "%" for shares between 0 and 1; "Elo", "plies" and so on; "" for plain numbers.
    """

    name: str
    label: str
    value: float
    low: float
    high: float
    count: int
    unit: str = ""

    @property
    def text(self) -> str:
        """The number with its interval: `54 % (48 to 60)`."""
        return f"{self._written(self.value)} {self.unit}".strip() + (
            f" ({self._written(self.low)} to {self._written(self.high)})"
        )

    @property
    def span(self) -> str:
        """The interval alone: `48 to 60 %`."""
        return f"{self._written(self.low)} to {self._written(self.high)} {self.unit}".strip()

    @property
    def is_wide(self) -> bool:
        """Whether a share is known so badly that it tells little."""
        return self.high - self.low > WIDE

    def _written(self, value: float) -> str:
        if self.unit == "%":
            return f"{100 * value:.0f}"
        is_whole = abs(value) >= 10 or self.unit in ("Elo", "plies")
        text = f"{value:.0f}" if is_whole else f"{value:.2f}"
        return "0" if text == "-0" else text

    def differs_from(self, other: Figure) -> bool:
        """Return whether two figures of one name differ by more than their intervals explain."""
        own = (self.high - self.low) / 2
        others = (other.high - other.low) / 2
        if min(self.count, other.count) < FEW:
            return False
        return abs(self.value - other.value) > math.hypot(own, others)


def share(name: str, label: str, score: float, count: int) -> Figure:
    """Return a share of so many games, with Wilson's interval (1927).

    Args:
        score: The sum of the points, halves for draws: their spread is smaller than that of
            wins and losses, so that the interval is never too narrow.
    """
    if count == 0:
        return Figure(name, label, 0.5, 0.0, 1.0, 0, "%")
    value = score / count
    weight = Z * Z / count
    middle = (value + weight / 2) / (1 + weight)
    half = Z * math.sqrt(value * (1 - value) / count + weight / (4 * count)) / (1 + weight)
    low, high = max(0.0, middle - half), min(1.0, middle + half)
    return Figure(name, label, value, min(low, value), max(high, value), count, "%")


def mean(name: str, label: str, values: Sequence[float], unit: str = "") -> Figure:
    """Return an average with a bootstrapped interval (Efron, 1979)."""
    return bootstrapped(name, label, values, _average, unit)


def quantile(name: str, label: str, values: Sequence[float], part: float, unit: str = "") -> Figure:
    """Return a quantile with a bootstrapped interval."""
    return bootstrapped(
        name, label, values, lambda sample: sorted(sample)[_place(sample, part)], unit
    )


def _place(sample: Sequence[float], part: float) -> int:
    return min(len(sample) - 1, int(part * len(sample)))


def _average(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def bootstrapped(
    name: str,
    label: str,
    values: Sequence[float],
    of: Callable[[Sequence[float]], float],
    unit: str = "",
) -> Figure:
    """Return what a function makes of some values, and of values drawn from them again."""
    if not values:
        return Figure(name, label, 0.0, -math.inf, math.inf, 0, unit)
    chance = random.Random(name)
    resampled = sorted(of(chance.choices(values, k=len(values))) for _ in range(RESAMPLES))
    low, high = resampled[int(0.025 * RESAMPLES)], resampled[int(0.975 * RESAMPLES) - 1]
    return Figure(name, label, of(values), low, high, len(values), unit)


def elo_gain(name: str, label: str, points: float, count: int) -> Figure:
    """Return the Elo that a score means; one drawn game is added, so that it is finite."""
    score = share(name, label, points + 0.5, count + 1)
    bound = 1.0 / (2 * (count + 1))
    value, low, high = (
        elo_of(min(max(score_bound, bound), 1 - bound))
        for score_bound in (score.value, score.low, score.high)
    )
    return Figure(name, label, value, low, high, count, "Elo")


def summed(name: str, label: str, parts: Sequence[Figure], unit: str = "") -> Figure:
    """Return the sum of independent figures."""
    value = sum(part.value for part in parts)
    half = math.sqrt(sum(((part.high - part.low) / 2) ** 2 for part in parts))
    return Figure(name, label, value, value - half, value + half, sum(p.count for p in parts), unit)
