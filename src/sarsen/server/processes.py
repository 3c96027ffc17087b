"""The supervising process: starts web, listener and worker, and keeps them running.

It loads what they share and forks them, so that they hold the loaded code in memory once. It
never starts a thread and opens no database.

Every process ends with the one that started it, however that died: the supervisor holds one end
of a pipe that nobody writes to, and its children watch the other. The system closes the held end
when the supervisor dies, even by SIGKILL.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import select
import signal
import socket
import sys
import threading
import time
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import NoReturn

import structlog

from sarsen.server.ports import Port, is_answered_by

# `NAME:END`: the name of this run of the server, and the end of the pipe to watch. Ports say the
# name, which is no secret, so that a reply of an earlier run is not taken for one of this run.
VARIABLE = "SARSEN_RUN"
log = structlog.get_logger()
# Seconds to finish what was begun, for a process whose supervisor is gone: it may hang.
FINISH_LIMIT = 20.0
# Seconds until every port must answer, on slow machines, too; then the start has failed.
START_LIMIT = 60.0
# Seconds a process may take to end; then it is killed: what it did is found again.
STOP_LIMIT = 20.0
# A process that ends by itself sooner waits longer before each next start.
QUICK_DEATH = 3.0  # seconds
# Seconds before a process is started again, twice as long each time: what ends it mostly lasts.
SHORTEST_WAIT, MAX_WAIT = 0.1, 30.0
# Of one process before the server is ready: it cannot work like this, and the operator waits.
MAX_FAILURES = 3
_STOPPING = (signal.SIGTERM, signal.SIGINT)


@dataclass(frozen=True)
class Lifeline:
    """A pipe that closes when the supervisor is gone.

    Attributes:
        run: The name of this run of the server.
        watched: The end that children watch.
        held: The end that the supervisor alone has open.
    """

    run: str
    watched: int
    held: int


def open_lifeline() -> Lifeline:
    """Choose the name of this run, set it in the environment, and open the pipe."""
    os.environ[VARIABLE] = run = secrets.token_hex(8)
    return Lifeline(run, *os.pipe())


def end_with_supervisor() -> bool:
    """End this process when the supervisor is gone; return False when there is none."""
    run, _, watched = os.environ.get(VARIABLE, "").partition(":")
    if watched:
        os.environ[VARIABLE] = run  # the number means nothing to processes that this one starts
        watch = threading.Thread(target=_end_after, args=(int(watched),), name="lifeline")
        watch.daemon = True
        watch.start()
    return bool(watched)


@dataclass
class SupervisedProcess:
    """One kept process: how to start it, and how it has been doing.

    Attributes:
        words: Of the `sarsen` command that it runs.
        calls: A pipe for one that ends when it has nothing to do: when there is something in the
            pipe it is started again. None for one that always runs.
        id: Of the process; 0 before its first start.
        status: With which it ended, negative for a signal; None while it runs.
        failures: How often in a row it ended soon and by itself.
        fork: The system call.
    """

    name: str
    words: list[str]
    calls: int | None = None
    id: int = 0
    status: int | None = None
    started_at: float = 0.0
    ended_at: float = -1.0
    failures: int = 0
    fork: Callable[[], int] = os.fork

    @property
    def is_alive(self) -> bool:
        if self.id and self.status is None:
            ended, status = os.waitpid(self.id, os.WNOHANG)
            if ended:
                self.status = os.waitstatus_to_exitcode(status)
        return bool(self.id) and self.status is None

    @property
    def wait(self) -> float:
        """Return the seconds between its end and its next start."""
        return min(MAX_WAIT, SHORTEST_WAIT * 2.0 ** min(self.failures, 10))

    def start(self, lifeline: Lifeline) -> None:
        """Start it."""
        self.id = _fork(self.fork, self.words, lifeline)
        self.started_at = time.monotonic()
        self.status = None

    @property
    def is_away(self) -> bool:
        """Whether it has nothing to do."""
        return self.calls is not None and self.status == 0 and not _is_readable(self.calls)

    def look_after(self, lifeline: Lifeline) -> None:
        """Start it again if it has ended, later each time it soon failed by itself."""
        if not self.id or self.is_alive:
            return
        now = time.monotonic()
        if self.ended_at < self.started_at:
            self.ended_at = now
            # A process that was killed is not at fault.
            is_well = self.status == 0 and self.calls is not None
            is_killed = self.status in (-signal.SIGKILL, -signal.SIGTERM)
            is_failing = not is_well and not is_killed and now - self.started_at < QUICK_DEATH
            self.failures = self.failures + 1 if is_failing else 0
            self.send(signal.SIGKILL)  # to whatever it left behind
            if not is_well:
                log.warning("a process ended", process=self.name, status=self.status)
        if now - self.ended_at < self.wait or self.is_away:
            return
        try:
            self.start(lifeline)
        except OSError as refused:  # no memory, or too many processes
            self.failures, self.ended_at = self.failures + 1, now
            log.warning("a process could not start", process=self.name, reason=str(refused))

    def send(self, number: int) -> None:
        """Send a signal to it and to all it has started."""
        try:
            os.killpg(self.id, number)
        except ProcessLookupError:
            if self.is_alive:  # and has made no group yet
                os.kill(self.id, number)


@dataclass
class Supervisor:
    """Keep some processes running until SIGTERM or SIGINT."""

    processes: list[SupervisedProcess]
    ports: list[Port]
    lifeline: Lifeline
    # Set by a signal handler: it may not take a lock, which what it interrupts may hold.
    _is_asked_to_stop: bool = False

    def run(self, announce: list[str]) -> int:
        """Start all, print the announcement when our own processes answer, and stay.

        Returns:
            The exit status: 0 after a clean stop, 1 when a process could not be started.
        """
        for name in _STOPPING:
            signal.signal(name, self._note_signal)
        try:
            for process in self.processes:
                if process.calls is None:
                    process.start(self.lifeline)
            if not self._await_ready():
                return 0 if self._is_asked_to_stop else 1
            print("\n".join(announce), flush=True)
            tell_systemd("READY=1")
            for process in self.processes:
                if process.calls is not None:  # once, to see what there is to do
                    process.start(self.lifeline)
            while self._goes_on_after(0.1):
                self._check_processes()
            return 0
        finally:
            self._stop()

    def _note_signal(self, *_: object) -> None:
        self._is_asked_to_stop = True

    def _goes_on_after(self, seconds: float) -> bool:
        """Wait, and return whether nobody has asked to stop."""
        if not self._is_asked_to_stop:
            time.sleep(seconds)
        return not self._is_asked_to_stop

    def _check_processes(self) -> None:
        for process in self.processes:
            process.look_after(self.lifeline)

    def _await_ready(self) -> bool:
        limit = time.monotonic() + START_LIMIT
        silent = list(self.ports)
        while self._goes_on_after(0.05):
            self._check_processes()
            silent = [port for port in silent if not is_answered_by(port, self.lifeline.run)]
            needed = [process for process in self.processes if process.calls is None]
            if not silent and all(process.is_alive for process in needed):
                return True
            for process in self.processes:
                # It would fail again and again, and nobody be told.
                if process.failures >= MAX_FAILURES:
                    log.error(
                        "a process cannot be started; see the log messages above",
                        process=process.name,
                    )
                    return False
            if time.monotonic() > limit:
                log.error("not ready in time", silent=[str(port) for port in silent])
                return False
        return False

    def _stop(self) -> None:
        tell_systemd("STOPPING=1")
        running = [process for process in self.processes if process.is_alive]
        for process in running:
            process.send(signal.SIGTERM)
        limit = time.monotonic() + STOP_LIMIT
        for process in running:
            while process.is_alive and time.monotonic() < limit:
                time.sleep(0.02)  # `waitpid` knows no limit of time
            process.send(signal.SIGKILL)
            while process.is_alive:
                time.sleep(0.001)  # killed: it is gone in a moment


def run_to_its_end(words: list[str], lifeline: Lifeline, meanwhile: Callable[[], None]) -> int:
    """Run a `sarsen` command in a child, whose memory ends with it, and return its status.

    Args:
        meanwhile: Do this beside it.
    """
    child = SupervisedProcess(words[0], words)
    child.start(lifeline)
    try:
        meanwhile()
        while child.is_alive:
            time.sleep(0.01)  # short beside what a command takes
    finally:
        if child.is_alive:  # an interrupt ends both
            child.send(signal.SIGTERM)
    assert child.status is not None
    return child.status


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


def _fork(fork: Callable[[], int], words: list[str], lifeline: Lifeline) -> int:
    """Start a `sarsen` command in a child, and return its process id."""
    # A signal that comes before the child has handlers of its own must not be lost.
    signal.pthread_sigmask(signal.SIG_BLOCK, _STOPPING)
    try:
        process = fork()
        if process == 0:
            _run(words, lifeline)
        return process
    finally:
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPPING)


def _run(words: list[str], lifeline: Lifeline) -> NoReturn:
    """Run a `sarsen` command in this new process, and end it."""
    status = 1
    try:
        os.close(lifeline.held)
        os.setsid()
        os.environ[VARIABLE] = f"{lifeline.run}:{lifeline.watched}"
        signal.signal(signal.SIGTERM, signal.SIG_DFL)
        signal.signal(signal.SIGINT, signal.default_int_handler)
        signal.pthread_sigmask(signal.SIG_UNBLOCK, _STOPPING)
        if sys.platform == "darwin":  # whose libraries do not work in a forked process
            os.set_inheritable(lifeline.watched, True)
            os.execv(sys.executable, [sys.executable, "-m", "sarsen", *words])  # noqa: S606
        sys.argv = ["sarsen", *words]
        with contextlib.suppress(OSError):  # elsewhere than on Linux
            Path("/proc/self/comm").write_text(f"sarsen {words[0]}", encoding="ascii")
        from sarsen.server.command import main

        main()
        status = 0
    except SystemExit as ended:
        status = ended.code if isinstance(ended.code, int) else int(bool(ended.code))
    # The child's outermost function: it must never return into the supervisor.
    except BaseException:
        traceback.print_exc()
    finally:
        # Nothing that the supervisor would do at its own end may be done here.
        try:
            for stream in filter(None, (sys.stdout, sys.stderr)):
                stream.flush()
        finally:
            os._exit(status)


def _is_readable(pipe: int) -> bool:
    return bool(select.select([pipe], [], [], 0)[0])


def _end_after(watched: int) -> None:
    """Wait until the other end of a pipe is closed, and end this process."""
    os.read(watched, 1)
    log.warning("ending, because the supervisor has ended")
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(FINISH_LIMIT)  # ends with the process, which mostly ends sooner
    # The group is what one start of the supervisor has made, and nothing else.
    os.killpg(0, signal.SIGKILL)
