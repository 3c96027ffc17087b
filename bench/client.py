"""A mail client that speaks one SMTP session, one message after another, with PIPELINING."""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass


class UnwantedReplyError(Exception):
    """The server answered something else than what a client hopes for."""


@dataclass
class Session:
    """An open session; one round trip for MAIL, RCPT and DATA, and one for the message."""

    reader: asyncio.StreamReader
    writer: asyncio.StreamWriter

    @classmethod
    async def open(cls, port: int) -> Session:
        """Connect and say EHLO."""
        session = cls(*await asyncio.open_connection("127.0.0.1", port))
        await session._expect(b"220")
        await session._say(b"EHLO client.example", b"250")
        return session

    async def send(self, sender: str, recipient: str, message: bytes) -> float:
        """Send a message; give the monotonic time of its 250.

        The message has CRLF line ends and no line that begins with a dot.
        """
        envelope = f"MAIL FROM:<{sender}>\r\nRCPT TO:<{recipient}>\r\nDATA\r\n"
        self.writer.write(envelope.encode())
        for wanted in (b"250", b"250", b"354"):
            await self._expect(wanted)
        await self._say(message + b"\r\n.", b"250")
        return time.monotonic()

    async def close(self) -> None:
        """Send QUIT and close the connection."""
        self.writer.write(b"QUIT\r\n")
        self.writer.close()
        await self.writer.wait_closed()

    async def _say(self, line: bytes, wanted: bytes) -> None:
        self.writer.write(line + b"\r\n")
        await self._expect(wanted)

    async def _expect(self, code: bytes) -> None:
        line = await self.reader.readline()
        while line[3:4] == b"-":
            line = await self.reader.readline()
        if not line.startswith(code):
            raise UnwantedReplyError(f"{line!r} instead of {code!r}")
