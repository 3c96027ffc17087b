"""Sessions with the listener: how many, how they end, and for whom mail is taken."""

from __future__ import annotations

import asyncio
import resource
import socket
from collections.abc import Awaitable, Callable
from contextlib import suppress

import pytest
from asgiref.sync import sync_to_async
from django.db import OperationalError

from processes.conftest import free_port
from sarsen.doors.mail.receive import listener, sessions
from sarsen.services.accounts.attempts import network_of
from sarsen.storage.models import InboundMail

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 120


class Client:
    """Speak SMTP line by line."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def hear(self) -> str:
        """Return the next reply; "" when the other side has hung up."""
        while True:
            try:
                line = await asyncio.wait_for(self.reader.readline(), PATIENCE)
            except ConnectionResetError:
                return ""
            if line[3:4] != b"-":
                return line.decode().rstrip()

    async def say(self, *lines: str) -> str:
        """Send some lines and return the reply to the last."""
        for line in lines:
            self.writer.write(line.encode() + b"\r\n")
            heard = await self.hear()
        return heard


async def with_listener(talk: Callable[[int, asyncio.Event], Awaitable[None]]) -> None:
    """Run a listener on a free port while somebody talks to it."""
    port = free_port()
    stopped = asyncio.Event()
    serving = asyncio.create_task(
        listener.serve(("127.0.0.1", port), None, "sarsen.test", "", stopped)
    )
    await asyncio.sleep(0)
    try:
        async with asyncio.timeout(4 * PATIENCE):
            await talk(port, stopped)
    finally:
        stopped.set()
        await asyncio.wait_for(serving, PATIENCE)


async def connect(port: int, host: str = "127.0.0.1") -> Client:
    """Come from an address; on Linux all of 127.0.0.0/8 are this machine's own."""
    while True:
        try:
            streams = await asyncio.open_connection("127.0.0.1", port, local_addr=(host, 0))
            return Client(*streams)
        except ConnectionRefusedError:
            await asyncio.sleep(0.01)


def test_case_50_one_client_more_than_the_bound_is_turned_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listener, "MAX_SESSIONS", 3)

    async def talk(port: int, stopped: asyncio.Event) -> None:
        clients = [await connect(port, f"127.0.0.{number}") for number in (1, 2, 3)]
        assert [(await client.hear())[:3] for client in clients] == ["220"] * 3
        fourth = await connect(port, "127.0.0.4")
        assert (await fourth.hear())[:9] == "421 4.3.2"
        assert await fourth.hear() == ""
        assert await clients[0].say("QUIT") == "221 Bye"
        assert await clients[0].hear() == ""
        assert (await (await connect(port, "127.0.0.4")).hear())[:3] == "220"

    asyncio.run(with_listener(talk))


def test_f29_idle_connections_from_one_address_leave_room_for_others() -> None:
    async def talk(port: int, stopped: asyncio.Event) -> None:
        idle = [await connect(port) for _ in range(listener.MAX_SESSIONS + 20)]
        heard = [(await client.hear())[:3] for client in idle]
        half = listener.MAX_SESSIONS // 2
        assert heard == ["220"] * half + ["421"] * (len(idle) - half)
        other = await connect(port, "127.0.0.2")
        assert (await other.hear())[:3] == "220"
        assert (await other.say("EHLO ann.example", "MAIL FROM:<ann@ann.example>"))[:3] == "250"
        for client in (*idle, other):
            client.writer.close()

    asyncio.run(with_listener(talk))


@pytest.mark.slow
def test_f29_a_thousand_idle_connections_leave_room_for_others() -> None:
    resource.setrlimit(
        resource.RLIMIT_NOFILE, (4096, resource.getrlimit(resource.RLIMIT_NOFILE)[1])
    )

    async def talk(port: int, stopped: asyncio.Event) -> None:
        idle = [await connect(port) for _ in range(1_000)]
        other = await connect(port, "127.0.0.2")
        assert (await other.hear())[:3] == "220"
        await other.say("EHLO ann.example", "MAIL FROM:<ann@ann.example>")
        await other.say("RCPT TO:<sarsen@sarsen.test>", "DATA")
        assert (await other.say("Subject: help\r\n\r\n."))[:9] == "250 2.0.0"
        for client in (*idle, other):
            client.writer.close()

    asyncio.run(with_listener(talk))


@pytest.mark.parametrize("said", ["", "EHL", "EHLO ann.example\r\nMAIL FR"])
def test_f29_who_says_nothing_whole_for_too_long_is_sent_away(
    monkeypatch: pytest.MonkeyPatch, said: str
) -> None:
    monkeypatch.setattr(sessions, "IDLE", 0.05)

    async def talk(port: int, stopped: asyncio.Event) -> None:
        client = await connect(port)
        client.writer.write(said.encode())
        await until(client, "421 4.4.2")

    asyncio.run(with_listener(talk))


def test_f29_a_mail_that_never_ends_is_cut_off_however_it_drips(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sessions, "IDLE", 0.2)

    async def talk(port: int, stopped: asyncio.Event) -> None:
        await (await connect(port)).hear()  # it is there
        heard = await asyncio.to_thread(dripped, port)
        assert heard.splitlines()[-1].startswith(b"421 4.4.2")
        assert await sync_to_async(InboundMail.objects.count)() == 0

    asyncio.run(with_listener(talk))


def dripped(port: int) -> bytes:
    """Send a line of a mail now and then, and give all that is said until the other side hangs up.

    A stream of asyncio would forget what it has not yet read when a line cannot be sent.
    """
    lines = ("EHLO ann.example", "MAIL FROM:<ann@ann.example>", "RCPT TO:<sarsen@sarsen.test>")
    begin = "\r\n".join((*lines, "DATA", ""))
    with socket.create_connection(("127.0.0.1", port)) as connection:
        connection.sendall(begin.encode())
        connection.settimeout(0.01)
        heard = b""
        for _ in range(100 * PATIENCE):
            with suppress(ConnectionError):
                if b"354 " in heard:
                    connection.sendall(b"x\r\n")
            try:
                piece = connection.recv(4096)
            except TimeoutError:
                continue
            except ConnectionError:
                break
            if not piece:
                break
            heard += piece
        return heard


def test_f29_a_session_ends_some_time_whatever_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MAX_SESSION", 0.1)
    monkeypatch.setattr(sessions, "MAX_COMMANDS", 10**9)  # however fast this machine is

    async def talk(port: int, stopped: asyncio.Event) -> None:
        client = await connect(port)
        heard = await client.hear()
        while heard[:3] != "421":
            heard = await client.say("NOOP")
            assert heard, "it hung up without a word"
        assert heard.startswith("421 4.4.2")
        assert await client.hear() == ""

    asyncio.run(with_listener(talk))


def narrow(transport: asyncio.BaseTransport) -> None:
    """Leave little room on the way, so that what is sent soon waits, as it does far away."""
    for side in (socket.SO_RCVBUF, socket.SO_SNDBUF):
        transport.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, side, 2048)


def test_f29_who_reads_no_replies_is_cut_off(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "IDLE", 0.2)
    monkeypatch.setattr(sessions, "CLOSING", 0.05)
    monkeypatch.setattr(sessions, "MAX_COMMANDS", 10**9)
    begin = sessions.MailSession.connection_made

    def made(session: sessions.MailSession, transport: asyncio.BaseTransport) -> None:
        begin(session, transport)
        narrow(transport)

    monkeypatch.setattr(sessions.MailSession, "connection_made", made)

    async def talk(port: int, stopped: asyncio.Event) -> None:
        client = await connect(port)
        narrow(client.writer.transport)
        client.writer.transport.pause_reading()  # type: ignore[attr-defined]
        async with asyncio.timeout(PATIENCE):
            with suppress(ConnectionError):
                while True:
                    client.writer.write(b"NOOP\r\n" * 1_000)
                    await client.writer.drain()
        client.writer.close()

    asyncio.run(with_listener(talk))


def test_f27_a_mail_without_end_ends_the_session(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sessions, "MAX_DRAINED", 2_000_000)

    async def talk(port: int, stopped: asyncio.Event) -> None:
        client = await connect(port)
        await client.hear()
        await client.say("EHLO ann.example", "MAIL FROM:<ann@ann.example>")
        await client.say("RCPT TO:<sarsen@sarsen.test>", "DATA")
        client.writer.write(b"\r\n" + (b"x" * 98 + b"\r\n") * 20_001)
        assert (await client.hear())[:9] == "552 5.3.4"
        assert await client.hear() == ""

    asyncio.run(with_listener(talk))


@pytest.mark.parametrize(
    ("host", "neighbours"),
    [
        ("192.0.2.7", "192.0.2.7"),
        ("::ffff:192.0.2.7", "192.0.2.7"),
        ("2001:db8:1:2:3:4:5:6", "2001:db8:1:2::/64"),
        ("fe80::1%eth0", "fe80::/64"),
        ("", ""),
    ],
)
def test_f29_addresses_that_one_person_has_count_together(host: str, neighbours: str) -> None:
    assert network_of(host) == neighbours


async def until(client: Client, reply: str) -> None:
    """Hear replies until this one, and then that the other side hangs up."""
    heard = await client.hear()
    while heard and not heard.startswith(reply):
        heard = await client.hear()
    assert heard
    assert await client.hear() == ""


def test_case_52_mail_on_its_way_comes_in_after_the_order_to_stop() -> None:
    async def talk(port: int, stopped: asyncio.Event) -> None:
        busy, idle = await connect(port), await connect(port)
        for client in (busy, idle):
            await client.hear()
            await client.say("EHLO ann.example")
        await busy.say("MAIL FROM:<ann@ann.example>", "RCPT TO:<sarsen@sarsen.test>", "DATA")
        stopped.set()
        assert (await idle.hear())[:3] == "421"
        assert await idle.hear() == ""
        assert (await busy.say("Subject: help\r\n\r\n."))[:9] == "250 2.0.0"
        assert (await busy.hear())[:3] == "421"
        assert await sync_to_async(InboundMail.objects.count)() == 1

    asyncio.run(with_listener(talk))


def test_mail_that_could_not_be_stored_is_never_answered_250(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def store(*_: object) -> None:
        raise OperationalError("server closed the connection")

    monkeypatch.setattr(listener.incoming, "store", store)

    async def talk(port: int, stopped: asyncio.Event) -> None:
        client = await connect(port)
        await client.hear()
        await client.say("EHLO ann.example", "MAIL FROM:<ann@ann.example>")
        await client.say("RCPT TO:<sarsen@sarsen.test>", "DATA")
        assert (await client.say("Subject: help\r\n\r\n."))[:9] == "451 4.3.0"

    asyncio.run(with_listener(talk))


def test_postmaster_needs_no_domain_and_a_null_sender_is_empty() -> None:
    async def talk(port: int, stopped: asyncio.Event) -> None:
        client = await connect(port)
        await client.hear()
        await client.say("EHLO ann.example", "MAIL FROM:<>")
        assert (await client.say("RCPT TO:<Postmaster>"))[:3] == "250"
        assert (await client.say("RCPT TO:<somebody>"))[:3] == "550"
        await client.say("DATA", "Subject: help\r\n\r\n.")
        mail = await sync_to_async(InboundMail.objects.get)()
        assert (mail.envelope_sender, mail.recipient) == ("", "Postmaster@sarsen.test")

    asyncio.run(with_listener(talk))


def test_case_53_lmtp_says_one_status_a_recipient_and_one_mail_acts_once() -> None:
    async def talk(port: int, stopped: asyncio.Event) -> None:
        client = await connect(port)
        await client.hear()
        await client.say("EHLO ann.example", "MAIL FROM:<ann@ann.example>")
        await client.say("RCPT TO:<sarsen@sarsen.test>", "RCPT TO:<druid@sarsen.test>")
        await client.say("DATA", "Subject: help\r\nMessage-ID: <1@ann.example>\r\n\r\n.")
        mail = await sync_to_async(InboundMail.objects.get)()
        assert mail.recipient == "druid@sarsen.test"

    asyncio.run(with_listener(talk))
