"""Records to take along from the web, the keys beside them, and the viewer to frame."""

from __future__ import annotations

import io
import json
from collections.abc import Callable
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from lxml import etree, html
from sgfmill import sgf

from sarsen.core.records import prove
from sarsen.core.records.collection import lines_of, split
from sarsen.doors.cli.verify import read_keys
from sarsen.games import load, names
from sarsen.language.commands import Resign
from sarsen.services.dispatch import perform
from sarsen.services.records import collections
from sarsen.services.records.signatures import check
from sarsen.services.request import Actor
from sarsen.storage.models import Match, Result
from web_world import NOW

Read = Callable[..., str]
SVG = "{http://www.w3.org/2000/svg}"


def over(world: Any, terms: tuple[str, ...] = ()) -> int:
    """Play a board that its first player gives up soon."""
    board = int(world.board(moves="b8 b5", terms=terms))
    resign = Resign("", board, confirmed=True)
    perform(resign, Actor(world.player("ann")), "", NOW)
    return board


def proved(client: Client, content: str) -> list[str]:
    """Prove all records of a file with the keys that the server shows; give their places."""
    keys = read_keys(client.get("/.well-known/sarsen-keys").content.decode())
    places = []
    for piece in split(lines_of(io.StringIO(content, newline="\n"))):
        record = piece.read(load)
        prove(record, load(record.game))
        check(record, load(record.game), keys)
        places.append(record.place.removeprefix("http://sarsen.test"))
    return places


def test_a_finished_board_is_given_as_text_json_and_sgf(world: Any, browser: Client) -> None:
    board = over(world)
    page = html.fromstring(browser.get(f"/boards/{board}/").content)
    links = page.xpath("//div[@data-part='further']//a/@href")
    contents = {}
    for form in ("txt", "json", "sgf"):
        path = f"/boards/{board}/record.{form}"
        assert path in links
        response = browser.get(path)
        assert response.status_code == 200
        contents[form] = response.content.decode()
    assert proved(browser, contents["txt"]) == [f"/boards/{board}/"]
    assert proved(browser, contents["json"]) == [f"/boards/{board}/"]
    assert json.loads(contents["json"])["moves"][0] == ["V", "2026-11-20T12:00:00Z", "b8"]
    assert sgf.Sgf_game.from_string(contents["sgf"]).get_root().get("PB") == "ann"


def test_a_private_record_is_for_its_players_and_kept_by_nobody(
    world: Any, browser: Client
) -> None:
    board = over(world, ("--private",))
    for path in ("record.txt", "record.json", "record.sgf"):
        assert browser.get(f"/boards/{board}/{path}").status_code == 404
    browser.force_login(world.player("bob"))
    response = browser.get(f"/boards/{board}/record.json")
    assert response["Cache-Control"] == "private, no-store"
    assert proved(browser, response.content.decode()) == [f"/boards/{board}/"]
    # A collection is the same for everybody.
    assert proved(browser, browser.get("/players/bob/records.txt").content.decode()) == []


@pytest.mark.parametrize("form", ["txt", "jsonl"])
@pytest.mark.parametrize("place", ["", "games/druid/", "players/Ann/"])
def test_collections_come_in_parts_that_name_the_next_one(
    world: Any, browser: Client, monkeypatch: pytest.MonkeyPatch, form: str, place: str
) -> None:
    monkeypatch.setattr(collections, "MAX_OF_A_PAGE", 2)
    boards = [over(world) for _ in range(3)]
    for hours, board in enumerate(boards):
        at = NOW - timedelta(hours=hours)
        Match.objects.filter(pk=board).update(ended_at=at)
        Result.objects.filter(match=board).update(at=at)
    first = browser.get(f"/{place}records.{form}")
    content = first.content.decode()
    late, middle, early = (f"/boards/{board}/" for board in boards)
    assert proved(browser, content) == [early, middle]
    link, _, relation = first["Link"].partition("; ")
    assert relation == 'rel="next"'
    assert (link.strip("<>") in content) == (form == "txt")
    rest = browser.get(link.strip("<>").removeprefix("http://sarsen.test"))
    assert proved(browser, rest.content.decode()) == [late]
    assert not rest.has_header("Link")


@pytest.mark.parametrize(
    "path",
    [
        "/games/chess/records.txt",
        "/players/ghost/records.jsonl",
        "/records.txt?after=999999999",
        "/boards/99999/record.json",
    ],
)
def test_what_is_not_there_is_a_page_that_says_so(world: Any, browser: Client, path: str) -> None:
    response = browser.get(path)
    assert response.status_code == 404
    assert "Not found" in response.content.decode()


def test_pages_of_players_and_games_offer_their_records(world: Any, read: Read) -> None:
    over(world)
    for path in ("/players/ann/", "/games/druid/"):
        links = html.fromstring(read(path)).xpath("//a/@href")
        assert {f"{path}records.txt", f"{path}records.jsonl"} <= set(links)


@pytest.mark.parametrize("name", names())
@pytest.mark.parametrize("form", ["embed.svg", "embed/0.svg", "embed/"])
def test_the_viewer_may_be_framed_by_anybody_and_knows_nobody(
    world: Any, browser: Client, name: str, form: str
) -> None:
    board = world.board(name)
    browser.force_login(world.player("ann"))
    before = {one: morsel.value for one, morsel in browser.cookies.items()}
    response = browser.get(f"/boards/{board}/{form}")
    assert response.status_code == 200
    assert not response.has_header("X-Frame-Options")
    assert "frame-ancestors" not in response["Content-Security-Policy"]
    assert "default-src 'none'" in response["Content-Security-Policy"]
    assert "unsafe" not in response["Content-Security-Policy"]
    assert response["Cache-Control"].startswith("public")
    assert not response.has_header("Vary") or "Cookie" not in response["Vary"]
    assert {one: morsel.value for one, morsel in browser.cookies.items()} == before
    anonymous = Client(SERVER_NAME="sarsen.test").get(f"/boards/{board}/{form}")
    assert anonymous.content == response.content


def test_all_other_pages_may_not_be_framed(world: Any, browser: Client) -> None:
    response = browser.get(f"/boards/{world.board()}/")
    assert response["X-Frame-Options"] == "DENY"
    assert "frame-ancestors 'none'" in response["Content-Security-Policy"]


def test_the_picture_with_links_steps_to_every_ply_without_script(
    world: Any, browser: Client
) -> None:
    board = world.board(moves="b8 b5 b4")
    path, seen = f"/boards/{board}/embed/0.svg", []
    while path:
        content = browser.get(path).content
        assert b"<script" not in content
        tree = etree.fromstring(content)
        links = {link.get("rel"): link.get("href") for link in tree.iter(f"{SVG}a")}
        seen.append(path)
        path = links.get("next", "")
    assert seen == [f"/boards/{board}/embed/{ply}.svg" for ply in range(4)]
    assert links["first"] == seen[0]
    assert links["prev"] == seen[2]
    assert "noopener" in links
    assert links["noopener"] == f"http://sarsen.test/boards/{board}/"


@pytest.mark.parametrize("form", ["embed/", "embed.svg"])
def test_a_page_that_frames_a_record_may_choose_its_colours(
    world: Any, browser: Client, form: str
) -> None:
    path = f"/boards/{world.board(moves='b8 b5')}/{form}"
    asked = "?colours=dark.safe.striped"
    root = etree.fromstring(browser.get(path + asked).content, etree.HTMLParser()).iter()
    marked = next(one for one in root if one.get("data-mode"))
    assert (marked.get("data-palette"), marked.get("data-striped")) == ("safe", "")
    page = browser.get(path + asked).content.decode()
    assert f"0.svg{asked}" in page or f"/0/{asked}" in page
    usual = browser.get(path).content.decode()
    assert browser.get(path + "?colours=x<y>").content.decode() == usual
    assert "data-mode" not in usual


def test_private_boards_are_not_in_the_viewer_and_offer_no_line(
    world: Any, browser: Client
) -> None:
    board = over(world, ("--private",))
    browser.force_login(world.player("ann"))
    for form in ("embed/", "embed/1/", "embed.svg", "embed/1.svg"):
        response = browser.get(f"/boards/{board}/{form}")
        assert response.status_code == 404
        assert response.content.decode() == f"There is no board {board}.\n"
    assert "&lt;iframe" not in browser.get(f"/boards/{board}/").content.decode()


def test_a_ply_that_is_not_there_is_refused_in_a_sentence(world: Any, browser: Client) -> None:
    response = browser.get(f"/boards/{world.board(moves='b8')}/embed/2/")
    assert response.status_code == 404
    assert "has 1 move" in response.content.decode()


def test_a_long_move_is_cut_in_the_viewer(world: Any, browser: Client) -> None:
    board = world.board("gyges", "231123 321123")
    Match.objects.get(pk=board).events.filter(number=2).update(text="321123" + " " * 200)
    page = browser.get(f"/boards/{board}/embed/").content.decode()
    assert "…" in page


def test_the_line_to_copy_frames_the_viewer(world: Any, read: Read) -> None:
    board = world.board()
    line = html.fromstring(read(f"/boards/{board}/")).xpath("string(//pre[@class='wrapped'])")
    frame = html.fragment_fromstring(line)
    assert frame.tag == "iframe"
    assert frame.get("src") == f"http://sarsen.test/boards/{board}/embed/"
    assert frame.get("title") == f"Druid Board {board}"
