"""Engines of others: a process that speaks the protocol, and is not trusted with anything."""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import threading
import time
from collections import deque
from dataclasses import dataclass, field
from typing import IO

from sarsen.core.game import AnyPosition
from sarsen.core.options import read_options
from sarsen.lab.contestants import Choice, EngineFault, EngineMoved, EngineResigned, Kind
from sarsen.lab.protocol import RESIGN
from sarsen.search.thought import Budget

MAX_LINE = 10_000  # bytes, without its end: an engine must not fill our memory
MAX_LINES = 2_000  # of one answer: an engine must not fill our memory
WAITING_LINES = 500  # read ahead; a chatterbox is stopped at its pipe
KEPT_WORDS = 20  # lines of its standard error, the last ones: they say why it ended
SHOWN = 60  # characters of what it said
LAST_WORDS_SHOWN = 160
START_PATIENCE = 30.0  # seconds for the first answer, on top: it may load or compile much


@dataclass(frozen=True)
class EngineAnswer:
    """The answer of an engine.

    Attributes:
        is_done: False for a refusal, `?`.
        text: Without the sign.
    """

    is_done: bool
    text: str


@dataclass
class OutsidePlayer:
    """Play through a process; start it when needed, end it when it does wrong.

    Attributes:
        command: The words that start it.
        budget: Its seconds a move are told to it; a limit in nodes it must know itself.
        patience: Seconds for an answer, beyond its time.
    """

    name: str
    command: tuple[str, ...]
    budget: Budget | None
    patience: float
    process: EngineProcess | None = None
    known_commands: frozenset[str] = frozenset()

    def begin(self, start: AnyPosition, seed: int) -> EngineFault | None:
        if self.process is None:
            fault = self._start()
            if fault:
                return fault
        settled = None
        if "set_options" in self.known_commands:
            options = read_options(start.game.info.options, dict(start.options)).write()
            settled = self._run_command(f"set_options {options}".strip())
        # An engine that knows no options was started for the right ones, or refuses a move.
        settled = settled or self._run_command("clear_board")
        seconds = self.budget.seconds if self.budget else None
        if settled is None and seconds and "time_settings" in self.known_commands:
            return self._run_command(f"time_settings 0 {seconds:g} 1")
        return settled

    def watch(self, position: AnyPosition, text: str) -> EngineFault | None:
        return self._run_command(f"play {_seat(position)} {text}")

    def get_ready(self, position: AnyPosition) -> None:
        """Do nothing: the protocol has no command for it."""

    def choose(self, position: AnyPosition) -> Choice:
        seconds = (self.budget.seconds if self.budget else None) or 0.0
        answer = self._ask(f"genmove {_seat(position)}", seconds + self.patience)
        if isinstance(answer, EngineFault):
            return answer
        if not answer.is_done:
            return self._stop_with_fault(Kind.REFUSAL, f"to move: {_shown(answer.text)}")
        if answer.text.strip().lower() == RESIGN:
            return EngineResigned()
        return EngineMoved(answer.text.strip())

    def close(self) -> None:
        if self.process is not None:
            self.process.end()
            self.process = None

    def _start(self) -> EngineFault | None:
        try:
            self.process = EngineProcess(self.command)
        except OSError as refused:
            return EngineFault(Kind.CRASH, f"it cannot be started: {refused.strerror}")
        answer = self._ask("list_commands", self.patience + START_PATIENCE)
        if isinstance(answer, EngineFault):
            return answer
        self.known_commands = frozenset(answer.text.split()) if answer.is_done else frozenset()
        return None

    def _run_command(self, command: str) -> EngineFault | None:
        answer = self._ask(command, self.patience)
        if isinstance(answer, EngineFault):
            return answer
        if answer.is_done:
            return None
        return self._stop_with_fault(Kind.REFUSAL, f"{command}: {_shown(answer.text)}")

    def _ask(self, command: str, seconds: float) -> EngineAnswer | EngineFault:
        if self.process is None:
            return EngineFault(Kind.CRASH, "it is not running")
        answer = self.process.ask(command, seconds)
        if isinstance(answer, EngineFault):
            self.close()  # what it says after this belongs to no question
        return answer

    def _stop_with_fault(self, kind: Kind, detail: str) -> EngineFault:
        self.close()
        return EngineFault(kind, detail)


def _seat(position: AnyPosition) -> str:
    return position.game.info.seats[position.seat]


def _shown(text: str, most: int = SHOWN) -> str:
    """Return text of an engine without signs that could harm a terminal."""
    line = " ".join(text.split())
    safe = "".join(sign if " " <= sign <= "~" else ascii(sign)[1:-1] for sign in line[:most])
    return f"{safe}…" if len(line) > most else safe or "nothing"


@dataclass
class EngineProcess:
    """A running engine: its pipes, and a thread at each that it writes to."""

    command: tuple[str, ...]
    lines: queue.Queue[bytes | None] = field(
        default_factory=lambda: queue.Queue(maxsize=WAITING_LINES)
    )
    last_error_lines: deque[str] = field(default_factory=lambda: deque(maxlen=KEPT_WORDS))

    def __post_init__(self) -> None:
        self.popen = subprocess.Popen(  # noqa: S603  (what the person at the keyboard typed)
            self.command,
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            start_new_session=True,  # so that what it started ends with it
        )
        assert self.popen.stdout
        assert self.popen.stderr
        self.is_ended = threading.Event()
        reading = threading.Thread(target=self._read, args=(self.popen.stdout,), daemon=True)
        reading.start()
        self.error_reader = threading.Thread(
            target=self._read_errors, args=(self.popen.stderr,), daemon=True
        )
        self.error_reader.start()

    def ask(self, command: str, seconds: float) -> EngineAnswer | EngineFault:
        """Send a command and wait for the whole answer."""
        unasked = self._unexpected_line()
        if unasked:
            return EngineFault(Kind.GARBAGE, f"it said '{_shown(unasked)}' without being asked")
        deadline = time.monotonic() + seconds
        try:
            assert self.popen.stdin
            self.popen.stdin.write(f"{command}\n".encode())
            self.popen.stdin.flush()
        except OSError:
            return self._crashed(command)
        return self._answer(command, deadline, seconds)

    def end(self) -> None:
        """Close its input; kill it with all that it started."""
        self.is_ended.set()
        assert self.popen.stdin
        with contextlib.suppress(OSError):
            self.popen.stdin.write(b"quit\n")
            self.popen.stdin.flush()
        with contextlib.suppress(OSError):
            self.popen.stdin.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self.popen.wait(0.5)  # to end by itself after `quit`; then it is killed
        with contextlib.suppress(OSError):
            os.killpg(self.popen.pid, signal.SIGKILL)
        self.popen.wait()

    def _answer(self, command: str, deadline: float, seconds: float) -> EngineAnswer | EngineFault:
        lines: list[str] = []
        while True:
            try:
                raw = self.lines.get(timeout=max(0.0, deadline - time.monotonic()))
            except queue.Empty:
                how = "answered without an end" if lines else "not answered"
                return EngineFault(Kind.HANG, f"{command} was {how} within {seconds:g} s")
            if raw is None:
                return self._crashed(command)
            line = raw.decode(errors="replace").rstrip("\r\n")
            if not lines and not line.strip():
                continue
            if not lines and line[0] not in "=?":
                return EngineFault(Kind.GARBAGE, f"{command} was answered by '{_shown(line)}'")
            if not line.strip():
                return EngineAnswer(
                    lines[0][0] == "=", "\n".join([lines[0][1:], *lines[1:]]).strip()
                )
            if len(raw) > MAX_LINE and not raw.endswith(b"\n"):
                long = f"a line of more than {MAX_LINE:,} bytes"
                return EngineFault(Kind.GARBAGE, f"{command} was answered by {long}")
            lines.append(line)
            if len(lines) > MAX_LINES:
                long = f"more than {MAX_LINES:,} lines"
                return EngineFault(Kind.GARBAGE, f"{command} was answered by {long}")

    def _unexpected_line(self) -> str:
        """Return a line that it wrote without being asked; "" for none."""
        for _ in range(WAITING_LINES):
            try:
                line = self.lines.get_nowait()
            except queue.Empty:
                return ""
            if line is None:
                self.lines.put(None)  # its end is a crash, which the question will find
                return ""
            if line.strip():
                return line.decode(errors="replace")
        return "nothing but blank lines"

    def _crashed(self, command: str) -> EngineFault:
        try:
            code = self.popen.wait(1)  # an engine that has closed its output mostly ends at once
            killed = f"killed by signal {-code} ({signal.strsignal(-code)})" if code < 0 else ""
            status = killed or f"with status {code}"
        except subprocess.TimeoutExpired:
            status = "closed its output"
        self.error_reader.join(1)  # its last words, if nothing else keeps the pipe open
        last = self.last_error_lines[-1] if self.last_error_lines else ""
        words = f"; its last words: {_shown(last, LAST_WORDS_SHOWN)}" if last else ""
        return EngineFault(Kind.CRASH, f"{status} at {command}{words}")

    def _read(self, pipe: IO[bytes]) -> None:
        while line := pipe.readline(MAX_LINE + 1):
            if not self._queue(line):
                return
        self._queue(None)

    def _queue(self, line: bytes | None) -> bool:
        while not self.is_ended.is_set():
            with contextlib.suppress(queue.Full):
                self.lines.put(line, timeout=0.2)  # looks in between whether the engine is ended
                return True
        return False

    def _read_errors(self, pipe: IO[bytes]) -> None:
        while line := pipe.readline(MAX_LINE):
            if line.strip():
                self.last_error_lines.append(line.decode(errors="replace"))
