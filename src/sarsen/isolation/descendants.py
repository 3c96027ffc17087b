"""The processes that one has started, and those that these have, as Linux tells."""

from __future__ import annotations

import contextlib
import os
import signal
from pathlib import Path

_MAX_ROUNDS = 10  # of ending processes that start others meanwhile, perhaps for ever


def end_descendants(pid: int) -> None:
    """End the living processes below one, in whatever session they are; elsewhere none."""
    for _ in range(_MAX_ROUNDS):
        left = _descendants(pid)
        if not left:
            return
        for one in left:
            with contextlib.suppress(ProcessLookupError):
                os.kill(one, signal.SIGKILL)


def children(pid: int) -> list[int]:
    """Return the processes that one has started and not awaited."""
    try:
        files = list(Path(f"/proc/{pid}/task").glob("*/children"))
        return [int(word) for file in files for word in file.read_text("ascii").split()]
    except OSError:
        return []  # it has ended, or this is not Linux


def _descendants(pid: int) -> list[int]:
    found = children(pid)
    for child in found:
        found += children(child)  # the list grows while it is gone through
    return [one for one in found if _is_running(one)]


def _is_running(pid: int) -> bool:
    try:
        text = Path(f"/proc/{pid}/stat").read_text("utf-8", "replace")
    except OSError:
        return False
    return text.rpartition(")")[2].split()[0] not in "ZX"
