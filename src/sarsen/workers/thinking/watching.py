"""See to it that every thought ends, and in time."""

from __future__ import annotations

import os
import threading

import structlog
from django.conf import settings

from sarsen.services.bots.playing import take_up
from sarsen.workers.thinking.desk import Desk, Task
from sarsen.workers.thinking.doing import finish, think_in_python

FAILED = 70  # EX_SOFTWARE; the supervisor starts the process again
log = structlog.get_logger()


def watch(desk: Desk) -> None:
    """Ask for the answer of whoever has thought long enough; end the process for who is deaf."""
    for task in desk.tasks:
        seconds = task.seconds
        if seconds > settings.SARSEN_BOT_SECONDS:
            task.stop.set()
        if seconds > settings.SARSEN_BOT_SECONDS + settings.SARSEN_BOT_GRACE:
            _start_anew(task)


def _start_anew(task: Task) -> None:
    """End this process, after a move at the board that would stop the next one, too."""
    log.error("a thought does not end", board=task.due.board)
    # The game itself may be what hangs.
    last = threading.Timer(settings.SARSEN_BOT_GRACE, os._exit, (FAILED,))
    last.daemon = True
    last.start()
    try:
        duty = take_up(task.due)
        if duty is not None:
            finish(task, duty, think_in_python(duty))
    except Exception:
        log.exception("a program could not move", board=task.due.board)
    os._exit(FAILED)
