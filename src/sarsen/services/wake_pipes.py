"""Named pipes of the data folder at which processes wait for calls.

A process that writes there neither waits nor fails when nobody reads. Processes of other hosts are
called by the database (`storage.calls`). A call that is lost costs the time until the next look, no
more.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import transaction

from sarsen.storage import calls

# Pipes in the data folder at which workers and the thinker wait for calls.
WORKERS, THINKER = "work.pipe", "think.pipe"
_CHANNELS = {WORKERS: calls.WORK, THINKER: calls.THINK}
_MAX_READ = 4096  # bytes; each is one call, and one look serves them all


def call(name: str) -> None:
    """Wake the processes that wait at such a pipe, here and on other hosts, after the commit."""
    transaction.on_commit(partial(signal, name))
    calls.call(_CHANNELS[name])


def hear_others(*names: str) -> None:
    """Pass on the calls of other hosts to pipes of this one, from now on."""
    calls.listen({_CHANNELS[name]: partial(_pass_on, name) for name in names})


def signal(name: str) -> None:
    """Wake the processes of this machine that wait at a pipe."""
    with contextlib.suppress(OSError):  # nobody reads, or the pipe is full of calls
        pipe = os.open(settings.DATA / name, os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(pipe, b"!")
        finally:
            os.close(pipe)


@contextmanager
def listening(name: str) -> Iterator[int]:
    """Yield the end of a pipe to wait at.

    Raises:
        FileExistsError: Something else has its name.
    """
    path: Path = settings.DATA / name
    with contextlib.suppress(FileExistsError):  # another process makes it, too, or has made it
        os.mkfifo(path, 0o600)
    # For both reading and writing: a pipe without writers would always be ready.
    pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    try:
        if not stat.S_ISFIFO(os.fstat(pipe).st_mode):  # always ready: waiting would be a busy loop
            problem = f"{path.name} is not a named pipe; remove it"
            raise FileExistsError(errno.EEXIST, problem, str(path))
        yield pipe
    finally:
        os.close(pipe)


def wait(pipe: int, seconds: float) -> bool:
    """Return whether a call came within so many seconds."""
    ready, _, _ = select.select([pipe], [], [], seconds)
    if ready:
        with contextlib.suppress(BlockingIOError):  # another process took them all
            os.read(pipe, _MAX_READ)
    return bool(ready)


def _pass_on(name: str, _told: str) -> None:
    signal(name)
