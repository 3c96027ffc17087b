"""Work in forked processes, which the system ends when it takes too long."""

from __future__ import annotations

import faulthandler
import json
import os
import signal
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Child:
    """A forked process, and the end of the pipe on which it answers."""

    process: int
    reader: int

    def answer(self) -> dict[str, Any]:
        """Wait, and return what it found; nothing when it failed or was ended."""
        with open(self.reader, "rb") as file:
            answer = file.read()
        os.waitpid(self.process, 0)
        found: dict[str, Any] = json.loads(answer) if answer else {}
        return found

    def end(self) -> None:
        """End it, when nobody waits for its answer any more."""
        os.kill(self.process, signal.SIGKILL)
        self.answer()


def forked(work: Callable[[], dict[str, Any]]) -> dict[str, Any]:
    """Return what work answers in a process of its own; nothing when it fails or is ended."""
    return started(work).answer()


def started(work: Callable[[], dict[str, Any]]) -> Child:
    """Begin work in a process of its own."""
    reader, writer = os.pipe()
    child = os.fork()
    if child == 0:
        # The outermost function of a process: whatever is raised here ends it without an answer.
        with suppress(BaseException):
            faulthandler.unregister(signal.SIGPROF)
            signal.signal(signal.SIGPROF, signal.SIG_DFL)
            silence = os.open(os.devnull, os.O_WRONLY)
            os.dup2(silence, 1)
            os.dup2(silence, 2)
            os.write(writer, json.dumps(work()).encode())
        os._exit(0)
    os.close(writer)
    return Child(child, reader)


def processor_seconds() -> float:
    """Return the seconds of the processor that this process and its children have taken."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system
