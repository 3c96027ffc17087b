"""The weekly letter about contests: who gets it, and how often."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from contest_world import DAY, ContestWorld
from sarsen.language.commands import Subscribe
from sarsen.services.contests.views import weekly
from sarsen.services.notices import weekly as server_weekly
from sarsen.storage.models import OutgoingMail

pytestmark = pytest.mark.django_db
START = datetime(2027, 3, 2, 12, tzinfo=UTC)  # a Tuesday
NAMES = ("ann", "bob", "cid")
MONDAY = datetime(2027, 3, 8, 1, tzinfo=UTC)


def play(world: ContestWorld) -> None:
    world.make(*NAMES, game="druid", options="-size=8")
    world.now += DAY
    world.move(world.board("ann", "bob").pk)
    world.win("ann", "bob")


def test_one_letter_a_week_however_many_contests() -> None:
    world = ContestWorld(START)
    play(world)
    other = ContestWorld(START)
    play(other)
    assert weekly.sweep(MONDAY) == 3
    assert weekly.sweep(MONDAY + timedelta(hours=1)) == 0
    assert world.letters("contest-week") == list(NAMES)
    facts = OutgoingMail.objects.filter(kind="contest-week").first()
    assert facts is not None
    assert facts.facts == {"contests": [world.number, other.number], "begins": "2027-03-01"}


def test_none_for_a_quiet_week() -> None:
    world = ContestWorld(START)
    world.make(*NAMES, game="druid", options="-size=8")
    assert weekly.sweep(MONDAY) == 0
    world.now = MONDAY + DAY
    world.win("ann", "bob")
    assert weekly.sweep(MONDAY + 7 * DAY) == 3
    assert weekly.sweep(MONDAY + 14 * DAY) == 0


def test_none_once_the_contest_is_over_and_none_for_who_is_out() -> None:
    world = ContestWorld(START)
    play(world)
    world.win("ann", "cid")
    world.win("bob", "cid")
    assert weekly.sweep(MONDAY) == 0


def test_subscribers_of_the_weekly_letter_have_it_there() -> None:
    world = ContestWorld(START)
    world.world.player("ann")
    world.say("ann", Subscribe(("weekly",)))
    play(world)
    assert weekly.sweep(MONDAY) == 2
    assert server_weekly.sweep_weekly(MONDAY) == 1
    assert world.letters("contest-week") == ["bob", "cid"]
    assert world.letters("weekly") == ["ann"]
