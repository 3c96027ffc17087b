"""A player's tree of variations in the browser."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

import pytest

from sarsen.storage.models import Match, Plan, Player
from visitor import Visitor

Visit = Callable[..., Visitor]
ENDED = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5 d3"


def test_a_line_is_explored_commented_planned_and_played(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8")
    ann = visit("ann")
    ann.go(f"/boards/{board}/variations/")
    ann.press("Add", moves="b5 b4")
    assert ann.tree.xpath("//*[@id='place']/a[@aria-current]//text()") == ["b4"]
    ann.press("Save comment", comment="Builds a <wall>.")
    assert "Builds a <wall>." in ann.text
    ann.press("Plan this line")
    assert "if b5 then b4" in ann.text
    visit("bob").type(f"move {board} b5")
    assert Match.objects.get(pk=board).ply == 3


def test_a_comment_holds_no_password_of_its_writer(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8")
    player = Player.objects.get(key="ann")
    player.set_password("correct-horse-9")
    Player.objects.filter(pk=player.pk).update(password=player.password)
    ann = visit("ann")
    ann.go(f"/boards/{board}/variations/")
    ann.press("Add", moves="b5 b4")
    ann.press("Save comment", comment="my word is correct-horse-9, you know")
    assert "your password" in ann.text
    assert "correct-horse-9" not in str(Plan.objects.get().tree)


def test_a_branch_is_planned_no_more_and_cut(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8")
    ann = visit("ann")
    ann.go(f"/boards/{board}/variations/")
    ann.press("Add", moves="b5 b4")
    ann.press("Plan this line")
    ann.press("Stop planning this")
    assert "Planned:" not in ann.text
    ann.press("Delete this move and everything after it")
    assert not ann.tree.xpath("//ul[@class='branches']")


def test_the_rule_that_refuses_a_tap_there_is_told_to_the_script(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5")
    ann = visit("ann")
    path = f"/boards/{board}/variations/"
    ann.go(f"{path}?ply=1&try=c3")
    (place,) = ann.tree.xpath("//*[@data-reason]")
    asked = place.get("data-reason")
    assert "c3" in json.loads(ann.client.get(f"{asked}&try=c3").content)["text"]
    for whole in ("d4", "b"):  # a legal move, and no whole one
        assert ann.client.get(f"{asked}&try={whole}").json() == {}


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
    ann.go(f"/boards/{board}/variations/?ply=0")
    ann.press("Add", moves="b8 c3")
    assert ann.status == 200, ann.text
    for other in (bob, nobody):
        other.go(f"/boards/{board}/variations/?of=ann")
        assert other.status == 404
        other.go(f"/boards/{board}/")
        assert "Variations of ann" not in other.text
    ann.press("Show them to everyone")
    for other in (bob, nobody):
        other.go(f"/boards/{board}/")
        assert "Variations of ann" in other.text
        other.go(f"/boards/{board}/variations/?of=ann&ply=0")
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
    assert len(ann.tree.xpath("//*[@id='place']/a")) == 4


def links(visitor: Visitor) -> list[str]:
    return [str(one) for one in visitor.tree.xpath("//*[@class='branches']//a/text()")]


def test_a_visitor_explores_in_the_address_alone(world: Any, visit: Visit) -> None:
    board = world.board(moves=ENDED)
    nobody = visit()
    nobody.go(f"/boards/{board}/variations/?ply=12")
    assert "After 12 of 25 moves" in nobody.text
    assert nobody.tree.xpath("//nav[@class='walk']/a[@rel='next']/@href") == [
        f"/boards/{board}/variations/?ply=13"
    ]
    nobody.press("Try", moves="d3 e4")
    assert "After 12 moves of the game, and then: d3 e4" in nobody.text
    nobody.press("Choose", spot="g7")
    assert nobody.tree.xpath("//p[@class='address']/text()")[0].endswith(
        f"/boards/{board}/variations/?ply=12&try=d3&try=e4&try=g7"
    )
    nobody.press("Try", moves="z9")
    assert nobody.status == 422
    assert "no square z9" in nobody.text
    assert not links(nobody)
    assert not Plan.objects.exists()
    nobody.send(f"/boards/{board}/variations/change/", [("deed", "keep"), ("try", "d3")])
    assert not Plan.objects.exists()


def test_a_spectator_may_keep_a_line(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5")
    eve = visit("eve")
    eve.go(f"/boards/{board}/variations/?ply=1&try=c3&try=d3")
    assert not Plan.objects.exists()
    eve.press("Save this line")
    assert links(eve) == ["c3", "d3"]
    assert "Plan this line" not in eve.text
    # From now on what is tried is kept.
    eve.go(f"/boards/{board}/variations/?ply=1&try=c3")
    eve.press("Add", moves="e3 f3")
    assert links(eve) == ["c3", "d3", "e3", "f3"]
    assert eve.tree.xpath("//*[@class='branches']//li//li//span[@class='ply']/text()") == ["3", "3"]
    assert eve.tree.xpath("//a[@data-beside='up']") == []
    eve.go(f"/boards/{board}/variations/?ply=1&try=c3&try=e3")
    assert eve.tree.xpath("//a[@data-beside='up']/@href") == [
        f"/boards/{board}/variations/?ply=1&try=c3&try=d3"
    ]


def test_nobody_explores_where_that_was_agreed(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8", terms=("--exploration=off",))
    for userid in ("ann", "eve", ""):
        visitor = visit(userid)
        visitor.go(f"/boards/{board}/")
        assert "/variations/" not in visitor.page
        for page in ("", "?try=b5", "moves.json?try=b5"):
            visitor.go(f"/boards/{board}/variations/{page}")
            assert visitor.status == 404
            assert "--exploration=off" in visitor.page


def test_more_branches_than_anybody_looks_at_are_refused_in_words(
    world: Any, visit: Visit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sarsen.services.plans.stored_trees.MAX_MOVES", 3)
    board = world.board(moves="b8")
    ann = visit("ann")
    ann.go(f"/boards/{board}/variations/")
    ann.press("Add", moves="a1 a2 a3 a4")
    assert ann.status == 422
    assert "room for 3 moves" in ann.text
    ann.go(f"/boards/{board}/variations/?try=" + "+".join(["a1"] * 150))
    assert ann.status == 404


def test_a_script_is_told_what_can_be_tapped_at_a_place(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5 b4 a5 b6 d1")
    nobody = visit()
    nobody.go(f"/boards/{board}/variations/moves.json?ply=2&try=b4&try=d1&try=b6&try=d2")
    assert '"b4":{"":"b4","b6":"b4-b6"}' in nobody.page
    nobody.go(f"/boards/{board}/variations/moves.json?ply=2&try=zz")
    assert nobody.status == 422
