"""Calls between the processes of all hosts that share a PostgreSQL (LISTEN and NOTIFY).

With SQLite all processes are on one machine, and call each other by pipes
(`services.task_queue`).
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Mapping
from contextlib import closing
from typing import TYPE_CHECKING, Any

import structlog
from django.db import Error, connection

if TYPE_CHECKING:
    import psycopg

# Channels. Whatever changes what an open page or a stream shows is news.
WORK, THINK, NEWS = "sarsen_work", "sarsen_think", "sarsen_news"
SPENT = "sarsen_spent"  # with what a process has allowed: see `services.limits.site`
Heard = Mapping[str, Callable[[str], object]]
AWAY_SECONDS = 5.0  # between two tries to connect: meanwhile everybody looks by themselves
# A connection that nobody uses may be dropped on its way without a word.
_KEEPALIVES = {"keepalives_idle": 60, "keepalives_interval": 10, "keepalives_count": 3}
log = structlog.get_logger()


def is_heard() -> bool:
    """Return whether the database passes on calls."""
    return connection.vendor == "postgresql"


def call(channel: str) -> None:
    """Call the processes of all hosts that listen at a channel, after the commit."""
    database: Any = connection
    if is_heard():
        database.call(channel)


def send(channel: str, text: str) -> None:
    """Call the processes of all hosts at once, with a text of less than 8,000 bytes."""
    if is_heard():
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_notify(%s, %s)", [channel, text])


def listen(heard: Heard) -> None:
    """Listen from now on, in a thread with a connection of its own.

    Args:
        heard: What is done with the text of a call, by its channel; also with "" when the
            connection was made, since calls before that are lost. It must neither wait nor fail.
    """
    if is_heard():
        threading.Thread(target=_listen, args=(heard,), name="calls", daemon=True).start()


def _listen(heard: Heard) -> None:
    import psycopg  # a server on SQLite never needs it: 9 MiB

    reason = ""
    while True:
        began = time.monotonic()
        try:
            listen_once(heard)
        except (Error, psycopg.Error) as away:
            # Until the database is back nothing is missed but time: see `listen`. Logged once.
            lasted = time.monotonic() - began > AWAY_SECONDS
            words = " ".join(str(away).split())
            if lasted or words != reason:
                log.warning("calls of other hosts are not heard", reason=words)
            reason = words
        time.sleep(AWAY_SECONDS)  # a database that restarts is not asked in a tight loop


def listen_once(heard: Heard) -> None:
    """Listen until the connection ends.

    Raises:
        Error, psycopg.Error: It could not be made, or it has ended.
    """
    database: Any = connection.copy()
    options = database.settings_dict.get("OPTIONS", {})
    database.settings_dict["OPTIONS"] = options | _KEEPALIVES
    with closing(database):
        database.ensure_connection()
        server: psycopg.Connection = database.connection
        for channel in heard:
            server.execute(f"LISTEN {channel}")
        for action in heard.values():
            action("")
        for notification in server.notifies():
            heard[notification.channel](notification.payload)
