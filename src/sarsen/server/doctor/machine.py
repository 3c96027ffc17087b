"""Look at the database and its disk, the memory, the work that waits, and the clock."""

from __future__ import annotations

import os
import re
import shutil
import statistics
import subprocess
import tempfile
import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection

from sarsen.core.errors import UserError
from sarsen.search.bots import has_compiler
from sarsen.server.doctor.configuration import DoctorFinding, failure, passed, warning
from sarsen.server.setup import require_tables
from sarsen.services.admin.drafts import left_behind
from sarsen.services.admin.monitoring import Metrics
from sarsen.services.admin.overview import Overview
from sarsen.storage.models import Measurement

MIB = 1 << 20
# Below these shares of the disk there is time to act, and there is none.
LITTLE, NOTHING = 0.1, 0.02
LARGE_LOG = 256 * MIB  # a reader holds it back, or a checkpoint fails
FLUSHES = 15  # a single one may be quick, or slow, by chance
SLOW = 0.02  # seconds a flush: each commit waits for one, and a mail or move is a commit
FULL, DURABLE = 2, ("wal", "delete")  # a restored file is in the second mode until it serves
DRIFT = timedelta(seconds=2)  # hosts agree better than this by NTP
ASKED = 5  # seconds a command of the system may take
_LIES = {
    "clocks": ("The clocks have not been checked recently: no worker is running.", "sarsen work"),
    "mail-in": ("Incoming mail is waiting: no worker is running, or it fails.", "sarsen work"),
    "mail-out": (
        "Outgoing mail is waiting: no worker is running, or the relay is unavailable.",
        "sarsen work",
    ),
}
# With programs: what the server takes at the most while it compiles (`test_memory.py`).
ENOUGH = 500_000_000  # bytes
MEMORY, CONTROL_GROUP = Path("/proc/meminfo"), Path("/sys/fs/cgroup/memory.max")


def look_at_store() -> Iterator[DoctorFinding]:
    """Yield findings on the database, then on the disk."""
    try:
        require_tables()
    except UserError as refusal:
        hint = "sarsen doctor --data FOLDER" if refusal.code == "no-data" else refusal.hint
        yield failure(refusal.code, refusal.text, hint)
        return
    yield passed("database", "The database is available and matches this release.")
    for left in left_behind(settings.DATA):
        yield warning(
            "backup-left",
            f"An interrupted backup has left {left}, a copy of the database.",
            f"rm -r {left}   (the next `sarsen backup` into that folder removes it)",
        )
    yield from _look_at_sqlite() if connection.vendor == "sqlite" else _look_at_postgresql()
    yield _space()
    yield _disk_speed(settings.DATA)


def look_at_work(measures: Metrics, overview: Overview) -> Iterator[DoctorFinding]:
    """Yield a finding for each kind of work that lies, or one that none does."""
    for name in measures.ailments:
        text, hint = _LIES[name]
        yield failure(f"late-{name}", text, hint)
    if not measures.ailments:
        yield passed("work", "Mail and clocks are being processed.")
    if overview.failing or overview.given_up:
        yield warning(
            "letters-refused",
            f"{overview.failing} outgoing mails were temporarily refused; {overview.given_up} of "
            "the last day were given up.",
            "The reasons are on the operators' pages, under mail out.",
        )
    if overview.set_aside:
        yield warning(
            "mails-set-aside",
            f"{overview.set_aside} incoming mails of the last day could not be processed; their "
            "senders were told.",
            "They are on the operators' pages, under mail in; the log contains the errors.",
        )
    if overview.stuck:
        names = ", ".join(sorted({job.name for job in overview.stuck}))
        yield warning("jobs-stuck", f"Jobs have been queued or running for too long: {names}.")


def look_at_measurements(measurements: Sequence[Measurement]) -> Iterator[DoctorFinding]:
    """Yield a finding for each plug-in game at which programs are measured, or cannot be."""
    for measurement in measurements:
        if measurement.state == measurement.State.RUNNING:
            yield passed(
                "measuring",
                f"Bots are being rated at {measurement.game}: {measurement.played} of "
                f"{measurement.games} games.",
            )
        elif measurement.state == measurement.State.GIVEN_UP:
            yield warning(
                "not-measured",
                f"Bots cannot be rated at {measurement.game} {measurement.version}; the log "
                "contains the reason. Their ratings there are shown once they have played "
                "people.",
                f"sarsen check {measurement.game}   (a new version of its package is tried again)",
            )


def look_at_clock(now: datetime, seen_at: datetime | None) -> Iterator[DoctorFinding]:
    """Compare this machine's clock with what the database remembers, and with its clock.

    Args:
        seen_at: When a worker last looked at the clocks.
    """
    if seen_at is not None and seen_at > now + DRIFT:
        yield failure(
            "clock-behind",
            f"The clock is behind {seen_at:%Y-%m-%d %H:%M:%S} UTC, when a worker last ran.",
            "timedatectl set-ntp true",
        )
        return
    drift = _clock_difference()
    if abs(drift) > DRIFT:
        yield failure(
            "clock-apart",
            f"The clocks of this machine and of the database differ by {drift.total_seconds():.0f} "
            "seconds.",
            "timedatectl set-ntp true, on both",
        )
        return
    if _is_synchronized() is False:
        yield warning(
            "clock-alone", "This machine's clock is not synchronized.", "timedatectl set-ntp true"
        )
        return
    yield passed("clock", f"The clock shows {now:%Y-%m-%d %H:%M:%S} UTC.")


def look_at_contests(late: Sequence[tuple[int, datetime]]) -> Iterator[DoctorFinding]:
    """Yield a warning for each contest that stands still.

    Args:
        late: The contests, and when they should have been carried on.
    """
    for number, since in late:
        yield warning(
            "contest-late",
            f"Contest {number} should have been carried on at {since:%Y-%m-%d %H:%M} UTC.",
            "sarsen serve   (its log has the reason if a worker runs)",
        )
    if not late:
        yield passed("contests", "No contest stands still.")


def look_at_memory(memory: Path = MEMORY, group: Path = CONTROL_GROUP) -> Iterator[DoctorFinding]:
    """Yield a finding on the memory for the server's programs; none where it is unknown."""
    total = _memory(memory, group)
    if total is None:
        return
    size = f"{total / 1e6:,.0f} MB"
    if total >= ENOUGH or not settings.SARSEN_BOTS or not has_compiler():
        yield passed("memory", f"{size} of memory are available.")
        return
    yield warning(
        "memory-small",
        f"{size} of memory are available; to compile the bots' searches, as at its first start, "
        f"the server needs {ENOUGH / 1e6:,.0f} MB.",
        "SARSEN_BOTS=off, or install without Numba; bots then go up to level 4",
    )


def _look_at_sqlite() -> Iterator[DoctorFinding]:
    with connection.cursor() as cursor:
        mode = cursor.execute("PRAGMA journal_mode").fetchone()[0]
        synchronous = cursor.execute("PRAGMA synchronous").fetchone()[0]
    if mode in DURABLE and synchronous == FULL:
        yield passed("durable", "Data is flushed to the disk before it is acknowledged.")
    else:
        yield failure(
            "not-durable",
            f"The database runs with journal_mode={mode} and synchronous={synchronous}: "
            "acknowledged data may be lost in a power failure.",
            "Remove whatever changes these pragmas; `serve` sets WAL and FULL.",
        )
    log = Path(f"{settings.DATABASES['default']['NAME']}-wal")
    size = log.stat().st_size if log.exists() else 0
    if size > LARGE_LOG:
        yield warning(
            "long-log",
            f"The write-ahead log has {size // MIB} MiB: a transaction is open too long.",
            "Stop long-running readers of the database, such as a backup or an export.",
        )


def _look_at_postgresql() -> Iterator[DoctorFinding]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT current_setting('fsync'), current_setting('synchronous_commit')")
        fsync, synchronous = cursor.fetchone()
    if fsync == "on" and synchronous != "off":
        yield passed("durable", "Data is flushed to the disk before it is acknowledged.")
    else:
        yield failure(
            "not-durable",
            f"PostgreSQL runs with fsync={fsync} and synchronous_commit={synchronous}: "
            "acknowledged data may be lost in a power failure.",
            "ALTER SYSTEM SET fsync = on; ALTER SYSTEM SET synchronous_commit = on;",
        )
    if not settings.SARSEN_SIGNING_KEY:
        yield warning(
            "signing-key-here",
            "Records are signed with a key of this machine; other hosts create their own.",
            "SARSEN_SIGNING_KEY=… for all hosts, or copy signing.key",
        )


def _space() -> DoctorFinding:
    disk = shutil.disk_usage(settings.DATA)
    free = f"{disk.free // MIB} of {disk.total // MIB} MiB are free on the disk of the data folder."
    if disk.free < disk.total * NOTHING:
        return failure(
            "disk-full", free, "Free disk space: mail is refused with 452 when the disk is full."
        )
    if disk.free < disk.total * LITTLE:
        return warning(
            "disk-little", free, "Free disk space, or move SARSEN_DATA to a larger disk."
        )
    return passed("disk", free)


def _disk_speed(folder: Path) -> DoctorFinding:
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
    text = f"The disk flushes a page in {seconds * 1000:.2f} ms (median of {FLUSHES})."
    if seconds > SLOW:
        return warning(
            "disk-slow", text, "Use a disk with power-loss protection, or PostgreSQL on one."
        )
    return passed("flush", text)


def _clock_difference() -> timedelta:
    if connection.vendor != "postgresql":
        return timedelta()  # the same machine
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        database_now: datetime = cursor.fetchone()[0]
    return datetime.now(UTC) - database_now


def _is_synchronized() -> bool | None:
    """Return what the system says; None where it cannot be asked."""
    command = shutil.which("timedatectl")
    if command is None:
        return None
    try:
        process = subprocess.run(  # noqa: S603 (our own words)
            [command, "show", "-p", "NTPSynchronized", "--value"],
            capture_output=True,
            text=True,
            timeout=ASKED,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return {"yes": True, "no": False}.get(process.stdout.strip())


def _memory(memory: Path, group: Path) -> int | None:
    """Return the bytes that this process may use at the most."""
    bounds = []
    if limit := re.search(r"^MemTotal:\s+(\d+) kB$", _text(memory), re.MULTILINE):
        bounds.append(1024 * int(limit[1]))
    if limit := re.fullmatch(r"(\d+)\n?", _text(group)):
        bounds.append(int(limit[1]))
    return min(bounds, default=None)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""
