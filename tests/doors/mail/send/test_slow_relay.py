"""A relay slower than a claim: nobody else sends the same letters meanwhile."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

import pytest
from aiosmtpd.controller import Controller
from aiosmtpd.smtp import SMTP, Envelope, Session
from django.db import connections
from django.utils import timezone
from pytest_django import Settings

from processes.conftest import await_true, free_port
from sarsen.doors.mail.send import sending
from sarsen.services.mail import outgoing
from sarsen.storage.models import OutgoingMail

pytestmark = pytest.mark.django_db(transaction=True)


class StuckRelay:
    """Take a letter only when it is allowed to."""

    def __init__(self) -> None:
        self.taken: list[str] = []
        self.is_asked = threading.Event()
        self.may_go_on = threading.Event()
        self.controller = Controller(self, hostname="127.0.0.1", port=free_port())

    async def handle_DATA(  # noqa: N802 (aiosmtpd's name)
        self, server: SMTP, session: Session, envelope: Envelope
    ) -> str:
        self.is_asked.set()
        await server.loop.run_in_executor(None, self.may_go_on.wait, 30)
        self.taken += envelope.rcpt_tos
        return "250 OK"


@pytest.fixture
def relay(settings: Settings) -> Iterator[StuckRelay]:
    relay = StuckRelay()
    relay.controller.start()
    settings.SARSEN_SMTP_URL = f"smtp://127.0.0.1:{relay.controller.port}"
    yield relay
    relay.may_go_on.set()
    relay.controller.stop()


def test_letters_are_claimed_for_as_long_as_their_sender_lives(
    relay: StuckRelay, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(outgoing, "RENEWED_EVERY", timedelta(milliseconds=20))
    now = timezone.now()
    for name in ("ann", "bob"):
        outgoing.queue(outgoing.NewLetter(f"{name}@x.example", "sorry", {}), now)

    def send() -> int:
        try:
            return sending.send_due(now, 10)
        finally:
            connections.close_all()

    with ThreadPoolExecutor(1) as pool:
        sender = pool.submit(send)
        try:
            assert relay.is_asked.wait(120)
            assert "claim" in {thread.name for thread in threading.enumerate()}
            claim_ends = now + outgoing.CLAIM_LASTS
            await_true(
                lambda: OutgoingMail.objects.filter(due_at__gt=claim_ends).count() == 2,
                "the claim was not renewed",
            )
            assert not outgoing.claim_due(claim_ends, 10)
        finally:
            relay.may_go_on.set()
        assert sender.result(120) == 2
    assert relay.taken == ["ann@x.example", "bob@x.example"]
    assert set(OutgoingMail.objects.values_list("state", flat=True)) == {"sent"}


def test_f22_letters_of_a_sender_that_died_go_to_the_next_one_half_a_minute_later() -> None:
    now = timezone.now()
    outgoing.queue(outgoing.NewLetter("ann@x.example", "sorry", {}), now)
    (held,) = outgoing.claim_due(now, 10)
    assert not outgoing.claim_due(now + timedelta(seconds=29), 10)
    (again,) = outgoing.claim_due(now + timedelta(seconds=31), 10)
    assert (again.id, again.attempts) == (held.id, 0)


def test_renewed_claim_shortens_no_wait(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outgoing, "RENEWED_EVERY", timedelta(milliseconds=20))
    now = timezone.now()
    for name in ("ann", "bob"):
        outgoing.queue(outgoing.NewLetter(f"{name}@x.example", "sorry", {}), now)
    ann, bob = outgoing.claim_due(now, 10)
    with outgoing.renewed_claim([ann, bob], now):
        outgoing.mark_refused(ann, "busy", now + timedelta(days=1), for_good=False)
        await_true(
            lambda: OutgoingMail.objects.get(pk=bob.id).due_at > now + outgoing.CLAIM_LASTS,
            "the claim was not renewed",
        )
    again = OutgoingMail.objects.get(pk=ann.id).due_at
    assert again == now + timedelta(days=1) + outgoing.wait_after(ann.id, 0)
