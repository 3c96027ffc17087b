"""Moves by the API: how many a second, and how long until each is answered.

Real requests over kept connections, as `sarsen.client` sends them: a bearer token, JSON, an
Idempotency-Key. A move counts when its answer has come, which is after its commit; letters
and webhooks leave meanwhile. Beside it, the smallest page of the same server: what the
HTTP server and the framework cost without us.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Awaitable, Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import count

from bench.figures import percentile
from bench.memory import milliseconds_each, processor_seconds, settled_processor_seconds
from bench.server import Server
from bench.stocking import MoveMail

PEER = "/health/"
TIMEOUT = 60.0  # seconds until an answer must have come; a limit, never a wait


@dataclass(frozen=True)
class ApiSpeed:
    """The figures of one series.

    Attributes:
        wanted_per_s: Moves a second that were sent; 0 for as many as were answered.
        processor_ms: Of each process of the server, a move.
        pages_per_s: Of the smallest page, over as many connections, just after.
        least_share: Of the connection that made fewest moves, in parts of an equal share.
    """

    connections: int
    moves: int
    moves_per_s: float
    p50_ms: float
    p99_ms: float
    processor_ms: dict[str, float]
    pages_per_s: float
    least_share: float
    wanted_per_s: float = 0.0


@dataclass
class Connection:
    """One kept connection to the web process."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def open(cls, port: int) -> Connection:
        """Connect."""
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def ask(
        self, method: str, path: str, headers: dict[str, str], body: bytes, *, wanted: int = 200
    ) -> bytes:
        """Send a request; give the body of its answer.

        Raises:
            RuntimeError: The answer has another status than the one wanted.
        """
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
        lines += [f"{name}: {text}" for name, text in headers.items()]
        lines += [f"Content-Length: {len(body)}", "", ""]
        self.writer.write("\r\n".join(lines).encode() + body)
        async with asyncio.timeout(TIMEOUT):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = int(head.partition("content-length:")[2].partition("\r\n")[0])
            answer = await self.reader.readexactly(length)
        if not head.startswith(f"http/1.1 {wanted}"):
            raise RuntimeError(f"{path}: {head.splitlines()[0]} {answer[:300]!r}")
        return answer

    def close(self) -> None:
        """Hang up."""
        self.writer.close()


Send = Callable[[Connection, MoveMail], Awaitable[object]]


async def measure(
    boards: Sequence[Sequence[MoveMail]],
    connections: int,
    server: Server,
    seconds: float,
    wanted_per_s: float = 0.0,
) -> ApiSpeed:
    """Play on the boards for so many seconds, or until they have no more moves.

    Args:
        wanted_per_s: Moves a second; 0 for each as soon as the one before is answered.
    """
    before, began = processor_seconds(server.process), time.monotonic()
    shares = await play_over(boards, connections, server.http, seconds, send_move, wanted_per_s)
    passed = time.monotonic() - began
    after = await settled_processor_seconds(server.process)
    times = [one for share in shares for one in share]
    rate = await page_rate(server.http, PEER, connections, seconds / 4)
    used = milliseconds_each(before, after, len(times))
    p50, p99 = (1000 * percentile(times, share) for share in (0.5, 0.99))
    moves, least = len(times), min(map(len, shares)) * len(shares) / len(times)
    speed = moves / passed
    return ApiSpeed(connections, moves, speed, p50, p99, used, rate, least, wanted_per_s)


async def play_over(
    boards: Sequence[Sequence[MoveMail]],
    connections: int,
    port: int,
    seconds: float,
    send: Send,
    wanted_per_s: float = 0.0,
) -> list[list[float]]:
    """Play over kept connections, each on boards of its own; return its times of answers.

    Args:
        wanted_per_s: Moves a second over all of them, evenly; times then count from when a move
            should have been sent. 0: as many as are answered.
    """
    shares = [boards[number::connections] for number in range(connections)]
    lines = [await Connection.open(port) for _ in shares]
    began = time.monotonic()
    until = began + seconds
    pause = connections / wanted_per_s if wanted_per_s else 0.0
    played = (
        _play(line, share, until, send, _due(began + number * pause / connections, pause))
        for number, (line, share) in enumerate(zip(lines, shares, strict=True))
    )
    times = await asyncio.gather(*played)
    for line in lines:
        line.close()
    return times


async def page_rate(port: int, path: str, connections: int, seconds: float) -> float:
    """Return how many pages a second come over so many connections."""
    lines = [await Connection.open(port) for _ in range(connections)]
    began = time.monotonic()
    pages = await asyncio.gather(*(_look(line, path, began + seconds) for line in lines))
    rate = sum(pages) / (time.monotonic() - began)
    for line in lines:
        line.close()
    return rate


def _due(first: float, pause: float) -> Iterator[float]:
    """Yield when each move is due; without a pause that is now."""
    return count(first, pause) if pause else iter(time.monotonic, None)


async def _play(
    line: Connection,
    boards: Sequence[Sequence[MoveMail]],
    until: float,
    send: Send,
    due: Iterator[float],
) -> list[float]:
    """Play the next ply of each board in turn; return how long each answer took."""
    times: list[float] = []
    for ply in range(max(map(len, boards), default=0)):
        for board in boards:
            began = next(due)
            if began >= until:
                return times
            if ply < len(board):
                await asyncio.sleep(max(began - time.monotonic(), 0.0))
                await send(line, board[ply])
                times.append(time.monotonic() - began)
    return times


async def send_move(line: Connection, move: MoveMail) -> None:
    """Play a move as a program does."""
    headers = {
        "Authorization": f"Bearer {move.token}",
        "Content-Type": "application/json",
        "Idempotency-Key": f"{move.board}.{move.ply}",
    }
    body = json.dumps({"board": move.board, "text": move.text, "ply": move.ply}).encode()
    await line.ask("POST", "/api/v1/commands/move", headers, body)


async def _look(line: Connection, path: str, until: float) -> int:
    pages = 0
    while time.monotonic() < until:
        await line.ask("GET", path, {}, b"")
        pages += 1
    return pages
