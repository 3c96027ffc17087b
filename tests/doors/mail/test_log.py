"""The log tells an operator what became of each mail and letter, and no secret."""

from __future__ import annotations

import asyncio
import io
import json
import logging
import re
from collections.abc import Iterator
from typing import Any

import pytest
import structlog
from django.db import OperationalError
from django.utils import timezone
from structlog.testing import capture_logs

from doors.mail.conftest import PostOffice
from doors.mail.receive.test_listener import connect, with_listener
from doors.mail.send.test_sending import ChoosyRelay, relay  # noqa: F401 (a fixture)
from sarsen.doors.mail.receive import listener
from sarsen.doors.mail.receive.listener import BatchedStore
from sarsen.doors.mail.send import sending
from sarsen.server import setup
from sarsen.server.setup import set_up_logs  # as it is before the tests replace it
from sarsen.services.accounts import bounces
from sarsen.services.mail import incoming, outgoing, reply_addresses
from sarsen.services.mail.incoming import Delivery
from sarsen.storage.models import InboundMail, OutgoingMail, Player

ANN = "ann@ann.example"


def lines(found: list[Any], event: str) -> list[dict[str, Any]]:
    return [one for one in found if one["event"] == event]


@pytest.mark.django_db(transaction=True)
def test_reply_to_a_mail_and_the_log_say_its_number() -> None:
    heard: list[str] = []

    async def talk(port: int, stopped: asyncio.Event) -> None:
        client = await connect(port)
        await client.hear()
        for _ in range(2):  # a repeat has the number of the stored one
            await client.say("EHLO ann.example", f"MAIL FROM:<{ANN}>")
            await client.say("RCPT TO:<sarsen@sarsen.test>", "RCPT TO:<abuse@sarsen.test>", "DATA")
            heard.append(await client.say("Message-ID: <1@ann.example>\r\n\r\nhelp\r\n."))

    with capture_logs() as found:
        asyncio.run(with_listener(talk))
    numbers = list(InboundMail.objects.order_by("pk").values_list("pk", flat=True))
    assert heard == [f"250 2.0.0 Stored as {numbers[0]}, {numbers[1]}"] * 2
    taken = lines(found, "mail received")
    assert [one["reply"] for one in taken] == heard
    assert taken[0]["sender_domain"] == "ann.example"


def test_mails_of_several_sessions_in_one_commit_have_their_own_numbers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(
        listener, "_store", lambda some: ("250 2.0.0 Stored", [*range(1, len(some) + 1)])
    )
    one = Delivery(ANN, "sarsen@sarsen.test", b"help")

    async def store() -> list[str]:
        grouped = BatchedStore()
        waiting = [grouped.store([one]), grouped.store([one, one]), grouped.store([one])]
        running = asyncio.create_task(grouped.run())
        try:
            return list(await asyncio.gather(*waiting))
        finally:
            running.cancel()

    assert asyncio.run(store()) == [
        "250 2.0.0 Stored as 1",
        "250 2.0.0 Stored as 2, 3",
        "250 2.0.0 Stored as 4",
    ]


@pytest.mark.django_db
def test_mail_that_is_answered_and_one_that_is_ignored_are_each_a_line(post: PostOffice) -> None:
    with capture_logs() as found:
        post.send(ANN, subject="help")
        post.send(ANN, subject="help", Precedence="bulk")
    numbers = list(InboundMail.objects.order_by("pk").values_list("pk", flat=True))
    told = [(one["mail"], one["state"], one["note"]) for one in lines(found, "mail settled")]
    assert told == [(numbers[0], "answered", ""), (numbers[1], "ignored", "precedence")]


@pytest.mark.django_db
def test_letter_that_the_relay_took_or_refused_is_a_line_with_its_reply(
    relay: ChoosyRelay,  # noqa: F811 (a fixture)
) -> None:
    player = Player.objects.create(key="ann", userid="ann", joined_at=timezone.now())
    outgoing.queue(outgoing.NewLetter(ANN, "sorry", {}, player=player), timezone.now())
    outgoing.queue(outgoing.NewLetter("gone@x.example", "sorry", {}), timezone.now())
    with capture_logs() as found:
        sending.send_due(timezone.now(), 10)
    (sent,), (refused,) = lines(found, "letter sent"), lines(found, "letter refused")
    numbers = list(OutgoingMail.objects.order_by("pk").values_list("pk", flat=True))
    assert (sent["letter"], sent["kind"], sent["player"]) == (numbers[0], "sorry", "ann")
    assert sent["relay"] == "250 OK"
    assert (refused["letter"], refused["is_given_up"]) == (numbers[1], True)
    assert refused["relay"] == "550 5.1.1 No such user"
    assert "ann.example" not in str(found)


@pytest.mark.django_db
def test_address_that_is_suspended_is_a_line_without_the_address_itself() -> None:
    now = timezone.now()
    player = Player.objects.create(key="ann", userid="ann", joined_at=now)
    player.addresses.create(address=ANN, confirmed_at=now)
    with capture_logs() as found:
        for _ in range(bounces.MOST):
            outgoing.queue(outgoing.NewLetter(ANN, "sorry", {}, player=player), now)
            letter = OutgoingMail.objects.latest("pk").pk
            bounces.count_bounce(
                letter, f"550 <{reply_addresses.bounce_address(letter)}> is unknown", now
            )
    (told,) = lines(found, "address suspended")
    assert (told["player"], told["log_level"]) == ("ann", "warning")
    assert told["reason"].startswith(f"550 <bounce-{letter}-…@")


def test_signed_addresses_of_every_kind_are_cut_in_words_of_others() -> None:
    made = [
        "board-1-0-2-3-0-abcdefghijklmnopabcd",
        "player-1-20778-abcdefghijklmnopabcd",
        "bounce-17-abcdefghijklmnop",
        "welcome-4fe0123456789abcdef0",
    ]
    cut = reply_addresses.without_signatures(" ".join(f"<{one.upper()}@x>" for one in made))
    assert not re.search("ABCDEFGH|4FE0", cut)
    assert cut.count("…") == len(made)


@pytest.fixture
def written(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """Write logs as a server does, for one test."""
    root, error = logging.getLogger(), io.StringIO()
    handlers, level = root.handlers, root.level
    config = structlog.get_config()
    processors = list(config["processors"])
    monkeypatch.setattr(setup.sys, "stderr", error)
    set_up_logs()
    yield error
    config["processors"][:] = processors
    structlog.configure(**config)
    root.handlers, root.level = handlers, level


def test_database_that_is_away_is_told_in_one_line_without_a_traceback(
    written: io.StringIO,
) -> None:
    def fail(kind: type[Exception], text: str) -> None:
        try:
            raise kind(text)
        except kind:
            structlog.get_logger("test").exception("work failed")
            logging.getLogger("django.request").exception("page failed")

    fail(OperationalError, 'connection to server at "db",\n\tport 5432 failed')
    fail(ValueError, "a defect")
    away, page, defect, _ = [json.loads(line) for line in written.getvalue().splitlines()]
    for told in (away, page):
        assert told["reason"] == 'connection to server at "db", port 5432 failed'
        assert "exception" not in told
    assert "Traceback" in defect["exception"]


@pytest.mark.django_db
def test_mail_of_a_pipe_has_its_number_too() -> None:
    one = Delivery(ANN, "sarsen@sarsen.test", b"Message-ID: <1@ann.example>\n\nhelp")
    (number,) = incoming.store([one], timezone.now())
    assert number == InboundMail.objects.get().pk
    assert incoming.store([one], timezone.now()) == [number]
