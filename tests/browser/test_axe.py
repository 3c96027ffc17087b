"""axe finds nothing grave on any page: names, roles, contrast, order."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, BrowserContext, Page

from filled_world import LONG, own_paths, paths
from sarsen.storage.models import Player
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
GRAVE = ("serious", "critical")
ORDERLY = (  # rules of moderate impact, for those who jump by landmarks and headings
    "empty-heading",
    "empty-table-header",
    "heading-order",
    "landmark-banner-is-top-level",
    "landmark-complementary-is-top-level",
    "landmark-contentinfo-is-top-level",
    "landmark-main-is-top-level",
    "landmark-no-duplicate-banner",
    "landmark-no-duplicate-contentinfo",
    "landmark-no-duplicate-main",
    "landmark-one-main",
    "landmark-unique",
    "page-has-heading-one",
    "region",
    "skip-link",
)
PATIENCE = 120_000  # milliseconds: other processes may be at work on the machine
AXE = Axe()


def context(chromium: Browser, url: str, userid: str = "", **looks: Any) -> BrowserContext:
    """Return a browser, with a player logged in if one is named."""
    browser = chromium.new_context(viewport={"width": 1280, "height": 800}, **looks)
    if userid:
        client = Client()
        client.force_login(Player.objects.get(userid=userid))
        key = client.cookies[settings.SESSION_COOKIE_NAME].value
        browser.add_cookies([{"name": settings.SESSION_COOKIE_NAME, "value": key, "url": url}])
    return browser


def faults(page: Page) -> list[str]:
    """Return what axe finds grave on a page, or out of order for who jumps through it."""
    found = AXE.run(page, options={"resultTypes": ["violations"]}).response["violations"]
    return [
        f"{one['impact']} {one['id']}: {node['target']} {node['html'][:120]}"
        for one in found
        if one["impact"] in GRAVE or one["id"] in ORDERLY
        for node in one["nodes"]
    ]


def found_on(browser: BrowserContext, url: str, addresses: Iterable[str]) -> dict[str, list[str]]:
    page = browser.new_page()
    page.set_default_timeout(PATIENCE)
    found = {}
    for path in addresses:
        page.goto(url + path, wait_until="load")
        if "/boards/" in path and page.locator("[data-moves]").count():
            page.locator(".key").wait_for(state="attached")  # the board can be played on
        found[path] = faults(page)
    page.close()
    return {path: grave for path, grave in found.items() if grave}


def test_axe_finds_nothing_grave_where_one_plays(
    chromium: Browser, live_server: Any, world: World
) -> None:
    board = world.board(moves="a1 c1", options="-size=3")
    url = live_server.url
    own = [f"/boards/{board}/", f"/boards/{board}/text/?spot=a1"]
    with context(chromium, url, "ann") as light:
        assert found_on(light, url, own) == {}
    with context(chromium, url, color_scheme="dark") as dark:
        assert found_on(dark, url, [f"/boards/{board}/variations/?ply=1&try=b2"]) == {}


@pytest.mark.slow
@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_axe_finds_nothing_grave_on_any_page(
    chromium: Browser, live_server: Any, world: World, scheme: Any
) -> None:
    everybodys, own = paths(world), own_paths(world)
    url = live_server.url
    with context(chromium, url, color_scheme=scheme) as nobody:
        assert found_on(nobody, url, everybodys) == {}
    with context(chromium, url, LONG[0], color_scheme=scheme) as player:
        assert found_on(player, url, own) == {}
