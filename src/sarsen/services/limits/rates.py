"""Limits for a short time, kept in memory: so much at once, and so much a second from then on."""

from __future__ import annotations

import threading
from collections import OrderedDict
from datetime import datetime

MAX_KEPT = 10_000  # names; the one seen longest ago is forgotten first


class RateLimit:
    """So much at once, and from then on so much a second."""

    def __init__(self, at_once: float, a_second: float) -> None:
        self._at_once = at_once
        self._a_second = a_second
        self._left = at_once
        self._seen: float | None = None
        self._lock = threading.Lock()  # page threads spend at once: none may be lost

    def take(self, now: datetime, keep: float = 0) -> bool:
        """Use one, if a whole one is left beside what is kept; return whether it was."""
        with self._lock:
            self._refill(now)
            if self._left < 1 + keep:
                return False
            self._left -= 1
            return True

    def has_room(self, now: datetime) -> bool:
        """Return whether anything is left."""
        with self._lock:
            self._refill(now)
            return self._left > 0

    def spend(self, now: datetime, amount: float) -> None:
        """Subtract what was used, even if less was left."""
        with self._lock:
            self._refill(now)
            self._left -= amount

    def _refill(self, now: datetime) -> None:
        at = now.timestamp()
        # A clock that was put back gives nothing, and takes nothing away.
        passed = max(at - self._seen, 0.0) if self._seen is not None else 0.0
        self._seen = at
        self._left = min(self._left + passed * self._a_second, self._at_once)


class Allowances:
    """The same for each of many, by name; 0 allows any amount.

    Args:
        at_once: How much of it there is after a long rest.
        seconds: After so many all of it is there again.
    """

    def __init__(self, at_once: float, seconds: float = 3600) -> None:
        self._at_once = at_once
        self._a_second = at_once / seconds
        self._kept: OrderedDict[str, RateLimit] = OrderedDict()
        self._lock = threading.Lock()  # two threads must not make the same name two limits

    def take(self, name: str, now: datetime) -> bool:
        """Use one for a name, if a whole one is left; return whether it was."""
        return not self._at_once or self._limit_of(name).take(now)

    def has_room(self, name: str, now: datetime) -> bool:
        """Return whether anything is left for a name."""
        return not self._at_once or self._limit_of(name).has_room(now)

    def spend(self, name: str, now: datetime, amount: float) -> None:
        """Subtract what a name has used, even if less was left."""
        if self._at_once:
            self._limit_of(name).spend(now, amount)

    def _limit_of(self, name: str) -> RateLimit:
        with self._lock:
            allowance = self._kept.pop(name, None) or RateLimit(self._at_once, self._a_second)
            self._kept[name] = allowance
            if len(self._kept) > MAX_KEPT:
                self._kept.popitem(last=False)
            return allowance
