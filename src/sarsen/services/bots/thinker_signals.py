"""What the process that thinks and the others on this machine tell each other, by files.

That a board waits: by a named pipe in the data folder. A process that writes to it neither waits
nor fails when nobody reads. A wake-up that is lost, or a process on another machine, costs the
time until the next look, no more.

For which games searches are still being compiled: until then their weaker levels are played by
`search.plain_bots`, and the stronger ones wait. Without that file there are none.
"""

from __future__ import annotations

import contextlib
import json
import os
import select
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from django.conf import settings

from sarsen.search.plain_bots import STRONGEST

_MOST_READ = 4096  # bytes; each is one wake-up, and one look serves them all


def wake() -> None:
    """Wake the process that waits."""
    with contextlib.suppress(OSError):  # nobody reads, or the pipe is full of wake-ups
        pipe = os.open(_pipe_path(), os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(pipe, b"!")
        finally:
            os.close(pipe)


@contextmanager
def listening() -> Iterator[int]:
    """Yield the end of the pipe to wait at."""
    path = _pipe_path()
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


def note_warming(games: Iterable[str]) -> None:
    """Let everybody know for which games searches are still being compiled."""
    path = _warming_path()
    written = path.with_suffix(".new")
    written.write_text(json.dumps(sorted(games)), encoding="ascii")
    os.replace(written, path)


def is_warming_up(game: str, level: int) -> bool:
    """Return whether a level of a game waits until its search is compiled."""
    return level > STRONGEST and game in _games()


def _pipe_path() -> Path:
    data: Path = settings.DATA
    return data / "think.pipe"


def _games() -> frozenset[str]:
    try:
        return frozenset(json.loads(_warming_path().read_text(encoding="ascii")))
    except (OSError, ValueError):
        return frozenset()


def _warming_path() -> Path:
    data: Path = settings.DATA
    return data / "warming.json"
