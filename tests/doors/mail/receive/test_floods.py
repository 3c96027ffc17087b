"""Floods, guessing and answer wars: bounded, and without harm to anybody else."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from types import SimpleNamespace
from typing import Any

import pytest
from aiosmtpd.smtp import Envelope
from django.utils import timezone
from pytest_django import Settings

from doors.mail.conftest import SERVER, PostOffice, text_of
from sarsen.doors.mail import jobs
from sarsen.doors.mail.receive import listener
from sarsen.doors.mail.receive.listener import (
    FROM_SENDER,
    TO_BOARD,
    BatchedStore,
    MailHandler,
    MailRateLimits,
)
from sarsen.doors.mail.reply.answers import note_of_last
from sarsen.services.accounts import attempts, passwords
from sarsen.services.limits import daily, mail_answers, rates
from sarsen.services.limits.mail_answers import AnswerKind
from sarsen.services.limits.rates import Allowances, RateLimit
from sarsen.services.mail import incoming
from sarsen.services.mail import waiting as mail_waiting
from sarsen.services.mail.incoming import Delivery
from sarsen.storage.models import (
    CaughtMail,
    HelpReplySent,
    InboundMail,
    MatchEvent,
    OutgoingMail,
    Player,
)

NOW = datetime(2026, 11, 21, tzinfo=UTC)
ANN, BOB, EVE = "ann@ann.example", "bob@bob.example", "eve@eve.example"
BOARD = "board-7-0-1-0-0-aaaaaaaaaaaaaaaa@sarsen.test"


@pytest.fixture(autouse=True)
def _no_pictures(settings: Settings) -> None:
    settings.SARSEN_MAIL_PICTURES = False  # drawing them takes most of a test's time


def test_allowance_gives_so_much_at_once_and_so_much_a_second() -> None:
    allowance = RateLimit(3, 0.5)
    assert [allowance.take(NOW) for _ in range(4)] == [True, True, True, False]
    assert not allowance.take(NOW + timedelta(seconds=0))
    later = NOW + timedelta(seconds=4)
    assert [allowance.take(later) for _ in range(3)] == [True, True, False]
    # F17: a clock that is put back gives nothing and blocks nothing.
    assert not allowance.take(NOW)
    assert allowance.take(NOW + timedelta(seconds=2))


def test_allowances_forget_who_was_seen_longest_ago(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(rates, "MAX_KEPT", 2)
    kept = Allowances(1)
    assert kept.take("ann", NOW)
    assert not kept.take("ann", NOW)
    assert kept.take("bob", NOW)
    assert kept.take("eve", NOW)
    assert kept.take("ann", NOW)
    assert len(kept._kept) == 2


@pytest.fixture
def floods(monkeypatch: pytest.MonkeyPatch) -> MailRateLimits:
    monkeypatch.setattr("sarsen.doors.mail.receive.listener.MAILS_FROM_ONE_SENDER", 10)
    monkeypatch.setattr("sarsen.doors.mail.receive.listener.MAILS_TO_ONE_BOARD", 12)
    return MailRateLimits()


def test_f58_mail_bomb_of_one_sender_is_refused_for_now_and_others_come_in(
    floods: MailRateLimits,
) -> None:
    replies = [floods.refusal(f"eve+{n}@eve.example", SERVER, NOW) for n in range(10_000)]
    assert replies == [""] * 10 + [FROM_SENDER] * 9_990
    assert floods.refusal(ANN, SERVER, NOW) == ""
    assert FROM_SENDER.startswith("450 ")
    hour = NOW + timedelta(hours=1)
    assert [floods.refusal(EVE, SERVER, hour) for _ in range(11)].count("") == 10


def test_f58_mail_bomb_to_one_board_is_refused_for_now(floods: MailRateLimits) -> None:
    replies = [floods.refusal(f"eve@eve{n}.example", BOARD, NOW) for n in range(100)]
    assert replies == [""] * 12 + [TO_BOARD] * 88
    other = BOARD.replace("board-7", "board-8")
    assert floods.refusal(ANN, other, NOW) == ""
    # A board's bombs do not use up what its players may write elsewhere.
    assert floods.refusal("eve@eve50.example", SERVER, NOW) == ""


def test_f58_listener_says_so_at_the_recipient_before_the_mail_is_sent(
    floods: MailRateLimits,
) -> None:
    handler, envelope = MailHandler(BatchedStore()), Envelope()
    envelope.mail_from = EVE
    server: Any = SimpleNamespace(hostname="sarsen.test")

    async def offer() -> list[str]:
        asked = [handler.handle_RCPT(server, server, envelope, SERVER, []) for _ in range(12)]
        return [await one for one in asked]

    assert asyncio.run(offer()) == ["250 2.1.5 OK"] * 10 + [FROM_SENDER] * 2


def test_f58_bounces_have_no_sender_that_could_flood(floods: MailRateLimits) -> None:
    to = "bounce-{}-aaaaaaaaaaaaaaaa@sarsen.test"
    assert {floods.refusal("", to.format(n), NOW) for n in range(1_000)} == {""}


def test_bounds_leave_room_for_who_plays_on_hundreds_of_boards() -> None:
    assert listener.MAILS_FROM_ONE_SENDER >= 1_000
    assert listener.MAILS_TO_ONE_BOARD >= 1_000


@pytest.fixture
def few_checks(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    passwords._checks.cache_clear()
    monkeypatch.setattr("sarsen.services.accounts.passwords.CHECKS_A_SECOND", 1)
    yield
    passwords._checks.cache_clear()


def wrong(post: PostOffice, number: int) -> EmailMessage:
    sender = f"eve@eve{number}.example"
    return post.write(sender, subject=f"account nobody{number} wrong-word")


def test_f56_flood_of_wrong_passwords_costs_few_checks_and_delay_nobody_else(
    post: PostOffice, few_checks: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    board = post.board()
    passwords._checks.cache_clear()
    checked: list[str] = []
    monkeypatch.setattr(passwords, "make_password", checked.append)
    now = timezone.now()
    flood = [
        Delivery(str(mail["From"]), SERVER, mail.as_bytes())
        for mail in (wrong(post, number) for number in range(40))
    ]
    incoming.store(flood, now)
    move = post.write(ANN, "a1", to=str(board["ann"]["Reply-To"]))
    incoming.store([Delivery(ANN, str(board["ann"]["Reply-To"]), move.as_bytes())], now)
    jobs.answer_mail.call()
    # The move stood behind them all.
    assert MatchEvent.objects.filter(text="a1").exists()
    seconds = (timezone.now() - now).total_seconds() + 1
    assert len(checked) <= passwords.AT_ONCE + seconds
    waiting = InboundMail.objects.filter(state=InboundMail.State.NEW)
    assert waiting.count() == 40 - len(checked) > 20
    # They are answered later, as if they had come later; and after a day no more.
    assert not mail_waiting.waiting(50)
    assert not waiting.filter(wait_until=None).exists()
    waiting.update(wait_until=None, received_at=now - timedelta(days=2))
    jobs.answer_mail.call()
    assert not waiting.exists()


def test_f56_wrong_passwords_of_one_sender_end_that_day_and_right_ones_elsewhere_hold(
    post: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(attempts.MAX_A_DAY, "password", 3)
    post.board()
    for number in range(3):
        post.send(EVE, subject=f"account nobody{number} wrong-word")
        assert "[who-speaks]" in text_of(post.last(EVE))
    post.send(EVE, subject="account ann secret-ann")
    assert "[too-many-attempts]" in text_of(post.last(EVE))
    post.box(BOB)
    post.send(BOB, subject="account bob secret-bob")
    assert "bob@bob.example" in text_of(post.last(BOB))


def test_f56_one_mail_tries_few_passwords_and_the_same_one_once(
    post: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    checked: list[str] = []
    monkeypatch.setattr(passwords, "make_password", checked.append)
    lines = [f"account nobody{number} wrong-word" for number in range(20)] * 2
    post.send(EVE, "\n".join(lines), subject="multiple")
    text = text_of(post.last(EVE))
    assert len(checked) == passwords.MAX_PAIRS
    assert text.count("[who-speaks]") == 2 * passwords.MAX_PAIRS
    assert text.count("[too-many-passwords]") == 2 * (20 - passwords.MAX_PAIRS)


def test_f60_address_that_nobody_reads_is_told_once_a_day(db: None) -> None:
    for name in (
        "noreply",
        "no-reply",
        "do_not_reply",
        "DoNotReply",
        "bounces",
        "x-bounces",
        "cron",
    ):
        sender = f"{name}@{name.lower()}.example"
        notes = [note_of_last(sender, AnswerKind.ANSWER, NOW) for _ in range(3)]
        assert notes == ["", None, None]
    assert [note_of_last(EVE, AnswerKind.ANSWER, NOW) for _ in range(3)] == [""] * 3


def test_f58_one_domain_is_not_refused_without_end_whatever_stands_before_the_at(
    db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_answers, "MAX_TO_A_DOMAIN", 5)
    why = AnswerKind.REFUSAL
    told = [mail_answers.may_answer(f"p{n}@eve.example", why, NOW) for n in range(20)]
    assert told == [True] * 5 + [False] * 15
    assert mail_answers.may_answer(ANN, why, NOW)
    assert mail_answers.may_answer("p9@eve.example", AnswerKind.ANSWER, NOW)
    assert mail_answers.may_answer("p9@eve.example", why, NOW + timedelta(days=1))


def thrown_back(letter: EmailMessage, robot: str) -> bytes:
    """Return a letter as a machine sends it back that knows no good manners."""
    del letter["From"], letter["Reply-To"]
    letter["From"] = robot
    for name in (
        "Auto-Submitted",
        "X-Auto-Response-Suppress",
        "X-Sarsen",
        "List-Id",
        "List-Unsubscribe",
    ):
        del letter[name]
    del letter["Message-ID"]
    letter["Message-ID"] = f"<{CaughtMail.objects.count()}@robot.example>"
    return letter.as_bytes()


def war(post: PostOffice, first: bytes, robot: str, to: str, most: int) -> int:
    """Let a machine answer each of our letters to it with that letter; give how often."""
    post.deliver(first, robot, to)
    for rounds in range(most):
        letters = post.box(robot)
        if not letters:
            return rounds
        for letter in letters:
            back = str(letter["Reply-To"] or letter["From"])
            post.deliver(thrown_back(letter, robot), robot, back)
    return most


def test_m28_f60_war_with_a_machine_that_proves_nothing_ends_by_itself(post: PostOffice) -> None:
    robot = "robot@robot.example"
    first = post.write(robot, "Your request was received.", subject="Ticket 4711").as_bytes()
    assert war(post, first, robot, SERVER, 20) <= 2


def test_m28_f60_war_with_a_machine_of_a_player_ends_by_itself(
    post: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(mail_answers, "MAX_REFUSALS", 4)
    board = post.board()
    post.box(ANN)
    to = str(board["ann"]["Reply-To"])
    first = post.write(ANN, "Your request was received.", to=to).as_bytes()
    assert war(post, first, ANN, to, 20) <= 6
    # The player plays on.
    post.answer(board["ann"], "a1")
    assert MatchEvent.objects.filter(text="a1").exists()


@pytest.mark.parametrize(("language", "last"), [("en", "last refusal"), ("de", "letzte Ablehnung")])
def test_player_is_told_once_that_no_more_refusals_are_mailed_today(
    post: PostOffice, monkeypatch: pytest.MonkeyPatch, language: str, last: str
) -> None:
    monkeypatch.setattr(mail_answers, "MAX_REFUSALS", 2)
    board = post.board()
    Player.objects.filter(userid="ann").update(language=language)
    post.box(ANN)
    told = []
    for move in ("z1", "z2", "z3", "z4", "z5"):
        post.answer(board["ann"], move)
        told.append([" ".join(text_of(letter).split()) for letter in post.box(ANN)])
    assert [len(letters) for letters in told] == [1, 1, 1, 0, 0]
    assert [last in letters[0] for letters in told[:3]] == [False, False, True]
    assert "http://" in told[2][0] or "https://" in told[2][0]
    # As it says: what works is answered.
    post.answer(board["ann"], "help")
    assert len(post.box(ANN)) == 1
    # So is a refusal of the next day, and of the other player today.
    HelpReplySent.objects.update(at=timezone.now() - daily.DAY)
    post.answer(board["ann"], "z6")
    assert last not in " ".join(text_of(post.last(ANN)).split())


@pytest.mark.parametrize(
    ("command", "why"), [("move 1 c3", AnswerKind.REFUSAL), ("list", AnswerKind.ANSWER)]
)
def test_address_that_proves_nothing_is_told_once_that_no_more_is_answered_today(
    post: PostOffice, command: str, why: AnswerKind
) -> None:
    earlier = [note_of_last(EVE, why, timezone.now()) for _ in range(why.value - 2)]
    assert set(earlier) == {""}
    told = []
    for _ in range(4):
        post.send(EVE, subject=f"druid {command}")
        told.append([" ".join(text_of(letter).split()) for letter in post.box(EVE)])
    assert [len(letters) for letters in told] == [1, 1, 0, 0]
    assert ["last answer" in letters[0] for letters in told[:2]] == [False, True]
    # Places of yesterday become free one after the other: it is not said with each.
    first = HelpReplySent.objects.earliest("pk")
    HelpReplySent.objects.filter(pk=first.pk).update(at=timezone.now() - daily.DAY)
    post.send(EVE, subject=f"druid {command}")
    assert "last answer" not in " ".join(text_of(post.last(EVE)).split())


def test_address_whose_mails_hold_no_command_gets_no_second_letter(post: PostOffice) -> None:
    for _ in range(4):
        post.send(EVE, "Buy now!", subject="An offer")
    assert len(post.box(EVE)) == 1


def test_m28_two_servers_like_this_one_do_not_answer_each_other(post: PostOffice) -> None:
    # What another sarsen would write to us, marks and all.
    post.send("sarsen@other.example", subject="nonsense", X_Sarsen="answer")
    letter = post.last("sarsen@other.example")
    count = OutgoingMail.objects.count()
    for _ in range(3):
        letter.replace_header("From", "sarsen@other.example")
        letter.replace_header("Message-ID", f"<{OutgoingMail.objects.count()}@other.example>")
        post.deliver(letter.as_bytes(), "bounce-1-aaaaaaaaaaaaaaaa@other.example")
    assert OutgoingMail.objects.count() == count
