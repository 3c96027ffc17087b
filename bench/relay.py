"""The relay the server sends to: takes every letter, notes when, and keeps nothing.

Runs as a process of its own: `python -m bench.relay PORT`. It prints `ready`, then a line a
letter: the monotonic time, its kind, its board and the ply that is due in it. It ends when
its standard input does, so that it cannot outlive whoever started it.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
import time
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass

from aiosmtpd.smtp import SMTP, Envelope, Session

from bench.server import free_port

_KIND = re.compile(rb"^X-Sarsen: *([\w-]+)", re.MULTILINE | re.IGNORECASE)
_BOARD = re.compile(rb"^Reply-To:\s*board-(\d+)-\d+-(\d+)-", re.MULTILINE | re.IGNORECASE)


class NotingHandler:
    """Print when each letter came."""

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Note a letter."""
        at = time.monotonic()
        head = (envelope.original_content or b"").partition(b"\r\n\r\n")[0]
        kind, board = _KIND.search(head), _BOARD.search(head)
        if kind and board:
            words = (f"{at:.6f}", kind[1].decode(), board[1].decode(), board[2].decode())
            print(*words, flush=True)
        return "250 OK"


async def _serve(port: int) -> None:
    loop = asyncio.get_running_loop()
    handler = NotingHandler()
    server = await loop.create_server(
        lambda: SMTP(handler, loop=loop, hostname="relay.example"), "127.0.0.1", port
    )
    print("ready", flush=True)
    await loop.run_in_executor(None, sys.stdin.read)
    server.close()


Expected = tuple[str, int, int]  # kind, board, ply due


@dataclass
class Relay:
    """The relay, as the bench sees it: letters that are expected, and when they came."""

    port: int
    process: asyncio.subprocess.Process
    _expected: dict[Expected, asyncio.Future[float]]
    _last: deque[str]

    def expect(self, kind: str, board: int, ply: int) -> asyncio.Future[float]:
        """Give what will be the monotonic time of a letter's arrival."""
        arrival: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._expected[kind, board, ply] = arrival
        return arrival

    def last_letters(self) -> str:
        """Give what came last, for whoever waits in vain."""
        return "; ".join(self._last)

    async def listen(self) -> None:
        """Note arrivals until the relay ends."""
        assert self.process.stdout is not None
        async for line in self.process.stdout:
            at, kind, board, ply = line.decode().split()
            self._last.append(f"{kind} {board} {ply}")
            arrival = self._expected.pop((kind, int(board), int(ply)), None)
            if arrival and not arrival.done():
                arrival.set_result(float(at))


@contextlib.asynccontextmanager
async def relaying() -> AsyncIterator[Relay]:
    """Run a relay until the block ends."""
    port = free_port()
    process = await asyncio.create_subprocess_exec(
        sys.executable,
        *("-m", "bench.relay", str(port)),
        stdin=asyncio.subprocess.PIPE,
        stdout=asyncio.subprocess.PIPE,
    )
    assert process.stdin is not None
    assert process.stdout is not None
    relay = Relay(port, process, {}, deque(maxlen=10))
    try:
        assert await process.stdout.readline() == b"ready\n"
        listening = asyncio.create_task(relay.listen())
        yield relay
        listening.cancel()
    finally:
        process.stdin.close()
        await process.wait()


if __name__ == "__main__":
    asyncio.run(_serve(int(sys.argv[1])))
