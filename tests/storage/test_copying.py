"""A server's database moves to another one and back, whole; with PostgreSQL where there is one."""

from __future__ import annotations

import json
import os
import re
import sqlite3
import subprocess
import sys
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from databases import fresh_database

pytestmark = pytest.mark.ci

RELEASE = max((Path(__file__).parent / "data").glob("*.sql"))
POSTGRES = os.environ.get("DATABASE_URL", "")


def sarsen(data: Path, *words: str, url: str = "") -> subprocess.CompletedProcess[str]:
    kept = {name: value for name, value in os.environ.items() if "SARSEN" not in name}
    for name in ("DJANGO_SETTINGS_MODULE", "DATABASE_URL"):
        kept.pop(name, None)
    more = {"SARSEN_DATA": str(data), "SARSEN_SECRET_KEY": "k" * 64, "SARSEN_LOG_LEVEL": "ERROR"}
    more |= {"DATABASE_URL": url} if url else {}
    return subprocess.run(
        [sys.executable, "-m", "sarsen", *words],
        env=kept | more,
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a server on which games were played, and letters deleted since."""
    data = tmp_path_factory.mktemp("played")
    with closing(sqlite3.connect(data / "sarsen.sqlite3")) as database:
        database.executescript(RELEASE.read_text(encoding="utf-8"))
    migrated = sarsen(data, "migrate")
    assert not migrated.returncode, migrated.stderr
    with closing(sqlite3.connect(data / "sarsen.sqlite3")) as database:
        database.execute("UPDATE sqlite_sequence SET seq = 9000 WHERE name = 'storage_inboundmail'")
        database.execute("PRAGMA journal_mode=DELETE")
        database.commit()
    return data


def content(path: Path) -> dict[str, Any]:
    """All rows of all tables, the numbers that come next, and the indexes."""
    with closing(sqlite3.connect(path)) as database:
        names = database.execute("SELECT name FROM sqlite_master WHERE type = 'table'").fetchall()
        tables = sorted(name for (name,) in names if name != "django_migrations")
        return {name: rows(database, name) for name in tables}


def rows(database: sqlite3.Connection, table: str) -> list[tuple[object, ...]]:
    """All rows of a table; its columns by name, since those of an upgrade have another order."""
    described = database.execute("SELECT name FROM pragma_table_info(?)", (table,))
    columns = ", ".join(sorted(f'"{name}"' for (name,) in described))
    found = database.execute(f'SELECT {columns} FROM "{table}"')
    return sorted((tuple(map(ordered, row)) for row in found), key=repr)


def ordered(value: object) -> object:
    """PostgreSQL keeps the keys of JSON in an order of its own."""
    if not isinstance(value, str) or value[:1] not in ("{", "["):
        return value
    try:
        return json.dumps(json.loads(value), sort_keys=True)
    except ValueError:
        return value


def copied(data: Path, target: str, url: str = "") -> str:
    told = sarsen(data, "copy-database", target, url=url)
    assert not told.returncode, told.stdout + told.stderr
    assert "nothing differs" in told.stdout
    assert "making the tables" in told.stderr
    assert re.search(r"storage_matchevent: [\d,]+ rows\n", told.stderr)
    assert "replaying" in told.stderr
    return told.stdout


def without_empty_sequences(found: dict[str, Any]) -> dict[str, Any]:
    rows = [row for row in found["sqlite_sequence"] if row[1] and row[0] != "django_migrations"]
    return found | {"sqlite_sequence": rows}


def test_copy_of_a_database_has_every_row_and_goes_on_with_the_same_numbers(
    played: Path, tmp_path: Path
) -> None:
    here, there = played / "sarsen.sqlite3", tmp_path / "there.sqlite3"
    before = content(here)
    if POSTGRES:
        between = fresh_database(POSTGRES, f"{tmp_path.name}-copy")
        copied(played, between)
        again = sarsen(played, "copy-database", between)
        assert again.returncode == 2
        assert "target-not-empty" in again.stderr
        copied(played, f"sqlite:///{there}", url=between)
    else:
        told = copied(played, f"sqlite:///{there}")
        assert f"DATABASE_URL=sqlite:///{there}" in told
    assert without_empty_sequences(content(there)) == without_empty_sequences(content(here))
    assert content(here) == before
    assert content(there)["storage_matchevent"]
    assert ("storage_inboundmail", 9000) in content(there)["sqlite_sequence"]


def test_copy_is_refused_while_a_server_runs_and_over_a_file_that_is_there(
    played: Path, tmp_path: Path
) -> None:
    there = tmp_path / "there.sqlite3"
    there.write_bytes(b"")
    told = sarsen(played, "copy-database", f"sqlite:///{there}")
    assert told.returncode == 2
    assert "target-not-empty" in told.stderr
    there.unlink()
    with closing(sqlite3.connect(played / "sarsen.sqlite3")) as server:
        server.execute("PRAGMA journal_mode=WAL")
        server.execute("SELECT count(*) FROM storage_match").fetchone()
        told = sarsen(played, "copy-database", f"sqlite:///{there}")
        assert told.returncode == 2
        assert "source-in-use" in told.stderr
    with closing(sqlite3.connect(played / "sarsen.sqlite3")) as server:
        server.execute("PRAGMA journal_mode=DELETE")
    assert list(tmp_path.iterdir()) == []


def test_target_that_cannot_be_reached_is_told_without_its_password(played: Path) -> None:
    target = "postgres://ann:secret-word@127.0.0.1:1/sarsen"
    told = sarsen(played, "copy-database", target)
    assert told.returncode == 2
    assert "database-away" in told.stderr
    assert "secret-word" not in told.stdout + told.stderr
