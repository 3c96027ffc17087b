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
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass

from bench.figures import percentile
from bench.memory import processor_seconds
from bench.server import Server
from bench.stocking import MoveMail

PEER = "/health/"
TIMEOUT = 60.0  # seconds until an answer must have come; a limit, never a wait


@dataclass(frozen=True)
class ApiSpeed:
    """Say how one series went.

    Attributes:
        processor_ms: Of each process of the server, a move.
        pages_per_s: Of the smallest page, over as many connections, just after.
    """

    connections: int
    moves: int
    moves_per_s: float
    p50_ms: float
    p99_ms: float
    processor_ms: dict[str, float]
    pages_per_s: float


@dataclass
class Connection:
    """One kept connection to the web process."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def open(cls, port: int) -> Connection:
        """Connect."""
        return cls(*await asyncio.open_connection("127.0.0.1", port))

    async def ask(self, method: str, path: str, headers: dict[str, str], body: bytes) -> bytes:
        """Send a request; give the body of its answer.

        Raises:
            RuntimeError: The answer is no success.
        """
        lines = [f"{method} {path} HTTP/1.1", "Host: 127.0.0.1"]
        lines += [f"{name}: {text}" for name, text in headers.items()]
        lines += [f"Content-Length: {len(body)}", "", ""]
        self.writer.write("\r\n".join(lines).encode() + body)
        async with asyncio.timeout(TIMEOUT):
            head = (await self.reader.readuntil(b"\r\n\r\n")).decode("latin-1").lower()
            length = int(head.partition("content-length:")[2].partition("\r\n")[0])
            answer = await self.reader.readexactly(length)
        if not head.startswith("http/1.1 200"):
            raise RuntimeError(f"{path}: {head.splitlines()[0]} {answer[:300]!r}")
        return answer

    def close(self) -> None:
        """Hang up."""
        self.writer.close()


async def measure(
    boards: Sequence[Sequence[MoveMail]], connections: int, server: Server, seconds: float
) -> ApiSpeed:
    """Play on the boards for so many seconds, or until they have no more moves."""
    shares = [boards[number::connections] for number in range(connections)]
    lines = [await Connection.open(server.http) for _ in shares]
    before, began = processor_seconds(server.process), time.monotonic()
    times = await _together(
        [_play(line, share, began + seconds) for line, share in zip(lines, shares, strict=True)]
    )
    passed, after = time.monotonic() - began, processor_seconds(server.process)
    began = time.monotonic()
    pages = await _together([_look(line, began + seconds / 4) for line in lines])
    rate = len(pages) / (time.monotonic() - began)
    for line in lines:
        line.close()
    used = {role: 1000 * (after[role] - before[role]) / len(times) for role in after}
    p50, p99 = (1000 * percentile(times, share) for share in (0.5, 0.99))
    return ApiSpeed(connections, len(times), len(times) / passed, p50, p99, used, rate)


async def _play(
    line: Connection, boards: Sequence[Sequence[MoveMail]], until: float
) -> list[float]:
    """Play the next ply of each board in turn; give how long each answer took."""
    times: list[float] = []
    for ply in range(max(map(len, boards), default=0)):
        for board in boards:
            if time.monotonic() >= until or ply >= len(board):
                return times
            move = board[ply]
            times.append(await _timed(lambda move=move: _send(line, move)))  # type: ignore[misc]
    return times


async def _send(line: Connection, move: MoveMail) -> bytes:
    headers = {
        "Authorization": f"Bearer {move.token}",
        "Content-Type": "application/json",
        "Idempotency-Key": f"{move.board}.{move.ply}",
    }
    body = json.dumps({"board": move.board, "text": move.text, "ply": move.ply}).encode()
    return await line.ask("POST", "/api/v1/commands/move", headers, body)


async def _look(line: Connection, until: float) -> list[float]:
    times: list[float] = []
    while time.monotonic() < until:
        times.append(await _timed(lambda: line.ask("GET", PEER, {}, b"")))
    return times


async def _timed(work: Callable[[], Awaitable[bytes]]) -> float:
    began = time.monotonic()
    await work()
    return time.monotonic() - began


async def _together(work: Sequence[Awaitable[list[float]]]) -> list[float]:
    return [one for part in await asyncio.gather(*work) for one in part]
