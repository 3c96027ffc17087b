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
from django.conf import settings

LOOKS_EVERY = 0.5  # seconds
log = structlog.get_logger()


class OutOfPatience(Exception):
    """Say that a piece of work was broken off because it would not end."""


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
    """Do what stands in the block, for SARSEN_PATIENCE seconds of the processor at the most.

    Python code is broken off wherever it is; a call of C that does not come back is not.

    Args:
        what: What it is, for the log.

    Raises:
        OutOfPatience: It would not end.
    """
    number, thread = next(_numbers), threading.get_ident()
    used = _clock_of(thread)
    work = _Work(thread, used, used() + settings.SARSEN_PATIENCE, what)
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

    It may have ended by itself at that very moment. What is on its way cannot be called back:
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
