"""The contests that a server opens by itself, and programs that make up their number."""

from __future__ import annotations

from typing import Any

import pytest

from clock import NOW
from contest_world import DAY, ContestWorld
from sarsen.language.commands import JoinContest
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.contests import own
from sarsen.storage.models import Contest, ContestEntry, Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(settings: Any) -> ContestWorld:
    settings.SARSEN_CONTESTS = settings.SARSEN_BOTS = True
    make_accounts(NOW)
    return ContestWorld()


def test_one_contest_of_each_game_is_always_open(world: ContestWorld) -> None:
    assert own.open_missing(world.now) == 4
    assert own.open_missing(world.now) == 0
    assert sorted(Contest.objects.values_list("game", "options")) == [
        ("druid", ""),  # -size=8
        ("gyges", ""),
        ("vasco", "-size=40"),
        ("visavis", "-swap"),
    ]
    number = Contest.objects.get(game="druid").pk
    for name in ("ann", "bob", "cid", "dora"):
        world.say(name, JoinContest(number))
    world.sweep()
    assert Contest.objects.get(pk=number).state == "running"
    assert own.open_missing(world.now) == 1


def test_who_joins_alone_has_boards_against_programs_within_three_days(
    world: ContestWorld,
) -> None:
    own.open_missing(world.now)
    number = Contest.objects.get(game="druid").pk
    world.say("ann", JoinContest(number))
    world.wait(3 * DAY)
    boards = Match.objects.filter(seats__player__key="ann")
    assert boards.count() == 2
    entries = ContestEntry.objects.filter(contest=number)
    assert list(entries.values_list("player__key", flat=True)) == ["ann", "bot2", "bot4"]
    world.number = number
    assert world.letters("contest-started") == ["ann"]


def test_nothing_is_opened_where_the_operator_does_not_want_it(
    world: ContestWorld, settings: Any
) -> None:
    settings.SARSEN_CONTESTS = False
    assert own.open_missing(world.now) == 0
