"""Claims are searched beside the jobs of a worker, in a process that always takes its time."""

from __future__ import annotations

import os
import threading

import pytest
from django.utils import timezone

from claim_world import LOST, WON, ClaimWorld, Line
from sarsen.core.answers import check
from sarsen.core.game import AnyPosition
from sarsen.games import load
from sarsen.services.matches import claims
from sarsen.storage.models import Claim
from sarsen.workers import claims as jobs
from sarsen.workers import proving


def position_of(line: Line) -> AnyPosition:
    position: AnyPosition = load(line.game).start(line.options)
    for move in line.moves.split():
        position = position.play(position.parse(move))
    return position


def processor_of_children() -> float:
    return sum(os.times()[2:4])


def test_a_process_proves_a_claim_and_the_rules_confirm_it() -> None:
    position = position_of(WON)
    proof = proving.prove_claim(WON.game, position.write(), 0)
    assert check(position, proof).winner == 0


def test_a_process_that_proves_nothing_takes_all_of_its_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # Both are known after some milliseconds; loading takes the same for both.
    monkeypatch.setattr(proving, "CLAIM_SECONDS", 4.0)
    seconds = []
    for line in (WON, LOST):
        before = processor_of_children()
        assert bool(proving.prove_claim(line.game, position_of(line).write(), 0)) == (line is WON)
        seconds.append(processor_of_children() - before)
    assert seconds[1] - seconds[0] > 2.0


def test_a_process_that_fails_proves_nothing() -> None:
    assert proving.prove_claim("visavis", "no position", 0) == ""


@pytest.mark.django_db
def test_the_job_of_a_worker_waits_for_no_search(monkeypatch: pytest.MonkeyPatch) -> None:
    world = ClaimWorld(timezone.now())
    world.claim(world.at(WON))
    begun = threading.Event()
    # In its place: it has a connection of its own, which would not see what this test has written.
    monkeypatch.setattr(jobs, "_search_beside", begun.set)
    assert jobs.answer_claims.call() == 0
    assert begun.wait(10)
    assert Claim.objects.get().proof == ""


@pytest.mark.django_db
def test_a_search_wakes_the_answer_when_it_is_due(monkeypatch: pytest.MonkeyPatch) -> None:
    world = ClaimWorld(timezone.now() - claims.ANSWER_AFTER)
    world.claim(world.at(WON))
    woken = threading.Event()
    monkeypatch.setattr(jobs, "_wake", woken.set)
    monkeypatch.setattr(jobs, "close_old_connections", lambda: None)
    assert jobs.search_one(world.prove)
    assert woken.wait(10)
    assert jobs.answer_claims.call() == 1
    assert not jobs.search_one(world.prove)
