"""Bound the time that plug-ins take: of a request, of a run of mail, of a job.

A question comes from a method of a position, deep in a view or a letter, which has no room for
an argument more. So the allowance in force is a variable of the context.
"""

from __future__ import annotations

import fcntl
import os
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from pathlib import Path

from sarsen.core.errors import PluginBusy

# By the clock, for one question, and for all of one request, unless the last one takes longer.
VISITOR_SECONDS = 2.0
PLAYER_SECONDS = 10.0  # as a player is known, and may have a large board
# The same for all of one transaction, for which every writer waits (SQLite gives them 30 seconds).
# What takes longer is asked before it begins: the move that a command plays.
LOCKED_SECONDS = 2.0
# Honest questions of two requests at the same moment take turns; one that lasts longer than this
# has the others refused, so that no second thread waits behind it.
TURN_SECONDS = 0.1
_LOOK_SECONDS = 0.005  # between two looks at a place that another process has


def _player_seconds() -> float:
    return PLAYER_SECONDS


@dataclass
class Allowance:
    """The time that plug-ins may take for one request, or one job.

    Attributes:
        seconds: Returns the most for one question; asked when there is one.
        start_seconds: The most to wait for a process that loads its plug-in, which goes on then.
        used: By the clock, so far. When it is all used up, no question is asked any more.
        is_of_lock: Others wait for the whole block, so that the loading of a plug-in and the last
            question have no more than what is left, either.
    """

    seconds: Callable[[], float] = _player_seconds
    start_seconds: float = PLAYER_SECONDS
    used: float = 0.0
    is_of_lock: bool = False

    def begin(self) -> float:
        """Return how long the next question may take, the loading of its plug-in not counted.

        Raises:
            PluginBusy: Those before it have taken all.
        """
        seconds = self.seconds()
        if self.used >= seconds:
            raise PluginBusy("plug-ins have taken all the time that they may for one request")
        return seconds - self.used if self.is_of_lock else seconds

    def start_within(self, seconds: float) -> float:
        """Return how long to wait for a plug-in to be loaded, before a question of so long."""
        return min(self.start_seconds, seconds) if self.is_of_lock else self.start_seconds

    def after_start(self, seconds: float, waited: float) -> float:
        """Return how long a question may take for whose plug-in we have waited."""
        return seconds - waited if self.is_of_lock else seconds


_in_force: ContextVar[Allowance | None] = ContextVar("allowance", default=None)


@contextmanager
def plugins_within(allowance: Allowance) -> Iterator[Allowance]:
    """Bound the time of plug-ins within a block, in this thread."""
    token = _in_force.set(allowance)
    try:
        yield allowance
    finally:
        _in_force.reset(token)


@contextmanager
def plugins_within_lock() -> Iterator[None]:
    """Bound the time of plug-ins within a block while which others wait for us; charge it as usual.

    With SQLite every other writer waits for a transaction. A block within such a block has what
    is left of it: a mail of many commands is one transaction.
    """
    outer = allowance_in_force()
    if outer.is_of_lock:
        yield
        return

    def seconds() -> float:
        return min(outer.begin(), LOCKED_SECONDS)

    inner = Allowance(seconds, outer.start_seconds, is_of_lock=True)
    try:
        with plugins_within(inner):
            yield
    finally:
        outer.used += inner.used


def allowance_in_force() -> Allowance:
    """Return the allowance of the block; outside of any each question has one of its own."""
    return _in_force.get() or Allowance()


class Turn:
    """The one place in which plug-ins are asked.

    A question that does not end holds up one thread, and not all of them.

    Args:
        file: Shared by the processes that have one place together; None for threads of this one.
    """

    def __init__(self, file: Path | None = None) -> None:
        self._lock = threading.Lock()  # held by the thread whose question is being answered
        self._taken_at = 0.0
        self._handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600) if file else None

    @contextmanager
    def taken(self) -> Iterator[None]:
        """Hold the place within a block.

        Raises:
            PluginBusy: A question has it, and has had it for a while.
        """
        began = time.monotonic()
        # Among threads of this process; a file lock does not tell threads with one handle apart.
        if not self._lock.acquire(timeout=max(0.0, self._taken_at + TURN_SECONDS - began)):
            raise PluginBusy("another question to a plug-in is being answered")
        try:
            self._taken_at = time.monotonic()
            self._take_file(began + TURN_SECONDS)
            try:
                yield
            finally:
                if self._handle is not None:
                    fcntl.flock(self._handle, fcntl.LOCK_UN)
        finally:
            self._lock.release()

    def _take_file(self, until: float) -> None:
        """Wait for other processes; the system frees the place of one that dies."""
        while self._handle is not None:
            try:
                # Not waiting in the system, which would know no limit.
                fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
                return
            except BlockingIOError:
                if time.monotonic() >= until:
                    raise PluginBusy("another process asks a plug-in") from None
                time.sleep(_LOOK_SECONDS)  # a lock that is waited for by the system knows no limit
