"""Listen for mail over SMTP and LMTP; say 250 only when the store has it."""

from __future__ import annotations

import asyncio
import re
import signal
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from datetime import datetime

import structlog
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import InterfaceError, OperationalError, close_old_connections
from django.utils import timezone

from sarsen.doors.mail.addresses import answering_addresses, is_ours, is_sender
from sarsen.doors.mail.receive.attachments import ReceivedMail
from sarsen.doors.mail.receive.delivery import deliveries_of
from sarsen.doors.mail.receive.sessions import LocalMailSession, MailSession, SessionLimit
from sarsen.services.limits.site import SiteAllowances
from sarsen.services.mail import incoming, reply_addresses
from sarsen.services.mail.incoming import Delivery
from sarsen.services.mail.reply_addresses import is_signed, without_signatures
from sarsen.services.store_failures import Failure, leave_if_broken, require_working_disk

MAX_RECIPIENTS = 100  # the least that a server must take (RFC 5321, 4.5.3.1.8)
# Of one mail, for recipients that do different things: each is stored and answered.
MAX_COPIES = 20
MAX_SESSIONS = 200  # at once on one port: each may hold a mail in memory
# Seconds that mails on their way have when the listener stops: less than the supervisor's
# `STOP_LIMIT`.
FINISH = 10
# Messages stored in one commit: a flush costs more than many rows, and all wait for its end.
MAX_TOGETHER = 100
# What all signed addresses of one board, or of one player, have in common.
_ABOUT = re.compile(r"[a-z]+-\d+")
# An hour, far more than anybody plays; 0 is any number. Above it one sender would delay others.
MAILS_FROM_ONE_SENDER = 1000
MAILS_TO_ONE_BOARD = 1000  # an hour, or to one player's signed addresses: senders can be forged
FROM_SENDER = "450 4.7.1 Too much mail from this sender, try again later"
TO_BOARD = "450 4.7.1 Too much mail to this address, try again later"
STORED = "250 2.0.0 Stored"
NO_SUCH_ADDRESS = "550 5.1.1 No such address here"
log = structlog.get_logger()


class BatchedStore:
    """Store what many sessions bring with as few commits as possible.

    While one commit is on its way to the disk the next messages gather; every
    session waits for the commit that holds its own.
    """

    def __init__(self) -> None:
        self._waiting: list[tuple[list[Delivery], asyncio.Future[str]]] = []
        self._arrived = asyncio.Event()
        self._thread = ThreadPoolExecutor(1, "store")
        self._looking = ThreadPoolExecutor(1, "addresses")

    async def is_forged(self, address: str) -> bool:
        """Return whether a signed address was never made here; only of old ones the store is asked.

        One that was made here and holds no more is taken: its player gets the board as it stands.
        """
        local = address.rpartition("@")[0]
        if not reply_addresses.is_old(local):
            return reply_addresses.is_forged(local)
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._looking, _is_unknown, local)

    async def store(self, deliveries: list[Delivery]) -> str:
        """Return the SMTP reply for a message, once it is settled."""
        stored: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._waiting.append((deliveries, stored))
        self._arrived.set()
        return await stored

    async def run(self) -> None:
        """Store for ever."""
        loop = asyncio.get_running_loop()
        while True:
            await self._arrived.wait()
            batch, self._waiting = (
                self._waiting[:MAX_TOGETHER],
                self._waiting[MAX_TOGETHER:],
            )
            if not self._waiting:
                self._arrived.clear()
            deliveries = [delivery for group, _ in batch for delivery in group]
            reply, numbers = await loop.run_in_executor(self._thread, _store, deliveries)
            for group, stored in batch:
                if not stored.done():
                    stored.set_result(_with_numbers(reply, numbers[: len(group)]))
                numbers = numbers[len(group) :]


def _with_numbers(reply: str, numbers: list[int]) -> str:
    """Add the numbers of stored mails to a reply, so that other mail servers log them."""
    return f"{reply} as {', '.join(map(str, numbers))}" if numbers else reply


def _store(deliveries: list[Delivery]) -> tuple[str, list[int]]:
    """Store mails; return the reply to all, and their numbers when they are stored."""
    try:
        require_working_disk()
        close_old_connections()
        numbers = incoming.store(deliveries, timezone.now())
    except Exception as error:
        # Whatever it is, the session must be told and the next group be stored.
        log.exception("mail could not be stored")
        if leave_if_broken(error) is Failure.FULL:
            return "452 4.3.1 The disk is full, try again later", []
        return "451 4.3.0 The database is unavailable, try again later", []
    return STORED, numbers


def _is_unknown(local_part: str) -> bool:
    try:
        close_old_connections()
        return reply_addresses.read_signed_address(local_part) is None
    except (OperationalError, InterfaceError):
        return False  # the mail itself is refused for now


class MailRateLimits:
    """Count mail by its sender, and by the board it is for."""

    def __init__(self) -> None:
        self._senders = SiteAllowances("senders", MAILS_FROM_ONE_SENDER)
        self._boards = SiteAllowances("boards", MAILS_TO_ONE_BOARD)

    def refusal(self, sender: str, recipient: str, now: datetime) -> str:
        """Return the reply to a recipient of a mail, "" when it may come in.

        Args:
            sender: Of the envelope; empty for a bounce, which is counted by its address only.
        """
        local = recipient.rpartition("@")[0].lower()
        about = _ABOUT.match(local)
        if about and is_signed(local) and not self._boards.take(about[0], now):
            return TO_BOARD
        if not sender:
            return ""
        name, _, domain = sender.lower().rpartition("@")
        # ann+1 and ann+2 are one person.
        if not self._senders.take(f"{name.partition('+')[0]}@{domain}", now):
            return FROM_SENDER
        return ""


class MailHandler:
    """Take recipients that are ours and hand messages to the store."""

    def __init__(self, batched: BatchedStore) -> None:
        self._batched = batched
        self._limits = MailRateLimits()

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
        if address != "<>" and not is_sender(address):
            return "553 5.1.7 This is not a mail address"
        envelope.mail_from = address
        envelope.mail_options.extend(options)
        return "250 2.1.0 OK"

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        """Refuse at once what is not for us."""
        if not is_ours(address) or await self._batched.is_forged(address):
            return NO_SUCH_ADDRESS
        sender = (envelope.mail_from or "").strip("<>")
        if refusal := self._limits.refusal(sender, address, timezone.now()):
            return refusal
        recipients = [
            *envelope.rcpt_tos,
            address if "@" in address else f"{address}@{server.hostname}",
        ]
        if len(recipients) > MAX_RECIPIENTS or len(answering_addresses(recipients)) > MAX_COPIES:
            return "452 4.5.3 Too many recipients"
        envelope.rcpt_tos = recipients
        envelope.rcpt_options.extend(options)
        return "250 2.1.5 OK"

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        """Store the message, one delivery a recipient."""
        content = envelope.original_content or b""
        sender = (envelope.mail_from or "").strip("<>")  # the parser leaves those of `<>`
        digests = server.body_digests if isinstance(server, MailSession) else ""
        reply = await self._batched.store(
            deliveries_of(
                sender, answering_addresses(envelope.rcpt_tos), ReceivedMail(content, digests)
            )
        )
        log.info(
            "mail received" if reply.startswith(STORED) else "mail not received",
            reply=reply,
            octets=len(content),
            sender_domain=sender.rpartition("@")[2],
            recipients=[without_signatures(address) for address in envelope.rcpt_tos],
        )
        return server.to_each_recipient(reply) if isinstance(server, MailSession) else reply


Port = tuple[str, int]


async def listen(smtp: Port | None, lmtp: Port | None, domain: str, run: str) -> None:
    """Serve until SIGTERM or SIGINT, then let running sessions end.

    Args:
        run: Stands in the greeting: by it the supervisor recognises its own
            listener.
    """
    stopped = asyncio.Event()
    for name in (signal.SIGTERM, signal.SIGINT):
        asyncio.get_running_loop().add_signal_handler(name, stopped.set)
    await serve(smtp, lmtp, domain, run, stopped)


async def serve(
    smtp: Port | None, lmtp: Port | None, domain: str, run: str, stopped: asyncio.Event
) -> None:
    """Serve until the event is set, then let mails that are on their way come in."""
    batched = BatchedStore()
    storing = asyncio.create_task(batched.run())
    ports = []
    for port, kind in ((smtp, MailSession), (lmtp, LocalMailSession)):
        if port is not None:
            running: set[MailSession] = set()
            begin = _beginning(kind, MailHandler(batched), domain, run, running)
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
    def begin() -> MailSession:
        ident = f"sarsen {run}".strip()
        loop = asyncio.get_running_loop()
        return kind(handler, hostname=domain, ident=ident, loop=loop)

    return lambda: SessionLimit(begin, running, MAX_SESSIONS)


async def _finish(ports: list[set[MailSession]]) -> None:
    """Hang up on idle clients; wait a while for the others."""
    limit = asyncio.get_running_loop().time() + FINISH
    while sessions := [session for running in ports for session in running]:
        is_over = asyncio.get_running_loop().time() > limit
        for session in sessions:
            if is_over or session.is_idle:
                session.hang_up("421 4.3.2 The server is shutting down, try again later")
        await asyncio.sleep(0.02)  # mails end in between; no event tells when the last one has
        if is_over:
            return
