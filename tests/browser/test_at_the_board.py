"""What two players do at one board in two browsers: looking, changing one's mind, going back."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from sarsen.language.commands import Chat, Confirm, PlayMove, Resign
from sarsen.services.dispatch import perform
from sarsen.services.events import live_updates
from sarsen.services.request import Actor
from sarsen.storage.models import MatchSeat
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
expect.set_options(timeout=120_000)  # other processes may be at work on the machine
DESK = {"width": 1280, "height": 800}
MIDDLE = """
(spot) => {
  const area = (one) => { const box = one.getBoundingClientRect(); return box.width * box.height; };
  const shapes = [...document.querySelectorAll(`.picture svg.board [data-spot="${spot}"]`)]
    .filter((one) => one.tagName !== "text" && one.getClientRects().length)
    .sort((one, other) => area(other) - area(one));
  const box = shapes[0].getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
"""
# The point of the picture in the middle of its frame.
SEEN = """
() => {
  const svg = document.querySelector(".picture svg.board");
  const { x, y, width, height } = svg.parentElement.getBoundingClientRect();
  const middle = new DOMPoint(x + width / 2, y + height / 2);
  const at = middle.matrixTransform(svg.getScreenCTM().inverse());
  return [at.x, at.y];
}
"""
SCALE = "() => document.querySelector('svg.board').style.getPropertyValue('--scale')"


@pytest.fixture(autouse=True)
def _at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live_updates, "WITHOUT_BOARD", 0.5)


@pytest.fixture
def people(chromium: Browser, live_server: Any, world: World) -> Iterator[tuple[Page, Page]]:
    """Return ann's browser and bob's."""
    pages = []
    for userid in ("ann", "bob"):
        client = Client()
        client.force_login(world.player(userid))
        cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value}
        context = chromium.new_context(viewport=DESK)  # type: ignore[arg-type]
        context.add_cookies([{**cookie, "url": live_server.url}])  # type: ignore[list-item]
        pages.append(context.new_page())
    yield pages[0], pages[1]
    for page in pages:
        page.context.close()


def open_board(page: Page, url: str, board: int) -> None:
    page.goto(f"{url}/boards/{board}/")
    expect(page.locator("svg.board").first).to_be_visible()


def point(page: Page, spot: str) -> None:
    page.mouse.click(*page.evaluate(MIDDLE, spot))


def test_the_rules_open_over_the_board_and_close_again(
    people: tuple[Page, Page], live_server: Any, world: World
) -> None:
    ann, _ = people
    board = world.board(moves="b8 b5")
    address = f"{live_server.url}/boards/{board}/?try=c3"
    ann.goto(address)
    ann.get_by_role("link", name="Rules", exact=True).click()
    rules = ann.get_by_role("dialog", name="Rules")
    expect(rules).to_contain_text("Two sects of druids")
    # The keys of the board beneath rest: neither a step back nor the preview's Esc reaches it.
    ann.keyboard.press("ArrowLeft")
    ann.keyboard.press("Escape")
    expect(rules).to_have_count(0)
    assert ann.url == address
    ann.get_by_role("link", name="Rules", exact=True).click()
    rules.get_by_role("button", name="Close").click()
    expect(rules).to_have_count(0)
    expect(ann.get_by_role("button", name="Play c3")).to_be_visible()


def test_the_step_back_goes_over_no_preview_and_to_no_move_played_since(
    people: tuple[Page, Page], live_server: Any, world: World
) -> None:
    ann, bob = people
    board = world.board(moves="b8 b5")
    ann.goto(f"{live_server.url}/my/")
    open_board(ann, live_server.url, board)
    steps = ann.evaluate("history.length")
    for spot in ("c3", "c4"):
        point(ann, spot)
        expect(ann.get_by_role("button", name=f"Play {spot}")).to_be_visible()
        ann.keyboard.press("Escape")
        expect(ann.locator(".pointable")).to_be_visible()
    assert ann.evaluate("history.length") == steps
    point(ann, "c3")
    ann.get_by_role("button", name="Play c3").click()
    expect(ann.locator(".done")).to_contain_text("You played c3")
    open_board(bob, live_server.url, board)
    expect(bob.locator(".here")).to_have_text("3 / 3")
    ann.go_back()
    expect(ann.locator(".here")).to_have_text("3 / 3")
    expect(ann.locator(".refusal")).to_have_count(0)
    ann.go_back()
    ann.wait_for_url("**/my/")


def test_another_place_tapped_in_a_preview_is_shown_and_a_second_click_takes_nothing_back(
    people: tuple[Page, Page], live_server: Any, world: World
) -> None:
    ann, _ = people
    board = world.board(moves="b8 b5")
    ann.clock.install()
    open_board(ann, live_server.url, board)
    expect(ann.locator(".pointable")).to_be_visible()
    ann.clock.pause_at(ann.evaluate("Date.now() + 2000"))
    asked: list[str] = []
    ann.on("request", lambda one: asked.append(one.url))
    point(ann, "c3")
    expect(ann.get_by_role("button", name="Play c3")).to_be_visible()
    point(ann, "c3")  # at the same time
    ann.clock.run_for(1000)
    point(ann, "c4")
    expect(ann.get_by_role("button", name="Play c4")).to_be_visible()
    assert sum(url.endswith(f"/boards/{board}/") for url in asked) == 1
    ann.clock.run_for(1000)
    point(ann, "c4")  # the move shown is taken back
    expect(ann.locator(".pointable")).to_be_visible()


def test_an_enlarged_board_stays_so_in_a_preview_and_after_a_move(
    people: tuple[Page, Page], live_server: Any, world: World
) -> None:
    ann, bob = people
    board = world.board("visavis", "H8 F6", options="-size=25")
    open_board(ann, live_server.url, board)
    expect(ann.locator(".pointable")).to_be_visible()
    ann.get_by_role("button", name="View", exact=True).click()
    ann.get_by_role("button", name="Larger").click()
    scale = ann.evaluate(SCALE)
    assert float(scale) > 1
    ann.locator(".picture > .view").evaluate("one => one.scrollBy(40, 30)")
    place = ann.evaluate(SEEN)
    point(ann, "N12")
    play = ann.get_by_role("button", name="Play N12")
    expect(play).to_be_visible()

    def check() -> None:
        assert ann.evaluate(SCALE) == scale
        assert all(
            abs(one - other) < 5 for one, other in zip(ann.evaluate(SEEN), place, strict=True)
        )

    check()
    play.click()
    expect(ann.locator(".done")).to_contain_text("You played N12")
    expect(ann.locator("svg.zoomed")).to_be_visible()
    check()
    open_board(bob, live_server.url, board)
    point(bob, "D7")
    bob.get_by_role("button", name="Play D7").click()
    expect(ann.locator("#told")).to_contain_text("bob played D7")
    check()


def test_questions_and_refusals_stand_over_the_board_and_the_end_is_a_panel(
    people: tuple[Page, Page], live_server: Any, world: World
) -> None:
    ann, bob = people
    board = world.board(moves="b8 b5")
    for page in people:
        open_board(page, live_server.url, board)
    address = ann.url
    dialog = ann.get_by_role("dialog")
    ann.locator("label[for=sheet-more]").click()
    ann.get_by_text("Planned moves").click()
    ann.locator("#queue").fill("z99")
    ann.get_by_role("button", name="Save plan").click()
    expect(dialog.locator(".refusal")).to_contain_text("z99")
    ann.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    expect(ann.locator("#queue")).to_have_value("z99")
    ann.get_by_role("button", name="Resign").click()
    expect(dialog).to_contain_text("resign")
    assert ann.url == address
    asked = MatchSeat.objects.exclude(resign_asked_at=None)
    assert asked.count() == 1
    ann.keyboard.press("Escape")
    expect(dialog).to_have_count(0)
    assert asked.count() == 0  # Esc has answered with no
    ann.reload()
    expect(ann.locator("body")).not_to_contain_text("Do you really want to resign")
    ann.get_by_role("button", name="Resign").click()
    dialog.get_by_role("button", name="Yes, resign").click()
    card = ann.locator(".ended")
    expect(card).to_contain_text("bob won")
    expect(card.get_by_role("button", name="Rematch")).to_be_visible()
    card.locator("summary").click()
    expect(card.get_by_role("button", name="Rematch")).to_be_hidden()
    expect(bob.locator(".ended")).to_contain_text("You won")


def test_what_is_said_about_news_is_what_happened(
    people: tuple[Page, Page], live_server: Any, world: World
) -> None:
    ann, bob = people
    board = world.board(moves="b8 b5")
    for page in (ann, bob):
        open_board(page, live_server.url, board)
    told = ann.locator("#told")
    bob.get_by_label("Message").fill("Well played so far")
    bob.get_by_role("button", name="Send").click()
    expect(told).to_contain_text("Well played so far")
    expect(told).not_to_contain_text("moved")
    bob.get_by_role("button", name="Take back").click()
    request = bob.locator(".done")
    expect(request).to_be_visible()
    expect(told).to_have_text("bob asks to take back move 2")
    ann.get_by_role("button", name="Accept").click()
    expect(ann.locator(".here")).to_have_text("1 / 1")
    expect(bob.locator("#told")).to_have_text("It's your move.")
    expect(request).to_be_hidden()  # the request does not stand any more


def test_enter_sends_and_half_a_line_of_chat_stops_neither_the_board_nor_its_record(
    people: tuple[Page, Page], live_server: Any, world: World
) -> None:
    ann, bob = people
    board = world.board(moves="b8 b5")
    for page in (ann, bob):
        open_board(page, live_server.url, board)
    said = bob.get_by_label("Message")
    said.fill("Hello")
    said.press("Shift+Enter")
    said.press_sequentially("Ann")
    said.press("Enter")
    expect(ann.locator(".talk .bubble")).to_have_text(re.compile(r"Hello\s*Ann"))
    expect(said).to_have_value("")
    said.press("Enter")
    said.press_sequentially("Half a")
    point(ann, "c3")
    ann.get_by_role("button", name="Play c3").click()
    expect(bob.locator(".here")).to_have_text("3 / 3")
    expect(bob.locator("#told")).to_have_text("ann played c3. It's your move.")
    expect(bob.locator(".seats .on")).to_contain_text("bob")
    expect(bob.locator(".moves")).to_contain_text("c3")
    expect(bob.locator(".pointable")).to_be_visible()
    said.press_sequentially(" line")
    expect(said).to_have_value("Half a line")


def test_chat_leaves_taps_and_previews_as_they_are_and_a_move_is_offered(
    people: tuple[Page, Page], live_server: Any, world: World
) -> None:
    ann, _ = people
    board = world.board(moves="b8 b5 b4 a5 b6 d1")

    def say(words: str) -> None:
        perform(Chat("druid", board, words), Actor(world.player("bob")), "", world.now)

    open_board(ann, live_server.url, board)
    expect(ann.locator(".pointable")).to_be_visible()
    told, tapped = ann.locator("#told"), ann.locator(".picture.tapping")
    point(ann, "b4")
    say("First")
    expect(told).to_have_text("bob First")
    expect(ann.locator(".talk")).to_contain_text("First")
    expect(tapped).to_be_visible()
    ann.keyboard.press("Escape")
    point(ann, "c3")
    expect(ann.locator(".tried")).to_contain_text("c3")
    say("Second")
    expect(told).to_have_text("bob Second")
    expect(ann.locator(".tried")).to_contain_text("c3")
    expect(ann.locator(".state")).to_contain_text("Preview:")
    perform(PlayMove("druid", board, "h1"), Actor(world.player("ann")), "", world.now)  # elsewhere
    expect(told).to_contain_text("The board has changed")
    expect(ann.locator(".tried")).to_contain_text("c3")
    expect(ann.locator(".moves")).to_contain_text("h1")
    say("Third")
    expect(ann.locator(".talk")).to_contain_text("Third")
    told.get_by_role("link", name="Refresh").click()
    expect(ann.locator(".here")).to_have_text("7 / 7")


def test_chat_is_no_move_to_those_who_look_at_an_earlier_one(
    people: tuple[Page, Page], live_server: Any, world: World
) -> None:
    ann, _ = people
    board = world.board(moves="b8 b5 b4")
    ann.goto(f"{live_server.url}/boards/{board}/1/")
    perform(Chat("druid", board, "Well played"), Actor(world.player("bob")), "", world.now)
    expect(ann.locator(".talk")).to_contain_text("Well played")
    expect(ann.locator("#told")).not_to_contain_text("has gone on")
    expect(ann.locator(".here")).to_have_text("1 / 3")
    perform(PlayMove("druid", board, "a5"), Actor(world.player("bob")), "", world.now)
    expect(ann.locator("#told")).to_contain_text("The game has gone on")
    expect(ann.locator(".here")).to_have_text("1 / 3")


def test_a_rematch_is_asked_for_agreed_to_and_begun_where_the_game_ended(
    people: tuple[Page, Page], live_server: Any, world: World
) -> None:
    ann, bob = people
    board = world.board(moves="b8 b5")
    resigning = Actor(world.player("ann"))
    perform(Resign("druid", board), resigning, "", world.now)
    perform(Confirm("druid", board), resigning, "", world.now)
    for page in (ann, bob):
        open_board(page, live_server.url, board)
    bob.get_by_role("button", name="Rematch").click()
    expect(bob.locator("main")).to_contain_text("It starts when ann accepts")
    expect(ann.locator("#told")).to_have_text("bob would like a rematch")
    expect(ann.get_by_role("button", name="Decline")).to_be_visible()
    open_board(bob, live_server.url, board)
    expect(bob.get_by_role("link", name="You have asked for a rematch")).to_be_visible()
    ann.get_by_role("button", name="Accept").click()
    expect(ann.locator(".here")).to_have_text("0 / 0")
    rematch = int(ann.url.rstrip("/").rpartition("/")[2])
    assert rematch != board
    # The player who asked for it is taken there, too.
    expect(bob.get_by_role("heading", level=1)).to_have_text(f"Druid Board {rematch}")


def test_the_keys_are_shown_by_a_key_and_by_a_button(
    people: tuple[Page, Page], live_server: Any, world: World
) -> None:
    ann, _ = people
    open_board(ann, live_server.url, world.board(moves="b8 b5"))
    keys = ann.get_by_role("dialog", name="Keys")
    ann.keyboard.press("?")
    expect(keys).to_contain_text("Next board")
    ann.keyboard.press("Escape")
    expect(keys).to_be_hidden()
    ann.get_by_label("Move", exact=True).press_sequentially("?")
    expect(keys).to_be_hidden()
    ann.locator("label[for=sheet-more]").click()
    ann.get_by_role("button", name="Keys").click()
    expect(keys).to_be_visible()


def test_a_page_loaded_anew_in_the_middle_of_a_move_plays_it_once(
    people: tuple[Page, Page], live_server: Any, world: World
) -> None:
    ann, bob = people
    board = world.board(moves="b8 b5 b4 a5 b6 d1")
    for page in (ann, bob):
        open_board(page, live_server.url, board)
    point(ann, "b4")  # a sarsen, or the first end of a lintel
    expect(ann.locator(".picture.tapping")).to_be_visible()
    ann.reload()
    expect(ann.locator(".pointable")).to_be_visible()
    expect(ann.locator(".picture.tapping")).to_have_count(0)
    point(ann, "c3")
    play = ann.get_by_role("button", name="Play c3")
    expect(play).to_be_visible()
    ann.reload()
    play.click()
    expect(ann.locator(".done")).to_contain_text("You played c3")
    ann.reload()
    for page in (ann, bob):
        expect(page.locator(".here")).to_have_text("7 / 7")
