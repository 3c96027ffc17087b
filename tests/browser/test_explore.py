"""Exploring a board by pointing, and what is said when something goes wrong there."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
expect.set_options(timeout=120_000)


@pytest.mark.slow
def test_a_line_is_explored_by_pointing_and_what_fails_is_said(
    chromium: Browser, live_server: Any, world: World, set_offline: Callable[[Page, bool], None]
) -> None:
    board = world.board(moves="b8 b5 b4 a5")
    client = Client()
    client.force_login(world.player("ann"))
    page = chromium.new_context(viewport={"width": 360, "height": 740}).new_page()
    page.set_default_timeout(120_000)  # other processes may be at work on the machine
    key = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": key, "url": live_server.url}])
    page.goto(f"{live_server.url}/boards/{board}/variations/")
    expect(page.locator(".pointable")).to_be_visible()

    def tap(spot: str) -> None:
        page.locator(f'svg.board polygon[data-spot="{spot}"]').first.click(force=True)

    # The rule stands at the place that was tapped.
    tap("a5")
    expect(page.locator(".why")).to_contain_text("a5")
    tap("d4")
    expect(page.locator("#place")).to_contain_text("d4")
    tap("e4")
    expect(page.locator("#place code")).to_have_text(["d4", "e4"])
    page.keyboard.press("ArrowLeft")
    expect(page.locator("#place [aria-current]")).to_have_text("d4")
    # A preview that cannot be left says so, and can be left later.
    page.goto(f"{live_server.url}/boards/{board}/")
    tap("d4")
    expect(page.get_by_role("button", name="Play d4")).to_be_visible()
    set_offline(page, True)
    page.evaluate("navigator.serviceWorker.getRegistration().then((one) => one?.unregister())")
    page.keyboard.press("ArrowLeft")
    page.locator("nav.walk a, .moves a").first.click()
    expect(page.get_by_role("status").filter(has_text="is not answering")).to_be_visible()
    set_offline(page, False)
    page.locator("a[data-change]").click()
    expect(page.locator(".pointable")).to_be_visible()
    # The time left goes on without the server, and a visitor enlarges by two taps.
    page.clock.install()
    page.goto(f"{live_server.url}/boards/{board}/")
    left = page.locator("time[data-left]")
    days, hours = map(int, re.findall(r"\d+", left.inner_text()))
    page.clock.fast_forward("24:00:00")
    expect(left).to_have_text(re.compile(rf"{days - 1} d( {hours} h)?"))
    page.goto(f"{live_server.url}/boards/{board}/2/")
    page.locator("svg.board").first.dblclick()
    expect(page.locator("svg.board.zoomed").first).to_be_visible()
    page.context.close()


@pytest.mark.slow
def test_what_a_visitor_explores_stands_in_the_address_alone(
    chromium: Browser, live_server: Any, world: World
) -> None:
    board = world.board(moves="b8 b5 b4 a5")
    page = chromium.new_context(viewport={"width": 1280, "height": 800}).new_page()
    page.goto(f"{live_server.url}/boards/{board}/variations/")
    page.evaluate("window.isTheSame = true")
    for spot, line in (("d4", ["d4"]), ("e4", ["d4", "e4"])):
        expect(page.locator(".pointable")).to_be_visible()
        page.locator(f'svg.board polygon[data-spot="{spot}"]').first.click(force=True)
        expect(page.locator("#place code")).to_have_text(line)
    assert page.url.endswith("try=d4&try=e4")
    page.locator("#place a").first.click()
    expect(page.locator("#place code")).to_have_text(["d4"])
    page.go_back()
    expect(page.locator("#place code")).to_have_text(["d4", "e4"])
    assert page.evaluate("window.isTheSame")
    page.context.close()


def test_an_answer_is_planned_by_pointing_at_the_moves(
    chromium: Browser, live_server: Any, world: World
) -> None:
    board = world.board(moves="b8")
    client = Client()
    client.force_login(world.player("ann"))
    page = chromium.new_context(viewport={"width": 390, "height": 664}).new_page()
    key = client.cookies["sessionid"].value
    page.context.add_cookies([{"name": "sessionid", "value": key, "url": live_server.url}])
    page.goto(f"{live_server.url}/boards/{board}/")
    page.get_by_role("link", name="Explore", exact=True).click()
    line: list[str] = []
    for spot in ("b5", "b4"):
        expect(page.locator(".pointable")).to_be_visible()
        page.locator(f'svg.board polygon[data-spot="{spot}"]').first.click(force=True)
        line.append(spot)
        expect(page.locator("#place code")).to_have_text(line)
    page.get_by_role("button", name="Plan this line").click()
    expect(page.get_by_text("if b5 then b4")).to_be_attached()
    page.context.close()
