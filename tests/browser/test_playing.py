"""A whole game by typed moves in a real browser, without script, entered by a mail's link."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, expect

from sarsen.doors.mail import jobs
from sarsen.storage.models import CaughtMail
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
MOVES = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5 d3"


def log_in(page: Page, url: str, userid: str) -> None:
    """Ask for a letter, and open its link where the server shows caught mail."""
    page.goto(f"{url}/login/")
    page.get_by_label("Name or mail address").fill(userid)
    page.get_by_role("button", name="Log in", exact=True).click()
    expect(page.get_by_role("heading", level=1)).to_have_text("Check your mail")
    jobs.send_mail.call()
    found = CaughtMail.objects.filter(address=f"{userid}@example.org", letter__kind="login")
    page.goto(f"{url}/mail/{found.latest('pk').pk}/")
    # By its path: the test's server has another name than the letter gives it.
    link = page.locator(".letter a[href*='/login/']").first.get_attribute("href")
    page.goto(f"{url}{link}")
    page.get_by_role("button", name="Yes, log me in").click()
    expect(page.get_by_role("heading", level=1)).to_have_text("My boards")


def new_page(chromium: Browser) -> Page:
    return chromium.new_context(
        viewport={"width": 360, "height": 740}, java_script_enabled=False
    ).new_page()


def test_two_players_log_in_by_mail_and_play_a_whole_game_by_typing(
    chromium: Browser, live_server: Any, world: World
) -> None:
    world.player("ann")
    world.player("bob")
    url = live_server.url
    pages = {userid: new_page(chromium) for userid in ("ann", "bob")}
    for userid, page in pages.items():
        log_in(page, url, userid)
    ann, bob = pages["ann"], pages["bob"]
    ann.goto(f"{url}/games/druid/challenge/?with=bob")
    ann.get_by_role("button", name="Challenge", exact=True).click()
    bob.goto(f"{url}/my/")
    bob.get_by_role("button", name="Accept").click()
    expect(bob.get_by_role("heading", level=1)).to_contain_text("Druid Board")
    board = bob.url
    for ply, move in enumerate(MOVES.split()):
        page = (ann, bob)[ply % 2]
        page.goto(board)
        page.get_by_label("Move", exact=True).fill(move)
        # The first button is what the Enter key presses: it only looks.
        page.keyboard.press("Enter")
        expect(page.locator(".tried")).to_contain_text("has not been played yet.")
        page.get_by_role("button", name=re.compile(f"Play {move}")).click()
        expect(page.locator(".done")).to_contain_text("You played")
    expect(ann.locator(".play-table")).to_contain_text(
        re.compile(r"ann\s+1662\? \(\+162\) ·\s+V\s+won")
    )
    bob.goto(board)
    expect(bob.locator(".state")).to_contain_text("V joined top and bottom.")
    bob.get_by_role("button", name="Rematch").click()
    expect(bob.locator("main")).to_contain_text("It starts when ann accepts")
    for page in pages.values():
        page.context.close()


def test_the_back_button_after_a_move_plays_nothing_twice(
    chromium: Browser, live_server: Any, world: World
) -> None:
    board = world.board(moves="b8 b5")
    page = new_page(chromium)
    log_in(page, live_server.url, "ann")
    page.goto(f"{live_server.url}/boards/{board}/")
    page.get_by_label("Move", exact=True).fill("b4")
    page.get_by_role("button", name="Play").click()
    expect(page.locator(".here")).to_have_text("3 / 3")
    page.go_back()
    if page.get_by_role("button", name="Play").count():
        page.get_by_label("Move", exact=True).fill("b4")
        page.get_by_role("button", name="Play").click()
    page.goto(f"{live_server.url}/boards/{board}/")
    expect(page.locator(".here")).to_have_text("3 / 3")
    page.context.close()
