"""Bound the processor time of requests that try moves, and word what takes too long."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Protocol

from sarsen.core.errors import PluginBusy, PluginFailure, PluginTooSlow, UserError

# Of the processor, for one request of a visitor: anybody can ask, and threads are few.
SECONDS = 1.0
# For one of a player who has an account and can be barred.
ACCOUNT_SECONDS = 10.0
# A request that has taken more than this needs the one place of long requests to go on.
SHORT = 0.1
_long_request = threading.Lock()  # that place: threads for short requests stay free
# In the environment of a request: whether a player with an account has proved to ask; and how
# the threads that make pages are doing (`PageThreads`), where the server knows.
IS_PLAYER = "sarsen.is_player"
PAGE_THREADS = "sarsen.page_threads"
RETRY_SECONDS = 5  # after which what was busy is asked again: most requests take less


def refusal_of(failure: PluginFailure) -> UserError | None:
    """Return the words for rules of a plug-in that were not asked, or not for long enough.

    None for a defect of theirs.
    """
    if isinstance(failure, PluginTooSlow):
        return _too_long()
    return _busy() if isinstance(failure, PluginBusy) else None


def _too_long() -> UserError:
    return UserError(
        "This would take the server too long.",
        code="takes-too-long",
        hint="Try fewer moves, or a smaller board.",
    )


def _busy() -> UserError:
    return UserError(
        "The server is busy with another long game just now.",
        code="busy",
        hint="Load this page again in a few seconds.",
    )


class PageThreads(Protocol):
    """How the threads that make pages are doing."""

    @property
    def is_idle(self) -> bool:
        """Whether at most one of them works, and no request waits."""

    def standstill(self) -> float:
        """Return for how many seconds requests have waited while none was answered."""


class ProcessorBudget:
    """The processor time of one request; a context that frees what it has taken.

    Args:
        seconds: Processor time of this thread, from the first check on. Loading modules
            before it tries moves takes a second of the first request of a process.
        clock: Returns the processor time used by this thread, in seconds.
        turn: Held by the one request of the process that may take longer than `SHORT`; None
            where any may.
    """

    def __init__(
        self,
        seconds: float = SECONDS,
        clock: Callable[[], float] = time.thread_time,
        turn: threading.Lock | None = _long_request,
    ) -> None:
        self._clock = clock
        self._turn = turn
        self._has_turn = False
        self._began: float | None = None
        self._seconds = seconds

    def check(self) -> None:
        """Refuse to go on when the time is used up, or another long request is at work.

        Raises:
            UserError: It is so.
        """
        now = self._clock()
        if self._began is None:
            self._began = now
        used = now - self._began
        if used > self._seconds:
            raise _too_long()
        if used > SHORT and self._turn and not self._has_turn:
            self._has_turn = self._turn.acquire(blocking=False)
            if not self._has_turn:
                raise _busy()

    def close(self) -> None:
        """Release the lock, so that the next long request begins."""
        if self._turn and self._has_turn:
            self._turn.release()
            self._has_turn = False
