"""The relay the server sends to: takes every letter, notes when, and keeps nothing.

Runs as a process of its own: `python -m bench.relay PORT`. It prints `ready`, then a line a
letter: the monotonic time, its kind, its board and the ply that is due in it. It ends when
its standard input does, so that it cannot outlive the process that started it.

It knows just enough SMTP, PIPELINING among it: it shares its cores with the server, and a
relay written for speed, as real ones are, would take as little of them.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import re
import sys
import time
from collections import deque
from collections.abc import AsyncIterator
from dataclasses import dataclass

from bench.server import free_port

_KIND = re.compile(rb"^X-Sarsen: *([\w-]+)", re.MULTILINE | re.IGNORECASE)
_BOARD = re.compile(rb"^Reply-To:\s*board-(\d+)-\d+-(\d+)-", re.MULTILINE | re.IGNORECASE)
_GREETING = b"220 relay.example ESMTP\r\n"
_OFFER = b"250-relay.example\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 10000000\r\n"
_END = b"\r\n.\r\n"
_MAX_WAITING = 1 << 24  # octets without an end that a letter of ours never has


class Taking(asyncio.Protocol):
    """One session: answer each command, and note each letter."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Greet."""
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport
        self._waiting = b""
        self._is_in_data = False
        transport.write(_GREETING)

    def data_received(self, data: bytes) -> None:
        """Answer what is complete of what has come."""
        self._waiting += data
        replies: list[bytes] = []
        while reply := self._next():
            replies.append(reply)
        self._transport.write(b"".join(replies))
        if len(self._waiting) > _MAX_WAITING or b"221 Bye\r\n" in replies:
            self._transport.close()

    def _next(self) -> bytes:
        """Take the next command or letter and give its reply; nothing when it is not whole."""
        if self._is_in_data:
            letter, end, rest = self._waiting.partition(_END)
            if not end:
                return b""
            self._waiting, self._is_in_data = rest, False
            _note(letter)
            return b"250 OK\r\n"
        line, end, rest = self._waiting.partition(b"\r\n")
        if not end:
            return b""
        self._waiting = rest
        verb = line[:4].upper()
        self._is_in_data = verb == b"DATA"
        return {
            b"EHLO": _OFFER,
            b"DATA": b"354 Go on\r\n",
            b"QUIT": b"221 Bye\r\n",
        }.get(verb, b"250 OK\r\n")


def _note(letter: bytes) -> None:
    head = letter.partition(b"\r\n\r\n")[0]
    kind, board = _KIND.search(head), _BOARD.search(head)
    if kind and board:
        words = (kind[1].decode(), board[1].decode(), board[2].decode())
        print(f"{time.monotonic():.6f}", *words, flush=True)


async def _serve(port: int) -> None:
    loop = asyncio.get_running_loop()
    server = await loop.create_server(Taking, "127.0.0.1", port)
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
        """Return what will be the monotonic time of a letter's arrival."""
        arrival: asyncio.Future[float] = asyncio.get_running_loop().create_future()
        self._expected[kind, board, ply] = arrival
        return arrival

    def last_letters(self) -> str:
        """Return what came last, for a caller that waits in vain."""
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
    options = argparse.ArgumentParser(prog="python -m bench.relay", description=__doc__)
    options.add_argument("port", type=int)
    asyncio.run(_serve(options.parse_args().port))
