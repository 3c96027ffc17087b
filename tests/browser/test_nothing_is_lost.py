"""What is typed or tapped is sent, or waits and says so: without a connection or an answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, Route, expect

from sarsen.storage.models import ChatLine, Match
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
SetOffline = Callable[[Page, bool], None]
PlayOffline = Callable[[str], None]
expect.set_options(timeout=120_000)  # other processes may be at work on the machine
WAITS = "A move waits in this browser until its player logs in again."
DESK = {"width": 1280, "height": 800}
WHEN_CONTROLLED = """
async () => {
  while (!navigator.serviceWorker.controller) await new Promise((again) => setTimeout(again, 50));
}
"""


def log_in(page: Page, url: str, world: World, userid: str) -> None:
    client = Client()
    client.force_login(world.player(userid))
    cookie = {"name": "sessionid", "value": client.cookies["sessionid"].value, "url": url}
    page.context.add_cookies([cookie])  # type: ignore[list-item]


@pytest.fixture
def board(world: World) -> int:
    return world.board(moves="b8 b5")


@pytest.fixture
def ann(
    chromium: Browser,
    live_server: Any,
    world: World,
    board: int,
    wait_until_kept: Callable[[Page, str], None],
) -> Iterator[Page]:
    """Return a browser in which ann looks at the board, on her first visit, and it is kept."""
    context = chromium.new_context(viewport=DESK)  # type: ignore[arg-type]
    page = context.new_page()
    # Before the session, which a new password ends: the answer to what a page asks just then would
    # delete the cookie of the next session.
    player = world.player("ann")
    player.set_password("open-sesame")
    player.save()
    log_in(page, live_server.url, world, "ann")
    page.goto(f"{live_server.url}/boards/{board}/")
    expect(page.locator(".pointable")).to_be_visible()
    wait_until_kept(page, f"/boards/{board}/")
    page.evaluate(WHEN_CONTROLLED)
    yield page
    context.close()


@pytest.fixture
def play_offline(ann: Page, set_offline: SetOffline) -> PlayOffline:
    """Return a function that takes ann's connection away and plays a move all the same."""

    def play(spot: str) -> None:
        set_offline(ann, True)
        ann.locator(f'svg.board [data-spot="{spot}"]').first.click(force=True)
        ann.get_by_role("button", name=f"My move is {spot}").click()

    return play


def test_a_move_of_a_first_visit_without_a_connection_is_sent_when_it_is_back(
    ann: Page, play_offline: PlayOffline, set_offline: SetOffline, board: int
) -> None:
    play_offline("c3")
    expect(ann.locator("#told")).to_contain_text("is waiting for a connection")
    expect(ann.locator("svg.board").first).to_be_visible()  # the page that was open is kept
    ann.goto(f"{ann.url.partition('/boards/')[0]}/help/")  # one that is not kept
    expect(ann.get_by_role("heading", level=1)).to_have_text("No connection")
    expect(ann.locator("#told")).to_contain_text(f"Your move c3 on Board {board} is waiting")
    set_offline(ann, False)
    expect(ann.locator("#told")).to_contain_text("Sent: your move c3")
    assert Match.objects.get(pk=board).ply == 3


def test_a_page_not_kept_is_loaded_when_the_worker_has_a_connection_later_than_the_page(
    ann: Page, play_offline: PlayOffline, set_offline: SetOffline, board: int
) -> None:
    play_offline("c3")
    ann.goto(f"{ann.url.partition('/boards/')[0]}/help/")
    expect(ann.get_by_role("heading", level=1)).to_have_text("No connection")
    devtools = ann.context.new_cdp_session(ann)  # the page alone, and not the worker, is back
    unlimited = {"offline": False, "latency": 0, "downloadThroughput": -1, "uploadThroughput": -1}
    with ann.expect_request(lambda one: one.url == ann.url):
        devtools.send("Network.emulateNetworkConditions", unlimited)
    expect(ann.get_by_role("heading", level=1)).to_have_text("No connection")
    set_offline(ann, False)
    expect(ann.locator("#told")).to_contain_text("Sent: your move c3")
    assert Match.objects.get(pk=board).ply == 3


def test_a_move_that_waits_is_sent_again_when_the_server_did_not_answer(
    ann: Page, play_offline: PlayOffline, set_offline: SetOffline, board: int
) -> None:
    failed: list[str] = []

    def fail_twice(route: Route) -> None:
        if len(failed) == 2:
            route.continue_()
        else:
            failed.append(route.request.url)
            route.abort()

    play_offline("c3")
    expect(ann.locator("#told")).to_contain_text("is waiting for a connection")
    ann.context.route("**/do/", fail_twice)
    set_offline(ann, False)
    expect(ann.locator("#told")).to_contain_text("Sent: your move c3")
    assert len(failed) == 2
    assert Match.objects.get(pk=board).ply == 3


def test_a_move_that_waits_is_neither_sent_nor_deleted_for_another_player(
    ann: Page,
    play_offline: PlayOffline,
    set_offline: SetOffline,
    live_server: Any,
    world: World,
    board: int,
) -> None:
    play_offline("c3")
    expect(ann.locator("#told")).to_contain_text("is waiting for a connection")
    log_in(ann, live_server.url, world, "bob")
    set_offline(ann, False)
    ann.goto(f"{live_server.url}/my/")
    expect(ann.locator("#told")).to_have_text(WAITS)
    assert Match.objects.get(pk=board).ply == 2
    log_in(ann, live_server.url, world, "ann")
    ann.goto(f"{live_server.url}/my/")
    expect(ann.locator("#told")).to_contain_text("Sent: your move c3")
    assert Match.objects.get(pk=board).ply == 3


def test_a_move_that_waits_outlives_a_log_out_and_shows_nothing_of_it_to_the_next_person(
    ann: Page,
    play_offline: PlayOffline,
    set_offline: SetOffline,
    live_server: Any,
    world: World,
    board: int,
) -> None:
    play_offline("c3")
    expect(ann.locator("#told")).to_contain_text("is waiting for a connection")
    ann.context.route("**/do/", lambda route: route.abort())
    set_offline(ann, False)
    ann.goto(f"{live_server.url}/my/")
    ann.locator("details.who summary").click()
    ann.get_by_role("button", name="Log out").click()
    expect(ann.locator("#told")).to_have_text(WAITS)
    set_offline(ann, True)
    ann.goto(f"{live_server.url}/help/")
    expect(ann.get_by_role("heading", level=1)).to_have_text("No connection")
    expect(ann.locator("#told")).to_have_text(WAITS)
    set_offline(ann, False)
    ann.context.unroute("**/do/")
    expect(ann.get_by_role("heading", level=1)).not_to_have_text("No connection")
    ann.goto(f"{live_server.url}/login/")
    ann.get_by_label("Name").fill("ann")
    ann.get_by_label("Password").fill("open-sesame")
    ann.get_by_role("button", name="Log in", exact=True).click()
    expect(ann.locator("#told")).to_contain_text("Sent: your move c3")
    assert Match.objects.get(pk=board).ply == 3


def test_moves_that_do_not_come_at_once_are_asked_for_again_with_a_message(
    ann: Page, board: int
) -> None:
    failed: list[str] = []

    def fail_first(route: Route) -> None:
        if failed:
            route.continue_()
        else:
            failed.append(route.request.url)
            route.fulfill(status=503)

    ann.context.route("**/moves.json", fail_first)
    ann.reload()
    expect(ann.locator(".pointed")).to_contain_text("This page tries again by itself")
    expect(ann.locator(".pointable")).to_be_visible()
    expect(ann.locator(".pointed")).not_to_contain_text("tries again")
    ann.locator('svg.board [data-spot="c3"]').first.click(force=True)
    expect(ann.get_by_role("button", name="Play c3")).to_be_visible()
    assert failed


def test_a_draft_of_a_chat_outlives_a_move_another_page_and_a_lost_connection(
    ann: Page, set_offline: SetOffline, board: int
) -> None:
    said = ann.get_by_label("Message")
    said.fill("A long thought")
    ann.locator('svg.board [data-spot="c3"]').first.click(force=True)
    ann.get_by_role("button", name="Play c3").click()
    expect(ann.locator(".done")).to_contain_text("You played c3")
    expect(said).to_have_value("A long thought")
    ann.get_by_role("link", name="Learn").first.click()
    ann.goto(f"{ann.url.partition('/games/')[0]}/boards/{board}/")
    expect(said).to_have_value("A long thought")
    set_offline(ann, True)
    ann.get_by_role("button", name="Send").click()
    expect(ann.get_by_text("Nothing is lost: try again.")).to_be_visible()
    set_offline(ann, False)
    expect(said).to_have_value("A long thought")
    ann.get_by_role("button", name="Send").click()
    expect(ann.locator(".talk")).to_contain_text("A long thought")
    expect(said).to_have_value("")
    assert ChatLine.objects.count() == 1
