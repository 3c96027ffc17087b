"""Turns at writing to one file: in the order of arrival, over all threads and processes.

Two locks of the operating system, so that whoever is killed has lost his place and his turn
at that moment. Who wants to write waits in line; only the first in line waits for the turn
itself. A turn lasts for some commits that follow each other closely, since to pass it on costs
more than a commit. Then nobody gets the next one past somebody who waits.
"""

from __future__ import annotations

import fcntl
import os
import time
from pathlib import Path

LASTS = 0.01  # seconds for which who has the turn may begin to write again before all others
# Seconds between two looks of the one who is first in line; nobody else looks at all.
SHORTEST_LOOK = 0.0001
LONGEST_LOOK = 0.002


class TooLate(Exception):
    """Say that the turn did not come in time."""


class Turns:
    """One connection's place among the writers of a file.

    Each has files of its own open: the locks belong to the open file, and keep threads of
    one process apart as they do processes.
    """

    def __init__(self, database: Path) -> None:
        self._line = _open(database, "line")
        self._turn = _open(database, "turn")
        self._ends_at = 0.0

    def take(self, patience: float) -> None:
        """Wait for the turn.

        Args:
            patience: Seconds.

        Raises:
            TooLate: The turn did not come; whoever has it may have been stopped.
        """
        now = time.monotonic()
        if now < self._ends_at and self._try():
            return
        # No limit is needed here: whoever is first in line has one.
        fcntl.flock(self._line, fcntl.LOCK_EX)
        try:
            self._wait_as_first(now + patience)
        finally:
            fcntl.flock(self._line, fcntl.LOCK_UN)
        self._ends_at = time.monotonic() + LASTS

    def give_back(self) -> None:
        """Let others write."""
        fcntl.flock(self._turn, fcntl.LOCK_UN)

    def close(self) -> None:
        """Leave for good, with the turn if it is ours."""
        os.close(self._turn)
        os.close(self._line)

    def _wait_as_first(self, until: float) -> None:
        look = SHORTEST_LOOK
        while not self._try():
            if time.monotonic() >= until:
                raise TooLate
            time.sleep(look)
            look = min(look * 1.5, LONGEST_LOOK)

    def _try(self) -> bool:
        try:
            fcntl.flock(self._turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def _open(database: Path, what: str) -> int:
    """Open the empty file beside a database that a lock is held on."""
    path = database.with_name(f"{database.name}-{what}")
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
