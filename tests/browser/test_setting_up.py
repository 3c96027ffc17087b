"""Setting up Gyges by pointing: rings appear on the row, and are taken back one by one."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Locator, Page, expect

from sarsen.storage.models import MatchEvent
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
expect.set_options(timeout=120_000)  # other processes may be at work on the machine
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
# The values of the rings that stand on the row of slots a finger would see them on.
ROW = """
(row) => {
  const middle = (one) => {
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const slots = [...Array(6).keys()].map((at) =>
    middle(document.querySelector(`svg.board [data-spot="${row}${at + 1}"]`)));
  const rings = [...document.querySelectorAll("svg.board .laid")].map((one) => [
    one.querySelectorAll("circle[stroke-width='4'], circle").length - 1, middle(one)]);
  return slots.map(([x, y]) => {
    const found = rings.find(([, at]) => Math.hypot(at[0] - x, at[1] - y) < 3);
    return found ? String(found[0]) : "-";
  }).join("");
}
"""


@pytest.fixture(params=[PHONE, DESK], ids=["phone", "desk"])
def page(request: pytest.FixtureRequest, chromium: Browser) -> Iterator[Page]:
    context = chromium.new_context(**request.param)
    yield context.new_page()
    context.close()


def open_board(page: Page, url: str, world: World, userid: str, board: int) -> None:
    client = Client()
    client.force_login(world.player(userid))
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}
    page.context.add_cookies([cookie])  # type: ignore[list-item]
    page.goto(f"{url}/boards/{board}/")
    expect(page.locator(".pointable")).to_be_visible()


def left(page: Page, value: int) -> Locator:
    """Return the rings of a value that are still in the tray, one circle each."""
    return page.locator(f'svg.board circle[data-spot="{value}"][r="26"]:visible')


def tap(page: Page, value: int) -> None:
    left(page, value).first.click(force=True)


def test_rings_appear_on_the_row_leave_the_tray_and_are_taken_back_one_by_one(
    page: Page, live_server: Any, world: World
) -> None:
    board = world.board("gyges")
    open_board(page, live_server.url, world, "ann", board)
    for value in (2, 3, 1):
        tap(page, value)
    assert page.evaluate(ROW, 1) == "231---"
    for value in (1, 2, 3):
        expect(left(page, value)).to_have_count(1)
    page.get_by_role("button", name="Take back").click()
    assert page.evaluate(ROW, 1) == "23----"
    expect(left(page, 1)).to_have_count(2)
    tap(page, 2)
    expect(left(page, 2)).to_have_count(0)
    # What is tapped beside the rings takes nothing away; a ring that stands is taken back.
    page.locator('svg.board [data-spot="44"]').first.click(force=True)
    assert page.evaluate(ROW, 1) == "232---"
    page.locator("svg.board .laid").nth(1).click(force=True)
    assert page.evaluate(ROW, 1) == "2-----"
    for value in (3, 1, 1, 2):
        tap(page, value)
    expect(page.get_by_role("button", name="Play 231123")).to_be_visible()
    # The other side's rings are no part of the preview.
    expect(left(page, 1)).to_have_count(0)
    # Changed, the rings that were chosen still stand, and only the last is to be chosen again.
    page.get_by_role("link", name="Change").click()
    expect(page.locator("svg.board .laid")).to_have_count(4)
    assert page.evaluate(ROW, 1) == "2311--"
    tap(page, 3)
    page.get_by_role("button", name="Play 231132").click()
    expect(page.locator(".done")).to_contain_text("You played")
    assert MatchEvent.objects.get(match=board).text == "231132"


def test_a_usual_a_mirrored_and_a_random_set_up_are_one_press_away(
    page: Page, live_server: Any, world: World
) -> None:
    board = world.board("gyges")
    open_board(page, live_server.url, world, "ann", board)
    expect(page.get_by_role("button", name="Mirror")).to_have_count(0)
    page.get_by_role("button", name="Random").click()
    expect(page.get_by_role("button", name="Play ")).to_be_visible()
    page.get_by_role("link", name="Change").click()
    # The prompt that comes with the moves may shift what lies below it while a button is pressed.
    expect(page.locator(".pointable")).to_be_visible()
    page.get_by_role("button", name="Default").click()
    page.get_by_role("button", name="Play 321123").click()
    expect(page.locator(".done")).to_contain_text("You played")
    open_board(page, live_server.url, world, "bob", board)
    page.get_by_role("button", name="Mirror").click()
    page.get_by_role("button", name="Play 321123").click()
    expect(page.locator(".here")).to_have_text("2 / 2")
