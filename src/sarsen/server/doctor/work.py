"""Look at what waits, and at the clock."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection

from sarsen.search.bots import has_compiler
from sarsen.server.doctor.configuration import Finding, bad, good, odd
from sarsen.services.admin.monitoring import Measures, Overview

DRIFT = timedelta(seconds=2)
ASKED = 5  # seconds a command of the system may take
_LIES = {
    "clocks": ("Nobody has looked at the clocks lately: no worker runs.", "sarsen work"),
    "mail-in": ("Mail waits to be answered: no worker runs, or it fails.", "sarsen work"),
    "mail-out": ("Letters wait to be sent: no worker runs, or the relay is away.", "sarsen work"),
}


def look_at_work(measures: Measures, overview: Overview) -> Iterator[Finding]:
    """Yield a finding for each kind of work that lies, or one that none does."""
    for name in measures.ailments:
        text, hint = _LIES[name]
        yield bad(f"late-{name}", text, hint)
    if not measures.ailments:
        yield good("work", "Mail, letters and clocks are looked after.")
    if overview.failing or overview.given_up:
        yield odd(
            "letters-refused",
            f"{overview.failing} letters were refused for now, and {overview.given_up} of the last "
            "day are given up.",
            "The operators' pages, under mail out, say why.",
        )
    if overview.set_aside:
        yield odd(
            "mails-set-aside",
            f"{overview.set_aside} mails of the last day could not be answered and are set aside; "
            "their senders were told.",
            "The operators' pages, under mail in, show them; the log says what failed.",
        )
    if overview.stuck:
        names = ", ".join(sorted({job.name for job in overview.stuck}))
        yield odd("jobs-stuck", f"Jobs are queued or marked as running for long: {names}.")


def look_at_clock(now: datetime, seen: datetime | None) -> Iterator[Finding]:
    """Compare this machine's clock with what the database remembers, and with its clock.

    Args:
        seen: When a worker last looked at the clocks.
    """
    if seen is not None and seen > now + DRIFT:
        yield bad(
            "clock-behind",
            f"The clock stands before {seen:%Y-%m-%d %H:%M:%S} UTC, when work was last done.",
            "timedatectl set-ntp true",
        )
        return
    drift = _ahead_of_database()
    if abs(drift) > DRIFT:
        yield bad(
            "clock-apart",
            f"This machine's clock and that of the database differ by {drift.total_seconds():.0f} "
            "seconds.",
            "timedatectl set-ntp true, on both",
        )
        return
    if _is_synchronized() is False:
        yield odd(
            "clock-alone", "Nothing keeps this machine's clock right.", "timedatectl set-ntp true"
        )
        return
    yield good("clock", f"The clock says {now:%Y-%m-%d %H:%M:%S} UTC.")


def _ahead_of_database() -> timedelta:
    if connection.vendor != "postgresql":
        return timedelta()  # the same machine
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        there: datetime = cursor.fetchone()[0]
    return datetime.now(UTC) - there


def _is_synchronized() -> bool | None:
    """Ask the system; None where it cannot be asked."""
    command = shutil.which("timedatectl")
    if command is None:
        return None
    try:
        told = subprocess.run(  # noqa: S603 (our own words)
            [command, "show", "-p", "NTPSynchronized", "--value"],
            capture_output=True,
            text=True,
            timeout=ASKED,
            check=True,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    return {"yes": True, "no": False}.get(told.stdout.strip())


# With programs: what the server was seen to take while it compiled, and room for the system.
ENOUGH = 1_000_000_000  # bytes
MEMORY, CONTROL_GROUP = Path("/proc/meminfo"), Path("/sys/fs/cgroup/memory.max")


def look_at_memory(memory: Path = MEMORY, group: Path = CONTROL_GROUP) -> Iterator[Finding]:
    """Return whether there is memory for the server's own programs; nothing where it is unknown."""
    found = _memory(memory, group)
    if found is None:
        return
    size = f"{found / 1e6:,.0f} MB"
    if found >= ENOUGH or not settings.SARSEN_BOTS or not has_compiler():
        yield good("memory", f"There are {size} of memory.")
        return
    yield odd(
        "memory-small",
        f"There are {size} of memory; a server with programs that compiles their searches, as at "
        f"its first start, wants {ENOUGH / 1e6:,.0f} MB.",
        "SARSEN_BOTS=off, or an install without Numba, whose programs go up to level 4",
    )


def _memory(memory: Path, group: Path) -> int | None:
    """Return the bytes that this process may use at the most."""
    bounds = []
    if found := re.search(r"^MemTotal:\s+(\d+) kB$", _text(memory), re.MULTILINE):
        bounds.append(1024 * int(found[1]))
    if found := re.fullmatch(r"(\d+)\n?", _text(group)):
        bounds.append(int(found[1]))
    return min(bounds, default=None)


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="ascii")
    except OSError:
        return ""
