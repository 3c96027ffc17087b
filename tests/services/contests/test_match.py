"""Matches: two players, several games, and an end as soon as one cannot be caught."""

from __future__ import annotations

import pytest

from contest_world import ContestWorld
from sarsen.language.commands import JoinContest, LeaveContest, MakeContest, Resign
from sarsen.language.contests.answers import ContestMade
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport
from sarsen.storage.models import Match, MatchEvent

pytestmark = pytest.mark.django_db


def match_of(games: int) -> ContestWorld:
    world = ContestWorld()
    words = (f"--games={games}",)
    made = world.say("ann", MakeContest("druid", "match", "-size=4", words))
    assert isinstance(made, ContestMade)
    world.number = made.number
    world.say("bob", JoinContest(made.number))
    world.sweep()
    return world


def lose(world: ContestWorld, loser: str) -> None:
    """Let a player lose the oldest board that runs."""
    board = Match.objects.filter(ended_at=None).earliest("pk")
    world.say(loser, Resign("druid", board.pk, confirmed=True))
    world.sweep()


def test_two_boards_run_at_a_time_with_the_seats_exchanged() -> None:
    world = match_of(4)
    first = [[row.player.userid for row in match.seat_rows] for match in Match.objects.all()]
    assert first == [["ann", "bob"], ["bob", "ann"]]
    lose(world, "bob")
    assert Match.objects.count() == 3
    assert Match.objects.filter(ended_at=None).count() == 2


def test_it_ends_when_no_result_can_change_the_winner() -> None:
    world = match_of(4)
    for _ in range(2):
        lose(world, "bob")
    assert world.view().state == "running"  # two games could still make it level
    lose(world, "bob")
    assert world.view().state == "ended"
    assert world.points() == {"ann": 3, "bob": 0}
    assert Match.objects.count() == 4
    assert MatchEvent.objects.filter(kind="close").count() == 1
    assert [str(one) for one in verify(VerifyReport(), lambda: None)] == []


def test_a_level_match_is_drawn() -> None:
    world = match_of(2)
    lose(world, "ann")
    lose(world, "bob")
    assert world.view().state == "ended"
    assert [(row.place, row.shared_to) for row in world.view().table] == [(1, 2), (1, 2)]


def test_e9_who_leaves_a_match_has_lost_it() -> None:
    world = match_of(4)
    lose(world, "bob")
    world.say("bob", LeaveContest(world.number, confirmed=True))
    world.sweep()
    assert world.view().state == "ended"
    assert world.points() == {"ann": 4, "bob": 0}
