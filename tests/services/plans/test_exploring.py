"""Variations for a page: looked at, added, commented, planned, cut, published."""

from __future__ import annotations

import json

import pytest

from clock import NOW
from sarsen.core.errors import UserError
from sarsen.language.commands import Accept, Command, MakeChallenge, PlayMove, QueueMoves, Resign
from sarsen.language.replies import ChallengeStands
from sarsen.services.dispatch import perform
from sarsen.services.plans import exploring
from sarsen.services.plans.exploring import TreeView
from sarsen.services.request import Actor, Player
from sarsen.storage.models import Match, Plan


def _do(player: Player, command: Command) -> object:
    return perform(command, Actor(player), "", NOW)


def _started(ann: Player, bob: Player, *terms: str) -> int:
    made = _do(ann, MakeChallenge("druid", "-size=4", terms, ("ann", "bob")))
    assert isinstance(made, ChallengeStands)
    stands = _do(bob, Accept(made.number))
    assert isinstance(stands, ChallengeStands)
    assert stands.board is not None
    return stands.board


def _player(name: str) -> Player:
    return Player.objects.create(key=name, userid=name, joined_at=NOW)


@pytest.fixture
def ann(db: None) -> Player:
    return _player("ann")


@pytest.fixture
def bob(db: None) -> Player:
    return _player("bob")


@pytest.fixture
def board(ann: Player, bob: Player) -> int:
    """A board on which ann has played a1 and bob d4."""
    board = _started(ann, bob)
    _do(ann, PlayMove("", board, "a1"))
    _do(bob, PlayMove("", board, "d4"))
    return board


def _texts(view: TreeView) -> list[str]:
    return [variation.text for variation in view.variations]


def test_line_is_added_and_looked_at_from_every_place(board: int, ann: Player) -> None:
    view = exploring.view_tree(board, (), ann)
    assert view.game_path == ("a1", "d4")
    assert view.variations == ()
    view = exploring.add(board, view.game_path, ("A 2", "c4", "a3"), ann, NOW)
    assert view.path == ("a1", "d4", "a2", "c4", "a3")
    assert view.position is not None
    assert view.moves == 3
    exploring.add(board, ("a1", "d4"), ("b1",), ann, NOW)
    here = exploring.view_tree(board, ("A1", "D4"), ann)
    assert here.path == ("a1", "d4")
    assert _texts(here) == ["a2", "b1"]
    assert [one.is_mine for one in here.variations] == [True, True]
    assert here.variations[0].moves == 2
    below = exploring.view_tree(board, here.variations[0].path, ann)
    assert [(one.text, one.is_mine) for one in below.variations] == [("c4", False)]
    beginning = exploring.view_tree(board, (), ann)
    assert [one.is_played for one in beginning.variations] == [True]


def test_marked_line_is_played_like_a_queued_one(board: int, ann: Player, bob: Player) -> None:
    view = exploring.add(board, ("a1", "d4"), ("a2", "c4", "a3"), ann, NOW)
    view = exploring.mark(board, view.path, ann, NOW)
    assert view.is_plan
    assert view.plan == "a2; if c4 then a3"
    # The move that is due now is not played by itself.
    assert Match.objects.get().ply == 2
    _do(ann, PlayMove("", board, "a2"))
    _do(bob, PlayMove("", board, "c4"))
    assert Match.objects.get().ply == 5


def test_another_reply_at_the_same_place_takes_the_plan_over(board: int, bob: Player) -> None:
    for reply in ("c4", "b4"):
        view = exploring.add(board, ("a1", "d4"), ("a2", reply), bob, NOW)
        view = exploring.mark(board, view.path, bob, NOW)
    assert view.plan == "if a2 then b4"
    view = exploring.unmark(board, view.path, bob, NOW)
    assert view.plan == ""
    assert not Plan.objects.get().is_active


def test_queue_and_page_show_the_same_plan(board: int, bob: Player) -> None:
    _do(bob, QueueMoves("", board, "if a2 then c4; if any then b4 (if b1 then c1; if any then c2)"))
    view = exploring.view_tree(board, ("a1", "d4"), bob)
    assert view.plan == "if a2 then c4; if any then b4 (if b1 then c1; if any then c2)"
    assert _texts(view) == ["a2", "any"]
    unknown = exploring.view_tree(board, ("a1", "d4", "any"), bob)
    assert unknown.position is None
    assert _texts(unknown) == ["b4"]
    with pytest.raises(UserError) as refused:
        exploring.add(board, unknown.path, ("b1",), bob, NOW)
    assert refused.value.code == "plan-after-any"


def test_comments_are_kept_cleaned_and_bounded(board: int, ann: Player) -> None:
    view = exploring.add(board, ("a1", "d4"), ("a2",), ann, NOW)
    view = exploring.comment(board, view.path, "strong\x07?\u202e \n  see b1 ", ann, NOW)
    assert view.comment == "strong?\n  see b1"
    with pytest.raises(UserError) as refused:
        exploring.comment(board, view.path, "x" * 501, ann, NOW)
    assert refused.value.code == "comment-too-long"
    assert exploring.comment(board, view.path, "", ann, NOW).comment == ""


def test_cutting_looks_at_what_comes_before(board: int, ann: Player) -> None:
    view = exploring.add(board, ("a1", "d4"), ("a2", "c4", "a3"), ann, NOW)
    view = exploring.cut(board, view.path[:4], ann, NOW)
    assert view.path == ("a1", "d4", "a2")
    assert view.variations == ()
    with pytest.raises(UserError) as refused:
        exploring.cut(board, (*view.path, "c4"), ann, NOW)
    assert refused.value.code == "unknown-variation"


def test_lines_that_cannot_be_planned_are_refused(board: int, ann: Player) -> None:
    elsewhere = exploring.add(board, ("a1",), ("b4", "a2"), ann, NOW)
    with pytest.raises(UserError) as refused:
        exploring.mark(board, elsewhere.path, ann, NOW)
    assert refused.value.code == "plan-elsewhere"
    open_end = exploring.add(board, ("a1", "d4"), ("a2", "c4"), ann, NOW)
    with pytest.raises(UserError) as refused:
        exploring.mark(board, open_end.path, ann, NOW)
    assert refused.value.code == "plan-end"


def test_watcher_may_explore_and_not_plan(board: int) -> None:
    eve = _player("eve")
    view = exploring.add(board, ("a1", "d4"), ("a2",), eve, NOW)
    assert view.can_change
    assert not view.can_plan
    with pytest.raises(UserError) as refused:
        exploring.mark(board, view.path, eve, NOW)
    assert refused.value.code == "not-your-board"


def test_illegal_moves_and_paths_change_nothing(board: int, ann: Player) -> None:
    with pytest.raises(UserError) as refused:
        exploring.add(board, ("a1", "d4"), ("a2", "a1"), ann, NOW)
    assert refused.value.code.startswith("druid.")
    with pytest.raises(UserError) as refused:
        exploring.view_tree(board, ("a1", "zz"), ann)
    assert refused.value.code.startswith("druid.")
    assert not Plan.objects.exists()


def test_tree_is_bounded_in_size_and_depth(
    board: int, ann: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.services.plans.stored_trees.MAX_MOVES", 4)
    monkeypatch.setattr("sarsen.services.plans.stored_trees.DEEPEST", 3)
    with pytest.raises(UserError) as refused:
        exploring.add(board, ("a1", "d4"), ("a2", "c4", "a3", "b4"), ann, NOW)
    assert refused.value.code == "plan-too-deep"
    with pytest.raises(UserError) as refused:
        exploring.view_tree(board, ("a1", "d4", *["a2", "c4", "a3", "b4"]), ann)
    assert refused.value.code == "plan-too-deep"
    exploring.add(board, ("a1", "d4"), ("a2", "c4", "a3"), ann, NOW)
    with pytest.raises(UserError) as refused:
        exploring.add(board, ("a1", "d4"), ("b1", "c4"), ann, NOW)
    assert refused.value.code == "plan-too-large"
    assert exploring.view_tree(board, ("a1", "d4"), ann).moves == 3


def test_nobody_sees_a_tree_before_it_is_published(board: int, ann: Player, bob: Player) -> None:
    exploring.add(board, ("a1", "d4"), ("a2", "c4"), ann, NOW)
    for viewer in (bob, None):
        with pytest.raises(UserError) as refused:
            exploring.view_tree(board, ("a1", "d4"), viewer, owner="ann")
        assert refused.value.code == "plan-private"
    assert exploring.view_tree(board, ("a1", "d4"), bob).variations == ()
    with pytest.raises(UserError) as refused:
        exploring.publish(board, ann, NOW)
    assert refused.value.code == "plan-running"
    # Even a mark in the store shows nothing while the game runs.
    Plan.objects.update(is_public=True)
    with pytest.raises(UserError):
        exploring.view_tree(board, (), bob, owner="ann")
    assert exploring.owners_of_public_trees(board, bob) == ()
    Plan.objects.update(is_public=False)
    _do(bob, Resign("", board, confirmed=True))
    assert exploring.owners_of_public_trees(board, None) == ()
    with pytest.raises(UserError):
        exploring.view_tree(board, (), None, owner="ann")
    exploring.publish(board, ann, NOW)
    assert exploring.owners_of_public_trees(board, None) == ("ann",)
    seen = exploring.view_tree(board, ("a1", "d4"), None, owner="ann")
    assert _texts(seen) == ["a2"]
    assert not seen.can_change
    with pytest.raises(UserError):
        exploring.cut(board, ("a1", "d4", "a2"), bob, NOW)
    exploring.publish(board, ann, NOW, is_public=False)
    with pytest.raises(UserError):
        exploring.view_tree(board, (), bob, owner="ann")


def test_private_board_hides_published_trees_from_others(ann: Player, bob: Player) -> None:
    board = _started(ann, bob, "--private")
    exploring.add(board, (), ("a1",), ann, NOW)
    _do(bob, Resign("", board, confirmed=True))
    exploring.publish(board, ann, NOW)
    eve = _player("eve")
    for viewer in (eve, None):
        with pytest.raises(UserError) as refused:
            exploring.view_tree(board, (), viewer, owner="ann")
        assert refused.value.code == "unknown-board"
    with pytest.raises(UserError):
        exploring.add(board, (), ("a1",), eve, NOW)


def test_exploration_off_closes_every_door_until_the_end(ann: Player, bob: Player) -> None:
    board = _started(ann, bob, "--exploration=off")
    deeds = (
        lambda: exploring.view_tree(board, (), ann),
        lambda: exploring.add(board, (), ("a1",), ann, NOW),
        lambda: exploring.comment(board, ("a1",), "x", ann, NOW),
        lambda: exploring.mark(board, ("a1",), ann, NOW),
    )
    for deed in deeds:
        with pytest.raises(UserError) as refused:
            deed()
        assert refused.value.code == "exploration-off"
    _do(bob, Resign("", board, confirmed=True))
    assert exploring.add(board, (), ("a1",), ann, NOW).moves == 1


def test_variations_stay_when_moves_are_played_over_them(
    board: int, ann: Player, bob: Player
) -> None:
    exploring.add(board, ("a1", "d4"), ("a2", "c4"), ann, NOW)
    _do(ann, PlayMove("", board, "b1"))
    assert _texts(exploring.view_tree(board, ("a1", "d4"), ann)) == ["a2"]
    assert exploring.view_tree(board, ("a1", "d4", "b1"), ann).variations == ()


@pytest.mark.django_db(transaction=True)
def test_every_change_is_a_transaction_of_its_own() -> None:
    ann, bob = _player("ann"), _player("bob")
    board = _started(ann, bob)
    view = exploring.add(board, (), ("a1", "d4", "a2"), ann, NOW)
    view = exploring.mark(board, view.path, ann, NOW)
    view = exploring.comment(board, view.path, "perhaps", ann, NOW)
    view = exploring.unmark(board, view.path, ann, NOW)
    view = exploring.cut(board, view.path, ann, NOW)
    assert view.moves == 2
    _do(bob, Resign("", board, confirmed=True))
    exploring.publish(board, ann, NOW)


def test_comment_holds_no_address_that_acts_for_its_writer(board: int, ann: Player) -> None:
    view = exploring.add(board, ("a1", "d4"), ("b2",), ann, NOW)
    secret = "board-1-0-3-2-0-7odoe63j4irybt4y4sxp@sarsen.test"
    with pytest.raises(UserError) as refused:
        exploring.comment(board, view.path, f"see {secret}", ann, NOW)
    assert refused.value.code == "private-address"
    # One that is stored already is not published.
    exploring.comment(board, view.path, "see HERE", ann, NOW)
    plan = Plan.objects.get(player=ann)
    plan.tree = json.loads(json.dumps(plan.tree).replace("HERE", secret))
    plan.save()
    _do(ann, Resign("", board, confirmed=True))
    with pytest.raises(UserError) as refused:
        exploring.publish(board, ann, NOW)
    assert refused.value.code == "private-address"
