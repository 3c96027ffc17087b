"""End a process that makes no progress."""

from __future__ import annotations

import faulthandler
import os
import sys
import threading

import structlog

from sarsen.services import crash_log

CHECKS = 20  # in the time that a worker may stand still: it ends at most 5 % too late
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
    while not stopped.wait(seconds / CHECKS):
        _end_later(seconds)
        if crash_log.seconds_without_progress() > seconds:
            log.critical("this worker makes no progress, and ends", seconds=seconds)
            faulthandler.dump_traceback(file=sys.stderr, all_threads=True)
            os._exit(STATUS)


def _end_later(seconds: float) -> None:
    # Where the process stands is written to standard error, no values.
    faulthandler.dump_traceback_later(seconds, exit=True)
