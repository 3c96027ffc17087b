"""The home page, game pages, help, health, style and error pages."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from django.templatetags.static import static
from django.test import Client, RequestFactory
from django.views.defaults import bad_request, permission_denied, server_error
from lxml import html

from sarsen.doors.web.frame.prose import to_html
from sarsen.games import (
    druid,
    find,
    measured_strengths,
    names,
    plugin_versions,
    showpiece,
)
from sarsen.language.commands import BY_WORD, ListBoards
from sarsen.language.replies import Tables
from sarsen.services.dispatch import perform
from sarsen.services.request import NOBODY
from web_world import NOW

Read = Callable[..., str]


def acceptable(page: str) -> list[int]:
    """Return the numbers of the challenges that a page has a form to accept."""
    forms = html.fromstring(page).xpath("//form[.//*[@name='command' and @value='accept']]")
    return [int(form.xpath("string(.//*[@name='number']/@value)")) for form in forms]


def test_home_shows_every_game_and_how_to_begin(db: None, read: Read) -> None:
    page, learn = read("/"), read("/games/")
    for name, game in find().items():
        assert f'href="/games/{name}/"' in page
        assert game.info.author in learn
    assert "sarsen@sarsen.test" in page
    assert 'href="/help/tutorial/"' in page


def test_home_shows_challenges_and_another_page_all_public_boards(world: Any, read: Read) -> None:
    moves = "b8 b5 b4 a5"
    board, other = world.board(moves=moves), world.board("vasco", "e1 f4 c16 f8")
    hidden = world.board(moves=moves, terms=("--private",))
    number = world.challenge("druid", "carla", "anyone").number
    assert number in acceptable(read("/"))
    assert f"/boards/{board}/small-4" in read("/watch/")
    assert f"/boards/{other}/small" in read("/watch/")
    assert f"/boards/{other}/small" not in read("/watch/?game=druid")
    assert f"/boards/{hidden}/" not in read("/watch/")
    read("/watch/?game=chess", 404)


def test_a_challenge_is_not_open_while_somebody_named_has_not_agreed(
    world: Any, read: Read
) -> None:
    number = world.challenge("druid", "bob", "anyone", by="carla").number
    assert number not in acceptable(read("/games/druid/"))
    agreed = world.challenge("druid", "bob", "anyone", by="bob").number
    assert agreed in acceptable(read("/games/druid/"))


def test_a_game_page_has_rules_options_boards_and_challenges(world: Any, read: Read) -> None:
    running = world.board(moves="b12 b5", options="-size=12")
    number = world.challenge("druid", "carla", "anyone", options="-nogaps").number
    page = read("/games/druid/")
    assert "Cameron Browne, 2004" in page
    assert "sarsen" in page
    for words in ("size", "no gaps", "exact lintels", "with swap"):
        assert re.search(rf"<td>\s*{words}\s*</td>", page)
    assert f"/boards/{running}/" in page
    assert "size 12" in page
    assert number in acceptable(page)
    assert "no gaps · " in page


def test_a_game_page_lists_boards_of_that_game_alone(world: Any, read: Read) -> None:
    board = world.board("vasco")
    assert f"/boards/{board}/" in read("/games/vasco/")
    assert f"/boards/{board}/" not in read("/games/druid/")


@pytest.mark.parametrize("name", names())
def test_each_game_has_its_page_and_two_pictures(db: None, browser: Client, name: str) -> None:
    assert browser.get(f"/games/{name}/").status_code == 200
    pictures = [browser.get(f"/games/{name}/picture{theme}.svg") for theme in ("", "-dark")]
    assert [picture.status_code for picture in pictures] == [200, 200]
    assert pictures[0].content != pictures[1].content


@pytest.mark.parametrize("path", ["/games/gyges/", "/help/gyges/"])
def test_rules_are_german_for_a_german_visitor(db: None, browser: Client, path: str) -> None:
    german = browser.get(path, HTTP_ACCEPT_LANGUAGE="de").content.decode()
    assert "Zwölf Ringe stehen auf einem Brett" in german
    assert "nur auf Englisch" not in german
    english = browser.get(path).content.decode()
    assert "Twelve rings stand on a board" in english


@pytest.mark.parametrize("name", sorted(set(names()) - plugin_versions().keys()))
def test_showpieces_are_positions_of_running_games(name: str) -> None:
    position = showpiece(name)
    assert position.outcome() is None
    assert position != position.game.start(position.options)


def test_an_unknown_game_is_refused_with_the_games_there_are(db: None, read: Read) -> None:
    page = read("/games/chess/", 404)
    assert "There is no game called" in page
    assert "druid" in page


@pytest.mark.parametrize("subject", ["", "tutorial/", "options/", "commands/", "DRUID/"])
def test_help_pages_are_shown(db: None, read: Read, subject: str) -> None:
    read(f"/help/{subject}")


def test_every_command_has_a_help_page(db: None, read: Read, subtests: pytest.Subtests) -> None:
    for word in sorted({command.words[0] for command in BY_WORD.values()}):
        with subtests.test(word):
            assert "<code>" in read(f"/help/{word}/")


def test_unknown_help_is_refused_and_escaped(db: None, read: Read) -> None:
    page = read("/help/<script>alert(1)</", 404)
    assert "<script" not in page
    assert "no help on" in read("/help/<b>drud/", 404)
    assert "a name that long" in read(f"/help/{'x' * 100}/", 404)


def test_prose_has_no_raw_html_and_no_scripts_in_links() -> None:
    text = "<script>x</script> [a](javascript:x) ![p](https://example.org/p.png) <b onclick=x>"
    out = str(to_html(text))
    assert "<script" not in out
    assert "javascript:" not in out.replace("[a](javascript:x)", "")
    assert "<img" not in out
    assert "<b" not in out


def test_tables_and_figures_in_prose_scroll_by_keyboard() -> None:
    out = str(to_html("| a |\n|---|\n| b |\n\n```text\nboard\n```\n"))
    assert '<div class="wide" tabindex="0"><table>' in out
    assert '<pre tabindex="0">' in out


def test_health_is_one_word(db: None, read: Read) -> None:
    assert read("/health/") == "ok\n"


def test_style_sheet_is_kept_for_ever_only_under_its_version(db: None, browser: Client) -> None:
    address = browser.get("/").content.decode().split('href="/style/board.css')[1].split('"')[0]
    assert "immutable" in browser.get(f"/style/board.css{address}")["Cache-Control"]
    assert "immutable" not in browser.get("/style/board.css")["Cache-Control"]


def test_pages_forbid_everything_that_is_not_ours(db: None, browser: Client) -> None:
    policy = browser.get("/")["Content-Security-Policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy


def test_error_pages_are_in_house_style_and_tell_no_details(db: None) -> None:
    request = RequestFactory().get("/")
    fault = ValueError("a secret detail")
    pages = [
        server_error(request),
        bad_request(request, fault),
        permission_denied(request, fault),
    ]
    assert [page.status_code for page in pages] == [500, 400, 403]
    for page in pages:
        assert static("web/page.css").encode() in page.content
        assert b"secret" not in page.content


def test_a_request_that_is_too_large_gets_the_error_page(db: None, browser: Client) -> None:
    response = browser.post("/mail/write/", {"text": "x" * 400_000})
    assert response.status_code == 400
    assert b"too large" in response.content


def test_the_strengths_of_programs_are_those_of_the_document() -> None:
    document = Path("docs/strength.md").read_text(encoding="utf-8").split("\n# ")[1]
    for name, game in find().items():
        if name in plugin_versions():
            continue
        part = document.split(f"\n## {game.info.title}\n")[1].split("\n## ")[0]
        figures = re.findall(r"^\| \d \| (\d+) \|", part, re.MULTILINE)
        assert measured_strengths(name) == tuple(map(int, figures)), name


def test_a_game_that_wants_testers_says_so_in_lists_and_on_its_page(
    db: None, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    welcome = "It is new, and testers are welcome."
    assert welcome not in client.get("/games/").text
    wanted = replace(druid.GAME, info=replace(druid.GAME.info, wants_testers=True))
    monkeypatch.setattr(druid, "GAME", wanted)
    for address in ("/games/", "/games/druid/", "/help/druid/"):
        assert client.get(address).text.count(welcome) == 1, address
    assert client.get("/api/v1/games/druid").json()["wants_testers"] is True
    listed = perform(ListBoards(), NOBODY, "", NOW)
    assert isinstance(listed, Tables)
    told = {row[0]: row[1] for row in listed.tables[0].rows}
    assert [name for name, words in told.items() if str(words).endswith(welcome)] == ["druid"]
