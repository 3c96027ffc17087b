"""Messages at a board neither cover nor move it, nor the buttons that are pressed next."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from processes.conftest import await_true
from sarsen.language.commands import Chat, PlayMove
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
expect.set_options(timeout=120_000)  # other processes may be at work on the machine
SIZES = {
    "desk": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
# The moves before, ann's, and bob's answer.
GAMES = {
    "druid": ("b8 b5", "c3", "a5"),
    "gyges": ("231123 321123", "13-23", "61-31"),
    "vasco": ("d1 b8", "d1", "d11"),
    "visavis": ("H8 F6", "P10", "D7"),
}
# The messages in sight that lie over the board, or over a button, by what they say.
COVERING = """
() => {
  const shown = (selector) => [...document.querySelectorAll(selector)]
    .filter((one) => one.getClientRects().length && one.textContent.trim());
  const board = [...document.querySelectorAll(".picture svg.board")]
    .find((one) => one.getClientRects().length);
  const next = [board, ...shown(".deciding button, .deciding a, .pointed button, .note button")];
  const meet = (one, other) => one.left < other.right - 1 && other.left < one.right - 1
    && one.top < other.bottom - 1 && other.top < one.bottom - 1;
  const messages = shown("#told, .note:not(.tried), .done, .why, .refusal, .pointed");
  return messages.flatMap((message) => next
    .filter((one) => !message.contains(one))
    .filter((one) => meet(message.getBoundingClientRect(), one.getBoundingClientRect()))
    .map((one) => `${message.textContent.trim()} lies over ${one.textContent.trim()}`));
}
"""
TOP = "() => document.querySelector('.picture svg.board').getBoundingClientRect().top + scrollY"


@pytest.fixture(params=SIZES)
def page(
    request: pytest.FixtureRequest, chromium: Browser, live_server: Any, world: World
) -> Iterator[Page]:
    """Return a browser of either size in which ann is logged in."""
    context = chromium.new_context(**SIZES[request.param])
    client = Client()
    client.force_login(world.player("ann"))
    cookie = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    yield context.new_page()
    context.close()


def check(page: Page) -> None:
    """Fail where a message stays over the board or its neighbours.

    While one page takes the place of another, for some frames on a busy machine, it may.
    """
    await_true(lambda: page.evaluate(COVERING) == [], "a message covers something")


@pytest.mark.parametrize("game", GAMES)
def test_no_message_of_a_move_covers_the_board_or_pushes_it_away(
    page: Page, live_server: Any, world: World, game: str
) -> None:
    before, own, answer = GAMES[game]
    board = world.board(game, before)
    bob = Actor(world.player("bob"))
    page.goto(f"{live_server.url}/boards/{board}/")
    expect(page.locator(".pointable")).to_be_visible()
    place = page.evaluate(TOP)
    check(page)
    page.goto(f"{live_server.url}/boards/{board}/?try={own}")
    expect(page.locator(".deciding")).to_be_visible()
    check(page)
    page.get_by_role("button", name=f"Play {own}").click()
    expect(page.locator(".done")).to_contain_text("You played")
    check(page)
    assert page.evaluate(TOP) <= page.viewport_size["height"] * 0.6  # type: ignore[index]
    perform(PlayMove(game, board, answer), bob, "", world.now)
    # Screen readers hear of the move; others read it where it stands from now on.
    expect(page.locator("#told")).to_contain_text(f"bob played {answer}")
    expect(page.locator(".state .did")).to_contain_text(f"bob played {answer}")
    assert page.locator("#told").bounding_box()["width"] <= 1  # type: ignore[index]
    check(page)
    assert abs(page.evaluate(TOP) - place) <= 160


def test_a_refused_tap_is_explained_below_the_board(
    page: Page, live_server: Any, world: World
) -> None:
    board = world.board(moves="b8 b5")
    page.goto(f"{live_server.url}/boards/{board}/")
    expect(page.locator(".pointable")).to_be_visible()
    page.locator('svg.board [data-spot="b5"]').first.click(force=True)
    expect(page.locator(".why")).to_contain_text("b5")
    check(page)
    page.locator('svg.board [data-spot="c3"]').first.click(force=True)
    expect(page.get_by_role("button", name="Play c3")).to_be_visible()
    check(page)


def test_what_changed_meanwhile_is_told_beside_the_board(
    page: Page, live_server: Any, world: World
) -> None:
    board = world.board(moves="b8 b5 b4 a5 b6 d1")
    page.goto(f"{live_server.url}/boards/{board}/")
    expect(page.locator(".pointable")).to_be_visible()
    page.locator('svg.board [data-spot="b4"]').first.click(force=True)
    expect(page.get_by_role("button", name="My move is b4")).to_be_visible()
    perform(PlayMove("druid", board, "h1"), Actor(world.player("ann")), "", world.now)
    expect(page.locator("#told")).to_contain_text("The board has changed")
    assert page.locator("#told").bounding_box()["width"] > 200  # type: ignore[index]
    check(page)
    page.get_by_role("link", name="Refresh").click()
    expect(page.locator(".here")).to_have_text("7 / 7")


# Whether a drawing keeps its lines, and scrolls by itself, not with the page or the chat.
DRAWN = """
() => {
  const drawing = document.querySelector(".bubble pre");
  const line = parseFloat(getComputedStyle(drawing).lineHeight);
  return {
    lines: Math.round(drawing.clientHeight / line),
    is_wider: drawing.scrollWidth > drawing.clientWidth,
    fits: drawing.getBoundingClientRect().right <= innerWidth,
    page: document.documentElement.scrollWidth <= innerWidth,
  };
}
"""


def test_a_drawing_in_chat_is_scrolled_by_itself(
    page: Page, live_server: Any, world: World
) -> None:
    board = world.board("druid", "b8")
    drawing = "\n".join(f"{line}  " + "+-----" * 15 for line in range(12))
    for player in ("bob", "ann"):
        command = Chat("druid", board, f"Look at this, please:\n\n{drawing}\n\nWhat now?")
        perform(command, Actor(world.player(player)), "", world.now)
    page.goto(f"{live_server.url}/boards/{board}/")
    if not page.locator(".bubble pre").last.is_visible():
        page.locator("label[for=sheet-chat]").click()
    expect(page.locator(".bubble pre").last).to_be_visible()
    shown = page.evaluate(DRAWN)
    assert shown == {"lines": 12, "is_wider": True, "fits": True, "page": True}
