"""Work on the machines of a Dask cluster; needs the extra `cluster`."""

from __future__ import annotations

import logging
import re
import socket
import uuid
from collections import deque
from collections.abc import Iterator
from concurrent.futures import CancelledError
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Self

from distributed import Client, Future, KilledWorker, WorkerPlugin, get_worker, wait

from sarsen import __version__
from sarsen.core.errors import UserError
from sarsen.core.phrases import quoted
from sarsen.lab.tasks import Answer, Job, Turn, Worker, answer_of, result_of, too_many_deaths

CONNECT_SECONDS = 10  # a scheduler that runs answers at once, and a wrong address is told soon
ADDRESS = re.compile(r"(?:(?:tcp|tls)://)?(?:[\w.-]+|\[[0-9a-fA-F:.]+\]):([0-9]{1,5})", re.ASCII)
AHEAD = 2  # tasks for each thread of a worker: it need not wait for its next one


class Workplace(WorkerPlugin):
    """Keeps the opened workers of a job in each process of the cluster.

    Attributes:
        version: Of sarsen, where the job comes from.
        idle: Opened, and not at a task; a Dask worker of several threads has several.
    """

    def __init__(self, job: Job[Any, Any]) -> None:
        self.job = job
        self.version = __version__
        self.idle: deque[Worker[Any, Any]] = deque()
        self.is_closed = False

    def do(self, task: Any) -> Any:
        """Return the result of a task, done in a thread of the Dask worker."""
        if self.version != __version__:
            raise _other_version(socket.gethostname(), __version__, self.version)
        try:
            worker = self.idle.pop()
        except IndexError:
            worker = self.job.open()
        try:
            return worker.do(task)
        finally:
            self.idle.append(worker)
            if self.is_closed:
                self._close_idle()

    def teardown(self, worker: object) -> None:
        """End what was started, when the job or the process ends."""
        self.is_closed = True
        self._close_idle()

    def _close_idle(self) -> None:
        with suppress(IndexError):
            while True:
                self.idle.pop().close()


def _perform(job: str, task: Any) -> Answer:
    workplace = get_worker().plugins[job]
    assert isinstance(workplace, Workplace)
    return answer_of(partial(workplace.do, task))


@dataclass
class Cluster:
    """A job at a Dask scheduler.

    Attributes:
        name: Of the job, in the whole cluster.
        open: Tasks that are submitted and have no result yet.
    """

    client: Client
    name: str
    open: dict[Future[Answer], Turn] = field(default_factory=dict)

    @classmethod
    def join(cls, job: Job[Any, Any], address: str) -> Self:
        """Take a job to the cluster.

        Raises:
            UserError: No scheduler answers there, or it has no workers that know sarsen.
        """
        host_and_port = ADDRESS.fullmatch(address)
        if not host_and_port or int(host_and_port[1]) >= 2**16:
            raise UserError(
                f"{quoted(address, 80)} is not the address of a Dask scheduler, which needs a host "
                "and a port.",
                code="scheduler-address",
                hint="--scheduler tcp://127.0.0.1:8786",
            )
        # A `UserError` says what it would log with a traceback.
        for name in ("distributed", "distributed.client"):
            logging.getLogger(name).setLevel(logging.CRITICAL)
        try:
            client = Client(address, timeout=CONNECT_SECONDS, set_as_default=False)
        except OSError as refused:
            raise UserError(
                f"No Dask scheduler answers at {address[:80]}: {refused}.",
                code="no-scheduler",
                hint="dask scheduler --port 8786, and then --scheduler tcp://127.0.0.1:8786",
            ) from None
        cluster = cls(client, f"sarsen-{uuid.uuid4().hex}")
        try:
            cluster._register_job(job, address)
        except BaseException:
            # An interrupt, too, must not leave workers that wait for jobs.
            cluster.close()
            raise
        return cluster

    def hand_out(self, turns: Iterator[Turn]) -> None:
        try:
            threads = sum(self.client.nthreads().values())
        except OSError:
            raise _lost() from None
        while len(self.open) < max(1, AHEAD * threads):
            turn = next(turns, None)
            if turn is None:
                return
            key = f"{self.name}-{turn.number}"
            future = self.client.submit(_perform, self.name, turn.task, key=key, pure=False)
            self.open[future] = turn

    def answers(self) -> Iterator[tuple[Turn, Any]]:
        if not self.open:
            return
        try:
            with self.client.as_current():
                finished = wait(list(self.open), return_when="FIRST_COMPLETED").done
            for future in finished:
                turn = self.open.pop(future)
                try:
                    yield turn, result_of(future.result())
                except KilledWorker as killed:
                    raise too_many_deaths(killed.allowed_failures + 1, turn.task) from None
        except (CancelledError, OSError):
            raise _lost() from None

    def close(self) -> None:
        with suppress(OSError, ValueError):  # a scheduler that is gone, or knows no plugin
            self.client.cancel(list(self.open))
            self.client.unregister_worker_plugin(self.name)
        self.client.close()

    def _register_job(self, job: Job[Any, Any], address: str) -> None:
        if not self.client.nthreads():
            raise UserError(
                f"The Dask scheduler at {address[:80]} has no workers.",
                code="no-workers",
                hint=f"On each machine: dask worker {address[:80]} --nthreads 1",
            )
        versions: Any = self.client.get_versions(packages=["sarsen"])
        own_version = versions["client"]["packages"]["sarsen"]
        for place, facts in {"the scheduler": versions["scheduler"], **versions["workers"]}.items():
            version = facts["packages"]["sarsen"]
            if version != own_version:
                raise _other_version(place, version, __version__)
        self.client.register_plugin(Workplace(job), name=self.name)


def _other_version(place: str, version: str | None, needed: str) -> UserError:
    return UserError(
        "Every machine of a cluster needs the same version of sarsen: "
        f"here it is {needed}; {place} has {version or 'none'}.",
        code="cluster-version",
        hint=f"On every machine: pip install '/path/to/sarsen[bots,cluster]'   "
        f"(a clone or a wheel of {needed})",
    )


def _lost() -> UserError:
    return UserError(
        "The connection to the Dask scheduler was lost, with the games in progress.",
        code="scheduler-lost",
        hint="Start the scheduler and its workers again, and run the same command.",
    )
