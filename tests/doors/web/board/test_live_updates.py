"""Pages that stay new, the list of a player's boards, and the small pictures in it."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from bench.pages import IMPORTED
from django.conf import settings
from django.contrib.staticfiles import finders
from django.templatetags.static import static
from django.test import Client
from django.utils import timezone

from sarsen.doors.web.frame.live_updates import watched, with_long_polls
from sarsen.language.commands import Accept, Chat, OfferDraw, PlayMove
from sarsen.language.grammar.dates import short_stretch
from sarsen.services.dispatch import perform
from sarsen.services.events import live_updates
from sarsen.services.events.topics import IS_HELD, Topic, TopicKind, Watched
from sarsen.services.request import Actor
from sarsen.storage.models import Match
from visitor import Visitor
from web_world import NOW, World

Visit = Callable[..., Visitor]


@pytest.fixture(autouse=True)
def fresh() -> Iterator[None]:
    live_updates.forget_answers()
    yield
    live_updates.forget_answers()


def fact(page: str, name: str) -> str:
    found = re.search(rf'<body[^>]* data-{name}="([^"]*)"', page)
    return found[1] if found else ""


def ask(client: Client, page: str) -> dict[str, Any]:
    live_updates.forget_answers()  # what is kept for a second
    answer = client.get(fact(page, "news"))
    assert answer.status_code == 200
    return dict(json.loads(answer.content))


def test_the_page_of_a_challenge_hears_that_it_was_accepted(world: World, visit: Visit) -> None:
    number = world.challenge("druid", "ann", "bob").number
    maker = visit("ann")
    maker.go(f"/challenges/{number}/")
    assert ask(maker.client, maker.page)["stamp"] == fact(maker.page, "stamp")
    perform(Accept(number), Actor(world.player("bob")), "", NOW)
    assert ask(maker.client, maker.page)["stamp"] != fact(maker.page, "stamp")
    page = maker.page
    maker.go(f"/challenges/{number}/")
    assert maker.tree.xpath("//*[@data-part='offer']//a[@class='button']")
    assert fact(page, "news") != ""


def test_the_time_left_is_said_so_that_a_script_can_count_it_down(
    world: World, visit: Visit
) -> None:
    board = world.board()
    ann = visit("ann")
    for path, words in (("/my/", "{left} left"), (f"/boards/{board}/", "{left}")):
        ann.go(path)
        (left,) = ann.tree.xpath("//time[@data-left]")
        due = datetime.fromisoformat(left.get("datetime"))
        assert left.text == words.format(left=short_stretch(due - timezone.now()))
        assert left.get("data-left") == words


def test_a_page_of_a_board_hears_of_each_move_offer_and_word(
    world: World, browser: Client, read: Callable[..., str]
) -> None:
    board = world.board(moves="b8")
    page = read(f"/boards/{board}/")
    stamps = [ask(browser, page)["stamp"]]
    assert stamps[0] == fact(page, "stamp")
    bob, ann = Actor(world.player("bob")), Actor(world.player("ann"))
    for command in (
        PlayMove("druid", board, "b5"),
        OfferDraw("druid", board),
        Chat("druid", board, "Hello!"),
    ):
        perform(command, ann if isinstance(command, Chat) else bob, "", NOW)
        stamps.append(ask(browser, page)["stamp"])
    assert len(set(stamps)) == 4
    assert fact(read(f"/boards/{board}/"), "stamp") == stamps[-1]
    assert ask(browser, page)["waiting"] is None


def test_a_page_that_shows_a_move_is_not_told_an_older_answer(
    world: World, browser: Client, read: Callable[..., str]
) -> None:
    board = world.board(moves="b8")
    before = read(f"/boards/{board}/")
    ask(browser, before)
    perform(PlayMove("druid", board, "b5"), Actor(world.player("bob")), "", NOW)
    page = read(f"/boards/{board}/")
    told = json.loads(browser.get(fact(page, "news")).content)  # within the second it is kept
    assert told["stamp"] == fact(page, "stamp") != fact(before, "stamp")


def test_only_a_key_of_this_server_tells_anything(
    world: World, browser: Client, read: Callable[..., str]
) -> None:
    board = world.board(terms=("--private",))
    path = fact(read(f"/boards/{world.board()}/"), "news")
    forged = re.sub(r"/live/\d+", f"/live/{board}", path)
    for key in (forged, "/live/x/", f"/live/{board}.0/", "/live/" + "9" * 400 + "/"):
        assert browser.get(key).status_code == 410
    assert "data-news" not in read(f"/boards/{board}/", 404)


def test_asking_is_slower_where_nothing_is_awaited_and_where_many_ask(
    world: World, browser: Client, read: Callable[..., str], monkeypatch: pytest.MonkeyPatch
) -> None:
    board = world.board(moves="b8")
    page = read(f"/boards/{board}/")
    Match.objects.filter(pk=board).update(moved_at=NOW - timedelta(days=2))
    assert ask(browser, page)["pause"] == live_updates.SLOWEST
    monkeypatch.setattr(live_updates._load, "rate", live_updates.MAX_A_SECOND * 3)
    assert ask(browser, page)["pause"] == 3 * live_updates.SLOWEST


def test_my_boards_begin_with_the_most_urgent_and_lead_from_one_to_the_next(
    world: World, visit: Visit
) -> None:
    late, soon, others = (world.board() for _ in range(3))
    Match.objects.filter(pk=soon).update(due_at=NOW + timedelta(hours=1))
    Match.objects.filter(pk=late).update(due_at=NOW + timedelta(days=9))
    perform(PlayMove("druid", others, "a1"), Actor(world.player("ann")), "", NOW)
    ann = visit("ann")
    ann.go("/my/")
    assert ann.tree.xpath("normalize-space(//title)").startswith("(2) ")
    links = ann.tree.xpath("//a[@data-keep]/@href")
    assert links == [f"/boards/{number}/" for number in (soon, late, others)]
    ann.go("/my/next/")
    assert ann.path == f"/boards/{soon}/"
    ann.press("Play", move="a1")
    ann.go(ann.tree.xpath("//a[@data-next]/@href")[0])
    assert ann.path == f"/boards/{late}/"
    ann.press("Play", move="a1")
    ann.go("/my/next/")
    assert ann.path == "/my/"
    assert "opponents' turn everywhere" in ann.text
    assert not ann.tree.xpath("normalize-space(//title)").startswith("(")
    assert "Play a program" in visit("nora").go("/my/")


def test_a_line_a_board_is_remembered_by_this_browser(world: World, visit: Visit) -> None:
    world.board(options="-size=6")
    ann = visit("ann")
    ann.go("/my/")
    assert ann.tree.xpath("//main//img")
    ann.go("/my/?as=lines")
    ann.go("/my/")
    assert not ann.tree.xpath("//main//img")
    assert "size 6" in ann.text
    ann.go("/my/?as=nonsense")
    assert ann.status == 422
    ann.go("/my/")
    assert not ann.tree.xpath("//main//img")


def test_lines_of_boards_and_a_board_in_words_are_chosen_apart(world: World, visit: Visit) -> None:
    board = world.board()
    ann = visit("ann")
    ann.go("/my/?as=lines")
    ann.go(f"/boards/{board}/text/?as=words")
    ann.go("/my/")
    assert not ann.tree.xpath("//main//img")
    ann.go(f"/boards/{board}/")
    assert ann.path == f"/boards/{board}/text/"


def test_small_pictures_are_kept_for_ever_and_private_ones_by_nobody(
    world: World, browser: Client, visit: Visit
) -> None:
    public, private = world.board(moves="b8 b5"), world.board(terms=("--private",))
    ann = visit("ann")
    ann.go("/my/")
    (path,) = {one for one in ann.tree.xpath("//img/@src") if f"/boards/{public}/" in one}
    answer = browser.get(path)
    assert "immutable" in answer["Cache-Control"]
    assert answer.content.startswith(b"<svg ")
    stale = browser.get(path.replace("small-2", "small-1"))
    assert "immutable" not in stale["Cache-Control"]
    secret = path.replace(f"/boards/{public}/small-2", f"/boards/{private}/small-0")
    assert browser.get(secret).status_code == 404
    answer = ann.client.get(secret)
    assert "private" in answer["Cache-Control"]
    again = ann.client.get(secret, headers={"If-None-Match": answer["ETag"]})
    assert again.status_code == 304


def test_the_pages_can_be_installed(browser: Client, db: None) -> None:
    answer = browser.get("/manifest.webmanifest")
    assert answer["Content-Type"] == "application/manifest+json"
    for icon in json.loads(answer.content)["icons"]:
        drawn = browser.get(icon["src"])
        assert (drawn["Content-Type"], drawn.content[:4]) == ("image/png", b"\x89PNG")
    assert browser.get("/icon-any-100000.png").status_code == 404
    worker = browser.get("/worker.js")
    assert worker["Content-Type"].startswith("text/javascript")
    assert "worker-src 'self'" in worker["Content-Security-Policy"]


def test_the_worker_keeps_every_style_and_script_that_a_board_asks_for(
    world: World, visit: Visit
) -> None:
    ann = visit("ann")
    ann.go(f"/boards/{world.board(moves='b8 b5')}/")
    asked = re.findall(r'(?:src|href)="([^"]+\.(?:js|css)[^"]*)"', ann.page)
    worker = ann.client.get("/worker.js").content.decode()
    kept = json.loads(re.search(r"const NEEDED = (.*);", worker)[1])  # type: ignore[index]
    for address in asked:  # which grows by what each script imports
        if address.endswith(".js"):
            script = finders.find(address.removeprefix(static("")))
            assert script is not None
            asked += [static(f"web/{one}") for one in IMPORTED.findall(Path(script).read_text())]
    assert set(asked) == set(kept)
    # A page that was kept before an upgrade asks for files of another version.
    folder = json.loads(re.search(r"const STATIC = (.*);", worker)[1])  # type: ignore[index]
    assert static("").startswith(folder)
    assert settings.STATIC_VERSION not in folder


def test_the_list_and_the_page_of_a_board_name_its_last_event_alike(
    world: World, visit: Visit
) -> None:
    board = world.board(moves="b8 b5")
    ann = visit("ann")
    ann.go("/my/")
    (event,) = ann.tree.xpath(f"//a[@href='/boards/{board}/']/@data-keep")
    ann.go(f"/boards/{board}/")  # kept by its stamp, and not fetched again while that begins so
    assert fact(ann.page, "stamp").split("-")[0] == event


def test_what_only_scripts_say_is_not_in_the_text_of_a_page(world: World, visit: Visit) -> None:
    ann = visit("ann")
    ann.go(f"/boards/{world.board(moves='b8')}/")
    text = ann.tree.xpath("string(//body)")
    assert "sarsen" in text
    for words in ("No connection", "is waiting for a connection", "The board has changed"):
        assert words in ann.page
        assert words not in text


def test_who_logs_out_gets_no_more_notices_there(world: World, visit: Visit, settings: Any) -> None:
    settings.SARSEN_PUSH_KEY = "0xJNE9BmrWZ8t9qSEJ9nfhLvBelgIWja1NJK9IgztoE"
    ann = visit("ann")
    assert "You will be told" not in ann.go("/account/devices/")
    keys = {"endpoint": "https://push.example/one", "public": PUBLIC, "secret": "A" * 22}
    token = ann.tree.xpath("//input[@name='csrfmiddlewaretoken']/@value")[0]
    ann.send("/account/devices/add/", [("csrfmiddlewaretoken", token), *keys.items()])
    assert "this one" in ann.text
    refused = ann.send(
        "/account/devices/add/",
        [("csrfmiddlewaretoken", token), ("endpoint", "https://127.0.0.1/")],
    )
    assert "private network" in refused
    ann.press("Log out")
    assert world.player("ann").devices.count() == 0


PUBLIC = "BNcRdreALRFXTkOOUHK1EtK2wtaz5Ry4YfYCA_0QTpQtUbVlUls0VJXg7A8u-Ts1XbjhazAkj7I99e8QcYP7DkM"


def test_questions_are_answered_before_anything_else_is_done(
    world: World, read: Callable[..., str]
) -> None:
    asked: list[str] = []
    told: list[str] = []

    def application(environ: Any, start: Any) -> list[bytes]:
        asked.append(environ["PATH_INFO"])
        return [b"a page"]

    def ask_first(path: str) -> bytes:
        environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path}
        first = with_long_polls(application, begin=lambda: None)
        answer = first(environ, lambda status, headers: told.append(status))
        return b"".join(answer)

    page = read(f"/boards/{world.board()}/")
    assert json.loads(ask_first(fact(page, "news")))["stamp"] == fact(page, "stamp")
    assert b"out of date" in ask_first("/live/nonsense/")
    assert told == ["200 OK", "410 Gone"]
    assert asked == []
    assert ask_first("/boards/1/") == b"a page"


def test_what_pages_watch_is_looked_at_together_and_only_with_a_key_of_this_server(
    world: World, read: Callable[..., str], django_assert_num_queries: Any
) -> None:
    boards = [world.board(moves="b8") for _ in range(3)]
    pages = [read(f"/boards/{board}/") for board in boards]
    live_updates.stamps(
        [Topic(TopicKind.BOARD, board) for board in boards]
    )  # what is kept for long
    environ = {"REQUEST_METHOD": "GET", "QUERY_STRING": "seen=1-0-a"}
    found = [watched({**environ, "PATH_INFO": fact(page, "news")}) for page in pages]
    assert found == [
        Watched(Topic(TopicKind.BOARD, board), "1-0-a", is_player=False) for board in boards
    ]
    with django_assert_num_queries(1):
        stamps = live_updates.stamps([one.topic for one in found if one])
    assert list(stamps.values()) == [fact(page, "stamp") for page in pages]
    for path in ("/boards/1/", "/live/x/", fact(pages[0], "news").replace("/live/", "/live/1")):
        assert watched({**environ, "PATH_INFO": path}) is None


def test_a_page_whose_question_is_held_asks_again_at_once(
    world: World, read: Callable[..., str]
) -> None:
    path = fact(read(f"/boards/{world.board()}/"), "news")
    first = with_long_polls(lambda environ, start: [], begin=lambda: None)
    pauses = []
    for is_held in (False, True):
        environ = {"REQUEST_METHOD": "GET", "PATH_INFO": path, IS_HELD: is_held}
        answer = first(environ, lambda status, headers: lambda piece: None)
        pauses.append(json.loads(b"".join(answer))["pause"])
    assert pauses[1] == live_updates.AGAIN < pauses[0]
