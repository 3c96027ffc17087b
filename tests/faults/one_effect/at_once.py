"""Several processes that do something at the same moment, each with a connection of its own."""

from __future__ import annotations

import multiprocessing
import os
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from multiprocessing.synchronize import Barrier
from typing import Any

from django.db import connections

PATIENCE = 60  # seconds until a process that says nothing is a failure
# Seconds until a new process is ready, and how many are tried: one that is forked while a thread of
# another test holds a lock never is, and nothing of what is tested has run in it.
READY, FORKS = 10, 3


def in_processes(works: Sequence[Callable[[], Any]]) -> list[Any]:
    """Do all works at once, each in a process of its own; give what they gave, in order.

    The processes are forks of this one, which has let its connections go: none is shared.
    """
    connections.close_all()
    context = multiprocessing.get_context("fork")
    gate = context.Barrier(len(works))
    ends = [_ready(work, gate) for work in works]
    found = []
    for here, process in ends:
        assert here.poll(PATIENCE), "a process says nothing"
        is_done, result = here.recv()
        process.join(PATIENCE)
        assert is_done, result
        found.append(result)
    return found


def _ready(work: Callable[[], Any], gate: Barrier) -> tuple[Connection, ForkProcess]:
    """Return a process that waits at the gate, and the pipe on which it will answer."""
    context = multiprocessing.get_context("fork")
    for _ in range(FORKS):
        here, there = context.Pipe(duplex=False)
        process = context.Process(target=_work, args=(work, gate, there), daemon=True)
        process.start()
        there.close()
        if here.poll(READY):
            assert here.recv() == "ready"
            return here, process
        process.kill()
        process.join()
    raise AssertionError("no process gets ready")


def _work(work: Callable[[], Any], gate: Barrier, there: Connection) -> None:
    try:
        connections["default"].ensure_connection()
        there.send("ready")
        gate.wait(PATIENCE)
        there.send((True, work()))
    except BaseException:
        there.send((False, traceback.format_exc()))
    finally:
        connections.close_all()
        # Nothing else of the tests' own process is run a second time at the end of this one.
        os._exit(0)
