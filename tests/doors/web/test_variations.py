"""A player's tree of variations in the browser."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sarsen.storage.models import Match
from visitor import Visitor

Visit = Callable[..., Visitor]
ENDED = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5 d3"


def test_a_line_is_explored_commented_planned_and_played(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8")
    ann = visit("ann")
    ann.go(f"/boards/{board}/variations/")
    ann.press("Add", moves="b5 b4")
    assert ann.tree.xpath("//nav[@class='line']/a[@aria-current]/text()") == ["b4"]
    ann.press("Keep the comment", comment="Builds a <wall>.")
    assert "Builds a <wall>." in ann.text
    ann.press("Plan this line")
    assert "if b5 then b4" in ann.text
    visit("bob").type(f"move {board} b5")
    assert Match.objects.get(pk=board).ply == 3


def test_a_branch_is_planned_no_more_and_cut(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8")
    ann = visit("ann")
    ann.go(f"/boards/{board}/variations/")
    ann.press("Add", moves="b5 b4")
    ann.press("Plan this line")
    ann.press("Plan this no more")
    assert "Planned:" not in ann.text
    ann.press("Cut this move, and all after it")
    assert not ann.tree.xpath("//ul[@class='branches']")


def test_an_illegal_move_is_refused_and_stays_in_the_field(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8")
    ann = visit("ann")
    ann.go(f"/boards/{board}/variations/")
    ann.press("Add", moves="b5 z9")
    assert ann.status == 422
    assert ann.tree.xpath("//input[@id='moves']/@value") == ["b5 z9"]


def test_variations_are_their_owners_until_they_are_published_after_the_game(
    world: Any, visit: Visit
) -> None:
    board = world.board(moves=ENDED)
    ann, bob, nobody = visit("ann"), visit("bob"), visit()
    ann.go(f"/boards/{board}/variations/?start=1")
    ann.press("Add", moves="b8 c3")
    assert ann.status == 200, ann.text
    for other in (bob, nobody):
        other.go(f"/boards/{board}/variations/?of=ann")
        assert other.status == 404
        other.go(f"/boards/{board}/")
        assert "Variations of ann" not in other.text
    ann.press("Show them to everybody")
    for other in (bob, nobody):
        other.go(f"/boards/{board}/")
        assert "Variations of ann" in other.text
        other.go(f"/boards/{board}/variations/?of=ann&start=1")
        assert "b8" in other.text
        assert not other.tree.xpath("//button[@name='deed']")


def test_variations_of_a_private_board_are_not_there_for_others(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8", terms=("--private",))
    eve = visit("eve")
    eve.go(f"/boards/{board}/variations/")
    assert eve.status == 404


def test_a_long_line_is_a_place_like_any_other(world: Any, visit: Visit) -> None:
    board = world.board(moves=ENDED[: ENDED.rindex(" ")])
    ann = visit("ann")
    ann.go(f"/boards/{board}/variations/")
    ann.press("Add", moves="a1 a2 a3 a4")
    assert ann.status == 200, ann.text
    assert len(ann.tree.xpath("//nav[@class='line']/a")) > 25
