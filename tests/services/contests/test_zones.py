"""Contests of players in other time zones, over changes of their clocks, with late sweeps."""

from __future__ import annotations

from datetime import UTC, datetime
from typing import Any

import pytest

from contest_world import DAY, ContestWorld
from sarsen.language.commands import TakeVacation
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.clocks import running as clocks
from sarsen.storage.models import ContestEvent, Heartbeat, Match, Player

pytestmark = [pytest.mark.django_db, pytest.mark.once]

NAMES = ("ann", "bob", "cid", "dora")
ZONES = ("Europe/Berlin", "America/St_Johns", "Pacific/Chatham")
# The clocks of all three zones change in the weeks after, in spring and in autumn of the north.
SPRING = datetime(2027, 2, 20, 9, 30, tzinfo=UTC)
AUTUMN = datetime(2027, 9, 10, 9, 30, tzinfo=UTC)


def log_of(begin: datetime, zone: str, late: int) -> list[tuple[str, datetime, Any]]:
    """Return the log of a contest of 60 days in which some vanish, and some are slow.

    Args:
        late: Days that a sweep of contests is late at the most.
    """
    world = ContestWorld(begin)
    for name in NAMES:
        world.world.player(name)
    Player.objects.update(timezone=zone)
    world.make(
        *NAMES,
        game="druid",
        options="-size=8",
        terms=("--days=60", "--forfeittime=28", "--weekends=off"),
    )
    first = Match.objects.filter(contest_board__contest=world.number).earliest("pk").pk
    for day in range(77):
        world.now = begin + day * DAY
        Heartbeat.objects.update_or_create(name="clocks", defaults={"at": world.now})
        clocks.sweep(world.now, AFTER_EVENTS)
        if day % 8 == 0:
            # dora never comes, cid for three weeks.
            play(world, ("ann", "bob", "cid") if day < 21 else ("ann", "bob"))
        if day == 25:
            first_day, last_day = world.now + DAY, world.now + 8 * DAY
            world.say("bob", TakeVacation(f"{first_day:%Y-%m-%d}", f"{last_day:%Y-%m-%d}"))
        if day % (late + 1) == 0:
            world.sweep()
    world.now += 3 * DAY
    world.sweep()
    events = ContestEvent.objects.filter(contest=world.number).exclude(kind="made")
    return [(event.kind, event.due, without_numbers(event.facts, first)) for event in events]


def play(world: ContestWorld, movers: tuple[str, ...]) -> None:
    """Let these players move wherever it is their turn."""
    running = Match.objects.filter(contest_board__contest=world.number, ended_at=None)
    for match in running.order_by("pk"):
        if match.seat_rows[match.seat_to_move].player.userid in movers:
            world.move(match.pk)


def without_numbers(facts: dict[str, Any], first: int) -> dict[str, Any]:
    """Return the facts with boards counted from the first of the contest, and players by name."""
    names = dict(Player.objects.values_list("pk", "userid"))
    shown = {
        name: names.get(value, value) if name == "player" else value
        for name, value in facts.items()
        if name not in ("order", "table")
    }
    if facts.get("board") is not None:
        shown["board"] = facts["board"] - first
    return shown


@pytest.mark.parametrize("begin", [SPRING, AUTUMN], ids=["spring", "autumn"])
@pytest.mark.parametrize("zone", ZONES)
def test_e5_a_sweep_two_days_late_writes_the_same_log_in_every_zone(
    begin: datetime, zone: str
) -> None:
    in_time = log_of(begin, zone, 0)
    assert {"warned", "withdrawn", "decided", "ended"} <= {kind for kind, _, _ in in_time}
    assert log_of(begin, zone, 2) == in_time
