"""Plans: kept, judged, followed, dropped, bounded, and nobody else's business."""

from __future__ import annotations

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from sarsen.core.errors import UserError
from sarsen.language.commands import (
    AnswerOffer,
    AskUndo,
    MakeChallenge,
    PlayMove,
    QueueMoves,
    Submit,
)
from sarsen.language.moves import Confirm
from sarsen.language.replies import (
    ChallengeStands,
    DroppedMove,
    FollowedMove,
    Moved,
    PlanKept,
    PlanShown,
    decode,
    encode,
)
from sarsen.language.translating import translated, use_language
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.dispatch import perform
from sarsen.services.plans.following import follow_event
from sarsen.services.request import NOBODY, Actor, BoardEvent, Request
from sarsen.storage.models import MatchEvent, Plan, Player
from services.plans.conftest import Board, make_player

pytestmark = pytest.mark.postgres


def test_first_move_is_played_at_once_when_it_is_my_turn(board: Board) -> None:
    reply = board.queue("ann", "a1; if d4 then a2; if any then b1")
    assert isinstance(reply, PlanKept)
    assert reply.played == Moved(board.number, 1, "a1", 1)
    assert reply.plan == "if d4 then a2; if any then b1"
    assert board.texts == ["a1"]


def test_planned_answer_is_played_in_the_transaction_of_the_move(board: Board) -> None:
    board.queue("ann", "a1; if d4 then a2; if any then b1")
    moved = board.move("bob", "d4")
    assert moved.followed == (FollowedMove("ann", 3, "a2"),)
    assert moved.ply == 2
    assert moved.shown_boards[0].ply == 3
    assert board.texts == ["a1", "d4", "a2"]
    assert not Plan.objects.get().is_active
    assert decode(encode(moved)) == moved


def test_any_answer_without_a_line_of_its_own_gets_the_reply_to_any(board: Board) -> None:
    board.queue("ann", "a1; if any then b1; if d4 then a2")
    assert board.move("bob", "c4").followed == (FollowedMove("ann", 3, "b1"),)


def test_first_move_waits_as_the_answer_to_anything_when_it_is_not_my_turn(board: Board) -> None:
    reply = board.queue("bob", "d4; if a2 then c4")
    assert reply == PlanKept(board.number, "if any then d4, if a2 then c4")
    board.move("ann", "a1")
    board.move("ann", "a2")
    assert board.texts == ["a1", "d4", "a2", "c4"]


def test_both_sides_may_have_plans_and_the_chain_ends(board: Board) -> None:
    board.queue("bob", "if a1 then d4, if a2 then c4, if a3 then b4")
    moved = board.queue("ann", "a1; if d4 then a2, if any then a3")
    assert isinstance(moved, PlanKept)
    assert board.texts == ["a1", "d4", "a2", "c4", "a3", "b4"]
    assert moved.played is not None
    assert [one.player for one in moved.played.followed] == ["bob", "", "bob", "", "bob"]
    assert moved.plan == ""
    assert moved.shown_boards[0].ply == 6


def test_chain_is_bounded(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sarsen.services.plans.following.MAX_FOLLOWED", 2)
    board.queue("bob", "if a1 then d4, if a2 then c4, if a3 then b4")
    board.queue("ann", "a1; if d4 then a2, if any then a3")
    assert board.texts == ["a1", "d4", "a2"]
    assert board.queue("bob") == PlanShown(board.number, "c4; if a3 then b4", 3)
    board.move("bob", "c4")
    assert board.texts == ["a1", "d4", "a2", "c4", "a3", "b4"]


def test_plan_may_end_the_game(db: None) -> None:
    board = Board("druid", "-size=3")
    board.queue("ann", "a1; if any then a2, if any then a3, if any then b1")
    board.move("bob", "c1")
    board.move("bob", "c2")
    assert board.match.scores == [1.0, 0.0]
    assert board.texts == ["a1", "c1", "a2", "c2", "a3"]
    letter = board.letters("ann")[-1]
    assert letter.event == "ended"
    assert letter.facts["plan"]["by_plan"] == [5]
    with pytest.raises(UserError) as refused:
        board.queue("ann", "b1")
    assert refused.value.code == "board-finished"


def test_move_that_is_illegal_when_its_turn_comes_is_dropped_with_its_line(board: Board) -> None:
    board.queue("ann", "a1; if any then d4, if any then d3; if c4 then b4")
    moved = board.move("bob", "d4")
    assert board.texts == ["a1", "d4"]
    assert moved.followed == ()
    # It is the owner's business alone.
    assert moved.dropped == ()
    (letter,) = board.letters("ann")[-1:]
    text, why = letter.facts["plan"]["dropped"][0]
    assert text == "d4"
    with use_language("de"):
        assert translated(decode(why)).startswith("V baut auf dem Boden oder auf eigenen Steinen")
    assert letter.event == "turn"
    assert board.queue("ann") == PlanShown(board.number, "", 9)


def test_my_own_move_is_answered_with_what_my_plan_lost_by_it(board: Board) -> None:
    board.queue("bob", "if a1 then d4")
    reply = board.queue("ann", "a1; if any then d4")
    assert isinstance(reply, PlanKept)
    assert reply.played is not None
    assert [one.text for one in reply.played.dropped] == ["d4"]
    assert isinstance(reply.played.dropped[0], DroppedMove)
    assert reply.played.followed == (FollowedMove("bob", 2, "d4"),)
    assert board.texts == ["a1", "d4"]


def test_answer_after_any_that_no_rule_allows_is_dropped_when_that_is_known(board: Board) -> None:
    board.queue("ann", "a1; if any then b1 (if a1 then c1; if D3 then d2; if zz then c3)")
    moved = board.move("bob", "d4")
    assert moved.followed == (FollowedMove("ann", 3, "b1"),)
    dropped = board.letters("ann")[-1].facts["plan"]["dropped"]
    assert [text for text, _ in dropped] == ["if a1", "if zz"]
    # The rest is in full form now.
    assert board.queue("ann") == PlanShown(board.number, "if d3 then d2", 14)
    board.move("bob", "d3")
    assert board.texts[-1] == "d2"


def test_plan_without_a_line_for_what_was_played_waits_no_more(board: Board) -> None:
    board.queue("ann", "a1; if d4 then a2")
    board.move("bob", "c4")
    assert board.texts == ["a1", "c4"]
    letter = board.letters("ann")[-1]
    assert letter.facts["plan"] == {"uncovered": True}
    assert board.queue("ann") == PlanShown(board.number, "", 2)
    board.move("ann", "b1")
    board.move("bob", "d4")
    assert len(board.texts) == 4


def test_one_letter_tells_the_owner_what_the_plan_played(board: Board) -> None:
    board.queue("bob", "if a1 then d4")
    before = len(board.letters("bob"))
    board.move("ann", "a1")
    (letter,) = board.letters("bob")[before:]
    assert letter.event == "plan"
    assert letter.facts["plan"] == {"began": 1, "by_plan": [2], "is_own": True}
    assert letter.facts["ply"] == 2


def test_a_player_without_letters_about_plans_still_hears_of_the_turn(board: Board) -> None:
    Player.objects.filter(key="ann").update(channels={"plan": "none"})
    board.queue("ann", "a1; if any then d4")
    board.move("bob", "d4")
    assert board.letters("ann")[-1].event == "turn"
    Player.objects.filter(key="bob").update(channels={"turn": "none"})
    board.queue("bob", "if any then c1")
    before = len(board.letters("bob"))
    board.queue("ann", "c1")
    # The dropped move is told though turns are not.
    (letter,) = board.letters("bob")[before:]
    assert letter.event == "plan"


def test_plan_survives_when_moves_are_taken_back(board: Board) -> None:
    board.queue("bob", "if a1 then d4; if b1 then c4")
    board.move("ann", "a1")
    assert board.texts == ["a1", "d4"]
    assert not Plan.objects.get().is_active
    board.do("ann", AskUndo("", board.number))
    board.do("bob", AnswerOffer("", board.number, accepts=True))
    assert board.match.ply == 0
    assert Plan.objects.get().is_active
    assert board.queue("bob") == PlanShown(board.number, "if a1 then d4; if b1 then c4", 4)
    assert board.move("ann", "b1").followed == (FollowedMove("bob", 2, "c4"),)


def test_owner_is_told_that_the_plan_holds_again_and_it_waits_for_a_move(board: Board) -> None:
    board.queue("bob", "if a1 then d4")
    board.move("ann", "a1")
    board.do("bob", AskUndo("", board.number))
    board.do("ann", AnswerOffer("", board.number, accepts=True))
    assert board.letters("bob")[-1].facts["plan"] == {"again": True}
    # The owner took it back: nothing is played before somebody moves.
    assert board.queue("bob") == PlanShown(board.number, "d4", 1)
    assert board.texts == ["a1", "d4"]
    assert board.match.ply == 1
    board.move("bob", "c4")
    assert board.queue("bob") == PlanShown(board.number, "", 1)


def test_confirmed_move_sets_plans_off_like_a_typed_one(board: Board) -> None:
    board.queue("bob", "if a1 then d4")
    board.do("ann", Submit("", board.number, "a1"))
    assert board.texts == []
    board.do("ann", Confirm("", board.number))
    assert board.texts == ["a1", "d4"]


def test_seat_played_by_a_plan_is_recorded_at_the_same_moment(board: Board) -> None:
    board.queue("bob", "if a1 then d4")
    board.move("ann", "a1")
    first, second = MatchEvent.objects.order_by("number")
    assert (first.at, first.seat, second.seat) == (second.at, 0, 1)


def test_player_of_both_sides_can_plan_the_other_side(db: None) -> None:
    ann = Actor(make_player("ann"))
    now = timezone.now()
    made = perform(MakeChallenge("druid", "-size=4", (), ("ann", "ann")), ann, "", now)
    assert isinstance(made, ChallengeStands)
    assert made.board is not None
    perform(QueueMoves("", made.board, "a1; if d4 then a2"), ann, "", now)
    moved = perform(PlayMove("", made.board, "d4"), ann, "", now)
    assert isinstance(moved, Moved)
    assert moved.followed == (FollowedMove("", 3, "a2"),)


def test_time_of_the_seat_that_a_plan_plays_for_does_not_run(db: None) -> None:
    board = Board("druid", "-size=4", "--totaltime=10")
    before = board.match.seats.get(seat=1).reserve
    board.queue("bob", "if a1 then d4")
    board.move("ann", "a1")
    assert board.texts == ["a1", "d4"]
    assert before == 10 * 86_400
    assert board.match.seats.get(seat=1).reserve == before


def test_move_at_a_board_without_plans_costs_one_question_more(
    board: Board, django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    board.queue("bob", "if a1 then d4")
    board.queue("bob", "off")
    request = Request(NOBODY, timezone.now(), AFTER_EVENTS)
    event = BoardEvent(board.match, "move", 0, request)
    with django_assert_num_queries(1):
        assert follow_event(event).followed == ()
