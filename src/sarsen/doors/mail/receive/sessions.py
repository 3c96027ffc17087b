"""One session over SMTP or LMTP, and its limits.

aiosmtpd reads the commands. This module reads the addresses in them and the message itself, and
ends a session that costs more than it brings.
"""

from __future__ import annotations

import asyncio
import re
from collections import defaultdict
from collections.abc import Callable
from contextlib import suppress
from typing import Any, AnyStr

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP

from sarsen.doors.mail.parse.parts import MAX_BYTES
from sarsen.doors.mail.receive.attachments import (
    HEAD_TOO_LARGE,
    MAX_RECEIVED,
    TOO_LARGE,
    IncomingMail,
)
from sarsen.services.accounts.attempts import network_of

# Seconds without a whole command, and for each `MAX_BYTES` of a message: slow lines are served,
# silent ones make room.
IDLE = 120
MAX_SESSION = 3_600  # seconds, whatever is said in it: no client holds its place for ever
MAX_COMMAND = 2_048  # octets; RFC 5321, 4.5.3.1.4 asks for 512 and more for parameters
MAX_REFUSALS = 100  # in one session; a mail to 100 recipients may name as many bad ones
MAX_COMMANDS = 1_000  # of a command that brings no mail, such as NOOP: these may go on for ever
# Octets of a message too large that are read before the refusal: most clients hear it only at the
# end.
MAX_DRAINED = 64 * 1024 * 1024
CLOSING = 5  # seconds that a client has to take the last reply; it may never read it
MAX_PENDING = 4_096  # octets of replies held in memory until they go out together
READ_AT_ONCE = 64 * 1024  # octets in memory of one session, before they are handed on

_END = b"\r\n.\r\n"
# For commands that mail needs; aiosmtpd wants a number. Other bounds end such a session.
_UNBOUNDED = 10**9
# With the angle brackets: a null sender is `<>`. A route before the address is ignored
# (RFC 5321, 4.1.1.3).
_PATH = re.compile(r"\s*(?:<(?:@[^:<>\s]*:)?([^<>]*)>|([^\s<>]+))(?:\s(.*)|)", re.DOTALL)
log = structlog.get_logger()


class MailSession(SMTP):
    """Take mail from anybody: what is not plainly one message ends the session."""

    takes_bare_line_ends = False
    line_length_limit = READ_AT_ONCE
    running: set[MailSession]
    address: str

    def __init__(self, handler: object, **options: Any) -> None:
        """Begin as aiosmtpd does, with bounds for what a session may say."""
        calls = {"*": MAX_COMMANDS} | dict.fromkeys(("MAIL", "RCPT", "DATA"), _UNBOUNDED)
        options = {"data_size_limit": MAX_RECEIVED, "timeout": IDLE} | options
        super().__init__(handler, command_call_limit=calls, **options)
        # aiosmtpd shares its own among all sessions and lets each greeting widen it.
        self.command_size_limits = defaultdict(lambda: MAX_COMMAND)
        self.command_size_limit = MAX_COMMAND
        self._refusals = 0
        self._unended = 0  # octets of a command whose line has not ended
        self._is_taking = False
        self.body_digests = ""  # of the message that is handed on; see `attachments.ReceivedMail`
        self._pending = b""  # replies that go out when nothing more is to be read at once
        self._flushing: asyncio.Handle | None = None
        self._longest: asyncio.TimerHandle | None = None

    @property
    def is_idle(self) -> bool:
        """Return whether no mail is on its way in this session."""
        return self.envelope is None or self.envelope.mail_from is None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin the session."""
        super().connection_made(transport)
        self._longest = self.loop.call_later(
            MAX_SESSION, self.hang_up, "421 4.4.2 This session lasts too long"
        )

    def connection_lost(self, error: Exception | None) -> None:
        """End the session."""
        self.running.discard(self)
        if self._longest is not None:
            self._longest.cancel()
        super().connection_lost(error)

    def data_received(self, data: bytes) -> None:
        """Take what came; a command that does not end is not waited for."""
        if not self._is_taking:
            ended = data.rfind(b"\n")
            self._unended = len(data) - ended - 1 + (self._unended if ended < 0 else 0)
            if self._unended > MAX_COMMAND:
                self.hang_up("500 5.5.2 This command is too long")
                return
        super().data_received(data)

    def hang_up(self, reply: str) -> None:
        """Send the last reply, and read nothing more."""
        transport = self.transport
        if not isinstance(transport, asyncio.Transport) or transport.is_closing():
            return
        self._flush()
        transport.write(reply.encode("ascii") + b"\r\n")
        transport.close()
        # A client that reads no replies would hold the connection for ever.
        self.loop.call_later(CLOSING, transport.abort)
        if self._handler_coroutine is not None:
            self._handler_coroutine.cancel()

    async def push(self, status: AnyStr) -> None:
        """Reply; a client that is refused again and again is disconnected.

        Replies to commands that came together go out together (RFC 2920, 3.2).
        """
        reply = status.encode("ascii") if isinstance(status, str) else status
        self._pending += reply + b"\r\n"
        if reply[:3] not in (b"250", b"354") or len(self._pending) > MAX_PENDING:
            self._flush()  # after some of these the connection is closed
        elif self._flushing is None:
            self._flushing = self.loop.call_soon(self._flush)
        await self._writer.drain()
        self._refusals += reply[:1] == b"5"
        if self._refusals >= MAX_REFUSALS:
            await self._end("421 4.7.0 Too many errors")

    def _flush(self) -> None:
        """Send the pending replies."""
        pending, self._pending, self._flushing = self._pending, b"", None
        transport = self.transport
        if pending and isinstance(transport, asyncio.Transport) and not transport.is_closing():
            transport.write(pending)

    async def smtp_DATA(self, arg: str | None) -> None:  # noqa: N802 (aiosmtpd's name)
        """Take a message up to the one end that the standard knows, and hand it on."""
        if await self.check_helo_needed():
            return
        assert self.envelope is not None
        if arg:
            await self.push("501 5.5.4 Syntax: DATA")
            return
        if not self.envelope.rcpt_tos:
            await self.push("503 5.5.1 Send RCPT first")
            return
        await self.push("354 End data with <CR><LF>.<CR><LF>")
        mail = _Reading()
        await self._read_into(mail)
        received = mail.incoming.finish()
        if received is None:
            reply = self.to_each_recipient(f"552 5.3.4 {TOO_LARGE}")
        elif not self.takes_bare_line_ends and mail.has_bare_line_end:
            # Where the message ends would be for another server to say: it could hold a second
            # one, with a sender of its own choice (SMTP smuggling).
            await self._end("521 5.5.2 Lines must end with CR LF")
            return
        else:
            self.envelope.content = self.envelope.original_content = received.content
            self.body_digests = received.body_digests
            reply = str(await self._call_handler_hook("DATA"))
        self.envelope = self._create_envelope()
        await self.push(reply)

    async def smtp_GET(self, arg: str | None) -> None:  # noqa: N802 (aiosmtpd's name)
        """Disconnect a browser before a page makes it send commands."""
        await self._end("521 5.5.1 This is a mail server")

    smtp_POST = smtp_PUT = smtp_HEAD = smtp_OPTIONS = smtp_CONNECT = smtp_GET  # noqa: N815

    async def handle_exception(self, error: Exception) -> str:
        """Log a defect; the client is not told of it."""
        log.error("a mail session failed", kind=type(error).__name__, exc_info=error)
        return "451 4.3.0 Try again later"

    async def _read_into(self, mail: _Reading) -> None:
        """Read a message up to its end."""
        self._is_taking = True
        taken, size, granted = bytearray(), 0, MAX_BYTES
        # A message without a single line ends with a dot at its beginning.
        while not (taken.endswith(_END) or (size == len(taken) == 3 and taken == b".\r\n")):
            if len(taken) > READ_AT_ONCE:
                mail.take(bytes(taken[: -len(_END)]))
                del taken[: -len(_END)]
                if mail.incoming.is_head_too_large:  # no more of it changes the answer
                    await self._refuse_unread(f"552 5.3.4 {HEAD_TOO_LARGE}")
            try:
                piece = await self._reader.readuntil(b".\r\n")
            except asyncio.LimitOverrunError as longer:
                piece = await self._reader.read(longer.consumed)
            taken += piece
            size += len(piece)
            if size > MAX_DRAINED:
                await self._refuse_unread(f"552 5.3.4 {TOO_LARGE}")
            if size > granted:
                granted += MAX_BYTES
                self._reset_timeout()
        mail.take(bytes(taken[:-3]))
        self._is_taking, self._unended = False, 0

    def to_each_recipient(self, reply: str) -> str:
        """Return the reply to a message as the protocol gives it."""
        return reply

    async def _refuse_unread(self, reply: str) -> None:
        """Refuse a message before its end, and end the session.

        What still comes is dropped for a while: closed at once, the connection would be reset,
        and the reply be lost with it.
        """
        transport = self.transport
        assert isinstance(transport, asyncio.Transport)
        self._flush()
        transport.write(self.to_each_recipient(reply).encode("ascii") + b"\r\n")
        if transport.can_write_eof():
            transport.write_eof()
        with suppress(TimeoutError):
            async with asyncio.timeout(CLOSING):
                while await self._reader.read(READ_AT_ONCE):
                    pass
        transport.abort()
        raise asyncio.CancelledError

    async def _end(self, reply: str) -> None:
        """Hang up; the coroutine that awaits this ends."""
        self.hang_up(reply)
        await asyncio.sleep(0)  # lets the transport send the reply first
        raise asyncio.CancelledError

    def _getaddr(self, arg: str) -> tuple[str | None, str | None]:
        """Read the address of a command; aiosmtpd's own way recurses once a bracket."""
        match = _PATH.fullmatch(arg)
        if not match:
            return None, None
        address = match[1] if match[2] is None else match[2]
        return address or "<>", match[3] or ""

    def _timeout_cb(self) -> None:
        self.hang_up("421 4.4.2 Timeout, closing connection")


class _Reading:
    """A message as a session reads it: a line that begins with a dot came with two."""

    def __init__(self) -> None:
        self.incoming = IncomingMail()
        self.has_bare_line_end = False
        self._held = b""  # a CR, until it is known what follows
        self._is_line_start = True

    def take(self, piece: bytes) -> None:
        """Take the next octets (RFC 5321, 4.5.2)."""
        data = self._held + piece
        end = len(data) - data.endswith(b"\r")
        data, self._held = data[:end], data[end:]
        self.has_bare_line_end |= has_bare_line_end(data)
        begun = b"\r\n" if self._is_line_start else b""
        self._is_line_start = data.endswith(b"\r\n") if data else self._is_line_start
        self.incoming.feed((begun + data).replace(b"\r\n.", b"\r\n")[len(begun) :])


class LocalMailSession(MailSession, LMTP):
    """Take mail from a mail server that has judged its form."""

    takes_bare_line_ends = True

    def to_each_recipient(self, reply: str) -> str:
        """Return a reply for each recipient (RFC 2033, 4.2)."""
        assert self.envelope is not None
        return "\r\n".join([reply] * len(self.envelope.rcpt_tos))


class SessionLimit(asyncio.Protocol):
    """Begin a session if there is room for one, before it costs anything."""

    def __init__(
        self, begin: Callable[[], MailSession], running: set[MailSession], most: int
    ) -> None:
        self._begin = begin
        self._running = running
        self._most = most

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Begin a session, or refuse the client and hang up."""
        assert isinstance(transport, asyncio.Transport)
        address = network_of(str((transport.get_extra_info("peername") or ("",))[0]))
        from_address = sum(session.address == address for session in self._running)
        # One address never takes all the room.
        if len(self._running) >= self._most or from_address >= max(1, self._most // 2):
            transport.write(b"421 4.3.2 Too many connections, try again later\r\n")
            transport.close()
            return
        session = self._begin()
        session.running, session.address = self._running, address
        self._running.add(session)
        transport.set_protocol(session)
        session.connection_made(transport)


def has_bare_line_end(content: bytes) -> bool:
    """Return whether a CR or a LF stands alone."""
    whole = content.count(b"\r\n")
    return not whole == content.count(b"\r") == content.count(b"\n")
