"""What has served its time goes, and nothing else."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from sarsen.services.accounts.signups import SIGNUP_LASTS
from sarsen.services.admin.cleanup import LETTERS_KEPT, REPEATS_KNOWN, tidy_up
from sarsen.services.mail import outgoing
from sarsen.services.mail.incoming import Delivery, store
from sarsen.storage.models import InboundMail, OutgoingMail, Signup

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def test_waiting_mail_and_letters_stay_however_old_they_are() -> None:
    now = timezone.now()
    store([Delivery("a@x.example", "sarsen@sarsen.test", b"Subject: help\n\n")], now)
    outgoing.queue(outgoing.NewLetter("a@x.example", "sorry", {}), now)
    tidy_up(now + timedelta(days=1000))
    assert InboundMail.objects.count() == 1
    assert OutgoingMail.objects.count() == 1


def test_settled_rows_go_when_their_time_is_over() -> None:
    now = timezone.now()
    store([Delivery("a@x.example", "sarsen@sarsen.test", b"Subject: help\n\n")], now)
    outgoing.queue(outgoing.NewLetter("a@x.example", "sorry", {}), now)
    InboundMail.objects.update(state=InboundMail.State.ANSWERED)
    OutgoingMail.objects.update(state=OutgoingMail.State.SENT)
    Signup.objects.create(userid="a", key="a", address="a@x.example", group="w", asked_at=now)
    soon = min(SIGNUP_LASTS, LETTERS_KEPT, REPEATS_KNOWN)
    counts = tidy_up(now + soon)
    assert counts["inbound"] == counts["letters"] == counts["signups"] == 0
    counts = tidy_up(now + REPEATS_KNOWN + timedelta(days=1))
    assert counts["inbound"] == counts["letters"] == counts["signups"] == 1
