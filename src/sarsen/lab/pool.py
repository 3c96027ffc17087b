"""Long work on several processes, here or on a cluster: results in the order of the tasks."""

from __future__ import annotations

import multiprocessing
import signal
import sys
from collections.abc import Generator, Iterable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, field
from functools import partial
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType
from typing import Any

from sarsen.core.errors import UserError
from sarsen.lab.tasks import (
    Crew,
    Done,
    Job,
    Result,
    Task,
    Turn,
    answer_of,
    result_of,
    too_many_deaths,
)

MAX_DEATHS = 3  # of processes at the same task: it would take down all others
# Seconds that a process may take to end itself and its engines: then it is killed.
GRACE = 5.0


def run(
    job: Job[Task, Result], tasks: Iterable[Task], *, workers: int = 1, scheduler: str = ""
) -> Generator[Result, None, None]:
    """Yield the results in the order of the tasks; closing the generator ends the processes.

    A task whose process dies is done again by another one.

    Args:
        tasks: Taken when there is a process for them. `str` of a task names it in errors.
        workers: Processes; 1 is this process.
        scheduler: The address of a Dask scheduler, whose workers are used instead.

    Raises:
        UserError: One was raised by a worker, MAX_DEATHS processes died at a task, or the
            cluster cannot be used.
    """
    if scheduler:
        crew: Crew = _cluster(job, scheduler)
    elif workers > 1:
        crew = _Processes(job, workers)
    else:
        with closing(job.open()) as worker:
            for task in tasks:
                yield worker.do(task)
        return
    with closing(crew):
        yield from _in_order(crew, tasks)


def _in_order(crew: Crew, tasks: Iterable[Any]) -> Iterator[Any]:
    turns = (Turn(number, task) for number, task in enumerate(tasks))
    ready: dict[int, Any] = {}
    yielded = 0
    crew.hand_out(turns)
    while new := {turn.number: result for turn, result in crew.answers()}:
        ready |= new
        crew.hand_out(turns)
        while yielded in ready:
            yield ready.pop(yielded)
            yielded += 1


def _cluster(job: Job[Any, Any], scheduler: str) -> Crew:
    try:
        from sarsen.lab.cluster import Cluster
    except ModuleNotFoundError as missing:
        raise UserError(
            f"--scheduler needs Dask, and {missing.name} is not installed.",
            code="no-cluster",
            hint="pip install '/path/to/sarsen[cluster]'   (a clone or a wheel)",
        ) from None
    return Cluster.join(job, scheduler)


@dataclass
class _Processes:
    """Processes of this machine.

    Attributes:
        most: Processes at a time; one is started when there is a task for it.
        busy: What the processes at the other ends are doing.
    """

    job: Job[Any, Any]
    most: int
    processes: dict[Connection, SpawnProcess] = field(default_factory=dict)
    busy: dict[Connection, Turn] = field(default_factory=dict)

    def hand_out(self, turns: Iterator[Turn]) -> None:
        while len(self.busy) < self.most:
            turn = next(turns, None)
            if turn is None:
                return
            idle = self.processes.keys() - self.busy.keys()
            self._send(idle.pop() if idle else self._start(), turn)

    def answers(self) -> Iterator[tuple[Turn, Any]]:
        is_answered = False
        while self.busy and not is_answered:
            for connection in wait(list(self.busy)):
                assert isinstance(connection, Connection)
                turn = self.busy.pop(connection)
                try:
                    answer = connection.recv()
                except (EOFError, OSError):
                    self._replace(connection, turn)
                else:
                    is_answered = True
                    yield turn, result_of(answer)

    def close(self) -> None:
        for process in self.processes.values():
            process.terminate()
        for connection in list(self.processes):
            self._discard(connection)

    def _replace(self, connection: Connection, turn: Turn) -> None:
        """Start a new process for the task of a dead one."""
        self._discard(connection)
        turn.deaths += 1
        if turn.deaths == MAX_DEATHS:
            raise too_many_deaths(turn.deaths, turn.task)
        self._send(self._start(), turn)

    def _start(self) -> Connection:
        # Threads of compiled code would not survive a fork.
        context = multiprocessing.get_context("spawn")
        parent_end, child_end = context.Pipe()
        process = context.Process(target=_run_worker, args=(child_end, self.job), daemon=True)
        process.start()
        child_end.close()
        self.processes[parent_end] = process
        return parent_end

    def _send(self, connection: Connection, turn: Turn) -> None:
        self.busy[connection] = turn
        with suppress(BrokenPipeError):  # `answers` finds it dead
            connection.send(turn.task)

    def _discard(self, connection: Connection) -> None:
        process = self.processes.pop(connection)
        process.join(GRACE)
        if process.is_alive():
            process.kill()
            process.join()
        connection.close()


def _run_worker(tasks: Connection, job: Job[Any, Any]) -> None:
    # The keyboard's interrupt is for the process that holds the table; it ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _exit_on_signal)
    opened = answer_of(job.open)
    try:
        while True:
            task = tasks.recv()
            do = partial(opened.result.do, task) if isinstance(opened, Done) else None
            tasks.send(answer_of(do) if do else opened)
    except (EOFError, BrokenPipeError):
        return
    finally:
        if isinstance(opened, Done):
            opened.result.close()


def _exit_on_signal(number: int, frame: FrameType | None) -> None:
    sys.exit(0)
