"""How many streams are held open at once: by one player, and by all together."""

from __future__ import annotations

import threading
import time
from dataclasses import dataclass, field

GRACE = 30.0  # seconds after which a place that was never given back is free again


@dataclass(frozen=True)
class Place:
    """One stream that is held."""

    player: int
    began: float


@dataclass
class Places:
    """Count the streams of this process. Each holds a thread, so they are bounded."""

    _taken: set[tuple[Place, int]] = field(default_factory=set)
    _lock: threading.Lock = field(default_factory=threading.Lock)
    _count: int = 0

    def of_player(self, player: int, seconds: float) -> int:
        """Count the streams that a player holds."""
        with self._lock:
            self._forget(seconds)
            return sum(place.player == player for place, _ in self._taken)

    def take(self, player: int, seconds: float, most: int) -> tuple[Place, int] | None:
        """Take a place; None when there is none left.

        Args:
            seconds: How long a stream is held at the most.
        """
        with self._lock:
            self._forget(seconds)
            if len(self._taken) >= most:
                return None
            self._count += 1
            taken = (Place(player, time.monotonic()), self._count)
            self._taken.add(taken)
            return taken

    def give_back(self, taken: tuple[Place, int]) -> None:
        """Give a place back; twice does no harm."""
        with self._lock:
            self._taken.discard(taken)

    def _forget(self, seconds: float) -> None:
        """Forget places whose callers vanished before their stream began."""
        limit = time.monotonic() - seconds - GRACE
        self._taken = {one for one in self._taken if one[0].began > limit}


PLACES = Places()
