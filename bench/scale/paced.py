"""Measure what moves and page views cost when they come one by one, as on a real server.

A server under as much load as it takes answers many mails in one commit, and words many letters
with what is loaded already. One that has time pays for each mail alone.
"""

from __future__ import annotations

import asyncio
import os
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from itertools import count
from pathlib import Path

import psycopg

from bench.api import Connection, send_move
from bench.client import Session
from bench.disk import durable_commits
from bench.mail import write_mail
from bench.memory import memory_of, milliseconds_each, processor_seconds, settled_processor_seconds
from bench.relay import relaying
from bench.server import Server, environment, make_tables, serving
from bench.steps import Step
from bench.stocking import MoveMail, stock

QUIET = {"SARSEN_BOTS": "off"}
BOARDS, PLIES = 40, 20
WARM_UP = 16  # moves and views that are not counted: the first load what later ones share
CLIENTS = 8  # of PostgreSQL
COMMIT_SECONDS = 60.0  # shows what a disk takes once its cache is full
QUICK = 2.0  # seconds of a series that shows only that all works
ROW = b"x" * 200  # about the size of a move in the event log
Send = Callable[[MoveMail], Awaitable[object]]


@dataclass(frozen=True)
class Paced:
    """Figures of one run.

    Attributes:
        commits: Durable commits a second over the whole time, by one writer to an SQLite file.
        postgres_commits: The same of `CLIENTS` connections to a PostgreSQL; 0 without one.
        by_mail, by_api, by_page: Processor milliseconds of each process for one move or view.
        busy: Of the processors, in parts, that others used meanwhile.
    """

    commits: float
    postgres_commits: float
    by_mail: dict[str, float]
    by_api: dict[str, float]
    by_page: dict[str, float]
    memory: dict[str, float]
    busy: float


def steps() -> int:
    """Count the steps that a run reports."""
    return 6


def measure(seconds: float, per_s: float, postgres: str, step: Step) -> Paced:
    """Measure everything.

    Args:
        seconds: Of each series.
        per_s: Moves or views a second.
        postgres: The URL of a database in which a table may be made; "" for none.
    """
    before, writing = _busy_ticks(), max(seconds, COMMIT_SECONDS) if seconds > QUICK else seconds
    step("commits to an SQLite file")
    with tempfile.TemporaryDirectory(prefix="scale-") as folder:
        commits = durable_commits(Path(folder), 1, writing).median
        step("commits to PostgreSQL")
        on_postgres = postgres_commits(postgres, writing) if postgres else 0.0
        found = asyncio.run(_measure(Path(folder) / "data", seconds, per_s, step))
    by_mail, by_api, by_page, memory, own = found
    busy = _busy_share(before, _busy_ticks(), own)
    return Paced(commits, on_postgres, by_mail, by_api, by_page, memory, busy)


async def _measure(
    data: Path, seconds: float, per_s: float, step: Step
) -> tuple[dict[str, float], dict[str, float], dict[str, float], dict[str, float], float]:
    async with relaying() as relay:
        make_tables(data)
        step("boards to play on")
        around = environment(data, relay.port) | QUIET
        boards = stock(BOARDS, PLIES, around, games=("druid", "gyges", "vasco", "visavis"))
        moves = [board[ply] for ply in range(PLIES) for board in boards if ply < len(board)]
        if len(moves) < 2 * (WARM_UP + seconds * per_s):
            raise RuntimeError(f"{len(moves)} moves are too few for {seconds:g} seconds")
        rest = iter(moves)
        with serving(data, relay.port, pictures=True, more=QUIET) as server:
            costs = []
            for name, opened, take in (
                ("mail", _mailing, lambda: next(rest)),
                ("API", _playing, lambda: next(rest)),
                ("pages", _viewing, lambda: moves[0]),
            ):
                step(f"{name}, {per_s:g} a second")
                async with opened(server) as send:
                    await _pace(send, take, WARM_UP, per_s)
                    costs.append(await _cost(server, send, take, round(seconds * per_s), per_s))
            own = sum(processor_seconds(server.process).values())
            memory = {one.role: round(one.rss) for one in memory_of(server.process)}
    return (*costs, memory, own)  # type: ignore[return-value]


@asynccontextmanager
async def _mailing(server: Server) -> AsyncIterator[Send]:
    session = await Session.open(server.smtp)

    async def send(move: MoveMail) -> None:
        recipient, message = write_mail(move, by_password=False)
        await session.send(move.sender, recipient, message)

    yield send
    await session.close()


@asynccontextmanager
async def _playing(server: Server) -> AsyncIterator[Send]:
    line = await Connection.open(server.http)
    yield partial(send_move, line)
    line.close()


@asynccontextmanager
async def _viewing(server: Server) -> AsyncIterator[Send]:
    line = await Connection.open(server.http)

    async def view(move: MoveMail) -> None:
        cookies = {"Cookie": f"sessionid={move.session}"}
        await line.ask("GET", f"/boards/{move.board}/", cookies, b"")

    yield view
    line.close()


async def _cost(
    server: Server, send: Send, take: Callable[[], MoveMail], times: int, per_s: float
) -> dict[str, float]:
    before = processor_seconds(server.process)
    await _pace(send, take, times, per_s)
    after = await settled_processor_seconds(server.process)
    return {role: round(ms, 2) for role, ms in milliseconds_each(before, after, times).items()}


async def _pace(send: Send, take: Callable[[], MoveMail], times: int, per_s: float) -> None:
    """Send so many, evenly, each after the answer of the one before."""
    due = count(time.monotonic(), 1 / per_s)
    for _, at in zip(range(times), due, strict=False):
        await asyncio.sleep(max(at - time.monotonic(), 0.0))
        await send(take())


def postgres_commits(url: str, seconds: float) -> float:
    """Return the commits a second of several connections at once, one row and one call each."""
    counts: list[int] = []
    with psycopg.connect(url, autocommit=True) as server:
        server.execute("CREATE TABLE IF NOT EXISTS bench_commits (text bytea)")

        def write() -> None:
            commits, until = 0, time.monotonic() + seconds
            with psycopg.connect(url, autocommit=True) as own:
                while time.monotonic() < until:
                    own.execute("INSERT INTO bench_commits VALUES (%s)", (ROW,))
                    own.execute("SELECT pg_notify('bench', '')")
                    commits += 1
            counts.append(commits)

        threads = [threading.Thread(target=write) for _ in range(CLIENTS)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        server.execute("DROP TABLE bench_commits")
    return sum(counts) / seconds


def _busy_ticks() -> tuple[float, float]:
    """Return the seconds that all processors have worked, and have had; 0 where none are told."""
    try:
        words = Path("/proc/stat").read_text(encoding="ascii").splitlines()[0].split()[1:9]
    except OSError:
        return 0.0, 0.0
    ticks = [int(word) / os.sysconf("SC_CLK_TCK") for word in words]
    idle = ticks[3] + ticks[4]
    return sum(ticks) - idle, sum(ticks)


def _busy_share(before: tuple[float, float], after: tuple[float, float], own: float) -> float:
    worked, had = after[0] - before[0], after[1] - before[1]
    return round(max(0.0, worked - own - time.process_time()) / had, 2) if had else 0.0
