"""One player at a browser: what the tests of pointing and of gestures share."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from sarsen.storage.models import Player
from web_world import World

PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
# Where a spot is on the screen: its largest shape, which is scrolled to.
MIDDLE = """
(spot) => {
  const area = (one) => { const box = one.getBoundingClientRect(); return box.width * box.height; };
  const shapes = [...document.querySelectorAll(`svg.board [data-spot="${spot}"]`)]
    .filter((one) => one.tagName !== "text" && one.getClientRects().length)
    .sort((one, other) => area(other) - area(one));
  shapes[0].scrollIntoView({ block: "center" });
  const box = shapes[0].getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
"""

# The same without scrolling.
WHERE = MIDDLE.replace('shapes[0].scrollIntoView({ block: "center" });', "")


class Seat:
    """One player at a browser, who only points."""

    def __init__(self, chromium: Browser, url: str, userid: str, **looks: Any) -> None:
        self.is_phone = looks.get("has_touch", False)
        self.page: Page = chromium.new_context(**looks).new_page()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.url = url
        browser = Client()
        browser.force_login(Player.objects.get(userid=userid))
        key = browser.cookies[settings.SESSION_COOKIE_NAME].value
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": key, "url": url}
        self.page.context.add_cookies([cookie])  # type: ignore[list-item]

    def open(self, board: int) -> None:
        self.page.goto(f"{self.url}/boards/{board}/")
        expect(self.page.locator(".pointable")).to_be_visible()

    def point(self, spot: str) -> None:
        if not self.is_phone:
            self.page.mouse.click(*self.page.evaluate(MIDDLE, spot))
            return
        was_enlarged = self.page.locator("svg.zoomed").count()
        self.page.touchscreen.tap(*self.page.evaluate(MIDDLE, spot))
        if self.page.locator("svg.zoomed").count() and not was_enlarged:
            self.page.touchscreen.tap(*self.page.evaluate(MIDDLE, spot))

    def play(self, *spots: str) -> None:
        """Point a move out, look at it, and play it."""
        for spot in spots:
            self.point(spot)
        self.page.locator(".deciding").get_by_role("button", name="Play ").click()
        expect(self.page.locator(".done")).to_contain_text("You played")


def seated(world: World) -> None:
    for userid in ("ann", "bob"):
        player = world.player(userid)
        player.set_password("open-sesame")
        player.save()


def middle_of(page: Page, spot: str) -> tuple[float, float]:
    x, y = page.evaluate(WHERE, spot)
    return x, y
