"""What a board's script is told: the taps of each move, and which rule refuses a tap."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.test import Client

from sarsen.doors.web.frame.pictures import inline_picture
from sarsen.games import load
from visitor import Visitor

Visit = Callable[..., Visitor]
DRUID = "b8 b5 b4 a5 b6 d1"


def test_moves_come_by_their_taps_and_not_twice_to_who_has_them(
    world: Any, browser: Client
) -> None:
    board = world.board(moves=DRUID)
    answer = browser.get(f"/boards/{board}/moves.json")
    facts = answer.json()
    assert facts["moves"]["b4"] == {"": "b4", "b6": "b4-b6"}
    assert "lintel" in facts["prompts"][1]
    again = browser.get(f"/boards/{board}/moves.json", HTTP_IF_NONE_MATCH=answer["ETag"])
    assert (again.status_code, again.content) == (304, b"")
    tried = browser.get(f"/boards/{board}/moves.json?try=b4", HTTP_IF_NONE_MATCH=answer["ETag"])
    assert tried.status_code == 200
    assert browser.get(f"/boards/{board}/0/moves.json").json()["moves"]["a1"] == "a1"


def test_a_private_board_gives_its_moves_to_its_players_alone(
    world: Any, visit: Visit, browser: Client
) -> None:
    board = world.board(moves=DRUID, terms=("--private",))
    for path in ("moves.json", "2/moves.json", "reason.json?try=b5"):
        refused = browser.get(f"/boards/{board}/{path}")
        assert (refused.status_code, refused["Cache-Control"]) == (404, "private, no-store")
        assert refused.json()["text"] == f"There is no board {board}."
    assert visit("ann").client.get(f"/boards/{board}/moves.json").status_code == 200


def test_where_nothing_is_tried_only_who_is_to_move_is_told_the_moves(
    world: Any, visit: Visit
) -> None:
    board = world.board(moves=DRUID, terms=("--exploration=off",))
    ann, bob = visit("ann").client, visit("bob").client
    assert ann.get(f"/boards/{board}/moves.json").status_code == 200
    assert bob.get(f"/boards/{board}/moves.json").status_code == 404
    assert ann.get(f"/boards/{board}/moves.json?try=b4").status_code == 404
    page = visit("ann").go(f"/boards/{board}/")
    assert "Exploring is not allowed" in page


def test_the_rule_that_refuses_a_tap_is_said_and_half_a_move_is_no_fault(
    world: Any, browser: Client
) -> None:
    druid = world.board(moves=DRUID)
    refusal = browser.get(f"/boards/{druid}/reason.json?try=b5").json()
    assert refusal["code"].startswith("druid.")
    assert "b5" in refusal["text"]
    gyges = world.board("gyges", "231123 321123")
    assert browser.get(f"/boards/{gyges}/reason.json?try=16").json() == {}
    assert browser.get(f"/boards/{gyges}/reason.json?try=16-35").json() == {}
    assert browser.get(f"/boards/{gyges}/reason.json?try=41-31").json()["text"]


def test_who_is_to_move_gets_a_board_to_point_at_and_nobody_else(world: Any, visit: Visit) -> None:
    board = world.board(moves=DRUID)
    pointable = "//*[@data-moves]"
    ann, bob = visit("ann"), visit("bob")
    ann.go(f"/boards/{board}/")
    bob.go(f"/boards/{board}/")
    assert len(ann.tree.xpath(pointable)) == 1
    assert ann.tree.xpath(pointable)[0].get("data-due") == "7"
    assert bob.tree.xpath(pointable) == []
    ann.go(f"/boards/{board}/3/")
    assert ann.tree.xpath(pointable) == []


def test_a_move_tried_for_a_ply_that_was_played_since_is_not_tried_for_another(
    world: Any, visit: Visit
) -> None:
    board = world.board(moves=DRUID)
    ann = visit("ann")
    assert "covers H's stone on b5" in ann.go(f"/boards/{board}/?try=b4-b6&due=7")
    assert "was played while you were trying b4-b6" in ann.go(f"/boards/{board}/?try=b4-b6&due=5")
    assert ann.status == 422
    for odd in ("", "x", "٣", "-1"):
        assert "covers" in ann.go(f"/boards/{board}/?try=b4-b6&due={odd}")


def test_who_is_not_logged_in_is_led_through_the_log_in_back_to_the_move(
    world: Any, visit: Visit
) -> None:
    board = world.board(moves=DRUID)
    nobody = visit()
    nobody.go(f"/boards/{board}/?try=b4&due=7")
    (link,) = nobody.tree.xpath("//main//a[starts-with(@href, '/login/')]/@href")
    assert link == f"/login/?next=/boards/{board}/%3Ftry%3Db4%26due%3D7" or "%2Fboards" in link
    nobody.go(link)
    kept = nobody.tree.xpath("string(//form//input[@name='next']/@value)")
    assert kept == f"/boards/{board}/?try=b4&due=7"


def test_equal_positions_are_drawn_with_the_last_move_of_each() -> None:
    start = load("druid").start()

    def after(texts: str) -> Any:
        position = start
        for text in texts.split():
            position = position.play(position.parse(text))
        return position

    one, other = after("a1 c3 b1 d3"), after("b1 d3 a1 c3")
    assert one == other
    assert inline_picture(one) != inline_picture(other)
    assert inline_picture(one) == inline_picture(one)
