"""Listen for mail over SMTP and LMTP; say 250 only when the store has it."""

from __future__ import annotations

import asyncio
import errno
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress

import structlog
from aiosmtpd.lmtp import LMTP
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import DatabaseError, close_old_connections
from django.utils import timezone

from sarsen.doors.mail.bounds import MOST_BYTES
from sarsen.doors.mail.recipients import chosen, is_ours, is_sender, mailbox
from sarsen.services import intake
from sarsen.services.intake import Delivery

MOST_RECIPIENTS = 20
IDLE = 120  # seconds a silent client is kept
MOST_SESSIONS = 200  # at once on one port
FINISH = 10  # seconds that mails on their way have when the listener stops
MOST_TOGETHER = 100  # messages stored in one commit
LONGEST_LINE = 64 * 1024  # octets; real mail breaks the 998 of the standard
STORED = "250 2.0.0 Stored"
log = structlog.get_logger()


class GroupedStore:
    """Store what many sessions bring with as few commits as possible.

    While one commit is on its way to the disk the next messages gather; every
    session waits for the commit that holds its own.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[list[Delivery], asyncio.Future[str]]] = []
        self._arrived = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "store")

    async def store(self, deliveries: list[Delivery]) -> str:
        """Give the SMTP reply for a message, once it is settled."""
        stored: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting.append((deliveries, stored))
        self._arrived.set()
        return await stored

    async def run(self) -> None:
        """Store for ever."""
        loop = asyncio.get_running_loop()
        while True:
            await self._arrived.wait()
            taken, self._waiting = (
                self._waiting[:MOST_TOGETHER],
                self._waiting[MOST_TOGETHER:],
            )
            if not self._waiting:
                self._arrived.clear()
            deliveries = [delivery for one, _ in taken for delivery in one]
            reply = await loop.run_in_executor(self._thread, _store, deliveries)
            for _, stored in taken:
                if not stored.done():
                    stored.set_result(reply)


def _store(deliveries: list[Delivery]) -> str:
    try:
        close_old_connections()
        intake.store(deliveries, timezone.now())
    except DatabaseError as failed:
        log.exception("mail could not be stored")
        if "full" in str(failed).lower():
            return "452 4.3.1 The disk is full, try again later"
        return "451 4.3.0 The store is out of reach, try again later"
    except Exception as failed:
        # Whatever it is, the session must be told and the next group be stored.
        log.exception("mail could not be stored")
        is_full = isinstance(failed, OSError) and failed.errno == errno.ENOSPC
        return f"{'452 4.3.1' if is_full else '451 4.3.0'} Try again later"
    return STORED


class MailHandler:
    """Take recipients that are ours and hand messages to the store."""

    def __init__(self, grouped: GroupedStore) -> None:
        self._grouped = grouped

    async def handle_EHLO(  # noqa: N802 (aiosmtpd's name)
        self,
        server: SMTP,
        session: Session,
        envelope: Envelope,
        hostname: str,
        responses: list[str],
    ) -> list[str]:
        """Offer PIPELINING too: commands are read one by one, however they arrive."""
        session.host_name = hostname
        return [*responses[:1], "250-PIPELINING", *responses[1:]]

    async def handle_MAIL(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Refuse a sender that no answer could reach."""
        if address and not is_sender(address):
            return "553 5.1.7 This is not a mail address"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Refuse at once what is not for us."""
        if not is_ours(address):
            return "550 5.1.1 No such address here"
        if len(envelope.rcpt_tos) >= MOST_RECIPIENTS:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos.append(address if "@" in address else f"{address}@{server.hostname}")
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Store the message, one delivery a recipient."""
        content = envelope.original_content or b""
        sender = (envelope.mail_from or "").strip("<>")  # the parser leaves those of `<>`
        reply = await self._grouped.store(
            [
                Delivery(sender, recipient, content, mailbox(recipient))
                for recipient in chosen(envelope.rcpt_tos)
            ]
        )
        if isinstance(server, LMTP):  # RFC 2033: a reply for each recipient
            return "\r\n".join([reply] * len(envelope.rcpt_tos))
        return reply


class MailSession(SMTP):
    """An SMTP session that takes the long lines of real mail and is counted while it lasts."""

    line_length_limit = LONGEST_LINE
    running: set[MailSession]

    @property
    def is_idle(self) -> bool:
        """Tell whether no mail is on its way in this session."""
        return self.envelope is None or self.envelope.mail_from is None

    def connection_lost(self, error: Exception | None) -> None:
        """End the session."""
        self.running.discard(self)
        super().connection_lost(error)


class LocalMailSession(MailSession, LMTP):
    """The same over LMTP."""


class Turned(asyncio.Protocol):
    """Turn a client away when too many are here."""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """Say so and hang up."""
        assert isinstance(transport, asyncio.Transport)
        transport.write(b"421 4.3.2 Too many connections, try again later\r\n")
        transport.close()


Port = tuple[str, int]


async def listen(smtp: Port | None, lmtp: Port | None, domain: str, run: str) -> None:
    """Serve until SIGTERM or SIGINT, then let running sessions end.

    Args:
        run: Stands in the greeting: the supervisor tells by it that its own listener
            answers.
    """
    stopped = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stopped.set)
    await serve(smtp, lmtp, domain, run, stopped)


async def serve(
    smtp: Port | None, lmtp: Port | None, domain: str, run: str, stopped: asyncio.Event
) -> None:
    """Serve until the event is set, then let mails that are on their way come in."""
    grouped = GroupedStore()
    storing = asyncio.create_task(grouped.run())
    ports = []
    for port, kind in ((smtp, MailSession), (lmtp, LocalMailSession)):
        if port is not None:
            running: set[MailSession] = set()
            begin = _beginning(kind, MailHandler(grouped), domain, run, running)
            server = await asyncio.get_running_loop().create_server(begin, *port)
            ports.append((server, running))
    await stopped.wait()
    for server, _ in ports:
        server.close()
    await _finish([running for _, running in ports])
    storing.cancel()
    with suppress(asyncio.CancelledError):
        await storing


def _beginning(
    kind: type[MailSession],
    handler: MailHandler,
    domain: str,
    run: str,
    running: set[MailSession],
) -> Callable[[], asyncio.BaseProtocol]:
    def begin() -> asyncio.BaseProtocol:
        if len(running) >= MOST_SESSIONS:
            return Turned()
        session = kind(
            handler,
            data_size_limit=MOST_BYTES,
            hostname=domain,
            ident=f"sarsen {run}".strip(),
            timeout=IDLE,
            loop=asyncio.get_running_loop(),
        )
        session.running = running
        running.add(session)
        return session

    return begin


async def _finish(ports: list[set[MailSession]]) -> None:
    """Hang up on whoever is idle; wait a while for the others."""
    limit = asyncio.get_running_loop().time() + FINISH
    while sessions := [session for running in ports for session in running]:
        is_over = asyncio.get_running_loop().time() > limit
        for session in sessions:
            if is_over or session.is_idle:
                _hang_up(session)
        await asyncio.sleep(0.02)
        if is_over:
            return


def _hang_up(session: MailSession) -> None:
    transport = session.transport
    if isinstance(transport, asyncio.Transport) and not transport.is_closing():
        transport.write(b"421 4.3.2 The server stops, try again later\r\n")
        transport.close()
