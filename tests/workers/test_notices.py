"""The jobs of notices, run as the worker runs them."""

from __future__ import annotations

import threading
from datetime import timedelta

import pytest
from django.utils import timezone
from django.utils.module_loading import import_string

from sarsen.language.commands import ConfirmAccount, Subscribe
from sarsen.services import questions, task_queue
from sarsen.services.dispatch import perform
from sarsen.services.notices import Event, notify
from sarsen.services.request import Actor
from sarsen.storage.models import OutgoingMail, Player, WebhookCall
from sarsen.workers import notices as jobs
from web_world import World


def test_every_sweep_that_is_woken_exists() -> None:
    assert all(callable(import_string(job).enqueue) for job in task_queue.SWEEPS)


@pytest.mark.django_db
def test_jobs_with_nothing_to_do_do_nothing() -> None:
    results = [
        job.call()
        for job in (jobs.send_digests, jobs.announce, jobs.send_weekly, jobs.call_webhooks)
    ]
    assert results == [0, 0, 0, False]


@pytest.mark.django_db
def test_jobs_carry_out_what_waits() -> None:
    world, now = World(), timezone.now()
    ann, bob = world.player("ann"), world.player("bob")
    bob.channels = {"message": "digest"}
    notify(bob, Event.MESSAGE, "message", {"from": "ann", "to": ["bob"], "text": "Hello!"}, now)
    Player.objects.filter(pk=bob.pk).update(digest_due_at=now)
    questions.ask(ann, "broadcast", {"text": "The server moves."}, now)
    perform(ConfirmAccount("broadcast"), Actor(ann), "", now)
    perform(Subscribe(("weekly",)), Actor(ann), "", now - timedelta(days=20))
    assert jobs.send_digests.call() == 1
    assert jobs.announce.call() == 1
    assert jobs.send_weekly.call() == 0  # no game has ended
    kinds = OutgoingMail.objects.order_by("kind").values_list("kind", flat=True)
    assert list(kinds) == ["broadcast", "digest"]


@pytest.mark.django_db(transaction=True)
def test_webhooks_are_called_beside_the_worker_and_not_in_its_way() -> None:
    ann, now = World().player("ann"), timezone.now()
    # Its webhook was switched off after the call was queued: nothing leaves this machine.
    WebhookCall.objects.create(player=ann, event="turn", queued_at=now, due_at=now)
    assert jobs.call_webhooks.call()
    for thread in threading.enumerate():
        if thread.name == "webhooks":
            thread.join()
    assert [call.state for call in WebhookCall.objects.all()] == ["failed"]
    assert not jobs.call_webhooks.call()
