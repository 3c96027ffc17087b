"""End with the terminal, also where no signal says that it has gone."""

from __future__ import annotations

import os
import select
import threading
from collections.abc import Callable

HUNG_UP = 129  # the status of a program that the signal for it has ended: 128 and its number


def leave_with(terminal: int) -> threading.Thread:
    """End the program at once when a terminal hangs up.

    The signal for it does the same, but it is ignored below `nohup`, and a session without a
    controlling terminal gets none. Textual then reads an empty end without end. There is nothing
    to tidy: the terminal has gone, and what counts is kept by the server.
    """
    return when_hung_up(terminal, lambda: os._exit(HUNG_UP))


def when_hung_up(terminal: int, leave: Callable[[], object]) -> threading.Thread:
    """Call something, from a thread, when a terminal hangs up; what is none never does."""

    def wait() -> None:
        watch = select.poll()
        # Nothing is asked for: what is typed is for others, and hanging up is told unasked.
        watch.register(terminal, 0)
        if any(what & select.POLLHUP for _, what in watch.poll()):
            leave()

    thread = threading.Thread(target=wait, daemon=True)
    # Windows has no such call, and closes its programs with their window.
    if hasattr(select, "poll") and os.isatty(terminal):
        thread.start()
    return thread
