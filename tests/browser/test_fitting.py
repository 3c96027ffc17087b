"""A board, its players, the prompt and the Play button fit the window, for every game and state."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from filled_world import DRUID, GYGES
from web_world import World

pytestmark = [
    pytest.mark.browser,
    pytest.mark.ci,
    pytest.mark.skipif(
        not Path("/usr/bin/chromium").exists(), reason="/usr/bin/chromium is not installed"
    ),
]
expect.set_options(timeout=20_000)  # other processes may be at work on the machine
SIZES = {
    "desk": {"viewport": {"width": 1280, "height": 800}},
    "phone": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
# A board of each game at its default size, of the largest one, and a move that is legal there.
BOARDS = {
    "druid": (("druid", DRUID.rpartition(" ")[0], ""), "a1"),
    "gyges": (("gyges", GYGES, ""), ""),
    "vasco": (("vasco", "d1 b8", ""), "d1"),
    "visavis": (("visavis", "H8 F6", ""), "P10"),
    "visavis25": (("visavis", "", "-size=25"), "P10"),
}
SHIFTS = """
() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const moved = sources.map(({ node, previousRect, currentRect }) =>
        `${node?.className}: ${previousRect.y} to ${currentRect.y}`);
      window.shifts.push([value, moved.join("; ")]);
    }
  }).observe({ type: "layout-shift", buffered: true });
}
"""
# What of some elements, the first in sight of each, lies outside the window.
OUTSIDE = """
(selectors) => selectors.flatMap((selector) => {
  const one = [...document.querySelectorAll(selector)].find((it) => it.getClientRects().length);
  if (!one) return [`${selector} is not there`];
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const isInside = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  return isInside ? [] : [`${selector}: ${[left, top, right, bottom].map(Math.round)}`];
})
"""


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
    page = context.new_page()
    page.add_init_script(f"({SHIFTS})()")
    yield page
    context.close()


def check(page: Page, *further: str) -> None:
    seen = ("svg.board", ".above .side", ".below .side", ".state", *further)
    assert page.evaluate(OUTSIDE, list(seen)) == []
    assert page.evaluate("scrollY") == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("name", BOARDS)
def test_the_board_its_players_and_what_to_do_are_in_sight(
    page: Page, live_server: Any, world: World, name: str
) -> None:
    (game, moves, options), move = BOARDS[name]
    board = world.board(game, moves, options=options)
    address = f"{live_server.url}/boards/{board}/"
    page.goto(address)
    is_own_turn = len(moves.split()) % 2 == 0
    if is_own_turn:
        expect(page.locator(".pointable")).to_be_visible()
        check(page, ".pointed", ".typing button")
    else:
        check(page, ".typing button")
    shifts = page.evaluate("window.shifts")
    assert round(sum(value for value, _ in shifts), 2) == 0, shifts
    if move:
        page.goto(f"{address}?try={move}")
        check(page, ".deciding button, .deciding .button")


def test_the_end_of_a_game_is_in_sight(page: Page, live_server: Any, world: World) -> None:
    board = world.board(moves=DRUID)
    page.goto(f"{live_server.url}/boards/{board}/")
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    check(page, ".ended button")
