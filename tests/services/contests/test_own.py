"""The contests that a server opens by itself, and programs that make up their number."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.admin.models import LogEntry

from clock import NOW
from contest_world import DAY, ContestWorld
from sarsen.language.commands import CloseContest, JoinContest, ListContests, MakeContest
from sarsen.language.contests.ladders import LadderMade
from sarsen.language.ratings import Table, table_text
from sarsen.language.translating import sentence, translated, use_language
from sarsen.services.admin.roles import add_operator
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.contests.acts import own
from sarsen.storage.models import Contest, ContestEntry, Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def world(settings: Any) -> ContestWorld:
    settings.SARSEN_CONTESTS = settings.SARSEN_BOTS = True
    make_accounts(NOW)
    return ContestWorld()


GAMES = [
    ("druid", ""),  # -size=8
    ("gyges", ""),
    ("vasco", "-size=40"),
    ("visavis", "-swap"),
]


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_list_of_a_new_server_wraps_no_title(world: ContestWorld, language: str) -> None:
    own.open_missing(world.now)
    with use_language(language):
        table = world.say("ann", ListContests())
        assert isinstance(table, Table)
        lines = table_text(table).splitlines()
        titles = [translated(row[1]) for row in table.rows]
    assert max(map(len, lines)) <= 72
    assert len(titles) == 12
    for title in titles:
        assert any(title in line for line in lines), title
    if language == "en":
        assert len([line for line in lines if line]) == len(titles) + 3  # one line each


def test_one_contest_of_each_game_is_always_open(world: ContestWorld) -> None:
    assert own.open_missing(world.now) == 12
    assert own.open_missing(world.now) == 0
    formats = Contest.objects.values_list("format", "state", "game", "options")
    games = [
        ("druid", ""),  # -size=8
        ("gyges", ""),
        ("vasco", "-size=40"),
        ("visavis", "-swap"),
    ]
    assert sorted(formats) == [
        *(("ladder", "running", *game) for game in games),
        *(("league", "open", *game) for game in games),
        *(("round-robin", "open", *game) for game in games),
    ]
    number = Contest.objects.get(game="druid", format="round-robin").pk
    for name in ("ann", "bob", "cid", "dora"):
        world.say(name, JoinContest(number))
    world.sweep()
    assert Contest.objects.get(pk=number).state == "running"
    assert own.open_missing(world.now) == 1


def test_who_joins_alone_has_boards_against_programs_within_three_days(
    world: ContestWorld,
) -> None:
    own.open_missing(world.now)
    number = Contest.objects.get(game="druid", format="round-robin").pk
    world.say("ann", JoinContest(number))
    world.wait(3 * DAY)
    boards = Match.objects.filter(seats__player__key="ann")
    assert boards.count() == 2
    entries = ContestEntry.objects.filter(contest=number)
    assert list(entries.values_list("player__key", flat=True)) == ["ann", "bot2", "bot4"]
    world.number = number
    assert world.letters("contest-started") == ["ann"]


def test_a_ladder_of_a_player_is_the_ladder_of_its_game(world: ContestWorld) -> None:
    world.say("ann", MakeContest("druid", "ladder"))
    assert own.open_missing(world.now) == 11
    names = Contest.objects.filter(format="ladder", game="druid").values_list("name", flat=True)
    assert list(names) == ["Druid ladder"]


def test_nothing_is_opened_where_the_operator_does_not_want_it(
    world: ContestWorld, settings: Any
) -> None:
    settings.SARSEN_CONTESTS = False
    assert own.open_missing(world.now) == 0


def test_each_game_has_a_league_from_the_first_monday_that_is_two_weeks_away(
    world: ContestWorld,
) -> None:
    assert f"{world.now:%a %d}" == "Fri 20"
    own.open_missing(world.now)
    leagues = Contest.objects.filter(format="league")
    assert sorted(leagues.values_list("game", "options")) == GAMES
    assert {f"{one.starts_at:%a %d %b %H:%M}" for one in leagues} == {"Mon 07 Dec 00:00"}
    number = leagues.get(game="druid").pk
    world.say("ann", JoinContest(number))
    world.wait(18 * DAY)
    assert Contest.objects.get(pk=number).state == "running"
    assert Match.objects.filter(contest_board__contest=number).count() == 6
    # The next season is open: no second league is made.
    assert own.open_missing(world.now) == 0
    assert leagues.filter(game="druid").count() == 2


def test_a_ladder_that_an_operator_has_closed_stays_closed(world: ContestWorld) -> None:
    own.open_missing(world.now)
    number = Contest.objects.get(game="druid", format="ladder").pk
    world.world.player("olga")
    add_operator("olga", world.now)
    closed = world.say("olga", CloseContest(number, "unused", confirmed=True))
    assert sentence(closed) == f"Contest {number}, Druid ladder, is closed."
    assert LogEntry.objects.get().change_message == sentence(closed)
    assert own.open_missing(world.now) == 0
    assert Contest.objects.get(pk=number).state == "ended"
    made = world.say("ann", MakeContest("druid", "ladder"))
    assert isinstance(made, LadderMade)
