"""The weekly letter about contests: who gets it, and how often."""

from __future__ import annotations

from collections import Counter
from datetime import UTC, datetime, timedelta

import pytest

from contest_world import DAY, ContestWorld
from league_world import started
from sarsen.language.commands import Subscribe
from sarsen.services.contests.views import weekly
from sarsen.services.notices import weekly as server_weekly
from sarsen.storage.models import Match, OutgoingMail

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


def test_a_league_of_ten_writes_one_start_one_letter_a_week_and_one_end() -> None:
    players = tuple(f"player{letter}" for letter in "abcdefghij")
    world = started(*players, terms=("--forfeittime=80", "--nagtime=30"))
    weeks = 0
    for at, winner in enumerate(players):
        world.wait(7 * DAY)
        weeks += bool(weekly.sweep(world.now))
        for loser in players[at + 1 :]:
            world.win(winner, loser)
        for match in Match.objects.filter(ended_at=None):
            world.move(match.pk)
    assert world.view().state == "ended"
    weekly.sweep(world.now + 7 * DAY)
    for name in players:
        kinds = Counter(
            OutgoingMail.objects.filter(player__key=name).values_list("kind", flat=True)
        )
        contests = {kind: count for kind, count in kinds.items() if kind.startswith("contest-")}
        assert contests == {"contest-started": 1, "contest-week": weeks, "contest-ended": 1}
        # The others are about turns and ends of their own boards.
        assert set(kinds) - set(contests) <= {"board", "nag", "nag-again", "board-over"}
    assert weeks == len(players) - 2
