"""A sweep that is stopped at any of its writes has done nothing, and the next one does all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from functools import partial
from typing import Any

import pytest
from django.db import connection, transaction

from contest_world import ContestWorld
from league_world import FIVE, league
from sarsen.language.commands import JoinContest, MakeContest
from sarsen.language.contests.answers import ContestMade
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.contests.course import running
from sarsen.storage.models import Contest, ContestBoard, ContestEntry, Match, OutgoingMail

pytestmark = pytest.mark.django_db


class Stopped(BaseException):
    """Ends a sweep as a killed process ends it: no handler of ours sees it."""


def full_contest() -> ContestWorld:
    """Make a contest that is full, and whose start is due."""
    world = ContestWorld()
    made = world.say("ann", MakeContest("druid", "round-robin", "-size=4", ("--most=3",)))
    assert isinstance(made, ContestMade)
    world.number = made.number
    for name in ("bob", "cid"):
        world.say(name, JoinContest(made.number))
    return world


def writes_of(work: Callable[[], Any], stop_at: int | None = None) -> int:
    """Run some work, and stop it before one of its writes; return how many there were."""
    count = 0

    def counted(execute: Any, sql: str, *others: Any) -> Any:
        nonlocal count
        if sql.split()[0] in ("INSERT", "UPDATE", "DELETE"):
            if count == stop_at:
                raise Stopped
            count += 1
        return execute(sql, *others)

    with connection.execute_wrapper(counted):
        work()
    return count


def written(world: ContestWorld) -> dict[str, Any]:
    """Return what a start leaves behind."""
    letters = OutgoingMail.objects.exclude(kind="answer").values_list("kind", "player__key")
    return {
        "log": world.kinds(),
        "boards": ContestBoard.objects.count(),
        "matches": Match.objects.count(),
        "letters": sorted(Counter(letters).items()),
        "state": Contest.objects.get().state,
    }


def test_a_start_that_is_stopped_at_any_write_is_done_once_by_the_next_sweep() -> None:
    world = full_contest()
    before = written(world)

    def sweep() -> None:
        running.sweep(world.now, AFTER_EVENTS)

    with transaction.atomic():
        writes = writes_of(sweep)
        whole = written(world)
        transaction.set_rollback(True)
    assert whole["matches"] == 3
    for stop_at in range(writes):
        with transaction.atomic():
            with pytest.raises(Stopped), transaction.atomic():
                writes_of(sweep, stop_at)
            assert written(world) == before
            sweep()
            assert written(world) == whole
            transaction.set_rollback(True)


def test_a_season_that_is_stopped_at_any_write_is_started_once_and_opens_one_more() -> None:
    world = league(*FIVE[:4])
    starts_at = Contest.objects.get().starts_at
    assert starts_at is not None
    world.now = starts_at
    sweep = partial(running.sweep, world.now, AFTER_EVENTS)

    def everything() -> tuple[object, ...]:
        seasons = Contest.objects.order_by("pk").values_list("season", "state", "name")
        entries = ContestEntry.objects.order_by("contest", "number")
        return (
            list(seasons),
            list(entries.values_list("contest__season", "player__key", "number")),
            world.kinds(),
            Match.objects.count(),
            OutgoingMail.objects.count(),
        )

    before = everything()
    with transaction.atomic():
        writes = writes_of(sweep)
        whole = everything()
        transaction.set_rollback(True)
    assert Contest.objects.count() == 1
    for stop_at in range(0, writes, 3):
        with transaction.atomic():
            with pytest.raises(Stopped), transaction.atomic():
                writes_of(sweep, stop_at)
            assert everything() == before
            sweep()
            assert everything() == whole
            transaction.set_rollback(True)
