"""Write down which tests start a process or a thread, listen or connect; see `make test-repeat`.

Chance enters by these: a test that passes once may fail the next time, and on a busy machine.
Python reports most such starts, in whatever file they are written. Python 3.11 reports neither
threads nor the processes that `multiprocessing` spawns.
"""

from __future__ import annotations

import sys
import threading
from collections.abc import Generator
from multiprocessing.process import BaseProcess
from pathlib import Path
from typing import Any

import pytest

STARTS = {
    *("subprocess.Popen", "os.fork", "os.posix_spawn", "os.forkpty"),
    *("socket.bind", "socket.connect"),
}
UNREPORTED: tuple[type[Any], ...] = (threading.Thread, BaseProcess)


class StartingTests:
    """A plugin of pytest that appends to a file the tests that start something."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._started = False
        sys.addaudithook(self._note)
        self._patch = pytest.MonkeyPatch()
        for kind in UNREPORTED:
            self._patch.setattr(kind, "start", self._noted(kind.start))

    def pytest_unconfigure(self) -> None:
        self._patch.undo()

    def _note(self, event: str, _: tuple[object, ...]) -> None:
        if event in STARTS:
            self._started = True

    def _noted(self, start: Any) -> Any:
        def noted(one: Any) -> None:
            self._started = True
            start(one)

        return noted

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, object, object]:
        self._started = False
        result = yield
        if self._started:
            # Without what stands in brackets: with --count it is another, and all are repeated.
            with self.path.open("a", encoding="utf-8") as listed:
                listed.write(item.nodeid.partition("[")[0] + "\n")
        return result
