"""Think for programs until told to stop."""

from __future__ import annotations

import contextlib
import os
import signal
import threading
import time

import structlog
from django.conf import settings
from django.db import connections

from sarsen.services.bots import waking
from sarsen.workers.thinking.desk import DEEP, QUICK, Desk, Lane
from sarsen.workers.thinking.doing import think_about
from sarsen.workers.thinking.reviewing import Reviewer
from sarsen.workers.thinking.searches import Searches
from sarsen.workers.thinking.warming import Warming, games_with_programs
from sarsen.workers.thinking.watching import watch

TICK = 1.0  # seconds between looks at the thoughts that are on their way
KINDER = 10  # of nice, for deep thoughts: pages, mail and quick answers do not wait for them
POLL = 5.0  # seconds between looks for boards, whatever wake-up was lost
STOP_LIMIT = 10.0  # seconds to end the thoughts on their way
log = structlog.get_logger()


def run_thinker() -> None:
    """Think in threads, and watch them from this one, until SIGTERM."""
    desk = Desk(searches=Searches(warming=games_with_programs()))
    warming = Warming(desk)
    warming.tell()
    for name in (signal.SIGTERM, signal.SIGINT):
        signal.signal(name, lambda *_: desk.close())
    reviewer = Reviewer(desk)
    with waking.listening() as pipe:
        threads = [*_start(desk), reviewer.start()]
        threading.Thread(target=warming.run, name="warming", daemon=True).start()
        _look_around(desk, pipe, reviewer)
    limit = time.monotonic() + STOP_LIMIT
    for thread in threads:
        thread.join(max(0.1, limit - time.monotonic()))
    # Compiled code that is just running would not let Python end in good order.
    os._exit(0)


def _start(desk: Desk) -> list[threading.Thread]:
    lanes = [QUICK, *[DEEP] * max(1, settings.SARSEN_THINKERS)]
    threads = [
        threading.Thread(target=_think_in, args=(desk, lane), name=lane.name, daemon=True)
        for lane in lanes
    ]
    for thread in threads:
        thread.start()
    return threads


def _look_around(desk: Desk, pipe: int, reviewer: Reviewer) -> None:
    """Let the threads look for boards when somebody wakes us, and from time to time."""
    looked_at = time.monotonic()
    while not desk.is_closed:
        is_woken = waking.wait(pipe, TICK)
        watch(desk)
        if is_woken or time.monotonic() - looked_at >= POLL:
            looked_at = time.monotonic()
            desk.look_again()
        reviewer.give_way()


def _think_in(desk: Desk, lane: Lane) -> None:
    """Think about one board of a lane after another, until the desk is closed."""
    if lane is DEEP:
        with contextlib.suppress(OSError):
            os.setpriority(os.PRIO_PROCESS, threading.get_native_id(), KINDER)
    while (task := desk.take(lane)) is not None:
        failed = True
        try:
            failed = not think_about(task, desk)
        except Exception:
            # The thread's outermost function: a search, a game or the database may fail.
            log.exception("a program could not move", board=task.due.board, attempt=task.attempt)
        finally:
            desk.give_back(task, failed=failed)
    connections.close_all()
