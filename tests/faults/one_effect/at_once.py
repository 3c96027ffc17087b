"""Several processes that do something at the same moment, each with a connection of its own."""

from __future__ import annotations

import gc
import multiprocessing
import os
import traceback
from collections.abc import Callable, Sequence
from multiprocessing.connection import Connection
from multiprocessing.context import ForkProcess
from multiprocessing.synchronize import Barrier
from typing import Any

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper

from forking import await_other_threads

PATIENCE = 60  # seconds until a process that says nothing is a failure
# Seconds until a new process is ready, and how many are tried: one that is forked while a thread of
# another test holds a lock never is, and nothing of what is tested has run in it.
READY, FORKS = 10, 3


def in_processes(works: Sequence[Callable[[], Any]]) -> list[Any]:
    """Do all works at once, each in a process of its own; give what they gave, in order.

    The processes are forks of this one, which has let its connections go: none is shared.
    """
    await_other_threads()
    _close_connections_of_all_threads()
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


def _close_connections_of_all_threads() -> None:
    """Close also what threads of earlier tests have left open.

    SQLite keeps in the memory of a process what that process has locked. A fork has it copied, but
    not the locks: it would wait for a lock that nobody gives back, or write where another does
    (https://www.sqlite.org/howtocorrupt.html, "Carrying an open database connection across a
    fork").
    """
    connections.close_all()
    gc.collect()  # those of threads that have ended
    for one in gc.get_objects():
        if issubclass(type(one), BaseDatabaseWrapper) and one.connection is not None:
            one.inc_thread_sharing()  # its own thread is at rest, or has ended
            one.close()
    database = str(connections["default"].settings_dict["NAME"])
    opened = {os.path.realpath(f"/proc/self/fd/{name}") for name in os.listdir("/proc/self/fd")}
    assert database not in opened, "a connection of another thread is open"


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
