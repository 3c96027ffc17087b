"""The supervising process: starts web, listener and worker, and keeps them running."""

from __future__ import annotations

import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
import time
from dataclasses import dataclass

import structlog

log = structlog.get_logger()
START_LIMIT = 60.0  # seconds until every port must answer
STOP_LIMIT = 20.0  # seconds a process may take to end
QUICK_DEATH = 10.0  # seconds; who dies sooner waits longer before each next start
SHORTEST_WAIT, LONGEST_WAIT = 0.1, 30.0  # seconds


@dataclass
class Process:
    """One kept process: how to start it, and how it has been doing."""

    name: str
    arguments: list[str]
    running: subprocess.Popen[bytes] | None = None
    started_at: float = 0.0
    ended_at: float = -1.0
    wait: float = SHORTEST_WAIT

    def start(self) -> None:
        """Start it."""
        self.started_at = time.monotonic()
        self.running = subprocess.Popen(self.arguments, start_new_session=True)  # noqa: S603 (our own words)

    def look_after(self) -> None:
        """Start it again if it has ended, later each time it dies young."""
        if self.running is None or self.running.poll() is None:
            return
        now = time.monotonic()
        if self.ended_at < self.started_at:
            self.ended_at = now
            is_young = now - self.started_at < QUICK_DEATH
            self.wait = min(LONGEST_WAIT, 2 * self.wait) if is_young else SHORTEST_WAIT
            _signal_group(self.running.pid, signal.SIGKILL)  # whatever it left behind
            log.warning("a process ended", process=self.name, status=self.running.returncode)
        if now - self.ended_at >= self.wait:
            self.start()


class Supervisor:
    """Keep some processes running until SIGTERM or SIGINT."""

    def __init__(self, processes: list[Process]) -> None:
        self._processes = processes
        self._stopped = threading.Event()

    def run(self, ports: list[tuple[str, int]], announce: list[str]) -> int:
        """Start all, print the announcement when the ports answer, and stay.

        Returns:
            The exit status: 0 after a clean stop, 1 when a port never answered.
        """
        for name in (signal.SIGTERM, signal.SIGINT):
            signal.signal(name, lambda *_: self._stopped.set())
        for process in self._processes:
            process.start()
        try:
            if not self._await_ports(ports):
                return 0 if self._stopped.is_set() else 1
            print("\n".join(announce), flush=True)
            while not self._stopped.wait(0.1):
                for process in self._processes:
                    process.look_after()
            return 0
        finally:
            self._stop()

    def _await_ports(self, ports: list[tuple[str, int]]) -> bool:
        limit = time.monotonic() + START_LIMIT
        for port in ports:
            while not _answers(port):
                if time.monotonic() > limit:
                    log.error("a port does not answer", port=port[1])
                    return False
                for process in self._processes:
                    process.look_after()
                if self._stopped.wait(0.05):
                    return False
        return True

    def _stop(self) -> None:
        running = [one.running for one in self._processes if one.running]
        for process in running:
            _signal_group(process.pid, signal.SIGTERM)
        limit = time.monotonic() + STOP_LIMIT
        for process in running:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(max(0.1, limit - time.monotonic()))
            _signal_group(process.pid, signal.SIGKILL)
            process.wait()


def _signal_group(leader: int, number: int) -> None:
    """Signal a process and all it has started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(leader, number)


def _answers(port: tuple[str, int]) -> bool:
    host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(port[0], port[0])  # noqa: S104
    try:
        with socket.create_connection((host, port[1]), timeout=1):
            return True
    except OSError:
        return False


def sarsen_arguments(*words: str) -> list[str]:
    """Give the arguments that run a `sarsen` command with this very Python."""
    return [sys.executable, "-m", "sarsen", *words]


def web_arguments(host: str, port: int) -> list[str]:
    """Give the arguments that run the web server."""
    threads = os.environ.get("SARSEN_WEB_THREADS", "4")
    return [
        *(sys.executable, "-m", "granian", "sarsen.server.wsgi:application"),
        *("--interface", "wsgi", "--host", host, "--port", str(port)),
        *("--workers", "1", "--blocking-threads", threads),
        *("--log-level", "warning", "--no-access-log"),
    ]
