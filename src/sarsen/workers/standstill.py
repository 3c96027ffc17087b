"""End a worker that does not get on, so that another takes its place.

A call of C that never comes back cannot be broken off, and it may hold the lock of Python, so
that no other thread runs. Two clocks therefore: a thread of ours looks whether the job that runs
has got on; and a thread of the system, which needs no Python, ends the process when ours has not
been heard of for as long.
"""

from __future__ import annotations

import faulthandler
import os
import sys
import threading

import structlog

from sarsen.services import underway

LOOKS = 20  # in the time that a worker may stand still
STATUS = 70  # of a process that is ended so
log = structlog.get_logger()


def end_at_standstill(seconds: float) -> None:
    """Watch this process from a thread of its own; 0 watches nothing."""
    if seconds > 0:
        # At once: what stands still may be the first thing that this process does.
        _end_later(seconds)
        args = (seconds, threading.Event())
        threading.Thread(target=_watch, args=args, name="standstill", daemon=True).start()


def _watch(seconds: float, stopped: threading.Event) -> None:
    while not stopped.wait(seconds / LOOKS):
        _end_later(seconds)
        if underway.stands_still() > seconds:
            log.critical("this worker does not get on, and ends", seconds=seconds)
            faulthandler.dump_traceback(file=sys.stderr, all_threads=True)
            os._exit(STATUS)


def _end_later(seconds: float) -> None:
    # Where the process stands is written to standard error, no values.
    faulthandler.dump_traceback_later(seconds, exit=True)
