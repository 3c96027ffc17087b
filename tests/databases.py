"""Databases with all tables and nobody in them: migrated once, copied for each use."""

from __future__ import annotations

import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from importlib.metadata import version
from pathlib import Path

import psycopg
from django.apps import apps
from django.core.management.color import no_style
from django.db import connection, transaction

import sarsen.storage

_FOLDER = Path(sys.prefix) / "databases"
MAX_KEPT = 3
_MAKING_TABLES = 4_021_977  # the advisory lock of PostgreSQL under which they are made


def copy_migrated_file(target: Path) -> None:
    """Write an SQLite database with all tables; run the migrations only when they have changed."""
    _FOLDER.mkdir(exist_ok=True)
    made = _FOLDER / f"{_digest()}.sqlite3"
    with (_FOLDER / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not made.exists():
            # Some are kept: tests of other migrations, as of another commit, may run meanwhile.
            kept = sorted(_FOLDER.glob("*.sqlite3"), key=lambda old: old.stat().st_mtime)
            for old in kept[:-MAX_KEPT]:
                old.unlink()
            with tempfile.TemporaryDirectory() as data:
                _migrate({"SARSEN_DATA": data}, without="DATABASE_URL")
                shutil.copy(Path(data) / "sarsen.sqlite3", _FOLDER / "being-made")
            (_FOLDER / "being-made").replace(made)
        shutil.copy(made, target)


def migrated_database(url: str) -> str:
    """Return the name of a PostgreSQL database with all tables, beside the one at a URL."""
    name = f"tables_{_digest()}"
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("SELECT pg_advisory_lock(%s)", (_MAKING_TABLES,))
        found = server.execute("SELECT FROM pg_database WHERE datname = %s", (name,))
        if found.fetchone() is None:
            made = fresh_database(url, "tables")
            with tempfile.TemporaryDirectory() as data:
                _migrate({"SARSEN_DATA": data, "DATABASE_URL": made})
            _execute(server, f'ALTER DATABASE "{made.rpartition("/")[2]}" RENAME TO "{name}"')
    return name


@contextmanager
def undone() -> Iterator[None]:
    """Undo what is done to the database in here, so that a test may try many things on one."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


def number_anew() -> None:
    """Let the next row of each table have the number after the last one that is there, or 1.

    PostgreSQL does not give numbers back when a test takes its rows back, and neither gives them
    back when a test that commits has its rows deleted.
    """
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            statements = connection.ops.sequence_reset_sql(no_style(), apps.get_models())
            cursor.execute("".join(statements))
        else:
            cursor.execute("DELETE FROM sqlite_sequence")


def fresh_database(url: str, name: str, like: str = "template1") -> str:
    """Make a database beside the one that the tests were given, as a copy of another."""
    # Tests that run side by side may have folders of one name.
    name = f"{os.environ.get('PYTEST_XDIST_WORKER', 'alone')}_{name.lower()}"
    name = "".join(letter if letter.isalnum() else "_" for letter in name)[:60]
    with psycopg.connect(url, autocommit=True) as server:
        _execute(server, f'DROP DATABASE IF EXISTS "{name}" WITH (FORCE)')
        _execute(server, f'CREATE DATABASE "{name}" TEMPLATE "{like}"')
    return f"{url.rpartition('/')[0]}/{name}"


def _digest() -> str:
    """Return what tells databases of different migrations apart."""
    folder = Path(sarsen.storage.__path__[0], "migrations")
    digest = hashlib.sha256(f"{version('django')} {version('django-tasks-db')}".encode())
    for path in sorted(folder.glob("*.py")):
        digest.update(path.read_bytes())
    return digest.hexdigest()[:16]


def _migrate(settings: Mapping[str, str], without: str = "") -> None:
    kept = {
        name: value
        for name, value in os.environ.items()
        if "SARSEN" not in name and name not in (without, "DJANGO_SETTINGS_MODULE")
    }
    words = [sys.executable, "-m", "django", "migrate", "--verbosity=0"]
    words.append("--settings=sarsen.server.settings")
    subprocess.run(words, env=kept | settings, check=True)


def _execute(server: psycopg.Connection, statement: str) -> None:
    server.execute(statement)  # type: ignore[call-overload]
