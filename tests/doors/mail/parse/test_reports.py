"""Letters that come back, and complaints: whose they are, and what they do."""

from __future__ import annotations

import re
from datetime import timedelta

import pytest
from django.test import Client
from django.utils import timezone
from pytest_django import Settings

from doors.mail.conftest import PostOffice, text_of
from doors.mail.send.test_sending import ChoosyRelay, relay  # noqa: F401 (a fixture)
from sarsen.doors.mail.parse.automatic_mail import bounce_reason, is_dead
from sarsen.doors.mail.send import sending
from sarsen.services.accounts import bounces
from sarsen.services.mail import outgoing, reply_addresses
from sarsen.services.notices import Event, notify
from sarsen.storage.models import (
    Address,
    Bounce,
    CaughtMail,
    InboundMail,
    MatchEvent,
    OutgoingMail,
    Player,
)

ANN, BOB = "ann@ann.example", "bob@bob.example"
UNKNOWN = "smtp; 550 5.1.1 <ann@ann.example>: User unknown in virtual mailbox table"


@pytest.fixture(autouse=True)
def _no_pictures(settings: Settings) -> None:
    settings.SARSEN_MAIL_PICTURES = False  # drawing them takes most of a test's time


def dsn(status: str = "5.1.1", action: str = "failed", said: str = UNKNOWN) -> bytes:
    """Write a delivery status notification as Postfix does (RFC 3464)."""
    return (
        "From: MAILER-DAEMON@mx.ann.example (Mail Delivery System)\r\n"
        "To: bounce@sarsen.test\r\nSubject: Undelivered Mail Returned to Sender\r\n"
        "Auto-Submitted: auto-replied\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=delivery-status; boundary="B"\r\n\r\n'
        "--B\r\nContent-Type: text/plain\r\n\r\nI'm sorry to have to inform you ...\r\n"
        "--B\r\nContent-Type: message/delivery-status\r\n\r\n"
        "Reporting-MTA: dns; mx.ann.example\r\nArrival-Date: Sat, 21 Nov 2026 12:00:00 +0000\r\n"
        "\r\nFinal-Recipient: rfc822; ann@ann.example\r\n"
        f"Action: {action}\r\nStatus: {status}\r\nDiagnostic-Code: {said}\r\n"
        "\r\n--B\r\nContent-Type: message/rfc822\r\n\r\n"
        "Subject: Druid Board 1\r\n\r\nIt is your move.\r\n--B--\r\n"
    ).encode()


QMAIL = (
    b"From: MAILER-DAEMON@mx.ann.example\r\nSubject: failure notice\r\n\r\n"
    b"Hi. This is the qmail-send program at mx.ann.example.\r\n"
    b"I'm afraid I wasn't able to deliver your message to the following addresses.\r\n"
    b"This is a permanent error; I've given up. Sorry it didn't work out.\r\n\r\n"
    b"<ann@ann.example>:\r\nSorry, no mailbox here by that name. (#5.1.1)\r\n\r\n"
    b"--- Below this line is a copy of the message.\r\n\r\nSubject: Druid Board 1\r\n"
)
AWAY = (
    b"From: ann@ann.example\r\nSubject: Re: Druid Board 1\r\n\r\n"
    b"I am away until Monday. My move would be a1.\r\n"
)


UNNAMED = dsn("5.0.0", said="smtp; 550 <ann@ann.example>: User unknown")
NAMED = dsn("5.0.0", said="smtp; 550 5.1.1 User unknown")


@pytest.mark.parametrize(
    "raw", [dsn(), dsn("5.2.1"), dsn("5.4.4"), dsn("4.4.7"), QMAIL, UNNAMED, NAMED]
)
def test_f61_mail_that_will_never_be_taken_is_known(raw: bytes) -> None:
    assert bounce_reason(raw)


@pytest.mark.parametrize(
    "raw",
    [
        dsn(action="delayed", status="4.4.1"),
        dsn(action="delivered", status="2.0.0"),
        dsn("5.7.1", said="smtp; 550 5.7.1 Looks like spam"),
        dsn("5.0.0", said="smtp; 550 5.7.1 Looks like spam"),
        dsn("5.0.0", said="X-Postfix; mail for us loops back"),
        dsn("4.0.0", said="smtp; 451 try again"),
        AWAY,
        b"",
        b"\xff\x00" * 900,
        b"Content-Type: multipart/report; boundary=B\r\n\r\n" + b"--B\r\n" * 5_000,
    ],
)
def test_f61_delay_refused_words_and_anything_else_say_nothing_of_the_address(raw: bytes) -> None:
    assert bounce_reason(raw) == ""


def test_f61_reason_is_what_the_other_server_said_in_one_line() -> None:
    assert bounce_reason(dsn()).startswith("550 5.1.1 <ann@ann.example>: User unknown")
    assert bounce_reason(dsn(said="x; a\r\n b")) == "a b"


def test_f63_relay_speaks_of_the_address_or_of_the_letter() -> None:
    assert is_dead(550, "5.1.1 No such user")
    assert is_dead(550, "No such user")
    assert is_dead(556, "5.1.10 The domain takes no mail (null MX)")
    assert not is_dead(550, "5.7.1 Looks like spam")
    assert not is_dead(450, "4.2.1 Try later")


@pytest.fixture
def ann(post: PostOffice) -> Player:
    post.board()
    post.box(BOB)
    return Player.objects.get(key="ann")


def queue(player: Player) -> OutgoingMail:
    notify(player, Event.CHAT, "sorry", {}, timezone.now())
    return OutgoingMail.objects.latest("pk")


def bounce(post: PostOffice, letter: OutgoingMail, raw: bytes = b"", to: str = "") -> None:
    post.deliver(raw or dsn(), "", to=to or reply_addresses.bounce_address(letter.pk))


def test_m26_three_letters_that_came_back_suspend_an_address_until_its_player_mends_it(
    post: PostOffice, ann: Player, client: Client
) -> None:
    for number in range(bounces.MOST):
        letter = queue(ann)
        for _ in range(2):  # F61: however often it is told, a letter came back once
            bounce(post, letter, dsn(said=f"smtp; 550 5.1.1 Unknown {number}"))
        assert Bounce.objects.count() == number + 1
    ann.refresh_from_db()
    assert ann.is_unreached
    post.box(ANN)
    # Nothing is sent there unasked, and the clocks and the game go on.
    waiting = OutgoingMail.objects.count()
    notify(ann, Event.TURN, "sorry", {}, timezone.now())
    assert OutgoingMail.objects.count() == waiting
    # The player sees it on every page, and one tap mends it.
    client.force_login(ann)
    page = client.get("/my/").content.decode()
    assert "Mail to you came back" in page
    page = client.get("/account/").content.decode()
    assert "Unknown 2" in page
    form = re.search(r'<form method="post" action="/do/">(?:(?!</form>).)*there again', page, re.S)
    assert form
    fields = dict(re.findall(r'name="([^"]+)" value="([^"]*)"', form[0]))
    client.post("/do/", fields)
    assert not Bounce.objects.exists()
    assert not Player.objects.get(key="ann").is_unreached
    assert "Mail to you came back" not in client.get("/my/").content.decode()
    queue(ann)
    post.work()
    assert post.box(ANN)


def test_f61_opponent_is_told_nothing_and_other_addresses_of_the_player_are(
    post: PostOffice, ann: Player
) -> None:
    Address.objects.create(player=ann, address="ann@home.example", confirmed_at=timezone.now())
    for _ in range(bounces.MOST):
        queue(ann)
        bounce(post, OutgoingMail.objects.filter(address=ANN).latest("pk"))
    assert "ann@ann.example" in text_of(post.last("ann@home.example"))
    assert not post.box(BOB)
    queue(ann)
    assert OutgoingMail.objects.latest("pk").address == "ann@home.example"


@pytest.mark.slow
def test_f61_bounces_of_more_than_a_week_do_not_add_up(post: PostOffice, ann: Player) -> None:
    for _ in range(bounces.MOST):
        bounce(post, queue(ann))
        Bounce.objects.update(at=timezone.now() - bounces.WITHIN)
    assert not Player.objects.get(key="ann").is_unreached


def test_f61_forged_bounce_counts_for_nothing(post: PostOffice, ann: Player) -> None:
    letter = queue(ann)
    genuine = reply_addresses.bounce_address(letter.pk)
    other = reply_addresses.bounce_address(letter.pk + 1)
    mixed = genuine.partition("-")[0] + f"-{letter.pk}-" + other.rpartition("-")[2]
    for to in (mixed, "bounce@sarsen.test"):
        bounce(post, letter, to=to)
    assert not Bounce.objects.exists()
    bounce(post, letter, to=genuine.upper())
    assert Bounce.objects.count() == 1


def test_m29_vacation_notice_to_where_bounces_go_is_no_bounce_and_no_move(
    post: PostOffice, ann: Player
) -> None:
    letter = queue(ann)
    bounce(post, letter, AWAY)
    assert not Bounce.objects.exists()
    assert not MatchEvent.objects.exists()
    assert InboundMail.objects.latest("pk").state == InboundMail.State.IGNORED


@pytest.mark.django_db
def test_m45_envelope_sender_names_the_letter_and_a_refused_address_counts(
    relay: ChoosyRelay,  # noqa: F811 (a fixture)
    settings: Settings,
) -> None:
    player = Player.objects.create(key="gil", userid="gil", joined_at=timezone.now())
    for name in ("gone@x.example", "gil@x.example"):
        Address.objects.create(player=player, address=name, confirmed_at=timezone.now())
    for _ in range(bounces.MOST):
        outgoing.queue_for(player, "sorry", {}, timezone.now())
        sending.send_due(timezone.now(), 10)
    sent = OutgoingMail.objects.filter(address="gil@x.example").order_by("pk")
    named = [reply_addresses.bounced_letter(one.partition("@")[0]) for one in relay.senders]
    assert [one for one in named if one] == [letter.pk for letter in sent][: len(named)]
    # M40: one dead address stops neither the other one nor anything else.
    dead = Address.objects.get(address="gone@x.example")
    assert dead.suspended_at
    assert "No such user" in dead.suspended_why
    assert not Address.objects.get(address="gil@x.example").suspended_at


def test_m40_move_stands_though_the_opponents_address_is_dead(
    post: PostOffice,
    relay: ChoosyRelay,  # noqa: F811 (a fixture)
    settings: Settings,
) -> None:
    away, settings.SARSEN_SMTP_URL = settings.SARSEN_SMTP_URL, ""
    board = post.board()
    Address.objects.filter(address=BOB).update(address="gone@bob.example")
    settings.SARSEN_SMTP_URL = away
    post.answer(board["ann"], "a1")
    assert MatchEvent.objects.filter(text="a1").exists()
    assert OutgoingMail.objects.filter(address="gone@bob.example", state="failed").exists()
    assert OutgoingMail.objects.filter(address=ANN, kind="answer", state="sent").exists()


def test_f63_later_letters_of_a_board_wait_behind_one_that_is_tried_again(
    post: PostOffice, ann: Player
) -> None:
    match = ann.seats.get().match
    now = timezone.now()
    for number in range(3):
        outgoing.queue(
            outgoing.NewLetter(ANN, "sorry", {"n": number}, player=ann, match=match), now
        )
    outgoing.queue(outgoing.NewLetter(ANN, "sorry", {"n": "another"}, player=ann), now)
    first = outgoing.claim_due(now, 1)[0]
    outgoing.mark_refused(first, "450 later", now, for_good=False)
    assert [letter.facts["n"] for letter in outgoing.claim_due(now, 10)] == ["another"]
    later = now + outgoing.WAITS[0] + outgoing.CLAIM_LASTS
    OutgoingMail.objects.filter(facts__n="another").update(state="sent")
    assert [letter.facts["n"] for letter in outgoing.claim_due(later, 1)] == [0]
    outgoing.mark_sent([first.id], later)
    assert [letter.facts["n"] for letter in outgoing.claim_due(later, 10)] == [1, 2]


def test_f63_letters_refused_at_once_are_not_tried_again_at_once() -> None:
    moments = {outgoing.wait_after(letter, 0) for letter in range(100)}
    assert len(moments) > 10
    assert all(outgoing.WAITS[0] * 0.75 <= one <= outgoing.WAITS[0] for one in moments)
    assert outgoing.wait_after(1, 99) <= timedelta(days=1)


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.slow)])
def test_m47_ten_thousand_notices_do_not_delay_the_mail_of_a_move(
    post: PostOffice, ann: Player, count: int
) -> None:
    now = timezone.now()
    OutgoingMail.objects.bulk_create(
        OutgoingMail(
            kind="sorry", address=f"p{number}@x.example", queued_at=now, due_at=now, priority=2
        )
        for number in range(count)
    )
    notify(ann, Event.TURN, "sorry", {}, now)
    assert outgoing.claim_due(timezone.now(), 50)[0].address == ANN


def complaint(about: str) -> bytes:
    return (
        "From: feedback@isp.example\r\nMIME-Version: 1.0\r\n"
        'Content-Type: multipart/report; report-type=feedback-report; boundary="B"\r\n\r\n'
        "--B\r\nContent-Type: message/feedback-report\r\n\r\n"
        "Feedback-Type: abuse\r\nUser-Agent: isp/1\r\nVersion: 1\r\n\r\n"
        "--B\r\nContent-Type: message/rfc822\r\n\r\n"
        f"List-Unsubscribe: <http://sarsen.test/unsubscribe/{about}/>\r\n"
        "Subject: Druid Board 1\r\n\r\nIt is your move.\r\n--B--\r\n"
    ).encode()


@pytest.mark.parametrize("to", ["abuse@sarsen.test", pytest.param("", marks=pytest.mark.slow)])
def test_f62_complaint_stops_the_letters_it_is_about_and_no_others(
    post: PostOffice, ann: Player, to: str
) -> None:
    letter = queue(ann)
    for about in (
        f"{ann.pk}-chat-aaaaaaaaaaaaaaaa",
        reply_addresses.unsubscribe_token(ann, "chat"),
    ):
        assert Player.objects.get(key="ann").channels == {}
        bounce(post, letter, complaint(about), to)
    assert Player.objects.get(key="ann").channels == {"chat": "none"}
    bounce(post, letter, complaint(about) + b" ", to)
    assert Player.objects.get(key="ann").channels == {"chat": "none"}
    assert not CaughtMail.objects.filter(address__contains="isp.example").exists()


def test_f62_one_click_post_may_come_twice_get_asks_first_and_a_forged_token_is_not_there(
    ann: Player, client: Client
) -> None:
    token = reply_addresses.unsubscribe_token(ann, "chat")
    assert b"<form" in client.get(f"/unsubscribe/{token}/").content
    assert Player.objects.get(key="ann").channels == {}
    for _ in range(2):
        assert client.post(f"/unsubscribe/{token}/", {"List-Unsubscribe": "One-Click"}).status_code
        assert Player.objects.get(key="ann").channels == {"chat": "none"}
    forged = token[:-1] + ("b" if token.endswith("a") else "a")
    assert client.post(f"/unsubscribe/{forged}/").status_code == 404
