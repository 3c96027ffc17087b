"""Pages that stay new by themselves, and go on without a connection, in a real browser."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from sarsen.language.commands import AnswerOffer, OfferDraw, PlayMove, Resign
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import Match, Player
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
WaitUntilKept = Callable[[Page, str], None]
SetOffline = Callable[[Page, bool], None]
SOON = 120_000  # milliseconds in which a page must notice; a limit, never a wait


def page_of(chromium: Browser, url: str, player: Player | None = None) -> Page:
    """Return a page in which a player is logged in, or nobody."""
    context = chromium.new_context(viewport={"width": 360, "height": 740})
    if player is not None:
        client = Client()
        client.force_login(player)
        cookie = client.cookies["sessionid"].value
        context.add_cookies([{"name": "sessionid", "value": cookie, "url": url}])
    return context.new_page()


def type_move(page: Page, move: str) -> None:
    page.locator("label[for=sheet-more]").click()
    page.get_by_label("Move", exact=True).fill(move)


def test_a_draw_that_is_declined_and_a_resignation_are_told_in_words_of_their_own(
    chromium: Browser, live_server: Any, world: World
) -> None:
    board = world.board(moves="b8 b5")
    ann, bob = (Actor(world.player(name)) for name in ("ann", "bob"))
    perform(OfferDraw("druid", board), ann, "", world.now)
    pages = [page_of(chromium, live_server.url, world.player(name)) for name in ("ann", "bob")]
    for page in pages:
        page.goto(f"{live_server.url}/boards/{board}/")
        expect(page.locator(".ask")).to_be_visible()
    perform(AnswerOffer("druid", board), bob, "", world.now)
    told = [page.locator("#told") for page in pages]
    expect(told[0]).to_have_text("Your draw offer no longer stands.", timeout=SOON)
    expect(told[1]).to_have_text("The draw offer by ann no longer stands.", timeout=SOON)
    perform(Resign("druid", board, confirmed=True), ann, "", world.now)
    for place in told:
        expect(place).to_have_text("V resigned.", timeout=SOON)


def test_a_move_of_the_other_side_appears_and_takes_nothing_away(
    chromium: Browser, live_server: Any, world: World
) -> None:
    board = world.board(moves="b8")
    ann, nobody = (page_of(chromium, live_server.url, one) for one in (world.player("ann"), None))
    for page in (ann, nobody):
        page.goto(f"{live_server.url}/boards/{board}/")
        expect(page.locator(".here")).to_have_text("1 / 1")
    expect(ann).not_to_have_title("(1)")
    bob = Actor(world.player("bob"))
    perform(PlayMove("druid", board, "b5"), bob, "", world.now)
    expect(ann.locator("#told")).to_have_text("bob played b5. It's your move.", timeout=SOON)
    assert ann.title().startswith("(1) ")
    for page in (ann, nobody):
        expect(page.locator(".here")).to_have_text("2 / 2", timeout=SOON)
    # A player who is typing is told, and keeps the text.
    type_move(ann, "b4-")
    perform(PlayMove("druid", board, "b4"), Actor(world.player("ann")), "", world.now)
    expect(ann.locator("#told")).to_contain_text("The board has changed", timeout=SOON)
    expect(ann.get_by_label("Move", exact=True)).to_have_value("b4-")
    ann.get_by_role("link", name="Refresh").click()
    expect(ann.locator(".here")).to_have_text("3 / 3")
    ann.goto(f"{live_server.url}/my/")
    expect(ann.get_by_text("opponents' turn everywhere")).to_be_visible()
    perform(PlayMove("druid", board, "a5"), bob, "", world.now)
    expect(ann.get_by_role("link", name="Go to the board")).to_be_visible(timeout=SOON)
    for page in (ann, nobody):
        page.context.close()


def test_a_move_is_pointed_out_without_a_connection_on_a_board_never_opened_before(
    chromium: Browser,
    live_server: Any,
    world: World,
    wait_until_kept: WaitUntilKept,
    set_offline: SetOffline,
) -> None:
    board = world.board(moves="b8 b5")
    ann = page_of(chromium, live_server.url, world.player("ann"))
    ann.goto(f"{live_server.url}/my/")
    wait_until_kept(ann, f"/boards/{board}/moves.json")
    set_offline(ann, True)
    ann.goto(f"{live_server.url}/boards/{board}/")
    expect(ann.locator(".pointable")).to_be_visible()
    ann.locator('svg.board [data-spot="c3"]').first.click(force=True)
    ann.get_by_role("button", name="My move is c3").click()
    expect(ann.locator("#told")).to_contain_text("is waiting for a connection")
    assert ann.url == f"{live_server.url}/boards/{board}/"
    set_offline(ann, False)
    expect(ann.locator("#told")).to_contain_text("Sent: your move c3", timeout=SOON)
    assert Match.objects.get(pk=board).ply == 3
    ann.context.close()


def test_boards_are_read_and_a_move_waits_while_there_is_no_connection(
    chromium: Browser,
    live_server: Any,
    world: World,
    wait_until_kept: WaitUntilKept,
    set_offline: SetOffline,
) -> None:
    board = world.board(moves="b8 b5")
    ann = page_of(chromium, live_server.url, world.player("ann"))
    ann.goto(f"{live_server.url}/my/")
    wait_until_kept(ann, f"/boards/{board}/")
    set_offline(ann, True)
    ann.goto(f"{live_server.url}/boards/{board}/")
    expect(ann.get_by_text("No connection")).to_be_visible()
    # As English pages write moments: 25 Nov 2026, 21:52.
    expect(ann.locator(".since time")).to_have_text(re.compile(r"^\d+ \w+ \d{4}, \d\d:\d\d$"))
    type_move(ann, "b4")
    ann.get_by_role("button", name="Play").click()
    expect(ann.locator("#told")).to_contain_text("is waiting for a connection")
    ann.goto(f"{live_server.url}/help/")
    expect(ann.get_by_role("link", name=f"Druid Board {board}")).to_be_visible()
    ann.goto(f"{live_server.url}/boards/{board}/")
    assert Match.objects.get(pk=board).ply == 2
    set_offline(ann, False)
    expect(ann.locator("#told")).to_contain_text("Sent: your move b4", timeout=SOON)
    expect(ann.locator(".here")).to_have_text("3 / 3", timeout=SOON)
    expect(ann.get_by_text("No connection")).to_be_hidden()
    # A board that has gone on refuses what waited, and says so.
    perform(PlayMove("druid", board, "a5"), Actor(world.player("bob")), "", world.now)
    expect(ann.locator(".here")).to_have_text("4 / 4", timeout=SOON)
    set_offline(ann, True)
    type_move(ann, "b6")
    ann.get_by_role("button", name="Play").click()
    expect(ann.locator("#told")).to_contain_text("is waiting for a connection")
    perform(PlayMove("druid", board, "c1"), Actor(world.player("ann")), "", world.now)
    set_offline(ann, False)
    expect(ann.locator("#told")).to_contain_text("Refused: your move b6", timeout=SOON)
    assert Match.objects.get(pk=board).ply == 5
    ann.locator(".who summary").click()
    ann.get_by_role("button", name="Log out").click()
    ann.wait_for_url(f"{live_server.url}/")
    assert "pages" not in ann.evaluate("caches.keys()")
    ann.context.close()


def test_the_time_left_is_counted_down_as_the_server_writes_it_in_german_too(
    chromium: Browser, live_server: Any, world: World
) -> None:
    board = world.board(moves="b8")
    page = chromium.new_context(locale="de-DE").new_page()
    page.goto(f"{live_server.url}/boards/{board}/")
    left = page.locator("time[data-left]")
    written = left.inner_text()
    assert written.split()[1::2] == ["T", "Std"][: len(written.split()) // 2]
    left.evaluate("one => one.replaceChildren()")
    page.evaluate("document.dispatchEvent(new Event('visibilitychange'))")
    expect(left).to_have_text(written)
    page.context.close()
