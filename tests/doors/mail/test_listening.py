"""Sessions with the listener: how many, how they end, and for whom mail is taken."""

from __future__ import annotations

import asyncio
import socket
from collections.abc import Awaitable, Callable

import pytest
from asgiref.sync import sync_to_async

from sarsen.doors.mail import listener
from sarsen.storage.models import InboundMail

pytestmark = pytest.mark.django_db(transaction=True)
PATIENCE = 30


class Client:
    """Speak SMTP line by line."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self.reader = reader
        self.writer = writer

    async def hear(self) -> str:
        """Give the next reply; "" when the other side has hung up."""
        while True:
            line = await asyncio.wait_for(self.reader.readline(), PATIENCE)
            if line[3:4] != b"-":
                return line.decode().rstrip()

    async def say(self, *lines: str) -> str:
        """Say some lines and give the reply to the last."""
        for line in lines:
            self.writer.write(line.encode() + b"\r\n")
            heard = await self.hear()
        return heard


async def with_listener(talk: Callable[[int, asyncio.Event], Awaitable[None]]) -> None:
    """Run a listener on a free port while somebody talks to it."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        port = taken.getsockname()[1]
    stopped = asyncio.Event()
    serving = asyncio.create_task(
        listener.serve(("127.0.0.1", port), None, "sarsen.test", "", stopped)
    )
    await asyncio.sleep(0)
    try:
        await talk(port, stopped)
    finally:
        stopped.set()
        await asyncio.wait_for(serving, PATIENCE)


async def connect(port: int) -> Client:
    while True:
        try:
            return Client(*await asyncio.open_connection("127.0.0.1", port))
        except ConnectionRefusedError:
            await asyncio.sleep(0.01)


def test_case_50_one_client_more_than_the_bound_is_turned_away(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(listener, "MOST_SESSIONS", 3)

    async def talk(port: int, stopped: asyncio.Event) -> None:
        clients = [await connect(port) for _ in range(3)]
        assert [(await client.hear())[:3] for client in clients] == ["220"] * 3
        fourth = await connect(port)
        assert (await fourth.hear())[:9] == "421 4.3.2"
        assert await fourth.hear() == ""
        assert await clients[0].say("QUIT") == "221 Bye"
        assert await clients[0].hear() == ""
        assert (await (await connect(port)).hear())[:3] == "220"

    asyncio.run(with_listener(talk))


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
