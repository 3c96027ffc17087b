"""The web process: Granian around the web application."""

from __future__ import annotations

import logging
import socket

from granian import Granian
from granian.constants import Interfaces
from granian.log import LogLevels

from sarsen.server import environment
from sarsen.server.lifeline import end_with_supervisor
from sarsen.server.logs import set_up_logs

KILL_AFTER = 10  # seconds a worker may take to end


def serve_web(host: str, port: int) -> None:
    """Serve the pages until SIGTERM or SIGINT."""
    set_up_logs()
    end_with_supervisor()
    logging.getLogger("_granian").addFilter(_is_news)
    Granian(
        "sarsen.server.wsgi:application",
        address=_number_of(host),
        port=port,
        interface=Interfaces.WSGI,
        workers=1,
        # A stream holds a thread while it waits; pages have theirs all the same.
        blocking_threads=environment.web_threads() + environment.streams(),
        # A worker told to end while it still starts does not hear it.
        workers_kill_timeout=KILL_AFTER,
        log_level=LogLevels.warning,
    ).serve()


def _is_news(record: logging.LogRecord) -> bool:
    """Tell whether a warning says what we do not know: the threads of streams only wait."""
    return "Python threads" not in record.getMessage()


def _number_of(host: str) -> str:
    """Give the address behind a name such as `localhost`; Granian takes no names."""
    found = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)
    return str(min(found, key=lambda info: info[0] != socket.AF_INET)[4][0])
