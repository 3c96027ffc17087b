"""The supervising process: starts web, listener and worker, and keeps them running.

Every process ends with the one that started it, however that died: the supervisor holds one end
of a pipe that nobody writes to, and its children watch the other. The system closes the held end
when the supervisor dies, even by SIGKILL.
"""

from __future__ import annotations

import contextlib
import multiprocessing
import os
import secrets
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass, field

import structlog

from sarsen.server.ports import Port, is_answered_by

# `NAME:END`: the name of this run of the server, and the end of the pipe to watch. Ports say the
# name, which is no secret, so that a reply of an earlier run is not taken for one of this run.
VARIABLE = "SARSEN_RUN"
log = structlog.get_logger()
FINISH_LIMIT = 20.0  # seconds to finish what was begun, for a process whose supervisor is gone
START_LIMIT = 60.0  # seconds until every port must answer
STOP_LIMIT = 20.0  # seconds a process may take to end
# A process that ends by itself sooner waits longer before each next start.
QUICK_DEATH = 3.0  # seconds
SHORTEST_WAIT, LONGEST_WAIT = 0.1, 30.0  # seconds
MOST_FAILURES = 3  # of one process before the server is ready


def open_lifeline() -> int:
    """Return the end for children to watch; the other stays open as long as this process."""
    watched, _held = os.pipe()
    return watched


def end_with_supervisor() -> None:
    """End this process when the supervisor is gone; do nothing when there is none."""
    run, _, watched = os.environ.get(VARIABLE, "").partition(":")
    if watched:
        os.environ[VARIABLE] = run  # the number means nothing to processes that this one starts
        _end_after(lambda: os.read(int(watched), 1))


def end_with_parent() -> None:
    """End this process when the one that forked it for the web is gone."""
    parent = multiprocessing.parent_process()
    if parent is not None:
        _end_after(parent.join)


@dataclass
class SupervisedProcess:
    """One kept process: how to start it, and how it has been doing.

    Attributes:
        failures: How often in a row it ended soon and by itself.
    """

    name: str
    arguments: list[str]
    running: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    ended_at: float = -1.0
    failures: int = 0

    @property
    def is_alive(self) -> bool:
        return self.running is not None and self.running.poll() is None

    @property
    def wait(self) -> float:
        """Return the seconds between its end and its next start."""
        return min(LONGEST_WAIT, SHORTEST_WAIT * 2.0**self.failures)

    def start(self, run: str, watched: int) -> None:
        """Start it.

        Args:
            run: The name of this run of the server.
            watched: The end of a lifeline.
        """
        self.started_at = time.monotonic()
        self.running = subprocess.Popen(  # noqa: S603 (our own words)
            self.arguments,
            start_new_session=True,
            pass_fds=[watched],
            env=os.environ | {VARIABLE: f"{run}:{watched}"},
        )

    def look_after(self, run: str, watched: int) -> None:
        """Start it again if it has ended, later each time it soon ended by itself."""
        if self.running is None or self.is_alive:
            return
        now = time.monotonic()
        if self.ended_at < self.started_at:
            self.ended_at = now
            # A process that was killed is not at fault.
            is_killed = self.running.returncode in (-signal.SIGKILL, -signal.SIGTERM)
            is_failing = not is_killed and now - self.started_at < QUICK_DEATH
            self.failures = self.failures + 1 if is_failing else 0
            _signal_group(self.running.pid, signal.SIGKILL)  # whatever it left behind
            log.warning("a process ended", process=self.name, status=self.running.returncode)
        if now - self.ended_at >= self.wait:
            self.start(run, watched)


@dataclass
class Supervisor:
    """Keep some processes running until SIGTERM or SIGINT."""

    processes: list[SupervisedProcess]
    ports: list[Port]
    _run: str = field(default_factory=lambda: secrets.token_hex(8))
    _watched: int = field(default_factory=open_lifeline)
    _stopped: threading.Event = field(default_factory=threading.Event)

    def run(self, announce: list[str]) -> int:
        """Start all, print the announcement when our own processes answer, and stay.

        Returns:
            The exit status: 0 after a clean stop, 1 when a process could not be started.
        """
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: self._stopped.set())
        try:
            for process in self.processes:
                process.start(self._run, self._watched)
            if not self._await_ready():
                return 0 if self._stopped.is_set() else 1
            print("\n".join(announce), flush=True)
            tell_systemd("READY=1")
            while not self._stopped.wait(0.1):
                self._look_after_all()
            return 0
        finally:
            self._stop()

    def _look_after_all(self) -> None:
        for process in self.processes:
            process.look_after(self._run, self._watched)

    def _await_ready(self) -> bool:
        limit = time.monotonic() + START_LIMIT
        silent = list(self.ports)
        while not self._stopped.wait(0.05):
            self._look_after_all()
            silent = [port for port in silent if not is_answered_by(port, self._run)]
            if not silent and all(process.is_alive for process in self.processes):
                return True
            for process in self.processes:
                if process.failures >= MOST_FAILURES:
                    log.error("a process cannot be started; see above", process=process.name)
                    return False
            if time.monotonic() > limit:
                log.error("not ready in time", silent=[str(port) for port in silent])
                return False
        return False

    def _stop(self) -> None:
        tell_systemd("STOPPING=1")
        running = [one.running for one in self.processes if one.running]
        for process in running:
            _signal_group(process.pid, signal.SIGTERM)
        limit = time.monotonic() + STOP_LIMIT
        for process in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.1, limit - time.monotonic()))
            _signal_group(process.pid, signal.SIGKILL)
            process.wait()


def tell_systemd(state: str) -> None:
    """Send the state of the server to the service manager that asks for it (`Type=notify`)."""
    address = os.environ.get("NOTIFY_SOCKET", "")
    if not address:
        return
    # A name that begins with @ stands for one in the abstract namespace.
    path = "\0" + address[1:] if address.startswith("@") else address
    with (
        contextlib.suppress(OSError),
        socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM | socket.SOCK_CLOEXEC) as notify,
    ):
        notify.sendto(state.encode(), path)


def sarsen_arguments(*words: str) -> list[str]:
    """Return the arguments that run a `sarsen` command with this very Python."""
    return [sys.executable, "-m", "sarsen", *words]


def _end_after(wait: Callable[[], object]) -> None:
    def watch() -> None:
        wait()
        log.warning("ending, because the process that started this one is gone")
        os.kill(os.getpid(), signal.SIGTERM)
        time.sleep(FINISH_LIMIT)
        # The group is what one start of the supervisor has made, and nothing else.
        os.killpg(0, signal.SIGKILL)

    threading.Thread(target=watch, name="lifeline", daemon=True).start()


def _signal_group(leader: int, number: int) -> None:
    """Signal a process and all it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, number)
