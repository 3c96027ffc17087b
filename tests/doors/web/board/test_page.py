"""Board pages: the picture, the record, and stepping through it."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from lxml import html
from pytest_django import DjangoAssertNumQueries

from clock import NOW
from sarsen.doors.web.board.moves import move_table
from sarsen.drawing.boards import square_board
from sarsen.drawing.kits import WHITE_AND_BLACK, BoardView
from sarsen.drawing.view import _views
from sarsen.games import names
from sarsen.language.commands import Resign
from sarsen.language.facts import PlayedMove
from sarsen.services.dispatch import perform
from sarsen.services.matches.history import rows_by_seat
from sarsen.services.matches.lobby import boards_in_play
from sarsen.services.request import Actor
from visitor import Visitor

Read = Callable[..., str]
MOVES = "b8 b5 b4 a5 b6 d1 b4-b6"


def texts(page: str, path: str) -> list[str]:
    return [" ".join(one.text_content().split()) for one in html.fromstring(page).xpath(path)]


def seats_of(page: str) -> list[str]:
    """Return what stands above and below the board, without the time left."""
    seats = texts(page, "//div[contains(@class, 'seats')]/div")
    return [re.sub(r"; .*", "", one) for one in seats]


def test_board_page_shows_picture_players_moves_effects_words_and_text_board(
    world: Any, read: Read
) -> None:
    page = read(f"/boards/{world.board(moves=MOVES)}/")
    tree = html.fromstring(page)
    assert len(tree.xpath("//div[@class='view solid']/svg[@role='img']/title")) == 1
    assert seats_of(page) == ["bob H to move", "ann V"]
    assert texts(page, "//div[@class='moves']//tbody//td")[:4] == ["1 b8", "2 b5", "3 b4", "4 a5"]
    assert texts(page, "//details/pre")[0].endswith("A B C D E F G H")
    assert "bob to move." in page
    assert texts(page, "//details[summary='In words']/p")[0]


def test_every_ply_has_an_address_that_shows_that_position(world: Any, read: Read) -> None:
    board = world.board(moves=MOVES)
    boards = [texts(read(f"/boards/{board}/{ply}/"), "//details/pre")[0] for ply in range(8)]
    assert len(set(boards)) == 8
    assert boards[7] == texts(read(f"/boards/{board}/"), "//details/pre")[0]
    assert "After 3 of 7 moves." in read(f"/boards/{board}/3/")


def test_steps_lead_back_and_on_and_end_at_the_ends(world: Any, read: Read) -> None:
    board = world.board(moves=MOVES)

    def steps(path: str) -> list[str | None]:
        walk = html.fromstring(read(path)).xpath("//nav[@class='walk']/*[not(@class='here')]")
        return [one.get("href") for one in walk]

    at = f"/boards/{board}/"
    assert steps(f"{at}3/") == [f"{at}0/", f"{at}2/", f"{at}4/", at]
    assert steps(f"{at}0/") == [None, None, f"{at}1/", at]
    assert steps(at) == [f"{at}0/", f"{at}6/", None, None]


def test_every_move_links_to_its_ply_and_the_one_shown_is_marked(world: Any, read: Read) -> None:
    board = world.board(moves=MOVES)
    tree = html.fromstring(read(f"/boards/{board}/3/"))
    links = tree.xpath("//div[@class='moves']//a")
    assert [link.get("href") for link in links] == [
        f"/boards/{board}/{ply}/" for ply in range(1, 8)
    ]
    assert [link.get("href") for link in links if link.get("aria-current")] == [
        f"/boards/{board}/3/"
    ]


def test_moves_stand_in_the_column_of_their_seat_when_a_seat_moves_twice() -> None:
    def move(ply: int, seat: int) -> PlayedMove:
        return PlayedMove(ply, seat, f"m{ply}", NOW, ply)

    moves = [move(1, 0), move(2, 1), move(3, 1), move(4, 0), move(5, 0), move(6, 1)]
    rows = [[cell and cell.ply for cell in row] for row in rows_by_seat(moves, 2)]
    assert rows == [[1, 2], [None, 3], [4, None], [5, 6]]


def test_a_move_of_any_text_is_only_text_in_the_list_of_moves() -> None:
    odd = PlayedMove(1, 0, "<b>&", NOW, 1)
    page = move_table([odd], 2, "/boards/7/", 1)
    assert page.count("&lt;b&gt;&amp;") == 1
    assert '<a href="/boards/7/1/" aria-current="true">' in page
    assert "aria-current" not in move_table([odd], 2, "/boards/7/", 0)


def test_a_finished_board_says_how_it_ended_and_who_won(world: Any, read: Read) -> None:
    moves = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5 d3"
    board = world.board(moves=moves)
    page = read(f"/boards/{board}/")
    assert texts(page, "//div[contains(@class, 'seats')]/div") == [
        "bob 1338? (−162) · H",
        "ann 1662? (+162) · V won",
    ]
    assert "V joined top and bottom." in page
    assert "PASSWORD" not in page
    # Before the end the page does not give the end away.
    assert texts(read(f"/boards/{board}/20/"), "//div[contains(@class, 'seats')]/div") == [
        "bob 1500? · H",
        "ann 1500? · V",
    ]


def test_sides_and_colours_follow_a_swap(world: Any, read: Read) -> None:
    board = world.board(moves="b8 swap", options="-swap")
    page = read(f"/boards/{board}/")
    assert seats_of(page) == ["bob V", "ann H to move"]
    swatches = html.fromstring(page).xpath("//span[contains(@class, 'swatch')]/@class")
    assert swatches == ["swatch first", "swatch second"]
    before = html.fromstring(read(f"/boards/{board}/1/"))
    assert before.xpath("//span[contains(@class, 'swatch')]/@class") == [
        "swatch second",
        "swatch first",
    ]


def test_players_are_marked_in_the_colours_of_the_board(
    world: Any, read: Read, monkeypatch: pytest.MonkeyPatch
) -> None:
    view = BoardView(lambda _: square_board(5), lambda _: {}, roles=WHITE_AND_BLACK[::-1])
    monkeypatch.setitem(_views, "visavis", view)
    page = read(f"/boards/{world.board('visavis', 'C3', options='-size=5')}/")
    swatches = html.fromstring(page).xpath("//span[contains(@class, 'swatch')]/@class")
    assert swatches == ["swatch white", "swatch black"]  # O, who moves second, stands above


def test_every_game_has_a_board_page_before_its_first_move(world: Any, read: Read) -> None:
    for game in names():
        assert "No moves yet." in read(f"/boards/{world.board(game)}/")


def test_a_private_board_is_not_there_nor_its_pictures(world: Any, browser: Client) -> None:
    board = world.board(moves=MOVES, terms=("--private",))
    for path in ("", "3/", "3.svg", "3-dark.svg"):
        response = browser.get(f"/boards/{board}/{path}")
        assert response.status_code == 404
        assert f"There is no board {board}." in response.content.decode()


def test_a_private_board_stands_in_no_list(world: Any, read: Read) -> None:
    hidden = world.board(moves=MOVES, terms=("--private",))
    seen = world.board(moves=MOVES)
    for path in ("/", "/games/druid/", "/watch/"):
        page = read(path)
        assert f"/boards/{hidden}/" not in page
        assert f"/boards/{seen}/" in page


def test_unknown_boards_and_plies_are_refused_with_words(world: Any, read: Read) -> None:
    board = world.board(moves=MOVES)
    assert "There is no board 99999." in read("/boards/99999/", 404)
    assert f"Board {board} has 7 moves" in read(f"/boards/{board}/8/", 404)
    assert "no page at this address" in read("/boards/99999999999999999999/", 404)


def test_a_picture_is_a_file_of_its_own_that_browsers_keep_for_a_while(
    world: Any, browser: Client
) -> None:
    board = world.board(moves=MOVES)
    light = browser.get(f"/boards/{board}/3.svg")
    dark = browser.get(f"/boards/{board}/3-dark.svg")
    for response in (light, dark):
        assert response["Content-Type"] == "image/svg+xml"
        # Not for ever: a move may be taken back, and another one played.
        assert response["Cache-Control"] == "public, max-age=60"
        assert response.content.startswith(b"<svg ")
    assert light.content != dark.content


def test_other_boards_stand_beside_a_board_those_that_wait_first(
    world: Any, visit: Callable[..., Visitor], django_assert_num_queries: DjangoAssertNumQueries
) -> None:
    mine, theirs, shown = (world.board(moves=moves) for moves in ("", "b8", "b8"))
    world.board(players=("cyd", "dan"))
    ended = world.board(moves="b8 b5")
    perform(Resign("druid", ended, confirmed=True), Actor(world.player("ann")), "", NOW)
    ann = visit("ann")
    ann.go(f"/boards/{shown}/")
    linked = ann.tree.xpath("//div[@class='own-boards']//a/@href")
    assert linked == [f"/boards/{mine}/", f"/boards/{theirs}/"]
    assert texts(ann.page, "//div[@class='own-boards']/h2") == ["Your turn 1", "Their turn"]
    nobody = visit()
    nobody.go(f"/boards/{shown}/")
    assert not nobody.tree.xpath("//div[@class='own-boards']/*")
    bob = world.player("bob").pk
    with django_assert_num_queries(2):
        boards_in_play(bob, but=shown, most=6)


def test_one_who_plays_both_seats_of_a_board_sees_it_once(world: Any) -> None:
    board = world.challenge("druid", "ann", "ann").board
    found = boards_in_play(world.player("ann").pk, but=0, most=6)
    assert [one.number for one in found] == [board]
