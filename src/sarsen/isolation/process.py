"""A process that runs the rules of one plug-in, as its parent sees it.

Nothing that it does is trusted: it may answer late, never, too much or nonsense, close its pipe,
die, or leave processes behind. So each answer is awaited until a moment by the clock and has a
greatest size, and the process is ended with all that it has started.
"""

from __future__ import annotations

import os
import pickle
import signal
import socket
import struct
import subprocess
import sys
import time
from typing import Any

from sarsen.isolation.descendants import children, end_descendants

# For a process to load its plug-in, however many ask for it meanwhile: Numba may have to compile.
START_SECONDS = 60.0
# A hostile plug-in must not fill the memory of the process that asks.
MAX_ANSWER_BYTES = 16 * 1024 * 1024
FATE_SECONDS = 0.2  # in which a process that has closed its pipe is seen to end: for the log only
_LENGTH = struct.Struct("!i")  # as `multiprocessing.connection` begins a message
_CHILD = "import sys; from sarsen.isolation.rules import serve; serve(*sys.argv[1:])"
# One thread each: threads of these libraries take address space, and others' processors.
_ONE_THREAD = dict.fromkeys(
    ("OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS", "MKL_NUM_THREADS", "NUMBA_NUM_THREADS"), "1"
)


class ProcessLost(Exception):
    """The process has ended, or has answered what is no answer; the text says how."""


class PluginProcess:
    """A process that answers one question at a time; it ends when its parent does.

    It has a session of its own, so that it is ended with what it has started, and says nothing
    on the standard output and error of the server.
    """

    def __init__(self, module: str) -> None:
        self._link, far = socket.socketpair()
        with far:
            self._process = subprocess.Popen(  # noqa: S603 (our own words)
                [sys.executable, "-c", _CHILD, module, str(far.fileno())],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                pass_fds=[far.fileno()],
                start_new_session=True,
                env=_ONE_THREAD
                | os.environ
                | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
            )
        self._starts_until = time.monotonic() + START_SECONDS
        self._is_ready = False
        self._number = 0

    @property
    def pid(self) -> int:
        return self._process.pid

    @property
    def is_alive(self) -> bool:
        return self._exit_status() is None

    def await_start(self, seconds: float) -> bool:
        """Wait until the plug-in is loaded; return False when it is not in time.

        Raises:
            ProcessLost: It cannot be loaded.
        """
        if self._is_ready:
            return True
        until = min(time.monotonic() + seconds, self._starts_until)
        try:
            is_loaded, said = self._receive(until)
        except TimeoutError:
            if time.monotonic() >= self._starts_until:
                raise ProcessLost("it was not loaded in time") from None
            return False
        if not is_loaded:
            raise ProcessLost(f"it cannot be loaded:\n{said}")
        self._is_ready = True
        return True

    def ask(self, question: tuple[Any, ...], seconds: float) -> tuple[bool, Any]:
        """Return whether there is an answer, and the answer or what was raised.

        Raises:
            TimeoutError: There was none in time.
            ProcessLost: There will be none.
        """
        self._number += 1
        until = time.monotonic() + seconds
        asked = pickle.dumps((self._number, seconds, *question))
        try:
            self._link.settimeout(seconds)
            self._link.sendall(_LENGTH.pack(len(asked)) + asked)
        except TimeoutError:
            raise
        except OSError:
            raise ProcessLost(self._fate()) from None
        return self._receive(until)

    def _receive(self, until: float) -> tuple[bool, Any]:
        """Return the message with the number of the question; any other is nonsense."""
        (length,) = _LENGTH.unpack(self._read(_LENGTH.size, until))
        if not 0 <= length <= MAX_ANSWER_BYTES:
            raise ProcessLost(f"its answer has {length} bytes, of at most {MAX_ANSWER_BYTES}")
        message = self._read(length, until)
        try:
            number, is_answer, said = pickle.loads(message)  # noqa: S301 (a plug-in is code, too)
        except Exception:
            # Bytes that the rules have written into the pipe raise anything.
            raise ProcessLost("its answer cannot be read") from None
        if number != self._number or not isinstance(is_answer, bool):
            raise ProcessLost("it answered what it was not asked")
        return is_answer, said

    def _read(self, count: int, until: float) -> bytes:
        read = bytearray()
        while len(read) < count:
            seconds = until - time.monotonic()
            if seconds <= 0:
                raise TimeoutError
            self._link.settimeout(seconds)
            try:
                piece = self._link.recv(min(count - len(read), 65_536))
            except TimeoutError:
                raise
            except OSError:
                piece = b""
            if not piece:
                raise ProcessLost(self._fate())
            read += piece
        return bytes(read)

    def _fate(self) -> str:
        """Return why nothing comes any more."""
        until = time.monotonic() + FATE_SECONDS
        while (status := self._exit_status()) is None:
            if time.monotonic() >= until:
                return "it closed its pipe"
            time.sleep(0.01)  # no signal tells: `subprocess` polls, too
        return f"it ended by {_name_of_signal(-status)}" if status < 0 else f"it ended: {status}"

    def _exit_status(self) -> int | None:
        """Return the status of the process, negative for a signal; None while it lives.

        It is left to the system until `end`, so that its number names no other process yet.
        """
        ended = os.waitid(os.P_PID, self.pid, os.WEXITED | os.WNOHANG | os.WNOWAIT)
        if ended is None:
            return None
        return ended.si_status if ended.si_code == os.CLD_EXITED else -ended.si_status

    def has_left_processes(self) -> bool:
        """Return whether the rules have started a process and not awaited its end."""
        found = children(self.pid)  # that of the rules, and what it has left to its parent
        return len(found) > 1 or any(map(children, found))

    def end(self) -> None:
        """End the process, and all that it has started, in whatever session they are by now."""
        # It starts no more, and adopts those of its own. It is stopped first: at the end of its
        # link it would exit, and what it has started would have another parent.
        os.kill(self.pid, signal.SIGSTOP)
        self._link.close()
        end_descendants(self.pid)
        os.killpg(self.pid, signal.SIGKILL)
        self._process.wait()


def _name_of_signal(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"  # a real-time signal has no name of its own
