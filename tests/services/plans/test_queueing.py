"""Plans as they are given: judged, bounded, shown to their owner, and forgotten."""

from __future__ import annotations

import json

import pytest
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.language.commands import (
    Preview,
    QueueMoves,
    Resign,
)
from sarsen.language.replies import (
    FollowedMove,
    PlanForgotten,
    PlanKept,
    PlanPublished,
    PlanShown,
    Previewed,
    sentence,
)
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards.view import view_board
from sarsen.services.dispatch import perform
from sarsen.services.limits import daily
from sarsen.services.request import Actor
from sarsen.storage.models import Plan
from services.plans.conftest import Board, make_player

pytestmark = pytest.mark.postgres


def test_known_moves_are_judged_now_and_brought_to_full_form(board: Board) -> None:
    reply = board.queue("ann", "A1; if D 4 then a2, if C4 then B1")
    assert isinstance(reply, PlanKept)
    assert reply.plan == "if d4 then a2, if c4 then b1"


@pytest.mark.parametrize(
    ("text", "code", "named"),
    [
        ("a1; if a1 then b1", "druid.", "if a1 then b1"),
        ("a1; if d4 then d4", "druid.", "if d4 then d4"),
        ("a1; if d4 then a2, if any then zz; if c4 then zz", "druid.", "if c4 then zz"),
        ("a1; if d4 then b1; if D4 then c1", "plan-twice", "if D4 then c1"),
        ("zz; if d4 then a2", "druid.", "zz"),
        ("if d4 then a2", "plan-your-turn", "your turn"),
        ("a1; if d4", "plan-unreadable", "if d4"),
    ],
)
def test_refusal_names_the_item_and_the_rule_and_changes_nothing(
    board: Board, text: str, code: str, named: str
) -> None:
    refusal = board.refused("ann", text)
    assert refusal.code.startswith(code)
    assert named in refusal.text


def test_plan_that_goes_on_after_the_end_is_refused(db: None) -> None:
    board = Board("druid", "-size=3")
    for name, text in (("ann", "a1"), ("bob", "c1"), ("ann", "a2"), ("bob", "c2")):
        board.move(name, text)
    assert board.refused("ann", "a3; if any then b1").code == "plan-over"


def test_thousand_branches_are_refused(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    bomb = "a1; " + "; ".join(f"if any then a{n}, if b{n} then c1" for n in range(1000))
    assert board.refused("ann", bomb).code == "plan-too-long"
    monkeypatch.setattr("sarsen.services.plans.queueing.MAX_QUEUED", 10**6)
    nested = "; ".join(f"if x{n} then y" for n in range(1000))
    refusal = board.refused("ann", f"a1; if any then b1 ({nested})")
    assert refusal.code == "plan-too-large"
    assert "room for 400 moves" in refusal.text
    deep = ", ".join(["if any then b1"] * 51)
    assert board.refused("ann", f"a1; {deep}").code == "plan-unreadable"
    monkeypatch.setattr("sarsen.services.plans.stored_trees.DEEPEST", 10)
    deep = ", ".join(["if any then b1"] * 5)
    assert board.refused("ann", f"a1; {deep}").code == "plan-too-deep"


def test_plans_of_a_day_are_bounded(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(daily.MAX_A_DAY, "plan", 2)
    for _ in range(2):
        board.queue("bob", "d4")
    assert board.refused("bob", "d4").code == "plan-flood"


def test_copies_under_any_never_outgrow_the_bound(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.services.plans.stored_trees.MAX_MOVES", 8)
    board.queue("ann", "a1; if any then b1, if any then c1, if any then d1")
    for text in ("a4", "b4", "c4"):
        board.move("bob", text)
    assert board.texts == ["a1", "a4", "b1", "b4", "c1", "c4", "d1"]
    shown = board.queue("ann")
    assert isinstance(shown, PlanShown)
    assert shown.variations <= 8


def test_queue_alone_shows_and_off_forgets(board: Board) -> None:
    assert board.queue("bob") == PlanShown(board.number, "", 0)
    assert board.queue("bob", "off") == PlanForgotten(board.number, "")
    board.queue("bob", "if a1 then d4")
    assert board.queue("bob") == PlanShown(board.number, "if a1 then d4", 2)
    assert board.queue("bob", "OFF") == PlanForgotten(board.number, "if a1 then d4")
    # The variations stay, but nothing is played.
    assert board.queue("bob") == PlanShown(board.number, "", 2)
    assert board.move("ann", "a1").followed == ()


def test_new_plan_takes_the_place_of_the_old_one(board: Board) -> None:
    board.queue("bob", "if a1 then d4; if b1 then c4")
    board.queue("bob", "if b1 then d3")
    assert board.queue("bob") == PlanShown(board.number, "if b1 then d3", 5)
    assert board.move("ann", "a1").followed == ()


def test_only_players_of_the_board_can_queue(board: Board) -> None:
    eve = Actor(make_player("eve"))
    for text in ("a1", "", "off", "publish"):
        with pytest.raises(UserError) as refused:
            perform(QueueMoves("", board.number, text), eve, "", timezone.now())
        assert refused.value.code == "not-your-board"
    with pytest.raises(UserError) as refused:
        perform(QueueMoves("", board.number, "a1"), Actor(), "", timezone.now())
    assert refused.value.code == "who-speaks"


def test_no_view_shows_a_plan_to_anybody_but_its_owner(board: Board) -> None:
    board.queue("bob", "if a1 then d4")
    ann, bob = board.player("ann"), board.player("bob")
    boards = BoardCache()
    boards.load([board.number])
    # Both letters of one move are made from one remembered view.
    mine = view_board(board.number, viewer=bob, personal=True, boards=boards)
    theirs = view_board(board.number, viewer=ann, personal=True, boards=boards)
    assert mine.own is not None
    assert mine.own.plan == "if a1 then d4"
    assert theirs.own is not None
    assert theirs.own.plan == ""
    assert "d4" in "".join(export_lines(bob))
    assert "d4" not in "".join(export_lines(ann))


def test_variations_are_published_after_the_game_only(board: Board) -> None:
    board.queue("bob", "if a1 then d4")
    assert board.refused("bob", "publish").code == "plan-running"
    board.do("ann", Resign("", board.number, confirmed=True))
    assert board.queue("bob", "publish") == PlanPublished(board.number, True)
    assert Plan.objects.get().is_public
    assert board.queue("bob", "unpublish") == PlanPublished(board.number, False)
    assert board.refused("ann", "publish").code == "no-plan"


def test_exploration_off_forbids_previews_and_leaves_the_queue(db: None) -> None:
    board = Board("druid", "-size=4", "--exploration=off")
    with pytest.raises(UserError) as refused:
        board.do("ann", Preview("", board.number, ("a1",)))
    assert refused.value.code == "exploration-off"
    assert "--exploration=off" in refused.value.text
    board.queue("bob", "if a1 then d4")
    assert board.move("ann", "a1").followed == (FollowedMove("bob", 2, "d4"),)
    board.do("ann", Resign("", board.number, confirmed=True))
    board.do("ann", Preview("", board.number, ("a2",)))


def test_preview_says_how_to_plan_the_line_that_was_tried(board: Board) -> None:
    def plan(name: str, *moves: str) -> str:
        reply = board.do(name, Preview("", board.number, moves))
        assert isinstance(reply, Previewed)
        return reply.plan

    assert plan("ann", "A1", "d4", "a2", "c4", "b1") == "a1; if d4 then a2, if c4 then b1"
    assert plan("ann", "a1", "d4", "a2", "c4") == "a1; if d4 then a2"
    assert plan("bob", "a1", "d4", "a2", "c4") == "if a1 then d4, if a2 then c4"
    assert plan("ann", "a1") == ""
    eve = perform(
        Preview("", board.number, ("a1", "d4", "a2")), Actor(make_player("eve")), "", timezone.now()
    )
    assert isinstance(eve, Previewed)
    assert (eve.plan, sentence(eve)) == ("", "")
    board.queue("bob", plan("bob", "a1", "d4"))
    assert board.move("ann", "a1").followed == (FollowedMove("bob", 2, "d4"),)


def test_stored_tree_is_plain_and_small(board: Board) -> None:
    board.queue("bob", "if a1 then d4; if b1 then c4")
    assert len(json.dumps(Plan.objects.get().tree)) < 300
