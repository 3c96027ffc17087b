"""What both searches of any game keep: positions asked once, and what is proved of them."""

from __future__ import annotations

import time
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Protocol

from sarsen.core.game import AnyPosition
from sarsen.search.thought import Budget, Stop


class Bounded(Protocol):
    """A node whose score for the first seat is proved to lie between two bounds."""

    seat: int
    low: float
    high: float


def first_score(position: AnyPosition) -> float | None:
    """Return the score of the first seat in a position that is over, else None."""
    outcome = position.outcome()
    return None if outcome is None else float(outcome.scores[0])


def tighten(node: Bounded, children: Iterable[Bounded], *, is_complete: bool) -> bool:
    """Set the bounds of a node by those of its children; return whether they have changed.

    Score-bounded solving (Cazenave and Saffidine, 2010).

    Args:
        is_complete: Whether each move has a child; without one a move may do anything.
    """
    lows, highs = zip(*((child.low, child.high) for child in children), strict=True)
    if node.seat == 0:
        low, high = max(lows), max(highs) if is_complete else 1.0
    else:
        low, high = min(lows) if is_complete else 0.0, min(highs)
    if (low, high) == (node.low, node.high):
        return False
    node.low, node.high = low, high
    return True


def is_worth_a_visit(parent: Bounded, child: Bounded) -> bool:
    """Return whether a child is not settled, and may be better than what is proved already."""
    if child.low >= child.high:
        return False
    return child.high > parent.low if parent.seat == 0 else child.low < parent.high


def proved_score(node: Bounded, seat: int) -> float | None:
    """Return the score of a seat if it is proved."""
    if node.low < node.high:
        return None
    return for_seat(node.low, seat)


def for_seat(score: float, seat: int) -> float:
    """Turn a score of the first seat into that of a seat, or back."""
    return score if seat == 0 else 1.0 - score


@dataclass
class SearchLimit:
    """When a search ends: after so many nodes, at a time, or when it is stopped."""

    nodes: float
    ends_at: float
    stop: Stop | None = None
    used: int = 0

    @property
    def is_late(self) -> bool:
        """Whether the answer is wanted now."""
        return time.monotonic() >= self.ends_at or (self.stop is not None and self.stop.is_set())

    @property
    def is_over(self) -> bool:
        return self.used >= self.nodes or self.is_late


def limit_of(budget: Budget, stop: Stop | None) -> SearchLimit:
    """Return the limit of a search that begins now."""
    infinite = float("inf")
    nodes = infinite if budget.nodes is None else budget.nodes
    seconds = infinite if budget.seconds is None else budget.seconds
    return SearchLimit(nodes, time.monotonic() + seconds, stop)


@dataclass(frozen=True)
class WeighedMove:
    """A move of the root and what a search found of it.

    Attributes:
        score: Of the seat to move, in [0, 1].
        visits: How often the search has tried it.
        after: The position after it, None when it was never tried.
    """

    move: Any
    score: float
    proved: float | None
    visits: int
    after: AnyPosition | None
