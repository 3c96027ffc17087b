"""What backups, copies and checks of a whole database ask of either kind of database."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db import DEFAULT_DB_ALIAS, connection, connections

_POSTGRESQL = "postgresql"
_OTHERS = (
    "SELECT count(*) FROM pg_stat_activity WHERE datname = current_database()"
    " AND pid <> pg_backend_pid() AND backend_type = 'client backend'"
)


def count_rows(tables: Collection[str], alias: str = DEFAULT_DB_ALIAS) -> dict[str, int]:
    """Return how many rows tables have, in this server's database or in another open one."""
    counted = {}
    with connections[alias].cursor() as cursor:
        for name in tables:
            cursor.execute(f'SELECT count(*) FROM "{name}"')  # noqa: S608
            counted[name] = int(cursor.fetchone()[0])
    return counted


def begin_snapshot(alias: str = DEFAULT_DB_ALIAS) -> None:
    """Make all reads of a transaction that begins see the same rows.

    With SQLite they do anyway.
    """
    if connections[alias].vendor == _POSTGRESQL:
        with connections[alias].cursor() as cursor:
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")


def export_snapshot() -> str:
    """Return the name of this transaction's snapshot, for another process; PostgreSQL only."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_export_snapshot()")
        return str(cursor.fetchone()[0])


def has_other_clients(alias: str) -> bool:
    """Return whether another process has a database of PostgreSQL open."""
    with connections[alias].cursor() as cursor:
        cursor.execute(_OTHERS)
        return bool(cursor.fetchone()[0])


def last_number(table: str, column: str, alias: str) -> int:
    """Return the last number that a database has given to a row of a table; 0 for none."""
    with connections[alias].cursor() as cursor:
        if connections[alias].vendor == _POSTGRESQL:
            cursor.execute("SELECT pg_get_serial_sequence(%s, %s)", [f'"{table}"', column])
            (sequence,) = cursor.fetchone()
            cursor.execute(f"SELECT last_value, is_called FROM {sequence}")  # noqa: S608
            last, is_called = cursor.fetchone()
            return int(last) if is_called else 0
        cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
        row = cursor.fetchone()
        return int(row[0]) if row else 0


def set_last_number(table: str, column: str, last: int, alias: str) -> None:
    """Continue the numbers of a table's rows after this one."""
    with connections[alias].cursor() as cursor:
        if connections[alias].vendor == _POSTGRESQL:
            if last:
                cursor.execute(
                    "SELECT setval(pg_get_serial_sequence(%s, %s), %s)",
                    [f'"{table}"', column, last],
                )
            return
        cursor.execute("DELETE FROM sqlite_sequence WHERE name = %s", [table])
        cursor.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (%s, %s)", [table, last])


def integrity_faults(most: int) -> list[str]:
    """Return what SQLite finds damaged in the file."""
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA integrity_check({most})")
        return [str(result) for (result,) in cursor.fetchall() if result != "ok"]


def rows_without_parent(most: int) -> list[tuple[Any, ...]]:
    """Return rows of SQLite that name a missing row: table, row, table of the missing one, key."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA foreign_key_check")
        return list(cursor.fetchmany(most))


def unproved_constraints(most: int) -> list[str]:
    """Return the constraints that PostgreSQL has not proved for the rows that it has."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT conname FROM pg_constraint WHERE NOT convalidated")
        return [str(name) for (name,) in cursor.fetchmany(most)]
