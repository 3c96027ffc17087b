"""Pages of contests in a browser: what stays in sight on a phone, what axe finds, what is new."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Browser, Page, ViewportSize, expect

from browser.test_axe import context, found_on
from contest_world import ContestWorld
from filled_world import LONG, contest_paths
from sarsen.language.commands import JoinLadder, MakeContest
from sarsen.language.contests.ladders import LadderMade
from sarsen.storage.models import Player
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
PHONE = ViewportSize(width=390, height=844)


def test_axe_finds_nothing_grave_on_pages_of_contests(
    chromium: Browser, live_server: Any, world: World
) -> None:
    paths = contest_paths(world)
    with context(chromium, live_server.url) as nobody:
        assert found_on(nobody, live_server.url, paths) == {}
    with context(chromium, live_server.url, LONG[0], color_scheme="dark") as player:
        assert found_on(player, live_server.url, paths) == {}


def lefts(page: Page) -> list[float]:
    """Return where place and name of the first row begin."""
    boxes = [page.locator(f"tbody .{one}").first.bounding_box() for one in ("place", "name")]
    return [box["x"] for box in boxes if box is not None]


def test_on_a_phone_the_table_scrolls_while_place_and_name_stay(
    chromium: Browser, live_server: Any, world: World
) -> None:
    running = contest_paths(world)[3]
    with context(chromium, live_server.url) as browser:
        page = browser.new_page()
        page.set_viewport_size(PHONE)
        page.goto(live_server.url + running)
        around = page.locator(".wide:has(> .crosstable)")
        before = lefts(page)
        assert around.evaluate("one => one.scrollWidth > one.clientWidth")
        around.evaluate("one => one.scrollTo(10_000, 0)")
        assert lefts(page) == pytest.approx(before, abs=1)  # pixels
        last = page.locator("tbody tr").first.locator("td").last.bounding_box()
        name = page.locator("tbody .name").first.bounding_box()
        assert last is not None
        assert name is not None
        assert last["x"] >= name["x"] + name["width"]  # not hidden behind it
        assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]


def test_an_open_page_shows_a_result_without_being_loaded_anew(
    chromium: Browser, live_server: Any, world: World
) -> None:
    contests = ContestWorld(world.now)
    number = contests.make("ann", "bob", "cid", game="druid", options="-size=5")
    with context(chromium, live_server.url) as browser:
        page = browser.new_page()
        page.goto(f"{live_server.url}/contests/{number}/")
        expect(page.locator(".state")).to_contain_text("Boards over: 0 of 3")
        contests.win("ann", "bob")
        expect(page.locator(".state")).to_contain_text("Boards over: 1 of 3", timeout=30_000)
        expect(page.locator(".crosstable tbody tr").first).to_contain_text("ann")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", [(390, 844), (1440, 900)])
def test_no_page_of_contests_scrolls_sideways(
    chromium: Browser, live_server: Any, world: World, size: tuple[int, int], language: str
) -> None:
    contests, names = ContestWorld(world.now), (*LONG, "ann", "bob", "cid", "dora")
    made = contests.say(LONG[0], MakeContest("druid", "ladder", "-size=5"))
    assert isinstance(made, LadderMade)
    for name in names[1:]:
        contests.say(name, JoinLadder("druid"))
    paths = [*contest_paths(world), f"/contests/{made.number}/"]
    Player.objects.filter(userid="dora").update(language=language)
    with context(chromium, live_server.url, "dora") as browser:
        page = browser.new_page()
        page.set_viewport_size(ViewportSize(width=size[0], height=size[1]))
        for path in paths:
            page.goto(live_server.url + path)
            assert page.evaluate("document.documentElement.scrollWidth") <= size[0], path
        buttons = page.locator(".ladder button")
        assert buttons.count() > 1
        for at in range(buttons.count()):
            box, sheet = buttons.nth(at).bounding_box(), page.locator(".wide").bounding_box()
            assert box is not None
            assert sheet is not None
            assert box["x"] + box["width"] <= sheet["x"] + sheet["width"]
        page.goto(live_server.url + paths[3])
        first = page.locator(".crosstable tbody tr").first.locator("td").nth(1).bounding_box()
        assert first is not None
        assert first["x"] + first["width"] <= size[0]
