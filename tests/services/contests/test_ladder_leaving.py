"""Ladders: players who are idle, gone or take no part any more (E8, E27 to E29)."""

from __future__ import annotations

from itertools import pairwise

import pytest

from contest_world import DAY, ContestWorld
from ladder_world import LETTERS, LadderWorld, differences, two_boards, wait
from sarsen.core.errors import UserError
from sarsen.language.accounts import ConfirmAccount
from sarsen.language.commands import (
    ClimbLadder,
    CloseContest,
    JoinContest,
    JoinLadder,
    LeaveLadder,
    MakeContest,
    Resign,
    TakeVacation,
    WithdrawFromContest,
)
from sarsen.language.contests.answers import ContestCloseAsked
from sarsen.language.contests.ladders import LadderMade, LadderPlace
from sarsen.language.translating import sentence, typed_next
from sarsen.services.admin.roles import add_operator
from sarsen.services.bots.accounts import make_accounts
from sarsen.services.contests.log import find, read
from sarsen.services.contests.views.ladders import place_after
from sarsen.storage.models import ContestEvent, Match

pytestmark = pytest.mark.django_db


@pytest.fixture
def five() -> LadderWorld:
    return LadderWorld(*LETTERS)


def test_e27_idle_players_go_down_a_place_a_week_and_are_told() -> None:
    world = LadderWorld("ann", "bob", "cid")
    names = ("ann", "bob", "cid")
    wait(world, 50, *names)
    world.climb("cid", "bob")
    wait(world, 3, *names)
    # bob and cid play: only ann is told, and goes down.
    assert world.letters("contest-warned") == ["ann"]
    assert world.order == ["ann", "bob", "cid"]
    wait(world, 6, *names)
    assert world.order == ["ann", "bob", "cid"]
    wait(world, 1, *names)
    assert world.order == ["bob", "ann", "cid"]
    lowered = ContestEvent.objects.get(kind="lowered")
    assert lowered.due - ContestEvent.objects.get(number=3).due == 60 * DAY
    assert differences() == []
    wait(world, 7, *names)
    assert world.letters("contest-warned") == ["ann"]
    dues = list(ContestEvent.objects.filter(kind="lowered").values_list("due", flat=True))
    assert [after - before for before, after in pairwise(dues)] == [7 * DAY]


def test_e27_vacations_do_not_count() -> None:
    world = LadderWorld("ann", "bob")
    today = world.now.date()
    world.say("ann", TakeVacation(today.isoformat(), (today + 9 * DAY).isoformat()))
    wait(world, 61, "ann", "bob")
    assert world.order == ["ann", "bob"]
    wait(world, 10, "ann", "bob")
    assert world.order == ["bob", "ann"]


def test_e27_new_ones_enter_at_the_foot_also_when_they_come_back(five: LadderWorld) -> None:
    five.say("bob", LeaveLadder("druid"))
    assert five.order == ["ann", "cid", "dora", "eva"]
    five.say("fay", JoinLadder("druid"))
    five.say("bob", JoinLadder("druid"))
    assert five.order == ["ann", "cid", "dora", "eva", "fay", "bob"]
    numbers = {one.player: one.number for one in read(find(five.number)).state.entrants}
    assert sorted(numbers.values()) == [1, 2, 3, 4, 5, 6]
    assert numbers[five.world.player("bob").pk] == 2  # as before: it names bob in keys
    with pytest.raises(UserError) as refusal:
        five.say("bob", JoinLadder("druid"))
    assert refusal.value.code == "contest.in-already"
    assert differences() == []


def test_e28_leaving_makes_running_boards_ordinary(five: LadderWorld) -> None:
    board = five.climb("eva", "bob").boards[0]
    five.say("bob", LeaveLadder("druid"))
    assert "contest" not in Match.objects.get(pk=board).terms
    assert Match.objects.get(pk=board).ended_at is None
    assert five.letters("contest-withdrawn") == ["eva"]
    five.win("eva", "bob")
    assert five.order == ["ann", "cid", "dora", "eva"]
    five.say("bob", JoinLadder("druid"))
    assert five.order == ["ann", "cid", "dora", "eva", "bob"]
    assert differences() == []


def test_e28_a_host_takes_somebody_off(five: LadderWorld) -> None:
    five.now += 8 * DAY
    left = five.say("ann", WithdrawFromContest(five.number, "dora", "gone"))
    assert sentence(left) == "dora is taken off the Druid ladder: gone."
    assert five.order == ["ann", "bob", "cid", "eva"]


def test_a_host_closes_a_ladder_whose_climbs_go_on_as_ordinary_games(five: LadderWorld) -> None:
    five.say("fay", JoinLadder("druid"))
    five.say("fay", LeaveLadder("druid"))
    board = five.climb("eva", "bob").boards[0]
    with pytest.raises(UserError) as refusal:
        five.say("bob", CloseContest(five.number))
    assert refusal.value.code == "contest.host-only"
    closed = five.say("ann", CloseContest(five.number, "too quiet", confirmed=True))
    assert sentence(closed) == (
        f"Contest {five.number}, Druid ladder, is closed. 1 running game goes on as an ordinary "
        "one. 4 players are told."
    )
    assert sorted(five.letters("contest-closed")) == ["bob", "cid", "dora", "eva"]
    assert five.view().state == "ended"
    assert five.order == ["ann", "bob", "cid", "dora", "eva"]
    assert "contest" not in Match.objects.get(pk=board).terms
    five.win("eva", "bob")
    assert Match.objects.get(pk=board).scores is not None
    assert five.order == ["ann", "bob", "cid", "dora", "eva"]
    assert differences() == []
    for command in (ClimbLadder("druid", "ann"), JoinLadder("druid")):
        with pytest.raises(UserError) as refusal:
            five.say("cid", command)
        assert (refusal.value.code, refusal.value.hint) == (
            "unknown-contest",
            "contest new druid ladder",
        )
    with pytest.raises(UserError) as refusal:
        five.say("cid", JoinContest(five.number))
    assert refusal.value.code == "contest.over"
    wait(five, 70, *LETTERS)
    assert five.letters("contest-warned") == []
    made = five.say("cid", MakeContest("druid", "ladder"))
    assert isinstance(made, LadderMade)


def test_who_closes_a_ladder_is_asked_before_it_ends_for_everybody(five: LadderWorld) -> None:
    board = five.climb("eva", "bob").boards[0]
    log = five.kinds()
    asked = five.say("ann", CloseContest(five.number, "too quiet"))
    assert isinstance(asked, ContestCloseAsked)
    assert sentence(asked) == (
        f"Do you want to close contest {five.number}, Druid ladder, for good? Its places stay as "
        "they are, and nobody climbs any more. 1 running game would go on as an ordinary one. 4 "
        "players would be told."
    )
    assert typed_next(asked) == f"To close it: contest close {five.number} yes too quiet"
    kept = five.say("ann", CloseContest(five.number, stays=True))
    assert sentence(kept) == f"Contest {five.number}, Druid ladder, stays open."
    with pytest.raises(UserError) as refusal:
        five.say("ann", ConfirmAccount("close"))
    assert refusal.value.code == "nothing-to-confirm"
    five.say("ann", CloseContest(five.number, "too quiet"))
    five.say("ann", ConfirmAccount("close", agrees=False))
    assert five.kinds() == log
    assert "contest" in Match.objects.get(pk=board).terms
    five.say("ann", CloseContest(five.number, "too quiet"))
    closed = five.say("ann", ConfirmAccount("close"))
    assert "is closed. 1 running game goes on" in sentence(closed)
    assert five.view().state == "ended"


def test_an_operator_is_asked_too(five: LadderWorld) -> None:
    five.world.player("olga")
    add_operator("olga", five.now)
    assert isinstance(five.say("olga", CloseContest(five.number)), ContestCloseAsked)
    five.say("olga", ConfirmAccount("close"))
    assert five.view().state == "ended"


def end(world: LadderWorld, board: int, winner: str, loser: str) -> None:
    world.say(loser, Resign(world.game, board, confirmed=True))
    world.sweep()


def test_e28_where_the_value_is_known_a_climb_is_two_boards() -> None:
    world = two_boards()
    climbed = world.climb("cid", "ann")
    seats = [
        [row.player.userid for row in Match.objects.get(pk=board).seat_rows]
        for board in climbed.boards
    ]
    assert seats == [["ann", "cid"], ["cid", "ann"]]
    assert climbed.climbs == 1
    first, second = climbed.boards
    end(world, first, "cid", "ann")
    assert world.order == ["ann", "bob", "cid"]  # not before both are over
    cid = world.world.player("cid")
    assert place_after(world.number, first, cid) is None
    end(world, second, "cid", "ann")
    assert world.order == ["cid", "ann", "bob"]
    assert place_after(world.number, first, cid) == LadderPlace("Visavis", 1, "ann", is_ahead=True)
    assert place_after(world.number, second, world.world.player("bob")) is None
    assert differences() == []


def test_e28_a_point_each_is_a_draw() -> None:
    world = two_boards()
    first, second = world.climb("cid", "ann").boards
    end(world, first, "cid", "ann")
    end(world, second, "ann", "cid")
    assert world.order == ["ann", "cid", "bob"]


def test_e8_thirty_days_of_silence_lead_off_the_ladder() -> None:
    world = LadderWorld("ann", "bob", "cid")
    wait(world, 24, "ann", "bob")
    assert world.letters("contest-warned") == ["cid"]
    wait(world, 8, "ann", "bob")
    assert world.order == ["ann", "bob"]
    assert differences() == []


def test_e29_programs_stay_until_eight_people_are_on_it() -> None:
    make_accounts(ContestWorld().now)
    world = LadderWorld("ann", terms=("--bots=fill",))
    assert world.order == ["bot6", "bot4", "bot2", "ann"]
    board = world.climb("ann", "bot6").boards[0]
    people = [f"p{at}" for at in range(2, 8)]
    for name in people:
        world.say(name, JoinLadder("druid"))
    assert world.order == ["bot6", "bot4", "bot2", "ann", *people]
    world.say("p8", JoinLadder("druid"))
    assert world.order == ["ann", *people, "p8"]
    assert "contest" not in Match.objects.get(pk=board).terms
    assert differences() == []
