"""Look at the database and the disk it lies on."""

from __future__ import annotations

import os
import shutil
import statistics
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings
from django.db import connection

from sarsen.core.errors import UserError
from sarsen.server.doctor.configuration import Finding, bad, good, odd
from sarsen.server.setup import require_tables
from sarsen.services.admin.archives import left_behind

MIB = 1 << 20
# Below these shares of the disk there is time to act, and there is none.
LITTLE, NOTHING = 0.1, 0.02
LARGE_LOG = 256 * MIB  # a reader holds it back, or a checkpoint fails
FLUSHES = 15
SLOW = 0.02  # seconds a flush
FULL, DURABLE = 2, ("wal", "delete")  # a restored file is in the second mode until it serves


def look_at_store() -> Iterator[Finding]:
    """Yield findings on the database, then on the disk."""
    try:
        require_tables()
    except UserError as refusal:
        hint = "SARSEN_DATA=FOLDER, as for `serve`" if refusal.code == "no-data" else refusal.hint
        yield bad(refusal.code, refusal.text, hint)
        return
    yield good("database", "The database answers, and is of this release.")
    for left in left_behind(settings.DATA):
        yield odd(
            "backup-left",
            f"A backup was killed and has left {left}, a copy of the database.",
            f"rm -r {left}   (the next `sarsen backup` into that folder does it)",
        )
    yield from _look_at_sqlite() if connection.vendor == "sqlite" else _look_at_postgresql()
    yield _space()
    yield _flush(settings.DATA)


def _look_at_sqlite() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        synchronous = cursor.execute("PRAGMA synchronous").fetchone()[0]
    if mode in DURABLE and synchronous == FULL:
        yield good("durable", "A commit is on the disk before anybody is told so.")
    else:
        yield bad(
            "not-durable",
            f"The database runs with journal_mode={mode} and synchronous={synchronous}: "
            "a power cut may lose what was acknowledged.",
            "Remove what changes these pragmas; `serve` sets WAL and FULL.",
        )
    log = Path(f"{settings.DATABASES['default']['NAME']}-wal")
    size = log.stat().st_size if log.exists() else 0
    if size > LARGE_LOG:
        yield odd(
            "long-log",
            f"The write-ahead log has {size // MIB} MiB: something reads for very long.",
            "End long readers, a backup or an export, of the database.",
        )


def _look_at_postgresql() -> Iterator[Finding]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('fsync'), current_setting('synchronous_commit')")
        fsync, synchronous = cursor.fetchone()
    if fsync == "on" and synchronous != "off":
        yield good("durable", "A commit is on the disk before anybody is told so.")
    else:
        yield bad(
            "not-durable",
            f"PostgreSQL runs with fsync={fsync} and synchronous_commit={synchronous}: "
            "a power cut may lose what was acknowledged.",
            "ALTER SYSTEM SET fsync = on; ALTER SYSTEM SET synchronous_commit = on;",
        )
    if not settings.SARSEN_SIGNING_KEY:
        yield odd(
            "signing-key-here",
            "Records are signed with a key of this machine; others would make their own.",
            "SARSEN_SIGNING_KEY=… for all hosts, or copy signing.key",
        )


def _space() -> Finding:
    disk = shutil.disk_usage(settings.DATA)
    free = f"{disk.free // MIB} of {disk.total // MIB} MiB are free where the data lies."
    if disk.free < disk.total * NOTHING:
        return bad("disk-full", free, "Make room: mail is answered 452 when nothing is left.")
    if disk.free < disk.total * LITTLE:
        return odd("disk-little", free, "Make room, or move SARSEN_DATA to a larger disk.")
    return good("disk", free)


def _flush(folder: Path) -> Finding:
    """Return how long the disk takes to keep a page, which bounds commits a second."""
    taken = []
    with tempfile.TemporaryFile(dir=folder) as file:
        for _ in range(FLUSHES):
            began = time.perf_counter()
            file.write(b"\0" * 4096)
            file.flush()
            os.fsync(file.fileno())
            taken.append(time.perf_counter() - began)
    seconds = statistics.median(taken)
    text = f"The disk keeps a page in {seconds * 1000:.2f} ms (median of {FLUSHES})."
    if seconds > SLOW:
        return odd("disk-slow", text, "A disk with its own power, or PostgreSQL on one.")
    return good("flush", text)
