"""Several processes that play the pairs of one match at once."""

from __future__ import annotations

import contextlib
import multiprocessing
import signal
import sys
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from multiprocessing.connection import Connection, wait
from multiprocessing.context import SpawnProcess
from types import FrameType, TracebackType
from typing import Self

from sarsen.core.errors import UserError
from sarsen.lab.matches import Pair, PairPlayer, Setup

GRACE = 5.0  # seconds that a process may take to end itself and its engines

Task = tuple[int, tuple[str, ...]]


class Crew:
    """The processes; leaving the `with` block ends them."""

    def __init__(self, setup: Setup) -> None:
        # Threads of compiled code would not survive a fork.
        context = multiprocessing.get_context("spawn")
        self._members: dict[Connection, SpawnProcess] = {}
        self._order: deque[int] = deque()  # of the pairs handed out and not yet given
        for _ in range(min(setup.jobs, setup.pairs)):
            here, there = context.Pipe()
            process = context.Process(target=_work, args=(there, setup), daemon=True)
            process.start()
            there.close()
            self._members[here] = process

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for process in self._members.values():
            process.terminate()
        for connection, process in self._members.items():
            process.join(GRACE)
            if process.is_alive():
                process.kill()
                process.join()
            connection.close()

    def play(self, tasks: Iterator[Task]) -> Iterator[Pair]:
        """Yield the pairs in the order of their tasks, whoever is ready first.

        Raises:
            UserError: One of the processes ended, or met something that cannot be played.
        """
        ready: dict[int, Pair] = {}
        busy: set[Connection] = set()
        for connection in self._members:
            self._hand_out(connection, tasks, busy)
        while self._order:
            while self._order and self._order[0] in ready:
                yield ready.pop(self._order.popleft())
            for connection in _answered(busy):
                busy.discard(connection)
                pair = _received(connection)
                ready[pair.index] = pair
                self._hand_out(connection, tasks, busy)

    def _hand_out(
        self, connection: Connection, tasks: Iterator[Task], busy: set[Connection]
    ) -> None:
        task = next(tasks, None)
        if task is not None:
            self._order.append(task[0])
            with contextlib.suppress(BrokenPipeError):  # found out when nothing comes back
                connection.send(task)
            busy.add(connection)


def _answered(busy: set[Connection]) -> list[Connection]:
    """Wait until somebody has something to say, or is gone."""
    said = wait(list(busy)) if busy else []
    return [connection for connection in busy if connection in said]


def _received(connection: Connection) -> Pair:
    try:
        said = connection.recv()
    except (EOFError, ConnectionError):
        said = _Refused(
            "A process that played games of this match ended before its time.",
            "player-process-ended",
            "Run it again, with a smaller --jobs if memory is short.",
        )
    if isinstance(said, _Refused):
        raise UserError(said.text, code=said.code, hint=said.hint)
    assert isinstance(said, Pair)
    return said


@dataclass(frozen=True)
class _Refused:
    """A `UserError` on its way between processes."""

    text: str
    code: str
    hint: str


def _work(tasks: Connection, setup: Setup) -> None:
    # The keyboard's interrupt is for the process that holds the table; it ends this one.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, _leave)
    player = PairPlayer(setup)
    try:
        while True:
            index, opening = tasks.recv()
            tasks.send(player.play(index, opening))
    except EOFError:
        return
    except UserError as refusal:
        tasks.send(_Refused(refusal.text, refusal.code, refusal.hint))
    finally:
        player.close()


def _leave(number: int, frame: FrameType | None) -> None:
    sys.exit(0)
