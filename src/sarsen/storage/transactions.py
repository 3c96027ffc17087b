"""Transactions that are retried when the database aborts them, and work shared by processes.

The work is shared by locks of the database server, or of the system where the database is a
file. A lock is released when the process that holds it ends. Locks save work and keep an order;
what must happen only once is decided in a transaction.
"""

from __future__ import annotations

import fcntl
import os
import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from functools import lru_cache
from hashlib import blake2b
from pathlib import Path
from types import TracebackType
from typing import Self, TypeVar

import structlog
from django.db import Error, OperationalError, connection, transaction

from sarsen.isolation.allowance import plugins_within_lock

# Deadlocks pass, mostly at the first retry; the bound keeps a request from retrying for ever.
MAX_TRIES = 4
PAUSE = 0.02  # seconds, in which another process gets what we held
# What PostgreSQL calls a deadlock, and two transactions that cannot both have been first.
_BROKEN_OFF = ("40P01", "40001")
EVERYBODY = "everybody"  # shared by what may write of any player; see `services.speakers`
Made = TypeVar("Made")
log = structlog.get_logger()


@contextmanager
def asking_transaction() -> Iterator[None]:
    """Begin a transaction in which plug-ins may be asked, for as long as other writers can wait.

    Their rules are asked wherever a position is read, so it is the transaction of all that
    plays, shows or explores a board.
    """
    with plugins_within_lock(), transaction.atomic():
        yield


def in_transaction(work: Callable[[], Made]) -> Made:
    """Do a piece of work in a transaction, and retry all of it if the database aborts that.

    Nothing of a transaction that was broken off has happened. Inside of another transaction
    only that one can be begun again, so the work is done once.
    """
    for _ in range(MAX_TRIES - 1):
        is_whole = not connection.in_atomic_block
        try:
            with asking_transaction():
                return work()
        except OperationalError as error:
            if not is_whole or not is_broken_off(error):
                raise
            log.info("a transaction is retried", why=str(error).partition("\n")[0])
        time.sleep(PAUSE)  # or both would meet again
    with asking_transaction():
        return work()


def is_broken_off(error: OperationalError) -> bool:
    """Return whether a transaction that failed may succeed when it is begun again at once."""
    return getattr(error.__cause__, "sqlstate", None) in _BROKEN_OFF


def await_turn(*names: str, is_shared: bool = False) -> None:
    """Wait for advisory locks, in this order, and hold them until this transaction ends.

    With SQLite nobody else writes anyway.

    Args:
        is_shared: Others may hold them at the same time, if they share them, too.
    """
    if connection.vendor == "postgresql":
        lock = "pg_advisory_xact_lock_shared" if is_shared else "pg_advisory_xact_lock"
        with connection.cursor() as cursor:
            cursor.execute(
                f"SELECT {', '.join([f'{lock}(%s)'] * len(names))}", list(map(_key, names))
            )


class AdvisoryLocks:
    """Advisory locks by name, acquired one after the other and released together."""

    def __init__(self) -> None:
        self._is_held: dict[str, bool] = {}

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        raised: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.release()

    def acquire(self, names: Collection[str]) -> set[str]:
        """Acquire what no other process has; return which of these names are ours.

        Names that another process had are not tried again.
        """
        new = {name: _key(name) for name in dict.fromkeys(names) if name not in self._is_held}
        if new:
            acquired = _acquire(set(new.values()))
            self._is_held |= {name: key in acquired for name, key in new.items()}
        return {name for name in names if self._is_held[name]}

    def release(self) -> None:
        """Release all of them."""
        held = {_key(name) for name, is_ours in self._is_held.items() if is_ours}
        self._is_held.clear()
        # A process that has lost the connection has lost the locks with it.
        with suppress(Error):
            _release(held)


def _key(name: str) -> int:
    return int.from_bytes(blake2b(name.encode("utf-8", "replace"), digest_size=8).digest()) >> 2


def _acquire(keys: set[int]) -> set[int]:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            # Tried, not awaited: who has a name answers its mails.
            sql = "SELECT key FROM unnest(%s::bigint[]) AS key WHERE pg_try_advisory_lock(key)"
            cursor.execute(sql, [list(keys)])
            return {key for (key,) in cursor.fetchall()}
    locks = _locks()
    return keys if locks is None else {key for key in keys if _is_locked(locks, key)}


def _release(keys: set[int]) -> None:
    if not keys:
        return
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            sql = "SELECT pg_advisory_unlock(key) FROM unnest(%s::bigint[]) AS key"
            cursor.execute(sql, [list(keys)])
        return
    locks = _locks()
    if locks is not None:
        for key in keys:
            fcntl.lockf(locks, fcntl.LOCK_UN, 1, key)


def _is_locked(locks: int, key: int) -> bool:
    """Lock one byte of the file, unless another process has."""
    try:
        # POSIX locks: they are of byte ranges, and end with the process.
        fcntl.lockf(locks, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, key)
    except OSError:
        return False
    return True


def _locks() -> int | None:
    """Return the open file of the locks; None where there is none, and nobody to part work with."""
    if connection.is_in_memory_db():  # type: ignore[attr-defined]
        return None
    try:
        return _open(Path(connection.settings_dict["NAME"]))
    except OSError:
        return None  # a full disk: what two begin with is done once all the same


@lru_cache(maxsize=8)
def _open(database: Path) -> int:
    # Open as long as the process lives: to close any file of this name would end its locks.
    path = database.with_name(f"{database.name}-taken")
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
