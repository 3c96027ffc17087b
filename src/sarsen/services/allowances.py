"""How much of something costly may happen in a time: for one, or for each of many.

In the memory of a process, on purpose: what guards the processor and the disk from a flood
must not write for every drop of it. Several processes allow several times as much.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from datetime import datetime

MOST_KEPT = 10_000  # names; whoever was seen longest ago is forgotten first


class Allowance:
    """So much at once, and from then on so much a second."""

    def __init__(self, at_once: float, a_second: float) -> None:
        self._at_once = at_once
        self._a_second = a_second
        self._left = at_once
        self._seen: float | None = None
        self._lock = threading.Lock()

    def take(self, now: datetime) -> bool:
        """Take one, if a whole one is left."""
        with self._lock:
            self._fill(now)
            if self._left < 1:
                return False
            self._left -= 1
            return True

    def has_room(self, now: datetime) -> bool:
        """Return whether anything is left."""
        with self._lock:
            self._fill(now)
            return self._left > 0

    def spend(self, now: datetime, amount: float) -> None:
        """Take what was used up, even if less was left."""
        with self._lock:
            self._fill(now)
            self._left -= amount

    def _fill(self, now: datetime) -> None:
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
        self._kept: OrderedDict[str, Allowance] = OrderedDict()
        self._lock = threading.Lock()

    def take(self, name: str, now: datetime) -> bool:
        """Take one for a name, if a whole one is left."""
        return not self._at_once or self._of(name).take(now)

    def has_room(self, name: str, now: datetime) -> bool:
        """Return whether anything is left for a name."""
        return not self._at_once or self._of(name).has_room(now)

    def spend(self, name: str, now: datetime, amount: float) -> None:
        """Take what a name has used up, even if less was left."""
        if self._at_once:
            self._of(name).spend(now, amount)

    def _of(self, name: str) -> Allowance:
        with self._lock:
            allowance = self._kept.pop(name, None) or Allowance(self._at_once, self._a_second)
            self._kept[name] = allowance
            if len(self._kept) > MOST_KEPT:
                self._kept.popitem(last=False)
            return allowance
