"""Make reviews of finished games while no board waits for a move."""

from __future__ import annotations

import contextlib
import os
import threading
import time
from dataclasses import dataclass, field

import structlog
from django.db import close_old_connections, connections

from sarsen.search.thought import Stop
from sarsen.workers.reviews import review_next
from sarsen.workers.thinking.desk import Desk

KINDEST = 19  # of nice, for this thread alone
REST = 2.0  # seconds between looks when no review waits, or a board does
# Where boards wait all day long a step is done this often all the same, in seconds.
PATIENCE = 30.0
log = structlog.get_logger()


@dataclass
class Reviewer:
    """Do one step of a review after another; moves go first."""

    desk: Desk
    _stop: Stop = field(default_factory=Stop)
    _stepped_at: float = field(default_factory=time.monotonic)
    _may_be_stopped: bool = True

    def start(self) -> threading.Thread:
        """Begin in a thread."""
        thread = threading.Thread(target=self._run, name="reviews", daemon=True)
        thread.start()
        return thread

    def give_way(self) -> None:
        """Give back the step in hand if a board waits, or everything ends."""
        if self.desk.is_closed or (self._may_be_stopped and self.desk.tasks):
            self._stop.set()

    def _run(self) -> None:
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), KINDEST)
        while not self.desk.is_closed:
            if not self._step():
                time.sleep(REST)
        connections.close_all()

    def _step(self) -> bool:
        """Do a step; False when there is nothing to do now."""
        searches = self.desk.searches
        if searches.warming or searches.missing:
            return False
        is_idle = not self.desk.tasks
        if not is_idle and time.monotonic() - self._stepped_at < PATIENCE:
            return False
        self._may_be_stopped = is_idle
        self._stop.clear()
        self._stepped_at = time.monotonic()
        try:
            close_old_connections()
            return review_next(self._stop)
        except Exception:
            # The thread's outermost function: the review counts its attempts by itself.
            log.exception("a step of a review failed")
            return False
