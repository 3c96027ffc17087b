"""How long this process has been loading compiled code, which does not count as thinking."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import AbstractContextManager, contextmanager


class _Stopwatch:
    """Run while at least one thread loads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._depth = 0
        self._total = 0.0
        self._began_at = 0.0

    @property
    def seconds(self) -> float:
        with self._lock:
            running = time.monotonic() - self._began_at if self._depth else 0.0
            return self._total + running

    @contextmanager
    def running(self) -> Iterator[None]:
        with self._lock:
            if self._depth == 0:
                self._began_at = time.monotonic()
            self._depth += 1
        try:
            yield
        finally:
            with self._lock:
                self._depth -= 1
                if self._depth == 0:
                    self._total += time.monotonic() - self._began_at


_stopwatch = _Stopwatch()


def loading() -> AbstractContextManager[None]:
    """Count the time spent in a `with` block, in any thread, as loading."""
    return _stopwatch.running()


def seconds_loading() -> float:
    """Return how long this process has been loading so far, in any of its threads."""
    return _stopwatch.seconds
