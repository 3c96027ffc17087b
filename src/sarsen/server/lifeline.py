"""Let every process end with the one that started it, however that died.

The supervisor holds one end of a pipe that nobody writes to; its children watch the
other. The system closes the held end when the supervisor dies, even by SIGKILL.
"""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
import time
from collections.abc import Callable

import structlog

# `NAME:END`: the name of this run of the server, and the end of the pipe to watch. Ports say the
# name, which is no secret, so that a reply of an earlier run is not taken for one of this run.
VARIABLE = "SARSEN_RUN"
STOP_LIMIT = 20.0  # seconds to finish what was begun
log = structlog.get_logger()


def open_lifeline() -> int:
    """Return the end for children to watch; the other stays open as long as this process."""
    watched, _held = os.pipe()
    return watched


def end_with_supervisor() -> None:
    """End this process when the supervisor is gone; do nothing when there is none."""
    run, _, watched = os.environ.get(VARIABLE, "").partition(":")
    if watched:
        os.environ[VARIABLE] = run  # the number means nothing to processes that this one starts
        _end_after(lambda: os.read(int(watched), 1))


def end_with_parent() -> None:
    """End this process when the one that forked it for the web is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        _end_after(parent.join)


def _end_after(wait: Callable[[], object]) -> None:
    def watch() -> None:
        wait()
        log.warning("ending, because the process that started this one is gone")
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(STOP_LIMIT)
        # The group is what one start of the supervisor has made, and nothing else.
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, name="lifeline", daemon=True).start()
