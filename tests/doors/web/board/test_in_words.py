"""A board in words: read, walked, and played on without a picture or a script."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from visitor import Visitor

Visit = Callable[..., Visitor]
GYGES = "231123 321123 16-35 61-53 15-24 66x65=21 13-14-24x35=33 62x53=36"


def choices(visitor: Visitor) -> list[str]:
    return [str(one) for one in visitor.tree.xpath("//select[@id='spot']//option/@value")]


def test_a_player_who_prefers_words_is_led_to_them_until_asking_for_the_picture(
    world: Any, visit: Visit
) -> None:
    board = world.board(moves="b8 b5")
    ann = visit("ann")
    ann.go(f"/boards/{board}/")
    assert ann.path == f"/boards/{board}/"
    ann.go(f"/boards/{board}/text/?as=words")
    ann.go(f"/boards/{board}/?try=b4")
    assert ann.path == f"/boards/{board}/text/"
    assert "Preview: b4." in ann.text
    ann.go(f"/boards/{board}/1/")
    assert ann.path == f"/boards/{board}/1/text/"
    (picture,) = ann.tree.xpath("//nav[@aria-label='On this page']/a[contains(@href, '=picture')]")
    ann.go(picture.get("href"))
    ann.go(f"/boards/{board}/")
    assert ann.path == f"/boards/{board}/"


def test_everything_a_player_may_do_stands_below_the_board_in_words(
    world: Any, visit: Visit
) -> None:
    board = world.board("druid", "b8 b5", terms=("--claims=on",))
    ann = visit("ann")
    ann.go(f"/boards/{board}/text/")
    group = "//*[@aria-label='Draw, takeback, resign']//button"
    buttons = [one.text_content().strip() for one in ann.tree.xpath(group)]
    assert buttons == ["Take back", "Draw", "Resign"]
    ann.press("Resign")
    ann.press("Yes, resign")
    ann.go(f"/boards/{board}/text/")
    assert "V resigned." in ann.text
    assert not ann.tree.xpath(group)


def test_the_last_place_of_a_move_goes_without_saying(world: Any, visit: Visit) -> None:
    board = world.board("gyges")
    ann = visit("ann")
    ann.go(f"/boards/{board}/text/?spot=3&spot=2&spot=2&spot=1&spot=3")
    assert "Preview: 322131." in ann.text


def test_a_resigned_game_says_in_words_how_it_ended_and_not_who_is_to_move(
    world: Any, visit: Visit
) -> None:
    board = world.board(moves="b8 b5")
    ann = visit("ann")
    ann.type(f"resign {board}")
    ann.type(f"confirm {board}")
    ann.go(f"/boards/{board}/")
    assert "V resigned. The last move was a sarsen on b5." in ann.text
    assert "to move," not in ann.text
    ann.go(f"/boards/{board}/text/")
    said = ann.tree.xpath("//ul[@class='sentences']/li/text()")
    assert said[:2] == ["V resigned.", "The last move was a sarsen on b5."]
    ann.go(f"/boards/{board}/1/")
    assert "H to move, joining left and right." in ann.text


def test_a_move_is_chosen_place_by_place_looked_at_and_played(world: Any, visit: Visit) -> None:
    board = world.board(moves="b8 b5 b4 a5 b6 d1")
    ann = visit("ann")
    ann.go(f"/boards/{board}/")
    assert ann.tree.xpath("//a[@class='skip words']/@href") == [f"/boards/{board}/text/"]
    ann.go(f"/boards/{board}/text/")
    assert "It's your move." in ann.text
    # b4 is a sarsen, and the one end of a lintel.
    ann.press("Choose", spot="b4")
    assert "Chosen: b4." in ann.text
    assert "Just b4" in ann.text
    ann.press("Choose", spot="b6")
    assert "Preview: b4-b6." in ann.text
    assert ann.tree.xpath("//p[@autofocus]")  # what was done is read first
    ann.press("Play b4-b6")
    assert ann.path == f"/boards/{board}/text/"
    assert "You played b4-b6" in ann.text
    assert "bob to move." in ann.text
    assert "The lintel covers H's stone on b5." in ann.text


def test_cells_are_links_as_long_as_they_can_be_chosen(world: Any, visit: Visit) -> None:
    board = world.board("gyges", GYGES)
    ann = visit("ann")
    ann.go(f"/boards/{board}/text/")
    heads = ann.tree.xpath("//table[@data-cells]//th[@scope='row']/text()")
    assert heads[0] == "North's goal"
    assert len(ann.tree.xpath("//table[@data-cells]//th[@scope='col']")) == 6
    for _ in range(3):  # a ring, where it ends, where the ring there goes
        links = ann.tree.xpath("//table[@data-cells]//td/a/@href")
        assert links
        ann.go(next((one for one in links if "spot=" in one), links[0]))
        if ann.tree.xpath("//*[contains(@class, 'tried')]"):
            break
    assert "Preview:" in ann.text
    assert choices(ann), "who looks at a move may go on from there"


def test_a_refused_move_stays_on_the_page_in_words(world: Any, visit: Visit) -> None:
    board = world.board()
    ann = visit("ann")
    ann.go(f"/boards/{board}/text/")
    ann.press("Play", move="z9")
    assert ann.status == 422
    assert "Refused: z9" in ann.tree.xpath("string(//title)")
    assert ann.tree.xpath("//div[@role='alert'][@autofocus]")
    assert ann.tree.xpath("//input[@id='move']/@value") == ["z9"]
    assert ann.tree.xpath("//table[@data-cells]")


def test_where_nothing_is_tried_a_chosen_move_is_written_down_only(
    world: Any, visit: Visit
) -> None:
    board = world.board(terms=("--exploration=off",))
    ann, eve = visit("ann"), visit("eve")
    ann.go(f"/boards/{board}/text/")
    ann.press("Choose", spot="a3")
    assert ann.tree.xpath("//input[@id='move']/@value") == ["a3"]
    assert "Preview:" not in ann.text
    ann.press("Play")
    assert "You played a3" in ann.text
    eve.go(f"/boards/{board}/text/")
    assert not choices(eve)


@pytest.mark.parametrize(
    "asked", ["spot=%3Cscript%3E", "spot=b8&spot=zz&spot=", "spot=" + "x" * 3000, "try=%00"]
)
def test_nonsense_is_asked_in_vain(world: Any, visit: Visit, asked: str) -> None:
    board = world.board()
    ann = visit("ann")
    ann.go(f"/boards/{board}/text/?{asked}")
    assert ann.status in (200, 422)
    assert "<script>" not in ann.text


def test_the_page_in_words_shows_what_the_board_may_show(world: Any, visit: Visit) -> None:
    board, private = world.board(moves="b8 b5"), world.board(terms=("--private",))
    nobody, ann = visit(), visit("ann")
    nobody.go(f"/boards/{board}/1/text/")
    assert "After 1 of 2 moves." in nobody.text
    assert "V, alone: b8." not in nobody.text
    assert "V has 1 square: b8." in nobody.text
    nobody.go(f"/boards/{board}/9/text/")
    assert nobody.status == 404
    for page in ("text/", "moves.json"):
        nobody.go(f"/boards/{private}/{page}")
        assert nobody.status == 404
        ann.go(f"/boards/{private}/{page}")
        assert ann.status == 200
    assert '"a1":"a1"' in ann.page
