"""The web process: Granian around the application, and connections bounded by network.

Granian accepts connections without a bound for each address, and an idle one never reaches a
page that could count it. So a thread looks at the open sockets of this process several times a
second, and shuts down the newest of a network that has too many. Now and then it shuts down those
whose clients do not read what they asked for, too.
"""

from __future__ import annotations

import asyncio
import fcntl
import os
import resource
import signal
import socket
import struct
import termios
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from http.cookies import CookieError, SimpleCookie
from wsgiref.types import WSGIEnvironment

from django.conf import settings
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels
from granian.server.embed import Server

from sarsen.server.application import make_application
from sarsen.server.gateway import Gateway
from sarsen.server.long_polls import LongPolls
from sarsen.server.processes import end_with_supervisor
from sarsen.server.setup import set_up_logs

# That work on pages and requests: Python runs one at a time, and the others wait for the database.
WEB_THREADS = 4
KILL_AFTER = 10.0  # seconds it may take to end: less than the supervisor's `STOP_LIMIT`
# For the head of a request, and between two requests of one connection: silent clients hold one
# each.
HEAD_SECONDS = 15
MAX_HEAD = 32 * 1024  # bytes: cookies and addresses of ours are far shorter
MAX_PROOF = 200  # characters of a token or a session: it is a key in memory
# Connections that the system holds until they are accepted: so that a flood shuts nobody out.
BACKLOG = 2048
PAUSE = 0.25  # seconds between two looks, each of which goes through all connections
# Between two looks at how much of its responses a client has taken: a slow one makes progress by
# then.
READ_SECONDS = 30.0
# Bytes that it takes meanwhile, as long as there are any: 4 kbit/s, which every line has.
LEAST_READ = 15_000
CONNECTIONS_FROM_ONE_NETWORK = 128  # so that a thousand of one address do not block the web
MAX_CONNECTIONS = 4096  # from everywhere together: each is an open file
OTHER_FILES = 256  # open besides: database, static files, logs
_SOCKETS = "/proc/self/fd"
_ACKNOWLEDGED = 120  # where Linux keeps the bytes that the client has, in its TCP_INFO
_RESET_AT_CLOSE = struct.pack("ii", 1, 0)


def serve_web(host: str, port: int) -> None:
    """Serve the pages until SIGTERM or SIGINT."""
    set_up_logs()
    end_with_supervisor()
    asyncio.run(_serve(make_gateway(), host, port))


async def _serve(gateway: Gateway, host: str, port: int) -> None:
    # Granian's usual server forks a worker and waits for it, which took 30 MiB; the supervisor
    # of `sarsen serve` starts this process again as well.
    server = Server(
        gateway,
        address=_ip_address(host),
        port=port,
        interface=Interfaces.RSGI,
        http=HTTPModes.http1,
        websockets=False,
        backlog=BACKLOG,
        backpressure=most_connections(),
        http1_settings=HTTP1Settings(
            header_read_timeout=HEAD_SECONDS * 1000, max_buffer_size=MAX_HEAD
        ),
        log_level=LogLevels.error,  # it warns at each start that to embed it is new
    )

    def end() -> None:
        gateway.end()
        server.stop()  # type: ignore[no-untyped-call]
        # It waits for the responses that are being sent, however slowly they are read.
        _end_within(KILL_AFTER)

    for signal_to_end in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(signal_to_end, end)
    await server.serve()


def _end_within(seconds: float) -> None:
    """End this process in so many seconds at the latest."""
    limit = threading.Timer(seconds, os._exit, (1,))
    limit.daemon = True
    limit.start()


def make_gateway() -> Gateway:
    """Set Django up, and return the application as Granian runs it."""
    application = make_application()
    # Not before: models need Django set up.
    from sarsen.doors.web.frame import live_updates
    from sarsen.services.accounts.attempts import client_address_of, is_proxy, network_of
    from sarsen.services.limits import site
    from sarsen.storage import calls

    bound_connections(lambda address: "" if is_proxy(address) else network_of(address))
    polls = LongPolls(live_updates.watched, live_updates.stamps, is_called=calls.is_heard())
    calls.listen({calls.NEWS: polls.hear, calls.SPENT: site.hear})
    site.keep_telling()
    return Gateway(
        application,
        threads=WEB_THREADS,
        quick=("/live/", "/health/"),
        streams=WEB_THREADS,
        longest_body=settings.DATA_UPLOAD_MAX_MEMORY_SIZE,
        network=lambda environ: network_of(client_address_of(environ)),
        proof=shown_proof,
        polls=polls,
    )


def shown_proof(environ: WSGIEnvironment) -> str:
    """Return the token or the session that a request shows; "" for none."""
    if authorization := environ.get("HTTP_AUTHORIZATION", ""):
        return str(authorization)[:MAX_PROOF]
    cookies = SimpleCookie()
    with suppress(CookieError):
        cookies.load(environ.get("HTTP_COOKIE", ""))
    session = cookies.get(settings.SESSION_COOKIE_NAME)
    return session.value[:MAX_PROOF] if session else ""


def most_connections() -> int:
    """Return how many connections may be open at once; allow this process as many files.

    Granian accepts nothing any more, ever, once the system has refused it a file.
    """
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted_files = MAX_CONNECTIONS + OTHER_FILES
    allowed = wanted_files if hard == resource.RLIM_INFINITY else min(wanted_files, hard)
    if soft != resource.RLIM_INFINITY and soft < allowed:
        resource.setrlimit(resource.RLIMIT_NOFILE, (allowed, hard))
    return max(allowed - OTHER_FILES, 128)


def bound_connections(network: Callable[[str], str]) -> None:
    """Bound the connections to this process from now on.

    Args:
        network: Return the network of an address; "" for one without a bound.
    """
    connections = Connections(CONNECTIONS_FROM_ONE_NETWORK, network)

    def look() -> None:
        looked_at = time.monotonic()
        while True:
            connections.look()
            if time.monotonic() - looked_at > READ_SECONDS:
                looked_at = time.monotonic()
                connections.give_up_unread()
            time.sleep(PAUSE)

    if os.path.isdir(_SOCKETS):  # as on Linux
        threading.Thread(target=look, name="connections", daemon=True).start()


@dataclass
class _Connection:
    """One open socket of this process.

    Attributes:
        network: Where it is connected to; "" without a bound.
        is_theirs: Whether a client opened it, and not this process.
        taken: Bytes the client had of its responses when more waited for it; otherwise -1.
    """

    number: int
    network: str = ""
    is_theirs: bool = False
    taken: int = -1


@dataclass
class Connections:
    """The open connections of this process that others have opened."""

    most: int
    network: Callable[[str], str]
    _ports: set[int] = field(default_factory=set)
    _known: dict[str, _Connection] = field(default_factory=dict)  # by inode, oldest first

    def look(self) -> int:
        """Shut down those that are too many, and return how many they were."""
        present = dict(_open_sockets())
        for name in self._known.keys() - present.keys():
            del self._known[name]
        for name, number in present.items():
            if name not in self._known:
                self._known[name] = _Connection(number)
                _use_socket(self._known[name], self._set_peer)
        held: Counter[str] = Counter()
        excess = 0
        for connection in self._known.values():
            held[connection.network] += bool(connection.network)
            if held[connection.network] > self.most:
                excess += 1
                _use_socket(connection, _shut_down)
        return excess

    def give_up_unread(self) -> None:
        """Shut down those whose clients took too little of a response since the last call."""
        for connection in self._known.values():
            if connection.is_theirs:
                _use_socket(connection, _shut_down_if_unread)

    def _set_peer(self, sock: socket.socket, connection: _Connection) -> None:
        """Find out where a new socket is connected to, if others opened it."""
        if sock.family not in (socket.AF_INET, socket.AF_INET6):
            return
        port: int = sock.getsockname()[1]
        if sock.getsockopt(socket.SOL_SOCKET, socket.SO_ACCEPTCONN):
            self._ports.add(port)
        elif port in self._ports:
            connection.network = self.network(sock.getpeername()[0])
            connection.is_theirs = True


def _ip_address(host: str) -> str:
    """Return the address behind a name such as `localhost`; Granian takes no names."""
    addresses = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return str(min(addresses, key=lambda info: info[0] != socket.AF_INET)[4][0])


def _open_sockets() -> Iterator[tuple[str, int]]:
    """Yield the open sockets of this process: name and number, the lowest number first."""
    for number in sorted(map(int, os.listdir(_SOCKETS))):
        try:
            name = os.readlink(f"{_SOCKETS}/{number}")
        except OSError:
            continue  # closed meanwhile
        if name.startswith("socket:"):
            yield name, number


def _use_socket(connection: _Connection, use: Callable[[socket.socket, _Connection], None]) -> None:
    """Use an open socket of this process, which goes on with it; not when it is gone.

    Neither the number nor a copy of it is ever closed here: should it mean an SQLite file by
    now, closing a copy would end all locks of this process on that file.
    """
    try:
        sock = socket.socket(fileno=connection.number)
    except OSError:
        return
    try:
        use(sock, connection)
    except OSError:
        pass  # its client has closed it
    finally:
        sock.detach()


def _shut_down(sock: socket.socket, connection: _Connection) -> None:
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _RESET_AT_CLOSE)
    sock.shutdown(socket.SHUT_RDWR)


def _shut_down_if_unread(sock: socket.socket, connection: _Connection) -> None:
    (unread,) = struct.unpack("i", fcntl.ioctl(sock, termios.TIOCOUTQ, bytes(4)))
    info = sock.getsockopt(socket.IPPROTO_TCP, socket.TCP_INFO, _ACKNOWLEDGED + 8)
    (taken,) = struct.unpack_from("Q", info, _ACKNOWLEDGED)
    if unread and connection.taken >= 0 and taken - connection.taken < LEAST_READ:
        _shut_down(sock, connection)
    connection.taken = taken if unread else -1
