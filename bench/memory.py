"""Memory and processor time of the processes of a running server, from `/proc`.

`python -m bench.memory` starts one on an empty folder and prints its memory when it has nothing
to do; `python -m bench` that in play, too. On systems without `/proc` there are no such figures,
and the lists are empty.
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

PROC = Path("/proc")
LIMITS = {"idle": 170, "in play": 300}  # MiB, proportional: goals; docs/operating.md has more
GONE_WITHIN = 300.0  # seconds, for a thinker that has nothing to do
IDLE_SECONDS = 1.0  # without work until workers count as idle
SETTLED_WITHIN = 30.0  # seconds, for workers that have letters left to send
_ROLES = {"listen": "listener", "work": "worker", "think": "thinker", "web": "web"}


@dataclass(frozen=True)
class ProcessMemory:
    """The memory of one process, in MiB.

    Attributes:
        rss: Pages in memory, those shared with other processes included.
        pss: The same with each shared page divided among its users; None if not told.
    """

    role: str
    rss: float
    pss: float | None


def memory_of(server: int) -> list[ProcessMemory]:
    """Return the memory of a server's supervising process and of all below it."""
    return [found for process in _family(server) if (found := _memory(process))]


def idle_memory_of(server: int) -> list[ProcessMemory]:
    """Return the same when the thinker has seen that there is nothing to do."""
    limit = time.monotonic() + GONE_WITHIN
    found = memory_of(server)
    while {one.role for one in found} & {"thinker", "compiler"}:
        if time.monotonic() > limit:
            raise RuntimeError("the thinker stays, although nobody plays")
        time.sleep(0.1)
        found = memory_of(server)
    return found


def processor_seconds(process: int) -> dict[str, float]:
    """Return the processor time used so far, by role, for a process and all below it."""
    used: dict[str, float] = {}
    for one in _family(process):
        try:
            role = _role(one)
        except OSError:  # it has ended meanwhile
            continue
        used[role] = used.get(role, 0.0) + _processor_seconds(one)
    return used


def milliseconds_each(
    before: dict[str, float], after: dict[str, float], count: int
) -> dict[str, float]:
    """Return the processor milliseconds between two moments, by role, for each of so many.

    A role that came in between, such as a thinker that is started when a program is to move,
    has used nothing before; of one that has gone meanwhile nothing is known.
    """
    return {role: 1000 * (used - before.get(role, 0.0)) / count for role, used in after.items()}


async def settled_processor_seconds(process: int) -> dict[str, float]:
    """Return the same once the workers are idle: letters may wait a little for others."""
    limit = time.monotonic() + SETTLED_WITHIN
    used, since = processor_seconds(process), time.monotonic()
    while time.monotonic() - since < IDLE_SECONDS and time.monotonic() < limit:
        await asyncio.sleep(0.1)
        found = processor_seconds(process)
        if found.get("worker") != used.get("worker"):
            since = time.monotonic()
        used = found
    return used


def _family(process: int) -> list[int]:
    try:
        text = (PROC / f"{process}/task/{process}/children").read_text()
    except OSError:
        return [process] if (PROC / str(process)).exists() else []
    return [process, *(one for child in text.split() for one in _family(int(child)))]


def _role(process: int) -> str:
    name = (PROC / f"{process}/comm").read_text().strip()
    if name.startswith("sarsen "):  # as the supervisor names what it forks
        return _ROLES.get(name.removeprefix("sarsen "), "other")
    words = (PROC / f"{process}/cmdline").read_bytes().split(b"\0")
    if b"sarsen.search" in words:
        return "compiler"
    return "supervisor" if b"serve" in words else "other"


def _memory(process: int) -> ProcessMemory | None:
    try:
        status = (PROC / f"{process}/status").read_text()
        role = _role(process)
    except OSError:
        return None
    rss = re.search(r"^VmRSS:\s+(\d+)", status, re.MULTILINE)
    return ProcessMemory(role, int(rss[1]) / 1024, _pss(process)) if rss else None


def _pss(process: int) -> float | None:
    try:
        text = (PROC / f"{process}/smaps_rollup").read_text()
    except OSError:
        return None
    found = re.search(r"^Pss:\s+(\d+)", text, re.MULTILINE)
    return int(found[1]) / 1024 if found else None


def _processor_seconds(process: int) -> float:
    try:
        stat = (PROC / f"{process}/stat").read_text()
    except OSError:
        return 0.0
    # Behind the command in parentheses, fields 14 and 15: time in user and kernel mode.
    user, kernel = stat.rpartition(")")[2].split()[11:13]
    return (int(user) + int(kernel)) / os.sysconf("SC_CLK_TCK")


def main() -> None:
    """Start a server, and print the memory of its processes when they have nothing to do."""
    from bench.server import serving

    argparse.ArgumentParser(prog="python -m bench.memory", description=__doc__).parse_args()
    with (
        tempfile.TemporaryDirectory(prefix="memory-") as folder,
        serving(Path(folder), relay=1) as server,
    ):
        found = idle_memory_of(server.process)
    if not found:
        sys.exit("this system has no /proc to read the memory of processes from")
    for one in found:
        shared = "" if one.pss is None else f"PSS {one.pss:4.0f}  "
        print(f"{one.role:12} {shared}RSS {one.rss:4.0f} MiB")
    total = sum(one.rss if one.pss is None else one.pss for one in found)
    print(f"{'together':12} {total:.0f} MiB, goal {LIMITS['idle']}")


if __name__ == "__main__":
    main()
