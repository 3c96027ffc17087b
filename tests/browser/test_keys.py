"""A whole game by keys alone: on the picture with script, in words without."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from sarsen.storage.models import Match, Player
from web_world import World

pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(
        not Path("/usr/bin/chromium").exists(), reason="/usr/bin/chromium is not installed"
    ),
]
FOCUSED = """
() => {
  const one = document.activeElement;
  return one.getAttribute("aria-label") || one.id || one.textContent.trim();
}
"""
MOST_KEYS = 60
PATIENCE = 90_000  # milliseconds: other processes may be at work on the machine
expect.set_options(timeout=20_000)


class Hands:
    """Somebody with keys and no pointer."""

    def __init__(self, chromium: Browser, url: str, userid: str, *, script: bool) -> None:
        self.page: Page = chromium.new_context(
            viewport={"width": 1280, "height": 800}, java_script_enabled=script
        ).new_page()
        self.page.set_default_timeout(PATIENCE)
        client = Client()
        client.force_login(Player.objects.get(userid=userid))
        key = client.cookies[settings.SESSION_COOKIE_NAME].value
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": key, "url": url}
        self.page.context.add_cookies([cookie])  # type: ignore[list-item]  # a TypedDict

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def focused(self) -> str:
        """Say what has the focus."""
        return str(self.page.evaluate(FOCUSED))

    def tab_to(self, words: str) -> None:
        """Press the Tab key until something has the focus whose name begins so."""
        for _ in range(MOST_KEYS):
            if self.focused().startswith(words):
                return
            self.press("Tab")
        raise AssertionError(f"no key leads to {words!r} on {self.page.url}")


def point(hands: Hands, board: str, spot: str) -> None:
    """Play on the picture: go there by arrows, tap, and play what is shown."""
    page = hands.page
    page.goto(board)
    page.locator(".key").wait_for(state="attached")
    hands.press("Tab")
    assert hands.focused() == "To the content"
    while page.evaluate("() => document.activeElement.getAttribute('class')") != "key":
        hands.press("Tab")
    for _ in range(6):
        at = str(page.locator(".key").get_attribute("data-at"))
        if at == spot:
            break
        upright = "ArrowUp" if at[1] < spot[1] else "ArrowDown"
        hands.press(upright if at[1] != spot[1] else "ArrowLeft" if at > spot else "ArrowRight")
    assert hands.focused().startswith(f"{spot}: ")
    hands.press("Enter")
    expect(page.get_by_role("button", name=f"Play {spot}")).to_be_focused()
    hands.press("Enter")
    expect(page.locator(".done")).to_be_focused()


def say(hands: Hands, board: str, spot: str) -> None:
    """Play in words, without script: choose the place from a list, and play it."""
    page = hands.page
    page.goto(board)
    hands.press("Tab", "Tab")
    assert hands.focused() == "This board in words"
    hands.press("Enter")
    page.wait_for_url("**/text/")
    hands.tab_to("spot")
    page.keyboard.type(spot)
    hands.tab_to("Choose")
    hands.press("Enter")
    expect(page.locator(".state")).to_be_focused()
    expect(page.locator(".state")).to_contain_text(f"Only tried: {spot}.")
    hands.tab_to(f"Play {spot}")
    hands.press("Enter")
    expect(page.locator(".done")).to_be_focused()


def test_a_game_is_played_to_its_end_by_keys_alone(
    chromium: Browser, live_server: Any, world: World
) -> None:
    number = world.board(options="-size=3")
    board = f"{live_server.url}/boards/{number}/"
    ann = Hands(chromium, live_server.url, "ann", script=True)
    bob = Hands(chromium, live_server.url, "bob", script=False)
    for ply, spot in enumerate(["a1", "c1", "a2", "b2", "a3"]):
        if ply % 2 == 0:
            point(ann, board, spot)
        else:
            say(bob, board, spot)
    assert Match.objects.get(pk=number).ended_at is not None
    bob.page.goto(f"{board}text/")
    expect(bob.page.locator(".state")).to_contain_text("V joined top and bottom.")
    for hands in (ann, bob):
        hands.page.context.close()
