"""What an error says of the store: whether it is full, broken or out of reach."""

from __future__ import annotations

import errno
import os
import signal
import sqlite3
import threading
from collections.abc import Iterator
from enum import Enum

import structlog
from django.db import DatabaseError, InterfaceError, OperationalError

from sarsen.core.errors import UserError

log = structlog.get_logger()
_DEEPEST = 10  # causes of causes: a chain may be a circle
_FULL_ERRORS = (errno.ENOSPC, errno.EDQUOT)
# The primary code stands in the last byte of an extended one.
_PRIMARY = 0xFF
# What SQLite says when the disk has no room for the index of its log.
_NO_ROOM_FOR_INDEX = 4874  # SQLITE_IOERR_SHMSIZE
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB)
_POSTGRESQL_FULL = "53100"
_broken = threading.Event()


class Failure(Enum):
    """How a door answers: 452 and 507, or 451 and 503."""

    FULL = "full"
    BROKEN = "broken"
    AWAY = "away"


def failure_of(error: BaseException | None) -> Failure | None:
    """Return what an error says of the store; None when it is a defect of ours, or nothing."""
    failures = [failure for cause in _causes(error) if (failure := _failures_read(cause))]
    # "Out of reach" is what Django makes of any of them.
    return next(
        (failure for failure in failures if failure is not Failure.AWAY),
        failures[0] if failures else None,
    )


def store_failure(error: BaseException) -> str:
    """Return what a failed store said, in one line; "" for any other error."""
    for cause in _causes(error):
        if isinstance(cause, DatabaseError | InterfaceError) and _failures_read(cause) is not None:
            return " ".join(str(cause).split())
    return ""


def leave_if_broken(error: BaseException | None) -> Failure | None:
    """End this process, in good order, when the disk has failed to keep what it was given.

    Later results of that disk cannot be trusted: a second flush succeeds
    although the first has lost its pages. The supervisor starts the process again, which
    reads what there really is.

    Returns:
        What `failure_of` says.
    """
    failure = failure_of(error)
    if failure is Failure.BROKEN and not _broken.is_set():
        _broken.set()
        log.critical("the disk lost written data; this process restarts")
        os.kill(os.getpid(), signal.SIGTERM)
    return failure


def damage_refusal(error: BaseException | None) -> UserError | None:
    """Return the words for a damaged database file, and the way back; None for other errors."""
    for cause in _causes(error):
        if isinstance(cause, sqlite3.Error) and _primary(cause) in _DAMAGED:
            return UserError(
                "The file of the database is damaged: {fault}.",
                code="database-damaged",
                hint="Stop the server, then: sarsen restore BACKUP --force --data FOLDER",
                fault=str(cause),
            )
    return None


def require_working_disk() -> None:
    """Refuse to store anything more in a process that is about to end for that reason.

    Raises:
        OperationalError: It is so.
    """
    if _broken.is_set():
        raise OperationalError("the disk has failed, and this process ends")


def _causes(error: BaseException | None) -> Iterator[BaseException]:
    for _ in range(_DEEPEST):
        if error is None:
            return
        yield error
        error = error.__cause__ or error.__context__


def _failures_read(error: BaseException) -> Failure | None:
    if isinstance(error, sqlite3.Error):
        return _of_sqlite(error)
    if getattr(error, "sqlstate", None) == _POSTGRESQL_FULL:
        return Failure.FULL
    if isinstance(error, OSError) and error.errno in (*_FULL_ERRORS, errno.EIO):
        return Failure.BROKEN if error.errno == errno.EIO else Failure.FULL
    if isinstance(error, OperationalError | InterfaceError | MemoryError):
        return Failure.AWAY
    return None


def _of_sqlite(error: sqlite3.Error) -> Failure | None:
    code, primary = getattr(error, "sqlite_errorcode", 0), _primary(error)
    if code == _NO_ROOM_FOR_INDEX or primary == sqlite3.SQLITE_FULL:
        return Failure.FULL
    if primary in (sqlite3.SQLITE_IOERR, *_DAMAGED):
        return Failure.BROKEN
    return None


def _primary(error: sqlite3.Error) -> int:
    return (getattr(error, "sqlite_errorcode", 0) or 0) & _PRIMARY
