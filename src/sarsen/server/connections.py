"""Bound the connections that one place on the net holds to the web.

Granian accepts connections without a bound for each address, and an idle one never reaches a
page that could count it. So a thread looks at the open sockets of this process several times a
second, and shuts down the newest of a place that has too many.
"""

from __future__ import annotations

import os
import resource
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field

PAUSE = 0.25  # seconds between two looks
UNREAD_SECONDS = 30  # without a byte taken of a response; then the system closes the connection
MOST_CONNECTIONS = 4096  # from everywhere together
OTHER_FILES = 256  # open besides: database, static files, logs
_SOCKETS = "/proc/self/fd"


def most_connections() -> int:
    """Return how many connections may be open at once; allow this process as many files.

    Granian accepts nothing any more, ever, once the system has refused it a file.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = MOST_CONNECTIONS + OTHER_FILES
    allowed = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(allowed - OTHER_FILES, 128)


def bound_connections(most: int, place: Callable[[str], str]) -> None:
    """Bound the connections to this process from now on.

    Args:
        most: How many one place may hold.
        place: Return the place of an address; "" for one without a bound.
    """
    connections = Connections(most, place)

    def look() -> None:
        while True:
            connections.look()
            time.sleep(PAUSE)

    if os.path.isdir(_SOCKETS):  # as on Linux
        threading.Thread(target=look, name="connections", daemon=True).start()


@dataclass
class Connections:
    """The open connections of this process that others have opened."""

    most: int
    place: Callable[[str], str]
    _ports: set[int] = field(default_factory=set)
    _known: dict[str, tuple[int, str]] = field(default_factory=dict)  # by inode, oldest first

    def look(self) -> int:
        """Shut down those that are too many, and return how many they were."""
        present = dict(_open_sockets())
        for name in self._known.keys() - present.keys():
            del self._known[name]
        for name, number in present.items():
            if name not in self._known:
                self._known[name] = (number, _borrow(number, self._begin))
        held: Counter[str] = Counter()
        for number, place in list(self._known.values()):
            held[place] += bool(place)
            if held[place] > self.most:
                _borrow(number, _shut_down)
        return sum(max(number - self.most, 0) for number in held.values())

    def _begin(self, connection: socket.socket) -> str:
        """Return the place that a new socket is connected to; "" when it is one of our own."""
        if connection.family not in (socket.AF_INET, socket.AF_INET6):
            return ""
        port: int = connection.getsockname()[1]
        if connection.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            self._ports.add(port)
            return ""
        if port not in self._ports:
            return ""
        timeout = UNREAD_SECONDS * 1000
        connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_USER_TIMEOUT, timeout)
        return self.place(connection.getpeername()[0])


def _open_sockets() -> Iterator[tuple[str, int]]:
    """Yield the open sockets of this process: name and number, the lowest number first."""
    for number in sorted(map(int, os.listdir(_SOCKETS))):
        try:
            name = os.readlink(f"{_SOCKETS}/{number}")
        except OSError:
            continue  # closed meanwhile
        if name.startswith("socket:"):
            yield name, number


def _borrow(number: int, use: Callable[[socket.socket], str]) -> str:
    """Use an open socket of this process, which goes on with it; "" when there is none any more.

    Neither the number nor a copy of it is ever closed here: should it mean an SQLite file by
    now, closing a copy would end all locks of this process on that file.
    """
    try:
        connection = socket.socket(fileno=number)
    except OSError:
        return ""
    try:
        return use(connection)
    except OSError:
        return ""
    finally:
        connection.detach()


def _shut_down(connection: socket.socket) -> str:
    connection.shutdown(socket.SHUT_RDWR)
    return ""
