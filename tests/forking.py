"""What a test waits for before its process forks."""

from __future__ import annotations

import sys
import threading
import time
from types import FrameType

PATIENCE = 60  # seconds until a thread that does not come to rest is a failure


def await_other_threads() -> None:
    """Wait until the server's code runs in this thread alone.

    A page that a test in a browser has left may still be answered. What its thread holds when a
    process forks, a lock of SQLite or of Python, is held in the fork for ever.
    """
    until = time.monotonic() + PATIENCE
    while any(map(_is_at_work, _other_frames())):
        assert time.monotonic() < until, "a thread of another test goes on"
        time.sleep(0.02)


def _other_frames() -> list[FrameType]:
    own = threading.get_ident()
    return [frame for ident, frame in sys._current_frames().items() if ident != own]


def _is_at_work(frame: FrameType | None) -> bool:
    while frame is not None:
        if frame.f_globals.get("__name__", "").startswith("sarsen."):
            return True
        frame = frame.f_back
    return False
