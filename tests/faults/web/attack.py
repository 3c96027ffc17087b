"""Attack the web of a running server, from addresses of this machine, without an account."""

from __future__ import annotations

import select
import socket
import threading
from collections.abc import Callable, Iterator
from contextlib import ExitStack, closing, contextmanager, suppress
from dataclasses import dataclass, field

from django.templatetags.static import static

LIMIT = 20.0  # seconds in which others must be answered; a limit, never a wait
CLOSED_WITHIN = 120.0  # seconds in which what is too slow must be closed
OTHER = "127.0.0.77"  # the address of everybody else


@dataclass
class Web:
    """The web of a server, as somebody reaches it who has no account.

    Attributes:
        note: Keep a figure for the table at the end.
        tried: Sockets and requests of attacks.
        held: Requests of others that were answered meanwhile.
        broken: Requests of others that were not.
    """

    port: int
    note: Callable[[str, object], None]
    host: str = "127.0.0.1"
    tried: int = 0
    held: int = 0
    broken: int = 0
    _open: ExitStack = field(default_factory=ExitStack)

    def connect(self, source: str, limit: float = LIMIT) -> socket.socket:
        """Open a connection from an address of this machine; it stays open until the end."""
        line = socket.create_connection((self.host, self.port), limit, source_address=(source, 0))
        return self._open.enter_context(line)

    def send(self, source: str, said: bytes) -> socket.socket:
        """Open a connection, send something that need not be whole, and leave it so."""
        line = self.connect(source)
        self.tried += 1
        with suppress(ConnectionError):  # the server may have closed it already
            line.sendall(said)
        return line

    def ask(self, source: str, said: bytes, limit: float = LIMIT) -> bytes:
        """Send something, and return the answer up to its end; b"" when there was none."""
        self.tried += 1
        try:
            with socket.create_connection(
                (self.host, self.port), limit, source_address=(source, 0)
            ) as line:
                line.sendall(said)
                return read_all(line)
        except OSError:
            return b""

    def answers_others(self, *paths: str, times: int = 3) -> bool:
        """Return whether everybody else is answered while the attack goes on."""
        for path in (paths or ("/health/", "/login/", static("web/board.css"))) * times:
            if self._is_answered(path):
                self.held += 1
            else:
                self.broken += 1
        for what in ("tried", "held", "broken"):
            self.note(what, getattr(self, what))
        return not self.broken

    def _is_answered(self, path: str) -> bool:
        asked = f"GET {path} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n"
        try:
            with socket.create_connection(
                (self.host, self.port), LIMIT, source_address=(OTHER, 0)
            ) as line:
                line.sendall(asked.encode())
                return read_all(line).startswith(b"HTTP/1.1 200")
        except OSError:
            return False

    def close(self) -> None:
        """Close all that an attack left open."""
        self._open.close()


@contextmanager
def flood(web: Web, source: str, asked: bytes, connections: int = 16) -> Iterator[None]:
    """Ask as fast as the answers come, over some connections, until the block ends."""
    is_over = threading.Event()

    def ask() -> None:
        while not is_over.is_set():
            with suppress(OSError), closing(web.send(source, asked)) as line:
                while not is_over.is_set() and line.recv(65536):
                    if not select.select([line], [], [], 0)[0]:
                        line.sendall(asked)
                        web.tried += 1

    askers = [threading.Thread(target=ask) for _ in range(connections)]
    for asker in askers:
        asker.start()
    try:
        yield
    finally:
        is_over.set()
        for asker in askers:
            asker.join()


def post(path: str, length: int, *, kind: str = "application/x-www-form-urlencoded") -> bytes:
    """Return the head of a request with a body."""
    head = f"POST {path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: {kind}\r\n"
    return f"{head}Content-Length: {length}\r\n\r\n".encode()


def read_all(line: socket.socket) -> bytes:
    """Read until the other side closes."""
    return b"".join(iter(lambda: line.recv(65536), b""))


def status(answer: bytes) -> int:
    """Return the status of an answer; 0 when there is none."""
    return int(answer[9:12]) if answer.startswith(b"HTTP/1.") else 0


def is_closed(line: socket.socket) -> bool:
    """Wait until the server closes a connection; tell whether it did."""
    line.settimeout(CLOSED_WITHIN)
    try:
        read_all(line)
    except TimeoutError:
        return False
    except OSError:
        return True  # reset
    return True
