"""Sending through a relay that is away, refuses, or works; a real SMTP server on loopback."""

from __future__ import annotations

import email
from collections.abc import Iterator
from datetime import timedelta

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.utils import timezone
from pytest_django import Settings

from processes.conftest import free_port
from sarsen.doors.mail.send import sending
from sarsen.services.mail import outgoing
from sarsen.storage.models import Match, OutgoingMail
from web_world import World

pytestmark = pytest.mark.django_db


class ChoosyRelay:
    """Refuse some addresses and take the rest."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.senders: list[str] = []
        self.names: list[str] = []  # the Message-ID of each
        self.hangs_up_after: int | None = None  # so many letters, in the midst of the next
        self.connections = 0

    async def handle_RCPT(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope, address: str, options: list[str]
    ) -> str:
        if address.startswith("gone"):
            return "550 5.1.1 No such user"
        if address.startswith("busy"):
            return "450 4.2.1 Try later"
        envelope.rcpt_tos.append(address)
        return "250 OK"

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        if len(self.taken) == self.hangs_up_after:
            return "421 4.3.2 The relay stops"
        self.taken += envelope.rcpt_tos
        self.senders.append(str(envelope.mail_from))
        message = email.message_from_bytes(envelope.original_content or b"")
        self.names.append(str(message["Message-ID"]))
        return "250 OK"


class CountingController(Controller):
    """Count the connections to a relay."""

    def factory(self) -> SMTP:
        assert isinstance(self.handler, ChoosyRelay)
        self.handler.connections += 1
        return super().factory()


@pytest.fixture
def relay(settings: Settings) -> Iterator[ChoosyRelay]:
    relay = ChoosyRelay()
    port = free_port()
    controller = CountingController(relay, hostname="127.0.0.1", port=port)
    controller.start()
    settings.SARSEN_SMTP_URL = f"smtp://127.0.0.1:{port}"
    yield relay
    controller.stop()


def queue(*addresses: str) -> None:
    for address in addresses:
        outgoing.queue(outgoing.NewLetter(address, "sorry", {}), timezone.now())


def states() -> dict[str, str]:
    return dict(OutgoingMail.objects.values_list("address", "state"))


def test_letters_go_out_in_the_order_they_were_made(relay: ChoosyRelay) -> None:
    queue("b@x.example", "a@x.example", "c@x.example")
    sending.send_due(timezone.now(), 10)
    assert relay.taken == ["b@x.example", "a@x.example", "c@x.example"]
    assert set(states().values()) == {"sent"}


def test_no_connection_is_opened_when_no_letter_can_be_sent(relay: ChoosyRelay) -> None:
    opened = relay.connections  # the controller looks whether it answers
    assert sending.send_due(timezone.now(), 10) == 0
    queue("a b@x.example")  # no address of the mail standard, and given up unsent
    assert sending.send_due(timezone.now(), 10) == 1
    assert relay.connections == opened
    queue("ann@x.example")
    sending.send_due(timezone.now(), 10)
    assert relay.connections == opened + 1


def test_refusal_of_one_address_does_not_hold_up_the_others(relay: ChoosyRelay) -> None:
    queue("gone@x.example", "busy@x.example", "ann@x.example")
    sending.send_due(timezone.now(), 10)
    assert states() == {
        "gone@x.example": "failed",
        "busy@x.example": "waiting",
        "ann@x.example": "sent",
    }


def test_busy_address_is_tried_again_later_and_given_up_in_the_end(relay: ChoosyRelay) -> None:
    queue("busy@x.example")
    now = timezone.now()
    for _ in range(len(outgoing.WAITS)):
        sending.send_due(now, 10)
        assert states() == {"busy@x.example": "waiting"}
        assert not outgoing.claim_due(now, 10)
        now += timedelta(days=1)
    sending.send_due(now, 10)
    assert states() == {"busy@x.example": "failed"}


def test_case_39_letters_wait_while_the_relay_is_away(settings: Settings) -> None:
    settings.SARSEN_SMTP_URL = "smtp://127.0.0.1:1"
    queue("ann@x.example", "bob@x.example")
    now = timezone.now()
    for hour in range(24):
        assert sending.send_due(now + timedelta(hours=hour), 10) == 0
    waiting = OutgoingMail.objects.order_by("due_at", "pk")
    assert [letter.address for letter in waiting] == ["ann@x.example", "bob@x.example"]
    assert all(letter.attempts == 0 for letter in waiting)
    assert set(states().values()) == {"waiting"}


def test_letters_that_a_relay_has_not_taken_when_it_hangs_up_are_sent_again(
    relay: ChoosyRelay,
) -> None:
    queue("ann@x.example", "bob@x.example", "cyd@x.example")
    now = timezone.now()
    relay.hangs_up_after = 1
    sending.send_due(now, 10)
    assert states() == {
        "ann@x.example": "sent",
        "bob@x.example": "waiting",
        "cyd@x.example": "waiting",
    }
    relay.hangs_up_after = None
    sending.send_due(now + sending.RELAY_PAUSE, 10)
    assert relay.taken == ["ann@x.example", "bob@x.example", "cyd@x.example"]
    assert set(states().values()) == {"sent"}


def test_second_copy_of_a_letter_has_the_message_id_of_the_first(
    relay: ChoosyRelay, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue("ann@x.example", "bob@x.example")
    now = timezone.now()
    with monkeypatch.context() as dying:
        dying.setattr(outgoing, "mark_sent", lambda *_: None)  # killed between the 250 and this
        sending.send_due(now, 10)
    sending.send_due(now + outgoing.CLAIM_LASTS, 10)
    assert relay.taken == ["ann@x.example", "bob@x.example"] * 2
    assert relay.names[:2] == relay.names[2:]
    assert len(set(relay.names)) == 2


def test_letter_that_another_sender_has_sent_meanwhile_stays_sent(relay: ChoosyRelay) -> None:
    queue("ann@x.example")
    now = timezone.now()
    (asleep,) = outgoing.claim_due(now, 10)
    assert sending.send_due(now + outgoing.CLAIM_LASTS, 10) == 1
    # It wakes, and its relay wants no second copy: now, or ever.
    for for_good in (False, True):
        outgoing.mark_refused(asleep, "450 4.7.1 Not again", now, for_good=for_good)
        assert states() == {"ann@x.example": "sent"}
    assert sending.send_due(now + timedelta(days=2), 10) == 0
    assert relay.taken == ["ann@x.example"]


def test_letter_that_cannot_be_worded_does_not_hold_up_the_others(relay: ChoosyRelay) -> None:
    outgoing.queue(outgoing.NewLetter("ann@x.example", "no-such-kind", {}), timezone.now())
    queue("bob@x.example")
    sending.send_due(timezone.now(), 10)
    assert states() == {"ann@x.example": "waiting", "bob@x.example": "sent"}


def test_claimed_letter_is_nobody_elses_until_the_claim_ends() -> None:
    queue("ann@x.example")
    now = timezone.now()
    assert len(outgoing.claim_due(now, 10)) == 1
    assert not outgoing.claim_due(now, 10)
    assert len(outgoing.claim_due(now + outgoing.CLAIM_LASTS, 10)) == 1


@pytest.mark.parametrize("how", ["in another sender's hands", "put back while the relay was away"])
def test_letters_of_a_board_overtake_no_earlier_one(how: str) -> None:
    now, board = timezone.now(), Match.objects.get(pk=World().board("druid", "a1"))
    OutgoingMail.objects.all().delete()
    for address in ("ann@x.example", "bob@x.example"):
        outgoing.queue(outgoing.NewLetter(address, "sorry", {}, match=board), now)
    held = outgoing.claim_due(now, 2)
    if how.startswith("put back"):
        outgoing.release_claim(held, now + sending.RELAY_PAUSE)
    outgoing.queue(outgoing.NewLetter("ann@x.example", "sorry", {}, match=board), now)
    outgoing.queue(outgoing.NewLetter("ann@x.example", "sorry", {}, match=None), now)
    outgoing.queue(outgoing.NewLetter("cara@x.example", "sorry", {}, match=board), now)
    free = [(one.address, one.board) for one in outgoing.claim_due(now, 10)]
    assert free == [("ann@x.example", None), ("cara@x.example", board.pk)]
    outgoing.mark_sent([one.id for one in held], now)
    (later,) = outgoing.claim_due(now, 10)
    assert (later.address, later.board) == ("ann@x.example", board.pk)


def test_address_that_smtp_cannot_carry_does_not_hold_up_the_others(relay: ChoosyRelay) -> None:
    queue("j\ufffdrg@x.example", "ann@x.example")
    sending.send_due(timezone.now(), 10)
    assert states() == {"j\ufffdrg@x.example": "failed", "ann@x.example": "sent"}
