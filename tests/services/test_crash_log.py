"""What an error says of the store, and what a process does whose disk cannot be trusted."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3

import pytest
from django.db import IntegrityError, OperationalError

from sarsen.services import store_failures
from sarsen.services.store_failures import Failure, failure_of


def of_sqlite(code: int) -> OperationalError:
    """Return an error as Django hands it on."""
    cause = sqlite3.OperationalError("…")
    cause.sqlite_errorcode = code
    error = OperationalError("…")
    error.__cause__ = cause
    return error


@pytest.mark.parametrize(
    ("error", "failure"),
    [
        (of_sqlite(sqlite3.SQLITE_FULL), Failure.FULL),
        (of_sqlite(4874), Failure.FULL),
        (of_sqlite(sqlite3.SQLITE_IOERR_FSYNC), Failure.BROKEN),
        (of_sqlite(sqlite3.SQLITE_IOERR), Failure.BROKEN),
        (of_sqlite(sqlite3.SQLITE_CORRUPT), Failure.BROKEN),
        (of_sqlite(sqlite3.SQLITE_BUSY), Failure.AWAY),
        (OperationalError("server closed the connection"), Failure.AWAY),
        (OSError(errno.ENOSPC, "…"), Failure.FULL),
        (OSError(errno.EIO, "…"), Failure.BROKEN),
        (MemoryError(), Failure.AWAY),
        (IntegrityError("…"), None),
        (ZeroDivisionError(), None),
        (None, None),
    ],
)
def test_an_error_is_told_from_others_by_its_code(
    error: BaseException | None, failure: Failure | None
) -> None:
    assert failure_of(error) is failure


def test_cause_of_a_cause_counts() -> None:
    outer = RuntimeError("…")
    outer.__cause__ = of_sqlite(sqlite3.SQLITE_FULL)
    assert failure_of(outer) is Failure.FULL


def test_f4_process_whose_disk_failed_ends_in_good_order_and_stores_nothing_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    signals: list[tuple[int, int]] = []
    monkeypatch.setattr(os, "kill", lambda *sent: signals.append(sent))
    try:
        store_failures.require_working_disk()
        store_failures.leave_if_broken(of_sqlite(sqlite3.SQLITE_FULL))
        store_failures.require_working_disk()
        for _ in range(2):
            store_failures.leave_if_broken(of_sqlite(sqlite3.SQLITE_IOERR_FSYNC))
        with pytest.raises(OperationalError):
            store_failures.require_working_disk()
    finally:
        store_failures._broken.clear()
    assert signals == [(os.getpid(), signal.SIGTERM)]
