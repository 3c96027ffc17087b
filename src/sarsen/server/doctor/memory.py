"""Look at the memory of this machine: compiling the searches takes some."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path

from django.conf import settings

from sarsen.search.bots import has_compiler
from sarsen.server.doctor.finding import Finding, good, odd

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
