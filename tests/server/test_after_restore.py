"""After a restore no old mail goes out, no clock has run, and nobody is logged in."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.utils import timezone

from sarsen.services.admin import after_restore
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.clocks.running import sweep
from sarsen.services.mail.outgoing import claim_due
from sarsen.storage.models import (
    Device,
    InboundMail,
    Match,
    MatchEvent,
    OutgoingMail,
    Push,
    Subscription,
    WebhookCall,
    WebSession,
)
from web_world import World

pytestmark = pytest.mark.django_db
A_WEEK = timedelta(days=7)


def test_a_restored_server_sends_no_old_mail_again_and_forgives_the_clocks() -> None:
    world = World()
    board = world.board(moves="a1 b1", terms=("--forfeittime=3",))
    sweep(timezone.now(), AFTER_EVENTS)
    made_at = timezone.now()
    InboundMail.objects.create(identity="1", recipient="x", raw=b"move", received_at=made_at)
    Subscription.objects.create(
        player=world.player("ann"), is_weekly=True, made_at=made_at, last_sent_at=made_at - A_WEEK
    )
    WebSession.objects.create(session_key="k", expire_date=made_at + A_WEEK)
    before = Match.objects.get(pk=board)
    assert before.due_at is not None
    assert OutgoingMail.objects.filter(state="waiting").exists()
    events = MatchEvent.objects.count()

    now = made_at + A_WEEK
    settled = after_restore.settle(made_at, now)
    assert settled.letters["board"] > 0
    assert (settled.mails, settled.sessions) == (1, 1)
    assert not WebSession.objects.exists()
    assert claim_due(now + A_WEEK, 100) == []
    assert Subscription.objects.get().last_sent_at == now
    assert InboundMail.objects.get().state == "new"
    assert sweep(now, AFTER_EVENTS) == 0
    match = Match.objects.get(pk=board)
    assert match.due_at is not None
    assert abs(match.due_at - before.due_at - A_WEEK) < timedelta(minutes=1)
    assert (match.reminders, MatchEvent.objects.count()) == (before.reminders, events)

    assert after_restore.send_held(now) == sum(settled.letters.values())
    assert len(claim_due(now, 100)) == sum(settled.letters.values())


def test_a_restored_server_makes_no_old_call_and_shows_no_old_notice() -> None:
    ann, made_at = World().player("ann"), timezone.now()
    times = {"event": "turn", "queued_at": made_at, "due_at": made_at}
    WebhookCall.objects.create(player=ann, **times)
    Push.objects.create(device=Device.objects.create(player=ann, made_at=made_at), **times)
    now = made_at + A_WEEK
    settled = after_restore.settle(made_at, now)
    assert (settled.calls, settled.pushes) == (1, 1)
    for kind in (WebhookCall, Push):
        assert not kind.objects.filter(state="waiting").exists()
    # An operator lets the call go; a notice a week old would only confuse.
    assert after_restore.send_held(now) == 1
    assert WebhookCall.objects.filter(state="waiting").exists()
    assert not Push.objects.filter(state="waiting").exists()


def test_no_clock_has_run_though_the_restore_took_only_minutes() -> None:
    board = World().board(terms=("--forfeittime=3",))
    made_at = timezone.now()
    sweep(made_at, AFTER_EVENTS)
    before = Match.objects.get(pk=board).due_at
    after_restore.settle(made_at, made_at + timedelta(minutes=5))  # sooner than "away"
    sweep(made_at + timedelta(minutes=5), AFTER_EVENTS)
    after = Match.objects.get(pk=board).due_at
    assert before is not None
    assert after is not None
    assert after - before == timedelta(minutes=5)


def test_letters_go_out_when_an_operator_knows_that_none_was_sent() -> None:
    World().board(moves="a1")
    waiting = OutgoingMail.objects.filter(state="waiting").count()
    now = timezone.now()
    after_restore.settle(now, now, sends_waiting=True)
    assert len(claim_due(now + A_WEEK, 1000)) == waiting > 0
