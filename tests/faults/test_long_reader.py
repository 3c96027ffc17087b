"""F15: somebody reads one state of the store for long, as a backup may; the others write on."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from pathlib import Path

import pytest
from django.db import connection
from django.utils import timezone

from sarsen.server.doctor import machine
from sarsen.server.doctor.configuration import State
from sarsen.storage.models import OutgoingMail

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.skipif("sqlite" not in connection.vendor, reason="PostgreSQL has no such log"),
]
COMMITS, SIZE = 150, 60_000  # so that SQLite would clear its log away twice
CHECKPOINT = 1000 * 4096  # bytes after which it tries to


@pytest.fixture
def _waiting_for_nobody() -> Iterator[None]:
    """Let a write that would have to wait for another connection fail."""
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout")
        (usual,) = cursor.fetchone()
        cursor.execute("PRAGMA busy_timeout = 0")
        yield
        cursor.execute(f"PRAGMA busy_timeout = {usual}")


def write(times: int) -> None:
    now = timezone.now()
    for _ in range(times):
        facts = {"text": "x" * SIZE}
        OutgoingMail.objects.create(kind="sorry", facts=facts, queued_at=now, due_at=now)


@pytest.mark.usefixtures("_waiting_for_nobody")
def test_f15_long_reader_holds_up_no_commit_and_the_log_grows_only_while_it_reads() -> None:
    name = connection.settings_dict["NAME"]
    log = Path(f"{name}-wal")
    # Closed in any case, or what makes the database empty again would wait for it.
    with closing(sqlite3.connect(name, isolation_level=None)) as reader:
        reader.execute("BEGIN")
        (before,) = reader.execute("SELECT COUNT(*) FROM storage_outgoingmail").fetchone()
        write(COMMITS)
        assert OutgoingMail.objects.count() == before + COMMITS
        assert reader.execute("SELECT COUNT(*) FROM storage_outgoingmail").fetchone() == (before,)
        largest = log.stat().st_size
        assert largest > 2 * CHECKPOINT  # nothing could be cleared away
        reader.execute("COMMIT")
        write(COMMITS)
        # It is used from its beginning again, after one commit more at the most.
        assert log.stat().st_size < largest + 3 * SIZE


def test_f15_doctor_names_a_log_that_a_long_reader_holds_back(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(machine, "LARGE_LOG", 2 * CHECKPOINT)

    def odd() -> list[str]:
        return [one.code for one in machine.look_at_store() if one.state is State.ODD]

    reader = sqlite3.connect(connection.settings_dict["NAME"], isolation_level=None)
    reader.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    assert "long-log" not in odd()
    reader.execute("BEGIN")
    reader.execute("SELECT COUNT(*) FROM storage_outgoingmail").fetchone()
    write(COMMITS)
    reader.execute("COMMIT")
    reader.close()
    assert "long-log" in odd()
