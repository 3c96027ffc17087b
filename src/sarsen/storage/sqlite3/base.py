"""A database engine whose write transactions queue, so that each gets its turn."""

from __future__ import annotations

import fcntl
import os
import sqlite3
import time
from functools import lru_cache, partial
from pathlib import Path
from typing import Any

from django.db.backends.sqlite3 import base, features
from django.db.backends.sqlite3.base import FORMAT_QMARK_REGEX, SQLiteCursorWrapper

_WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE")


class DatabaseFeatures(features.DatabaseFeatures):
    """The features of SQLite, as it is used here."""

    # Otherwise Django asks for related rows by `id = 1 OR id = 2 OR …`, which SQLite refuses from a
    # thousand on ("Expression tree is too large"). It cannot compare pairs with a list of pairs,
    # but each key here is a single column: `(id) IN ((1), (2), …)`.
    supports_tuple_lookups = True


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that holds the turn from the BEGIN of a transaction to its end."""

    features_class = DatabaseFeatures

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._turns: Turns | None = None
        self.has_turn = False

    def take_turn(self) -> None:
        """Wait until this connection may write.

        Raises:
            OperationalError: As SQLite itself says it, after as long as it would wait.
        """
        if self.is_in_memory_db():
            return
        if self._turns is None:
            self._turns = self._open_turns()
        patience = float(self.settings_dict["OPTIONS"].get("timeout", 5.0))
        try:
            self._turns.take(patience)
        except TooLate:
            message = f"database is locked: no turn came in {patience:g} seconds"
            raise sqlite3.OperationalError(message) from None
        self.has_turn = True

    def _open_turns(self) -> Turns:
        try:
            return Turns(Path(self.settings_dict["NAME"]))
        except OSError as error:
            # A process that can wait for the database can wait for its folder.
            message = f"unable to open database file: {error.strerror}"
            raise sqlite3.OperationalError(message) from error

    def give_turn_back(self) -> None:
        """Let the next one write; without a turn this does nothing."""
        if self.has_turn and self._turns is not None:
            self.has_turn = False
            self._turns.give_back()

    def create_cursor(self, name: str | None = None) -> TurnCursor:
        """Make a cursor that knows its connection."""
        assert self.connection is not None  # Django has connected before it asks for a cursor
        cursor: TurnCursor = self.connection.cursor(factory=TurnCursor)
        cursor.wrapper = self
        return cursor

    def run(self, sql: str, values: list[Any]) -> Any:
        """Execute a statement as a cursor of Django's does; past what looks on, if nobody does."""
        if self.execute_wrappers or self.queries_logged:
            watched = self.cursor()
            watched.execute(sql, values)
            return watched
        self.ensure_connection()
        self.validate_no_broken_transaction()
        with self.wrap_database_errors:
            cursor = self.create_cursor()
            cursor.execute(sql, values)
        return cursor

    def _start_transaction_under_autocommit(self) -> None:
        with self.wrap_database_errors:
            self.take_turn()
        try:
            super()._start_transaction_under_autocommit()  # type: ignore[misc]
        except BaseException:  # an interrupt, too, must not keep the turn from all other writers
            self.give_turn_back()
            raise

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]
        finally:
            self.give_turn_back()

    def _rollback(self) -> None:
        try:
            super()._rollback()  # type: ignore[misc]
        finally:
            self.give_turn_back()

    def _close(self) -> None:
        try:
            super()._close()  # type: ignore[misc]
        finally:
            if self._turns is not None:
                self._turns.close()
                self._turns, self.has_turn = None, False


class TurnCursor(SQLiteCursorWrapper):
    """A cursor whose writes outside of a transaction wait for a turn, too."""

    wrapper: DatabaseWrapper

    def execute(self, query: str, params: Any = None) -> Any:
        """Execute a statement."""
        execute: Any = super().execute
        if isinstance(params, list | tuple):
            # As Django's method does, but the marks are written once for each statement.
            execute, query = partial(sqlite3.Cursor.execute, self), _with_question_marks(query)
        if self._needs_turn(query):
            return self._in_turn(execute, query, params)
        return execute(query, params)

    def executemany(self, query: str, param_list: Any) -> Any:
        """Execute a statement once for each row of parameters."""
        if self._needs_turn(query):
            return self._in_turn(super().executemany, query, param_list)
        return super().executemany(query, param_list)

    def _needs_turn(self, query: str) -> bool:
        return not self.wrapper.in_atomic_block and query.lstrip()[:7].upper().startswith(_WRITES)

    def _in_turn(self, work: Any, *args: Any) -> Any:
        self.wrapper.take_turn()
        try:
            return work(*args)
        finally:
            self.wrapper.give_turn_back()


@lru_cache(maxsize=1000)
def _with_question_marks(query: str) -> str:
    return str(FORMAT_QMARK_REGEX.sub("?", query)).replace("%%", "%")


# Seconds in which the holder of the turn may write again before all others: commits that follow
# each other closely cost less (decision 0036).
LASTS = 0.01
# Seconds between two looks of the process that is first in line; no other process looks.
SHORTEST_LOOK = 0.0001
MAX_LOOK = 0.002  # short against a commit, which takes some milliseconds


class TooLate(Exception):
    """The turn to write did not come in time."""


class Turns:
    """One connection's place among the writers of a file.

    Each has files of its own open: the locks belong to the open file, and keep threads of
    one process apart as they do processes.
    """

    def __init__(self, database: Path) -> None:
        self._line = _open(database, "line")
        self._turn = _open(database, "turn")
        self._ends_at = 0.0

    def take(self, patience: float) -> None:
        """Wait for the turn.

        Args:
            patience: Seconds.

        Raises:
            TooLate: The turn did not come; the process that has it may have been stopped.
        """
        now = time.monotonic()
        if now < self._ends_at and self._try():
            return
        # No limit is needed here: the first in line has one.
        # The system serves those who wait in order, which retries on the turn itself would not.
        fcntl.flock(self._line, fcntl.LOCK_EX)
        try:
            self._wait_as_first(now + patience)
        finally:
            fcntl.flock(self._line, fcntl.LOCK_UN)
        self._ends_at = time.monotonic() + LASTS

    def give_back(self) -> None:
        """Let others write."""
        fcntl.flock(self._turn, fcntl.LOCK_UN)

    def close(self) -> None:
        """Leave for good, with the turn if it is ours."""
        os.close(self._turn)
        os.close(self._line)

    def _wait_as_first(self, until: float) -> None:
        look = SHORTEST_LOOK
        while not self._try():
            if time.monotonic() >= until:
                raise TooLate
            time.sleep(look)  # a lock that is waited for by the system knows no limit
            look = min(look * 1.5, MAX_LOOK)

    def _try(self) -> bool:
        try:
            # The system frees it with its process.
            fcntl.flock(self._turn, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            return False
        return True


def _open(database: Path, what: str) -> int:
    """Open the empty file beside a database that a lock is held on."""
    path = database.with_name(f"{database.name}-{what}")
    return os.open(path, os.O_RDWR | os.O_CREAT, 0o600)
