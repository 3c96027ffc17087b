"""Ladders: made, climbed and shown (E25, E26, E36), and compared by verify."""

from __future__ import annotations

from datetime import timedelta

import pytest

from contest_world import DAY, ContestWorld
from ladder_world import LETTERS, LadderWorld, differences, two_boards, wait, write_all
from sarsen.core.errors import UserError
from sarsen.language.commands import (
    ClimbLadder,
    CorrectContest,
    JoinContest,
    LeaveContest,
    LeaveLadder,
    Limit,
    MakeContest,
    Refuse,
    ShowContest,
    ShowLadder,
    TakeVacation,
)
from sarsen.language.contests.ladders import LadderJoined, LadderLeft, LadderMade
from sarsen.language.moves import PlayMove
from sarsen.language.ratings import Table
from sarsen.language.translating import sentence
from sarsen.services.contests.formats.ladder import Standing, standing
from sarsen.services.contests.log import find, read
from sarsen.storage.models import Contest, ContestBoard, ContestEvent, Heartbeat, Match

pytestmark = pytest.mark.django_db

pytestmark = pytest.mark.django_db


@pytest.fixture
def five() -> LadderWorld:
    return LadderWorld(*LETTERS)


def test_a_ladder_is_made_entered_climbed_and_left_in_plain_sentences() -> None:
    world = LadderWorld("ann", options="")
    made = world.say("bob", JoinContest(world.number))
    assert isinstance(made, LadderJoined)
    assert sentence(made) == "You are on the Druid ladder, at place 2."
    assert made.nearest == "ann"
    reply = world.climb("bob", "ann")
    assert sentence(reply) == (
        f"You climb from place 2 to ann's place 1: board {reply.boards[0]} has started. "
        "ann moves first. 1 of 3 climbs."
    )
    left = world.say("bob", LeaveContest(world.number))
    assert isinstance(left, LadderLeft)
    assert sentence(left) == (
        "You have left the Druid ladder. 1 running game goes on as an ordinary one."
    )


def test_a_game_has_one_ladder(five: LadderWorld) -> None:
    with pytest.raises(UserError, match="a Druid ladder already") as refusal:
        five.say("bob", MakeContest("druid", "ladder", "-size=6"))
    assert (refusal.value.code, refusal.value.hint) == ("contest.ladder", "druid ladder")
    assert isinstance(five.say("bob", MakeContest("gyges", "ladder")), LadderMade)


def test_where_there_is_none_the_hint_makes_one() -> None:
    world = ContestWorld()
    with pytest.raises(UserError, match="no Druid ladder") as refusal:
        world.say("ann", ShowLadder("druid"))
    assert refusal.value.code == "unknown-contest"
    assert refusal.value.hint == "contest new druid ladder"


def test_a_ladder_has_no_last_day_of_entry() -> None:
    world = ContestWorld()
    with pytest.raises(UserError) as refusal:
        world.say("ann", MakeContest("druid", "ladder", terms=("--starts=2027-01-01",)))
    assert refusal.value.code == "unknown-option"
    assert refusal.value.hint == "contest new druid ladder"


def test_e2_clocks_come_from_the_days_of_a_climb(five: LadderWorld) -> None:
    contest = Contest.objects.get()
    assert contest.law["days"] == 60
    assert contest.terms["totaltime"] == 20
    assert contest.terms["increment"] == 0.5
    assert contest.ends_at is None
    assert contest.state == "running"


def test_the_list_says_whom_the_reader_may_climb(five: LadderWorld) -> None:
    five.climb("eva", "bob")
    assert five.lines("cid") == [
        ("1", "ann", "", "yes"),
        ("2", "bob", "1", "yes"),
        ("3", "cid", "", ""),
        ("4", "dora", "", ""),
        ("5", "eva", "1", ""),
    ]
    # Those who are not on it see no last column.
    assert five.lines("fay")[0] == ("1", "ann", "")
    table = five.say("cid", ShowContest(five.number))
    assert isinstance(table, Table)
    assert table == five.say("cid", ShowLadder("druid"))
    assert "It is open to everybody, and never ends. Running boards: 1." in str(table.title)


@pytest.mark.parametrize(
    ("end", "order"),
    [
        ("won", "ann eva bob cid dora"),
        ("drawn", "ann bob eva cid dora"),
        ("lost", "ann bob cid dora eva"),
    ],
)
def test_e26_a_climb_changes_places_when_it_ends(five: LadderWorld, end: str, order: str) -> None:
    five.climb("eva", "bob")
    match end:
        case "won":
            five.win("eva", "bob")
        case "lost":
            five.win("bob", "eva")
        case "drawn":
            five.draw("bob", "eva")
    assert five.order == order.split()
    assert differences() == []


@pytest.mark.parametrize(
    ("moves", "order"), [(0, "ann cid dora eva bob fay"), (1, "ann bob cid dora fay eva")]
)
def test_e26_a_loss_on_time_puts_the_loser_below(moves: int, order: str) -> None:
    world = LadderWorld(*LETTERS, "fay")
    board = world.climb("eva", "bob").boards[0]
    for _ in range(moves):
        world.move(board)
    world.wait(20 * DAY)
    assert Match.objects.get(pk=board).ended_at is not None
    # The challenger who is late goes to the foot, below fay; the defender right below eva.
    assert world.order == order.split()
    assert differences() == []


def test_e26_nothing_changes_if_the_challenger_stands_above_by_then(five: LadderWorld) -> None:
    five.climb("eva", "bob")
    five.climb("eva", "ann")
    five.win("eva", "ann")
    assert five.order == ["eva", "ann", "bob", "cid", "dora"]
    five.win("eva", "bob")
    assert five.order == ["eva", "ann", "bob", "cid", "dora"]


def test_e25_one_climbs_five_places_or_a_tenth() -> None:
    names = [f"p{at}" for at in range(1, 9)]
    world = LadderWorld(*names)
    code, hint, text = world.refused("p7", ClimbLadder("druid", "p1"))
    assert (code, hint) == ("ladder.range", "druid climb p2")
    assert text == "p1 is 6 places above you; you can climb 5 places at once."
    world.climb("p7", "p2")
    for entrants, reach in ((50, 5), (51, 6), (60, 6), (61, 7), (101, 11)):
        assert Standing(tuple(range(1, entrants + 1)), ()).reach == reach


def test_e25_nobody_climbs_downwards_or_from_outside(five: LadderWorld) -> None:
    assert five.refused("ann", ClimbLadder("druid", "bob"))[:2] == ("ladder.below", "druid ladder")
    assert five.refused("ann", ClimbLadder("druid", "ann"))[0] == "ladder.below"
    five.world.player("fay")
    assert five.refused("fay", ClimbLadder("druid", "bob"))[:2] == (
        "ladder.not-in",
        "druid ladder join",
    )
    assert five.refused("ann", ClimbLadder("druid", "fay"))[:2] == ("ladder.not-in", "druid ladder")


def test_e25_it_starts_at_once_and_refuse_and_limit_do_not_shield(five: LadderWorld) -> None:
    five.say("bob", Refuse(("eva",)))
    five.say("bob", Limit(0))
    board = five.climb("eva", "bob").boards[0]
    match = Match.objects.get(pk=board)
    assert [row.player.userid for row in match.seat_rows] == ["bob", "eva"]  # the defender first
    assert five.letters("contest-climbed") == ["bob"]
    assert five.letters("board") == ["bob"]
    assert match.terms["contest"] == five.number
    assert ContestBoard.objects.get().key == "c1.2-5.g1"


def test_e25_three_climbs_and_three_defences() -> None:
    world = LadderWorld(*LETTERS, "fay")
    for name in ("ann", "bob", "cid"):
        assert world.climb("fay", name).most == 3
    code, hint, text = world.refused("fay", ClimbLadder("druid", "dora"))
    assert (code, hint) == ("ladder.full", "druid ladder")
    assert text.startswith("3 climbs of yours")
    for name in ("dora", "eva"):
        world.climb(name, "ann")
    code, _, text = world.refused("cid", ClimbLadder("druid", "ann"))
    assert code == "ladder.full"
    assert text.startswith("ann is being climbed by 3 players")
    world.win("ann", "dora")
    world.climb("cid", "ann")


def test_e25_paused_boards_do_not_count_and_players_on_vacation_are_not_climbed() -> None:
    world = LadderWorld(*LETTERS)
    for name in ("ann", "bob", "cid"):
        world.climb("eva", name)
    assert world.refused("eva", ClimbLadder("druid", "dora"))[0] == "ladder.full"
    today = world.now.date()
    world.say("bob", TakeVacation(today.isoformat(), (today + 3 * DAY).isoformat()))
    world.now += timedelta(minutes=1)
    climbed = world.climb("eva", "dora")
    assert climbed.climbs == 3  # the one against bob is paused
    code, hint, text = world.refused("dora", ClimbLadder("druid", "bob"))
    assert (code, hint) == ("ladder.vacation", "druid ladder")
    assert f"from {(today + 4 * DAY):%a} {(today + 4 * DAY).day}" in text


def test_e25_no_rematch_for_seven_days(five: LadderWorld) -> None:
    board = five.climb("eva", "bob").boards[0]
    code, hint, text = five.refused("eva", ClimbLadder("druid", "bob"))
    assert (code, hint) == ("ladder.rematch", f"druid show {board}")
    five.win("eva", "bob")
    code, hint, text = five.refused("bob", ClimbLadder("druid", "eva"))
    assert (code, hint) == ("ladder.rematch", "druid ladder")
    day = five.now + 8 * DAY
    assert f"from {day:%a} {day.day} {day:%b} on" in text
    five.now += 7 * DAY - timedelta(seconds=1)
    assert five.refused("bob", ClimbLadder("druid", "eva"))[0] == "ladder.rematch"
    five.now += timedelta(seconds=1)
    five.climb("bob", "eva")


def test_e36_a_correction_changes_the_order(five: LadderWorld) -> None:
    board = five.climb("eva", "bob").boards[0]
    five.win("eva", "bob")
    operator = five.world.player("opa")
    operator.is_staff = True
    operator.save()
    five.say("opa", CorrectContest(five.number, board, "1-0", "wrong board"))
    assert five.order == list(LETTERS)
    five.say("opa", CorrectContest(five.number, board, "void", "wrong board"))
    assert five.order == list(LETTERS)
    assert differences() == []


def test_e5_a_sweep_two_days_late_writes_the_same_log() -> None:
    logs = []
    for late in (timedelta(), 2 * DAY):
        world = LadderWorld("ann", "bob", "cid")
        start = world.now
        wait(world, 50, "ann", "bob", "cid")
        world.climb("cid", "ann")
        world.win("cid", "ann")
        for days in (54, 61, 75):
            world.now = start + days * DAY + late
            Heartbeat.objects.update_or_create(name="clocks", defaults={"at": world.now})
            write_all(world, "ann", "bob", "cid")
            world.sweep()
        events = ContestEvent.objects.filter(contest=world.number).order_by("number")
        logs.append(
            [
                (event.kind, event.due - start, {**event.facts, "board": 0})
                for event in events
                if event.due <= start + 75 * DAY
            ]
        )
        Contest.objects.filter(pk=world.number).update(state="closed")
    assert logs[0] == logs[1]
    assert [kind for kind, _, _ in logs[0]].count("lowered") == 3


def test_verify_finds_a_planted_change_of_a_result_or_a_place(five: LadderWorld) -> None:
    board = five.climb("eva", "bob").boards[0]
    five.win("eva", "bob")
    five.climb("cid", "bob")
    assert differences() == []
    Match.objects.filter(pk=board).update(scores=[1.0, 0.0])
    assert any("places of c2" in one for one in differences())
    Match.objects.filter(pk=board).update(scores=[0.0, 1.0])
    event = ContestEvent.objects.filter(kind="board").latest("pk")
    event.facts["places"] = [5, 1]
    event.save()
    assert any("places of c2" in one for one in differences())


def test_a_move_at_a_climb_is_an_ordinary_move(five: LadderWorld) -> None:
    board = five.climb("eva", "bob").boards[0]
    five.say("bob", PlayMove("druid", board, "a1"))
    assert standing(read(find(five.number)).state).own_climbs(5) == 1


def test_verify_finds_a_loss_of_a_place_that_came_too_early() -> None:
    world = LadderWorld("ann", "bob")
    wait(world, 62, "ann", "bob")
    event = ContestEvent.objects.filter(kind="lowered").earliest("pk")
    assert differences() == []
    event.due -= 2 * DAY
    event.save()
    assert any(f"event {event.number}" in one for one in differences())


def test_verify_finds_boards_that_belong_to_the_ladder_or_not(five: LadderWorld) -> None:
    ordinary = five.climb("eva", "bob").boards[0]
    five.say("bob", LeaveLadder("druid"))
    played = five.climb("eva", "cid").boards[0]
    assert differences() == []
    for board, number in ((ordinary, five.number), (played, None)):
        match = Match.objects.get(pk=board)
        match.terms["contest"] = number
        match.save()
        assert any(f"contest of board {board}" in one for one in differences())
    ContestBoard.objects.filter(match=played).update(key="c9.3-5.g1")
    assert any("c9.3-5.g1" in one for one in differences())


def test_the_law_has_a_sentence_for_each_clause(five: LadderWorld) -> None:
    table = five.say("ann", ShowContest(five.number, "law"))
    assert isinstance(table, Table)
    law = " ".join(str(row[0]) for row in table.rows)
    for clause in (
        "five places above you",  # E25
        "nobody declines",  # E26
        "changes places when it ends",  # E27
        "lose one place every 7 days",  # E28
        "go on as ordinary ones",
    ):
        assert clause in law
    assert "two games" not in law
    solved = two_boards().say("ann", ShowContest(Contest.objects.latest("pk").pk, "law"))
    assert isinstance(solved, Table)
    assert any("A climb is two games" in str(row[0]) for row in solved.rows)
