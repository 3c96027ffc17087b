"""Processes that write to one database as fast as they can; `test_turns` runs this file.

They end when all of them together have made so many commits, or after so many seconds. Each
prints its number, its commits, and the longest time in milliseconds that one of them took. At the
end -1 and 0 are printed, and for how many milliseconds the system did not run a process that only
sleeps: what a busy machine adds to each wait.
"""

from __future__ import annotations

import multiprocessing
import os
import sys
import time
from multiprocessing.synchronize import Barrier
from typing import Any

import django
from django.conf import settings

NAP = 0.01  # seconds
_OPTIONS = {
    "transaction_mode": "IMMEDIATE",
    "timeout": 30,
    "init_command": "PRAGMA journal_mode=WAL;PRAGMA synchronous=FULL;",
}


def _main(engine: str, database: str, writers: int, most: int, seconds: float) -> None:
    one = {"ENGINE": engine, "NAME": database, "OPTIONS": _OPTIONS}
    settings.configure(DATABASES={"default": one}, INSTALLED_APPS=[])
    django.setup()
    # A process that starts late on a busy machine would have a small share for that alone.
    all_ready = multiprocessing.get_context("fork").Barrier(writers)
    for number in range(writers):
        if os.fork() == 0:
            _write(number, most, seconds, all_ready)
            os._exit(0)
    late = 0.0
    while writers:
        began = time.monotonic()
        time.sleep(NAP)
        late = max(late, time.monotonic() - began - NAP)
        ended, _ = os.waitpid(-1, os.WNOHANG)
        writers -= bool(ended)
    os.write(1, f"-1 0 {round(late * 1000)}\n".encode())


def _write(number: int, most: int, seconds: float, all_ready: Barrier) -> None:
    from django.db import connection, transaction

    connection.ensure_connection()
    all_ready.wait()
    commits, longest, until = 0, 0.0, time.monotonic() + seconds
    while (began := time.monotonic()) < until and _made(connection) < most:
        # As the processes of a server do it: half the writes stand alone.
        if commits % 2:
            _add(connection, number)
        else:
            with transaction.atomic():
                _add(connection, number)
        longest = max(longest, time.monotonic() - began)
        commits += 1
    os.write(1, f"{number} {commits} {round(longest * 1000)}\n".encode())


def _made(connection: Any) -> int:
    with connection.cursor() as cursor:
        cursor.execute("SELECT sum(commits) FROM count")
        return int(cursor.fetchone()[0])


def _add(connection: Any, row: int) -> None:
    with connection.cursor() as cursor:
        cursor.execute("UPDATE count SET commits = commits + 1 WHERE id = %s", [row])


if __name__ == "__main__":
    engine, database, writers, most, seconds = sys.argv[1:]
    _main(engine, database, int(writers), int(most), float(seconds))
