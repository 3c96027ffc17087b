"""A process of the server ends when its supervisor is gone, however that ended."""

from __future__ import annotations

import multiprocessing
import os
import signal
import threading
from multiprocessing.connection import Connection

from forking import await_other_threads
from sarsen.server.processes import VARIABLE, end_with_supervisor


def live(watched: int, held: int, answer: Connection) -> None:
    """Begin as a process of the server does, tell how many threads that started, and live on."""
    os.setsid()
    os.close(held)
    signal.signal(signal.SIGTERM, signal.SIG_DFL)
    os.environ[VARIABLE] = f"run:{watched}"
    before = threading.active_count()
    end_with_supervisor()
    answer.send(threading.active_count() - before)
    signal.pause()


def test_a_process_watches_its_supervisor_and_ends_when_that_is_gone() -> None:
    watched, held = os.pipe()
    here, there = multiprocessing.Pipe()
    await_other_threads()
    fork = multiprocessing.get_context("fork")
    process = fork.Process(target=live, args=(watched, held, there))
    process.start()
    os.close(watched)
    try:
        assert here.recv() == 1, "nothing watches the supervisor"
        os.close(held)
        process.join()
        assert process.exitcode == -signal.SIGTERM
    finally:
        process.kill()
        process.join()
