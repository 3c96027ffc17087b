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
        """Tell whether anything is left."""
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
    """The same for each of many, by name; 0 allows any amount."""

    def __init__(self, an_hour: int) -> None:
        self._an_hour = an_hour
        self._kept: OrderedDict[str, Allowance] = OrderedDict()

    def take(self, name: str, now: datetime) -> bool:
        """Take one for a name, if its hour's worth is not used up."""
        if not self._an_hour:
            return True
        allowance = self._kept.pop(name, None) or Allowance(self._an_hour, self._an_hour / 3600)
        self._kept[name] = allowance
        if len(self._kept) > MOST_KEPT:
            self._kept.popitem(last=False)
        return allowance.take(now)
