"""Plans: kept, judged, followed, dropped, bounded, and nobody else's business."""

from __future__ import annotations

import json

import pytest
from django.utils import timezone
from pytest_django import DjangoAssertNumQueries

from sarsen.core.errors import UserError
from sarsen.language.commands import (
    Accept,
    AnswerOffer,
    AskUndo,
    Command,
    MakeChallenge,
    PlayMove,
    Preview,
    QueueMoves,
    Resign,
    Submit,
)
from sarsen.language.moves import Confirm
from sarsen.language.replies import (
    ChallengeStands,
    DroppedMove,
    FollowedMove,
    Moved,
    PlanForgotten,
    PlanKept,
    PlanPublished,
    PlanShown,
    Previewed,
    Reply,
    decode,
    encode,
    sentence,
)
from sarsen.language.translating import speaking, translated
from sarsen.services import limits
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards.view import view_board
from sarsen.services.dispatch import perform
from sarsen.services.plans.following import follow_event
from sarsen.services.request import NOBODY, Actor, BoardEvent, Request
from sarsen.storage.models import Address, Match, MatchEvent, OutgoingMail, Plan, Player

pytestmark = pytest.mark.postgres


class Board:
    """A running board of ann and bob."""

    def __init__(self, game: str = "druid", options: str = "-size=4", *terms: str) -> None:
        self.people = {name: Actor(_player(name)) for name in ("ann", "bob")}
        challenge = MakeChallenge(game, options, terms, ("ann", "bob"))
        made = self.do("ann", challenge)
        assert isinstance(made, ChallengeStands)
        stands = self.do("bob", Accept(made.number))
        assert isinstance(stands, ChallengeStands)
        assert stands.board is not None
        self.number = stands.board

    def do(self, name: str, command: Command) -> Reply:
        return perform(command, self.people[name], "", timezone.now())

    def queue(self, name: str, text: str = "") -> Reply:
        return self.do(name, QueueMoves("", self.number, text))

    def move(self, name: str, text: str) -> Moved:
        moved = self.do(name, PlayMove("", self.number, text))
        assert isinstance(moved, Moved)
        return moved

    def player(self, name: str) -> Player:
        player = self.people[name].player
        assert player is not None
        return player

    @property
    def match(self) -> Match:
        return Match.objects.get(pk=self.number)

    @property
    def texts(self) -> list[str]:
        return list(self.match.events.filter(kind="move").values_list("text", flat=True))

    def refused(self, name: str, text: str) -> UserError:
        """Return the refusal of a plan, which changed nothing."""
        before = (self.texts, list(Plan.objects.values()), OutgoingMail.objects.count())
        with pytest.raises(UserError) as refused:
            self.queue(name, text)
        assert (self.texts, list(Plan.objects.values()), OutgoingMail.objects.count()) == before
        return refused.value

    def letters(self, name: str) -> list[OutgoingMail]:
        found = OutgoingMail.objects.filter(player=self.player(name), kind="board")
        return list(found.order_by("pk"))


def _player(name: str) -> Player:
    now = timezone.now()
    made = Player.objects.create(key=name, userid=name, joined_at=now)
    Address.objects.create(player=made, address=f"{name}@{name}.example", confirmed_at=now)
    return made


@pytest.fixture
def board(db: None) -> Board:
    return Board()


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
    assert moved.shows[0].ply == 3
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
    assert moved.shows[0].ply == 6


def test_chain_is_bounded(board: Board, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("sarsen.services.plans.following.MOST_FOLLOWED", 2)
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
    with speaking("de"):
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
    monkeypatch.setattr("sarsen.services.plans.queueing.LONGEST_TEXT", 10**6)
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
    monkeypatch.setitem(limits.MOST_A_DAY, "plan", 2)
    for _ in range(2):
        board.queue("bob", "d4")
    assert board.refused("bob", "d4").code == "plan-flood"


def test_copies_under_any_never_outgrow_the_bound(
    board: Board, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.services.plans.stored_trees.MOST_MOVES", 8)
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
    ann = Actor(_player("ann"))
    now = timezone.now()
    made = perform(MakeChallenge("druid", "-size=4", (), ("ann", "ann")), ann, "", now)
    assert isinstance(made, ChallengeStands)
    assert made.board is not None
    perform(QueueMoves("", made.board, "a1; if d4 then a2"), ann, "", now)
    moved = perform(PlayMove("", made.board, "d4"), ann, "", now)
    assert isinstance(moved, Moved)
    assert moved.followed == (FollowedMove("", 3, "a2"),)


def test_only_players_of_the_board_can_queue(board: Board) -> None:
    eve = Actor(_player("eve"))
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
        Preview("", board.number, ("a1", "d4", "a2")), Actor(_player("eve")), "", timezone.now()
    )
    assert isinstance(eve, Previewed)
    assert (eve.plan, sentence(eve)) == ("", "")
    board.queue("bob", plan("bob", "a1", "d4"))
    assert board.move("ann", "a1").followed == (FollowedMove("bob", 2, "d4"),)


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


def test_stored_tree_is_plain_and_small(board: Board) -> None:
    board.queue("bob", "if a1 then d4; if b1 then c4")
    assert len(json.dumps(Plan.objects.get().tree)) < 300
