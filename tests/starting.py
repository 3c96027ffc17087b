"""Write down which tests start a process or a thread, listen or connect; see `make test-repeat`.

Chance enters by these: a test that passes once may fail the next time, and on a busy machine.
Python reports each such start, in whatever file it is written.
"""

from __future__ import annotations

import sys
from collections.abc import Generator
from pathlib import Path

import pytest

STARTS = {
    *("subprocess.Popen", "os.fork", "os.posix_spawn", "os.forkpty", "_thread.start_new_thread"),
    *("socket.bind", "socket.connect"),
}


class StartingTests:
    """A plugin of pytest that appends to a file the tests that start something."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._started = False
        sys.addaudithook(self._note)

    def _note(self, event: str, _: tuple[object, ...]) -> None:
        if event in STARTS:
            self._started = True

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._started = False
        result = yield
        if self._started:
            # Without what stands in brackets: with --count it is another, and all are repeated.
            with self.path.open("a", encoding="utf-8") as listed:
                listed.write(item.nodeid.partition("[")[0] + "\n")
        return result
