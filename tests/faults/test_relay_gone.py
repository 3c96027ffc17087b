"""F63: the relay is gone for a day, or refuses some; a clock of the test's, so nothing waits."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime, timedelta

import pytest
from django.utils import timezone
from pytest_django import Settings

from faults.kills.relay import NotingRelay
from sarsen.doors.mail.send import sending
from sarsen.services.mail import outgoing
from sarsen.storage.models import Match, OutgoingMail
from web_world import World

pytestmark = pytest.mark.django_db
MOST = 50
ANN, BOB, BUSY, DEAD = "ann@example.org", "bob@example.org", "busy@slow.example", "eve@dead.example"


@pytest.fixture
def relay(settings: Settings) -> Iterator[NotingRelay]:
    """Yield a relay that is not there yet."""
    made = NotingRelay()
    settings.SARSEN_SMTP_URL = f"smtp://127.0.0.1:{made.port}"
    yield made
    made.close()


def queue(boards: list[int], count: int, now: datetime, *addresses: str) -> None:
    """Queue letters of some boards to each address."""
    for number in range(count):
        board = Match.objects.get(pk=boards[number % len(boards)])
        for address in addresses:
            outgoing.queue(outgoing.NewLetter(address, "sorry", {}, match=board), now)


def numbers_sent(relay: NotingRelay, address: str) -> list[int]:
    """Return the letters that came to an address, as the server numbers them, in order."""
    return [
        int(name.strip("<").split(".")[1])
        for name, copies in relay.copies.items()
        if copies[0][0] == address
    ]


def run_until(begin: datetime, end: datetime, step: timedelta) -> None:
    """Let the sender look again and again, as the sweeps of a worker do."""
    now = begin
    while now < end:
        while sending.send_due(now, MOST):
            pass
        now += step


def test_f63_relay_gone_for_a_day_loses_nothing_and_keeps_the_order_of_each_board(
    relay: NotingRelay,
) -> None:
    world, begin = World(), timezone.now()
    boards = [world.board("druid", "a1") for _ in range(3)]
    OutgoingMail.objects.all().delete()
    queue(boards, 6, begin, ANN, BOB)
    morning = begin + timedelta(hours=12)
    run_until(begin, morning, timedelta(hours=1))
    queue(boards, 6, morning, ANN, BOB)
    run_until(morning, begin + timedelta(days=1), timedelta(hours=1))
    assert OutgoingMail.objects.filter(state="waiting", attempts=0).count() == 24
    relay.open()
    back = begin + timedelta(days=1)
    run_until(back, back + timedelta(minutes=2), timedelta(seconds=15))
    assert not OutgoingMail.objects.exclude(state="sent").exists()
    assert relay.doubles == 0
    for address in (ANN, BOB):
        rows = OutgoingMail.objects.filter(address=address).order_by("pk")
        wanted = list(rows.values_list("pk", flat=True))
        assert numbers_sent(relay, address) == wanted


def test_f63_refused_and_dead_addresses_hold_nobody_else_up_and_are_tried_less_and_less(
    relay: NotingRelay,
) -> None:
    world, begin = World(), timezone.now()
    boards = [world.board("druid", "a1")]
    OutgoingMail.objects.all().delete()
    tried: list[str] = []

    def refuse(address: str) -> str:
        tried.append(address)
        answers = {BUSY: "450 4.2.1 Try later", DEAD: "550 5.1.2 No such domain"}
        return answers.get(address, "")

    relay.refuses = refuse
    relay.open()
    queue(boards, 3, begin, DEAD, BUSY, ANN)
    sending.send_due(begin, MOST)
    assert len(numbers_sent(relay, ANN)) == 3
    assert OutgoingMail.objects.filter(address=DEAD, state="failed").count() == 3
    assert tried.count(BUSY) == 1  # later letters of its board are not even offered
    run_until(begin, begin + timedelta(days=1), timedelta(minutes=15))
    assert tried.count(DEAD) == 3
    assert tried.count(BUSY) < 40  # of 96 looks at three letters
    relay.refuses = lambda address: ""
    end = begin + timedelta(days=3)
    run_until(begin + timedelta(days=1), end, timedelta(hours=1))
    assert numbers_sent(relay, BUSY) == sorted(numbers_sent(relay, BUSY))
    assert len(numbers_sent(relay, BUSY)) == 3


def test_f63_letters_that_are_refused_at_one_moment_are_tried_again_at_moments_of_their_own(
    relay: NotingRelay,
) -> None:
    now = timezone.now()
    relay.refuses = lambda address: "450 4.2.1 Try later"
    relay.open()
    for number in range(8):
        outgoing.queue(outgoing.NewLetter(f"busy{number}@slow.example", "sorry", {}), now)
    sending.send_due(now, MOST)
    waits = [due - now for due in OutgoingMail.objects.values_list("due_at", flat=True)]
    assert len(set(waits)) == 8
    longest = outgoing.WAITS[0]
    assert all(longest * 0.7 < wait <= longest for wait in waits)
