"""Two workers that carry contests on at the same time, and moves that are made meanwhile."""

from __future__ import annotations

import threading
from collections import Counter
from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection

from contest_world import ContestWorld
from sarsen.language.commands import JoinContest, MakeContest, Resign
from sarsen.language.contests.answers import ContestMade
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.contests.course import running
from sarsen.storage.models import Contest, ContestBoard, ContestEvent, Match, OutgoingMail

pytestmark = pytest.mark.django_db(transaction=True)

WORKERS = 3
CONTESTS = 3
NAMES = ("ann", "bob", "cid")


def full_contests() -> ContestWorld:
    """Make contests that are full, and whose start is due."""
    world = ContestWorld()
    for _ in range(CONTESTS):
        made = world.say("ann", MakeContest("druid", "round-robin", "-size=4", ("--most=3",)))
        assert isinstance(made, ContestMade)
        for name in NAMES[1:]:
            world.say(name, JoinContest(made.number))
    return world


def at_once(world: ContestWorld, boards: tuple[int, ...] = ()) -> None:
    """Let workers sweep until nothing is due, while the last player resigns these boards."""
    gate = threading.Barrier(WORKERS + 1)

    def work() -> None:
        try:
            gate.wait(120)
            while running.is_any_due(world.now):
                running.sweep(world.now, AFTER_EVENTS)
        finally:
            connection.close()

    def resign() -> None:
        try:
            gate.wait(120)
            for board in boards:
                match = Match.objects.get(pk=board)
                world.say(match.seat_rows[1].player.userid, Resign("druid", board, confirmed=True))
        finally:
            connection.close()

    with ThreadPoolExecutor(WORKERS + 1) as pool:
        for done in [pool.submit(resign), *(pool.submit(work) for _ in range(WORKERS))]:
            done.result()
    world.sweep()


@pytest.mark.postgres
def test_workers_at_once_make_each_board_and_letter_once() -> None:
    world = full_contests()
    at_once(world)
    assert Match.objects.count() == ContestBoard.objects.count() == 3 * CONTESTS
    started = OutgoingMail.objects.filter(kind="contest-started")
    each = Counter(started.values_list("player__key", flat=True))
    assert each == dict.fromkeys(NAMES, CONTESTS)
    at_once(world, tuple(Match.objects.order_by("pk").values_list("pk", flat=True)))
    assert set(Contest.objects.values_list("state", flat=True)) == {"ended"}
    ends = ContestEvent.objects.filter(kind="ended").values_list("contest", flat=True)
    assert sorted(ends) == sorted(Contest.objects.values_list("pk", flat=True))
    ended = OutgoingMail.objects.filter(kind="contest-ended")
    each = Counter(ended.values_list("player__key", flat=True))
    assert each == dict.fromkeys(NAMES, CONTESTS)
    assert not list(verify(VerifyReport(), lambda: None))
