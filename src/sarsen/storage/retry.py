"""A transaction that the database breaks off for no fault of ours is begun again."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import TypeVar

import structlog
from django.db import OperationalError, connection, transaction

MOST_TRIES = 4
PAUSE = 0.02  # seconds, in which another process gets what we held
# What PostgreSQL calls a deadlock, and two transactions that cannot both have been first.
_BROKEN_OFF = ("40P01", "40001")
Made = TypeVar("Made")
log = structlog.get_logger()


def in_transaction(work: Callable[[], Made]) -> Made:
    """Do a piece of work in a transaction, and all of it again if that is broken off.

    Nothing of a transaction that was broken off has happened. Inside of another transaction
    only that one can be begun again, so the work is done once.
    """
    for _ in range(MOST_TRIES - 1):
        is_whole = not connection.in_atomic_block
        try:
            with transaction.atomic():
                return work()
        except OperationalError as defect:
            if not is_whole or not is_broken_off(defect):
                raise
            log.info("a transaction is begun again", why=str(defect).partition("\n")[0])
        time.sleep(PAUSE)
    with transaction.atomic():
        return work()


def is_broken_off(defect: OperationalError) -> bool:
    """Return whether a transaction that failed may succeed when it is begun again at once."""
    return getattr(defect.__cause__, "sqlstate", None) in _BROKEN_OFF
