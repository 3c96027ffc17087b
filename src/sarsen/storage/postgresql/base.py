"""A database engine that calls the processes of all hosts after a commit (NOTIFY).

The call is not part of the transaction that writes: until the commit of such a transaction is
flushed to the disk, PostgreSQL holds a lock for which all others of this kind wait. With eight
clients 560 to 1,150 commits a second were left of 4,300 to 8,000; with a call after each commit,
which needs no flush, 2,300 to 3,800. A process that is killed between the two calls nobody, so
that those who listen look from time to time as well.
"""

from __future__ import annotations

import re
from contextlib import suppress
from functools import lru_cache
from typing import Any

from django.db import Error
from django.db.backends.postgresql import base
from django.db.backends.utils import CursorWrapper

from sarsen.storage.calls import NEWS

# All that `services.events.live_updates` reads; tests/storage/test_calls.py compares them.
TABLES_WITH_NEWS = frozenset(
    f"storage_{name}"
    for name in (
        *("match", "matchseat", "matchevent", "chatline"),
        *("challenge", "challengeseat", "streamitem"),
        *("contestevent", "contestboard"),
        "claim",
    )
)
_WRITE = re.compile(r'\s*(?:INSERT INTO|UPDATE|DELETE FROM)\s+"?(\w+)', re.IGNORECASE)


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that collects calls, and makes them when its transaction is committed."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._calls: set[str] = set()

    def call(self, channel: str) -> None:
        """Call all processes that listen at a channel, as soon as what is written is committed."""
        self._calls.add(channel)
        if not self.in_atomic_block and self.get_autocommit():
            self._make_calls()

    def make_cursor(self, cursor: Any) -> CursorWrapper:
        """Make a cursor that notes which tables are written."""
        return CallingCursor(cursor, self)

    def rollback(self) -> None:
        """Roll back, and make no calls for what is not written."""
        self._calls.clear()
        super().rollback()

    def run_and_clear_commit_hooks(self) -> None:
        """Run what waits for the commit, and make the calls."""
        try:
            super().run_and_clear_commit_hooks()
        finally:
            self._make_calls()

    def _make_calls(self) -> None:
        channels, self._calls = self._calls, set()
        if not channels:
            return
        sql = f"SELECT {', '.join(['pg_notify(%s, %s)'] * len(channels))}"
        # What was written is committed; a connection that is lost now must not deny it.
        with suppress(Error), self.cursor() as cursor:
            cursor.execute(sql, [word for channel in sorted(channels) for word in (channel, "")])


class CallingCursor(CursorWrapper):
    """A cursor whose writes to tables that others watch are news."""

    db: DatabaseWrapper

    def execute(self, sql: Any, params: Any = None) -> Any:
        """Execute a statement."""
        result = super().execute(sql, params)
        self._note(sql)
        return result

    def executemany(self, sql: Any, param_list: Any) -> Any:
        """Execute a statement once for each row of parameters."""
        result = super().executemany(sql, param_list)
        self._note(sql)
        return result

    def _note(self, sql: Any) -> None:
        if isinstance(sql, str) and written_table(sql) in TABLES_WITH_NEWS:
            self.db.call(NEWS)


@lru_cache(maxsize=1000)
def written_table(sql: str) -> str:
    """Return the table that a statement writes; "" for one that reads."""
    found = _WRITE.match(sql)
    return found[1].lower() if found else ""
