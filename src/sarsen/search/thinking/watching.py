"""Ending a search: by nodes, by the clock, or when somebody asks."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager

from sarsen.search.contract import Array
from sarsen.search.loading import seconds_loading
from sarsen.search.thought import Budget, Stop

# The first words of every search's `control`.
NODES, LIMIT, STOP = 0, 1, 2
NO_LIMIT = 1 << 62
# How long after a stop a search may run on, in seconds.
PATIENCE = 0.02


@contextmanager
def watched(control: Array, budget: Budget, stop: Stop | None) -> Iterator[None]:
    """Set the limits of a search, and its stop flag when the time is over or `stop` is set."""
    control[LIMIT] = NO_LIMIT if budget.nodes is None else max(budget.nodes, 1)
    if stop is not None and stop.is_set():
        control[STOP] = 1
    if budget.seconds is None and stop is None:
        yield
        return
    finished = threading.Event()
    watcher = threading.Thread(
        target=_watch, args=(control, budget.seconds, stop, finished), daemon=True
    )
    watcher.start()
    try:
        yield
    finally:
        finished.set()
        watcher.join()


def _watch(
    control: Array, seconds: float | None, stop: Stop | None, finished: threading.Event
) -> None:
    end = None if seconds is None else time.monotonic() + seconds
    loaded = seconds_loading()
    while True:
        # The first thought of a process loads its search: that is no thinking.
        left = None if end is None else max(end + seconds_loading() - loaded - time.monotonic(), 0)
        nap = left if stop is None else PATIENCE if left is None else min(left, PATIENCE)
        if finished.wait(nap):
            return
        if (stop is not None and stop.is_set()) or left == 0:
            control[STOP] = 1
            return
