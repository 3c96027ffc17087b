"""The operators' page of contests: what stands still there, and what can be put right."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.contrib.admin.models import LogEntry
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from contest_world import DAY, ContestWorld
from sarsen.language.commands import ClimbLadder, JoinLadder, LeaveContest, MakeContest
from sarsen.language.contests.ladders import LadderMade
from sarsen.services.accounts.sessions import BEGAN
from sarsen.services.admin.roles import add_operator
from sarsen.services.contests.views.standing import view_standing
from sarsen.storage.models import Contest, Match, Player
from visitor import Visitor

pytestmark = pytest.mark.django_db
PAGE = "/operator/contests/"


@pytest.fixture
def four() -> ContestWorld:
    """Return a contest of four of today, which runs."""
    world = ContestWorld(timezone.now() - timedelta(days=1))
    world.make("ann", "bob", "cid", "dora", game="druid", options="-size=5")
    return world


def operator(world: ContestWorld) -> Visitor:
    """Return the browser of an operator who has just logged in."""
    world.world.player("olga")
    add_operator("olga", world.now)
    visitor = Visitor(Player.objects.get(key="olga"))
    session = visitor.client.session
    session[BEGAN] = timezone.now().isoformat()
    session.save()
    return visitor


def test_the_page_and_its_forms_are_there_for_operators_only(four: ContestWorld) -> None:
    dora = Client()
    dora.force_login(four.world.player("dora"))
    form = {"action": "withdraw", "contest": str(four.number), "player": "ann", "reason": "gone"}
    for client in (Client(), dora):
        assert client.get(PAGE).status_code == 404
        assert client.post(PAGE, form).status_code == 404
    assert "withdrawn" not in four.kinds()


def test_the_turn_that_is_oldest_comes_first_with_who_is_to_move(four: ContestWorld) -> None:
    moved = four.board("ann", "bob")
    four.now = timezone.now()
    four.move(moved.pk)
    olga = operator(four)
    olga.go(PAGE)
    rows = olga.tree.xpath("//div[@aria-labelledby='turns']//tbody/tr")
    boards = [int(row.xpath("string(th)")) for row in rows]
    assert len(boards) == 6
    assert boards[-1] == moved.pk
    match = Match.objects.get(pk=boards[0])
    mover = match.seat_rows[match.seat_to_move].player.userid
    assert rows[0].xpath("string(td[1])") == mover
    assert rows[0].xpath("string(td[3])") == f"{match.moved_at:%-d %b %Y, %H:%M}"


def test_a_contest_that_is_late_is_named_here_and_counted_on_the_first_page(
    four: ContestWorld,
) -> None:
    olga = operator(four)
    assert "Contests late 0 more than an hour" in olga.go("/operator/")
    assert "All contests are carried on in time." in olga.go(PAGE)
    since = timezone.now() - timedelta(hours=2)
    Contest.objects.filter(pk=four.number).update(look_at=since)
    assert "Contests late 1 more than an hour" in olga.go("/operator/")
    olga.go(PAGE)
    (row,) = olga.tree.xpath("//div[@aria-labelledby='late']//tbody/tr")
    shown = " ".join(row.text_content().split())
    assert shown.startswith(f"{four.number}, ")
    assert shown.endswith(f"running 4 {since:%-d %b %Y, %H:%M}")


def test_e24_a_contest_that_was_put_off_is_named_with_its_next_date() -> None:
    world = ContestWorld()
    world.make("ann", "bob", game="druid", options="-size=5", most=4)
    olga = operator(world)
    assert "No contest was put off." in olga.go(PAGE)
    world.wait(timedelta(days=16))
    olga.go(PAGE)
    (row,) = olga.tree.xpath("//div[@aria-labelledby='delayed']//tbody/tr")
    starts_at = Contest.objects.get().starts_at
    assert starts_at is not None
    shown = " ".join(row.text_content().split())
    assert "2 of at least 3 1 time" in shown
    assert f"{starts_at - timedelta(days=7):%-d %b %Y, %H:%M}" in shown
    assert shown.endswith(f"{starts_at:%-d %b %Y, %H:%M}")


def test_e36_a_board_is_corrected_from_its_row_and_logged(four: ContestWorld) -> None:
    board, olga = four.board("ann", "bob"), operator(four)
    olga.go(PAGE)
    (link,) = olga.tree.xpath(f"//a[@aria-label='Correct board {board.pk}']/@href")
    olga.go(PAGE + link.partition("#")[0])
    refused = olga.press("Correct the board", correct_result="1-0", correct_reason=" ")
    assert olga.status == 422
    assert "Give a reason" in refused
    done = olga.press("Correct the board", correct_result="1-0", correct_reason="wrong board")
    assert f"Board {board.pk} now counts 1-0 in contest {four.number}: wrong board." in done
    olga.send(*olga.last)  # a double click
    assert four.kinds().count("corrected") == 1
    assert four.points()[board.seat_rows[0].player.userid] == 1.0
    entry = LogEntry.objects.order_by("pk")[0]
    assert entry.user.userid == "olga"
    assert "wrong board" in entry.change_message
    assert sorted(four.letters("contest-corrected")) == ["ann", "bob"]


def test_a_contest_that_all_have_left_waits_for_nobody(four: ContestWorld) -> None:
    number = four.make("ann", most=3, game="druid", options="-size=5")
    four.wait(16 * DAY)
    olga = operator(four)
    assert "1 of at least 3" in olga.go(PAGE)
    four.say("ann", LeaveContest(number))
    assert "No contest was put off." in olga.go(PAGE)


def test_e8_a_player_is_withdrawn_and_everybody_there_reads_why(four: ContestWorld) -> None:
    olga = operator(four)
    olga.go(f"{PAGE}?action=withdraw&contest={four.number}&player=dora")
    done = olga.press("Withdraw the player", withdraw_reason="second account")
    assert f"ora is withdrawn from contest {four.number}: second account." in done
    assert LogEntry.objects.count() == 1
    assert sorted(four.letters("contest-withdrawn")) == ["ann", "bob", "cid", "dora"]
    refused = olga.press(
        "Withdraw the player",
        withdraw_contest=str(four.number),
        withdraw_player="dora",
        withdraw_reason="again",
    )
    assert olga.status == 422
    assert "Nobody of this name plays" in refused
    assert LogEntry.objects.count() == 1


@pytest.mark.parametrize("number", ["", "x", "9" * 30, "99"])
def test_a_number_of_no_contest_is_refused(four: ContestWorld, number: str) -> None:
    olga = operator(four)
    olga.go(PAGE)
    olga.press(
        "Withdraw the player",
        withdraw_contest=number,
        withdraw_player="dora",
        withdraw_reason="gone",
    )
    assert olga.status == 422


def test_the_page_asks_as_much_for_one_contest_as_for_three(four: ContestWorld) -> None:
    olga = operator(four)
    olga.go(PAGE)
    with CaptureQueriesContext(connection) as asked:
        olga.go(PAGE)
    for _ in range(2):
        four.make("ann", "bob", "cid", game="druid", options="-size=5")
    with CaptureQueriesContext(connection) as asked_later:
        olga.go(PAGE)
    assert len(asked_later) == len(asked) < 20


def test_e28_a_board_that_became_an_ordinary_one_is_none_of_the_contest() -> None:
    world = ContestWorld(timezone.now() - timedelta(days=1))
    made = world.say("ann", MakeContest("druid", "ladder", "-size=5"))
    assert isinstance(made, LadderMade)
    world.number = made.number
    for name in ("bob", "cid"):
        world.say(name, JoinLadder("druid"))
    world.say("cid", ClimbLadder("druid", "ann"))
    world.say("bob", ClimbLadder("druid", "ann"))
    freed, kept = world.board("cid", "ann").pk, world.board("bob", "ann").pk
    world.say("cid", LeaveContest(world.number, confirmed=True))
    assert [turn.board for turn in view_standing(timezone.now()).turns] == [kept]
    assert Match.objects.get(pk=freed).ended_at is None
