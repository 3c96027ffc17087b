"""The web process: Granian around the web application."""

from __future__ import annotations

import socket

from granian import Granian
from granian.constants import HTTPModes, Interfaces
from granian.http import HTTP1Settings
from granian.log import LogLevels

from sarsen.server.connections import most_connections
from sarsen.server.lifeline import end_with_supervisor
from sarsen.server.setup import set_up_logs

KILL_AFTER = 10  # seconds a worker may take to end
HEAD_SECONDS = 15  # for the head of a request, and between two requests of one connection
LONGEST_HEAD = 32 * 1024  # bytes
BACKLOG = 2048  # connections that the system holds until they are accepted


def serve_web(host: str, port: int) -> None:
    """Serve the pages until SIGTERM or SIGINT."""
    set_up_logs()
    end_with_supervisor()
    Granian(
        "sarsen.server.rsgi:application",
        address=_number_of(host),
        port=port,
        interface=Interfaces.RSGI,
        workers=1,
        http=HTTPModes.http1,
        websockets=False,
        backlog=BACKLOG,
        backpressure=most_connections(),
        http1_settings=HTTP1Settings(
            header_read_timeout=HEAD_SECONDS * 1000, max_buffer_size=LONGEST_HEAD
        ),
        # A worker told to end while it still starts does not hear it.
        workers_kill_timeout=KILL_AFTER,
        log_level=LogLevels.warning,
    ).serve()


def _number_of(host: str) -> str:
    """Return the address behind a name such as `localhost`; Granian takes no names."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return str(min(found, key=lambda info: info[0] != socket.AF_INET)[4][0])
