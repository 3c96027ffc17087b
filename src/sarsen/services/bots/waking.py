"""Tell the process that thinks, on this machine, that a board waits for it.

A named pipe in the data folder: a process that writes to it neither waits nor fails when nobody
reads. A wake-up that is lost, or a process on another machine, costs the time until the
next look, no more.
"""

from __future__ import annotations

import contextlib
import os
import select
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

_MOST_READ = 4096  # bytes; each is one wake-up, and one look serves them all


def wake() -> None:
    """Wake the process that waits."""
    with contextlib.suppress(OSError):  # nobody reads, or the pipe is full of wake-ups
        pipe = os.open(_path(), os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(pipe, b"!")
        finally:
            os.close(pipe)


@contextmanager
def listening() -> Iterator[int]:
    """Yield the end of the pipe to wait at."""
    path = _path()
    if not path.is_fifo():
        path.unlink(missing_ok=True)
        os.mkfifo(path, 0o600)
    # For both reading and writing: a pipe without writers would always be ready.
    pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    try:
        yield pipe
    finally:
        os.close(pipe)


def wait(pipe: int, seconds: float) -> bool:
    """Wait until somebody wakes us, so long at most; tell whether somebody did."""
    ready, _, _ = select.select([pipe], [], [], seconds)
    if ready:
        with contextlib.suppress(BlockingIOError):  # another process took them all
            os.read(pipe, _MOST_READ)
    return bool(ready)


def _path() -> Path:
    data: Path = settings.DATA
    return data / "think.pipe"
