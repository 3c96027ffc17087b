"""Bound what code of others may take: rules that loop for ever are broken off, and only they.

A game may be anybody's. What it takes is measured in seconds of the processor that its own
thread has used, so that a busy machine, a slow disk or a long wait breaks nothing off.
"""

from __future__ import annotations

import ctypes
import itertools
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass

import structlog

from sarsen.core.errors import UserError

WORK_SECONDS = 10.0  # of the processor, for the rules of one move, one letter, one mail or one page
LOOKS_EVERY = 0.5  # seconds
log = structlog.get_logger()


class OutOfPatience(Exception):
    """A piece of work was stopped because it took too long."""


@dataclass
class _Work:
    """A piece of work: in which thread, and until when by that thread's own clock."""

    thread: int
    used: Callable[[], float]
    ends_at: float
    what: str
    is_broken_off: bool = False


_numbers = itertools.count()
_running: dict[int, _Work] = {}
_lock = threading.Lock()
_watcher: threading.Thread | None = None


@contextmanager
def patience(what: str) -> Iterator[None]:
    """Do what stands in the block, for WORK_SECONDS of the processor at the most.

    Python code is broken off wherever it is; a call of C that does not come back is not.

    Args:
        what: What it is, for the log.

    Raises:
        OutOfPatience: It would not end.
    """
    number, thread = next(_numbers), threading.get_ident()
    used = _clock_of(thread)
    work = _Work(thread, used, used() + WORK_SECONDS, what)
    with _lock:
        _running[number] = work
        _watch()
    try:
        try:
            yield
        finally:
            _forget(number, work)
    except OutOfPatience:
        _forget(number, work)  # once more: it may have come while this was done
        raise


def _forget(number: int, work: _Work) -> None:
    with _lock:
        _running.pop(number, None)
    if work.is_broken_off:
        _let_come(work)


def _let_come(work: _Work) -> None:
    """Take what may still be on its way to this thread, so that it is raised nowhere else.

    It may have ended by itself at that very moment. An exception on its way cannot be called back:
    Python 3.11 then believes for ever that something is, and a thread that is traced stands
    still. So one more is sent, in the place of any before it, and awaited.
    """
    with suppress(OutOfPatience):
        _send(work)
        while True:
            pass


def _clock_of(thread: int) -> Callable[[], float]:
    """Return the clock of a thread: the seconds of the processor that it has used."""
    clock = time.pthread_getcpuclockid(thread)
    return lambda: time.clock_gettime(clock)


def _watch() -> None:
    """Start the thread that watches, unless it runs; after a fork it does not."""
    global _watcher  # noqa: PLW0603 (of this process)
    if _watcher is None or not _watcher.is_alive():
        _watcher = threading.Thread(target=_look, name="patience", daemon=True)
        _watcher.start()


def _look() -> None:
    while True:
        time.sleep(LOOKS_EVERY)
        with _lock:
            for work in _running.values():
                if work.used() > work.ends_at:
                    _break_off(work)


def _break_off(work: _Work) -> None:
    # Again at every look: what is in its way may have been caught there.
    if not work.is_broken_off:
        log.error("broken off, because it would not end", what=work.what)
    work.is_broken_off = True
    _send(work)


def _send(work: _Work) -> None:
    kind = ctypes.py_object(OutOfPatience)
    ctypes.pythonapi.PyThreadState_SetAsyncExc(ctypes.c_ulong(work.thread), kind)


SECONDS = 1.0  # of the processor, for one request of a visitor
# A request that has taken more than this needs the one place of long requests to go on.
SHORT = 0.1
_long_request = threading.Lock()


class Budget:
    """The processor time of one request; a context that frees what it has taken.

    Args:
        seconds: Processor time of this thread, from the first check on. Loading modules
            before it tries moves takes a second of the first request of a process.
        clock: Returns the processor time used by this thread, in seconds.
        turn: Held by the one request of the process that may take longer than `SHORT`.
    """

    def __init__(
        self,
        seconds: float = SECONDS,
        clock: Callable[[], float] = time.thread_time,
        turn: threading.Lock = _long_request,
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
            raise UserError(
                "This takes the server too long to work out for visitors.",
                code="takes-too-long",
                hint="Try fewer moves, or a smaller board.",
            )
        if used > SHORT and not self._has_turn:
            self._has_turn = self._turn.acquire(blocking=False)
            if not self._has_turn:
                raise UserError(
                    "The server is working out another long game just now.",
                    code="busy",
                    hint="Load this page again in a few seconds.",
                )

    def close(self) -> None:
        """Let the next long request begin."""
        if self._has_turn:
            self._turn.release()
            self._has_turn = False
