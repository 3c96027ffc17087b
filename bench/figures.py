"""Figures of several runs, and what is left of them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import median


@dataclass(frozen=True)
class Spread:
    """The results of several runs: the middle one, the lowest and the highest."""

    median: float
    low: float
    high: float


def spread(runs: Sequence[float]) -> Spread:
    """Sum up the runs of one measurement."""
    return Spread(median(runs), min(runs), max(runs))


def percentile(values: Sequence[float], share: float) -> float:
    """Return the smallest value that at least this share of the values does not exceed."""
    ordered = sorted(values)
    return ordered[max(0, math.ceil(share * len(ordered)) - 1)]
