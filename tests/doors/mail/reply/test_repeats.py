"""One mail has one effect, however often and by whichever way it comes."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.db import connection
from django.utils import timezone

from doors.mail.conftest import SERVER, PostOffice, text_of
from sarsen.doors.mail.addresses import answering_addresses, mailbox
from sarsen.services.board_cache import BoardCache
from sarsen.services.mail import incoming
from sarsen.services.mail import waiting as mail_waiting
from sarsen.services.mail.incoming import Delivery
from sarsen.services.mail.settle import GivenUp, Settlement, settle_alone
from sarsen.storage.models import InboundMail, Match

pytestmark = pytest.mark.postgres

ANN = "ann@ann.example"
ON_THE_WAY = (
    b"Received: from mx2.example by mx1.sarsen.test; Sat, 21 Nov 2026 10:00:00 +0000\r\n",
    b"Return-Path: <ann@ann.example>\r\nDelivered-To: sarsen@sarsen.test\r\n",
    b"X-Spam-Status: No, score=-1.2\r\n tests=NONE\r\n",
    b"DKIM-Signature: v=1; a=rsa-sha256; b=xyz\r\nARC-Seal: i=1\r\n",
)


@pytest.mark.parametrize("trace", ON_THE_WAY)
def test_case_30_mail_that_came_another_way_is_the_same_mail(
    post: PostOffice, trace: bytes
) -> None:
    first = post.board()
    to = str(first["ann"]["Reply-To"])
    raw = post.write(ANN, "a1", to=to, subject="Re: board").as_bytes()
    for copy in (raw, trace + raw, raw.replace(b"\n", b"\r\n"), raw + b"\r\n"):
        post.deliver(copy, ANN, to)
    assert Match.objects.get().ply == 1
    assert len(post.box(ANN)) == 1


@pytest.mark.parametrize("trace", ON_THE_WAY)
def test_case_32_mail_without_message_id_that_came_another_way_plays_one_move(
    post: PostOffice, trace: bytes
) -> None:
    first = post.board()
    to = str(first["ann"]["Reply-To"])
    message = post.write(ANN, "a1", to=to)
    del message["Message-ID"]
    for copy in (message.as_bytes(), trace + message.as_bytes()):
        post.deliver(copy, ANN, to)
    assert Match.objects.get().ply == 1
    assert len(post.box(ANN)) == 1


def test_case_32_same_text_counts_again_after_a_day_and_then_again_once(db: None) -> None:
    now = timezone.now()
    for hours in (0, 1, 25, 26, 40, 51, 52):
        incoming.store(
            [Delivery(ANN, SERVER, b"From: ann\r\n\r\nhelp")], now + timedelta(hours=hours)
        )
    assert InboundMail.objects.count() == 3


def test_f10_mail_with_a_message_id_is_known_again_after_weeks(db: None) -> None:
    now = timezone.now()
    for days in (0, 1, 2, 50):
        raw = b"From: ann\r\nMessage-ID: <one@ann.example>\r\n\r\nhelp"
        incoming.store([Delivery(ANN, SERVER, raw)], now + timedelta(days=days))
    assert InboundMail.objects.count() == 1


def test_one_mail_to_two_of_our_addresses_is_answered_once(post: PostOffice) -> None:
    post.join("ann")
    raw = post.write(ANN, subject="help options").as_bytes()
    to = ["sarsen@sarsen.test", "druid@sarsen.test"]
    incoming.store(
        [Delivery(ANN, one, raw, mailbox(one)) for one in answering_addresses(to)], timezone.now()
    )
    for one in to:
        incoming.store([Delivery(ANN, one, raw, mailbox(one))], timezone.now())
    post.work()
    assert len(post.box(ANN)) == 1


def test_of_several_addresses_the_one_that_says_most_is_chosen() -> None:
    signed = "board-1-0-1-abcdefghijklmnop@sarsen.test"
    main, game, silent = (f"{name}@sarsen.test" for name in ("sarsen", "vasco", "abuse"))
    assert answering_addresses([main, game]) == [game]
    assert answering_addresses([main, main]) == [main]
    assert answering_addresses([main, signed, game]) == [signed]
    assert answering_addresses([silent, main]) == [main, silent]


@pytest.mark.django_db(transaction=True)
def test_two_processes_that_store_one_message_id_with_two_texts_keep_both() -> None:
    start = threading.Barrier(4)

    def store(body: bytes) -> None:
        raw = b"Message-ID: <same@ann.example>\r\nFrom: ann@ann.example\r\n\r\n" + body
        start.wait()
        incoming.store([Delivery(ANN, SERVER, raw)], timezone.now())
        connection.close()

    bodies = (b"help options", b"help tutorial") * 2
    threads = [threading.Thread(target=store, args=(body,)) for body in bodies]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    kept = {bytes(mail.raw).rpartition(b"\n")[2] for mail in InboundMail.objects.all()}
    assert kept == set(bodies)
    assert InboundMail.objects.count() == 2
    assert InboundMail.objects.filter(note=mail_waiting.REUSED).count() == 1


def test_answered_mail_is_not_set_aside(post: PostOffice) -> None:
    post.join("ann")
    post.send(ANN, subject="help")
    mail = InboundMail.objects.order_by("-pk")[0]
    waiting = mail_waiting.WaitingMail(mail.pk, ANN, SERVER, b"", timezone.now(), False, 3, 0)
    apologies: list[str] = []
    given_up = GivenUp("late", lambda: apologies.append("sorry"))
    settle_alone(Settlement(waiting, given_up), BoardCache())
    mail.refresh_from_db()
    assert mail.state == InboundMail.State.ANSWERED
    assert not apologies


def test_mail_again_is_said_to_be_reused_only_when_its_text_differs(post: PostOffice) -> None:
    post.join("ann")
    post.box(ANN)
    for subject in ("help options", "help tutorial"):
        raw = post.write(ANN, subject=subject, Message_ID="<one@ann.example>").as_bytes()
        post.deliver(raw, ANN)
    assert ["same Message-ID" in text_of(letter) for letter in post.box(ANN)] == [False, True]
