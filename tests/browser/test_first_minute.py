"""Two stories on a phone: a stranger's first minutes, and a friend who was sent a link."""

from __future__ import annotations

import re
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Browser, Page, expect

from sarsen.doors.mail import jobs
from sarsen.services.bots.accounts import make_accounts
from sarsen.storage.models import CaughtMail, Match
from web_world import World

pytestmark = pytest.mark.browser
expect.set_options(timeout=120_000)  # other processes may be at work on the machine
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}


def heading(page: Page, words: str) -> None:
    expect(page.get_by_role("heading", level=1)).to_contain_text(words)


def join(page: Page, userid: str) -> None:
    """Join where an account is asked for, by the digits of the letter, and do what was wanted."""
    heading(page, "Log in or create an account")
    page.get_by_role("main").get_by_role("link", name="Join", exact=True).click()
    become(page, userid)
    page.get_by_role("button", name="Run it now").click()


def become(page: Page, userid: str) -> None:
    """Fill the form to join, by the digits of the letter."""
    page.get_by_label("Name").fill(userid)
    page.get_by_label("Mail address").fill(f"{userid}@{userid}.example")
    page.get_by_role("button", name="Join").click()
    heading(page, "Check your mail")
    jobs.send_mail.call()
    letter = CaughtMail.objects.filter(letter__kind="signup").latest("pk").raw
    found = re.search(rb"asked for them: (\d{6})\b", bytes(letter))
    assert found, "the letter has six digits"
    page.get_by_label("Six digits").fill(found[1].decode())
    page.get_by_role("button", name="Continue").click()
    heading(page, f"Welcome, {userid}")


def tap(page: Page, spot: str) -> None:
    page.locator(f'.pointable svg.board [data-spot="{spot}"]').first.tap(force=True)


def play(page: Page, spot: str) -> None:
    expect(page.locator(".pointable")).to_be_visible()
    tap(page, spot)
    page.locator(".deciding").get_by_role("button", name="Play ").click()
    expect(page.locator(".here")).to_have_text("1 / 1")


@pytest.mark.ci
def test_deadlines_are_told_in_the_zone_of_a_guests_browser(
    chromium: Browser, live_server: Any, world: World
) -> None:
    make_accounts(world.now)
    with chromium.new_context(timezone_id="Asia/Tokyo") as browser:
        page = browser.new_page()
        page.goto(live_server.url)
        page.get_by_text("Visavis", exact=True).first.click()
        page.get_by_role("button", name="Play now").click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Visavis Board")
        due = Match.objects.get().due_at
        assert due is not None
        local = due.astimezone(ZoneInfo("Asia/Tokyo"))
        expect(page.locator(".facts")).to_contain_text(f"{local:%H:%M} your time")


def test_stranger_tries_a_game_then_plays_a_program_as_a_guest_and_joins_with_the_game_kept(
    chromium: Browser, live_server: Any, world: World
) -> None:
    make_accounts(world.now)
    with chromium.new_context(**PHONE, timezone_id="Asia/Tokyo") as browser:  # type: ignore[arg-type]
        page = browser.new_page()
        complaints: list[str] = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.goto(live_server.url)
        page.get_by_role("link", name="Learn in 3 minutes Druid").tap()
        heading(page, "Druid: step 1 of 8")
        page.go_back()
        page.goto(f"{live_server.url}/games/druid/")
        page.get_by_role("link", name="Try it now").first.tap()
        heading(page, "Try Druid")
        expect(page.locator(".pointable")).to_be_visible()
        tap(page, "c1")
        expect(page.locator(".here")).to_have_text("2 / 2")
        assert "moves=c1" in page.url
        page.get_by_role("link", name="Back", exact=True).tap()
        expect(page.locator(".here")).to_have_text("1 / 2")
        page.go_back()
        expect(page.locator(".here")).to_have_text("2 / 2")
        page.get_by_role("link", name="The rules of Druid").tap()
        page.locator(".chapter:not([open]):has(figure.live) summary").first.tap()
        figure = page.locator(".chapter[open] figure.live").first
        figure.get_by_role("link", name="First").tap()
        expect(figure.locator(".here")).to_have_text("0 / 5")
        figure.get_by_label("Try a move").fill("b1")
        figure.get_by_role("button", name="Try").tap()
        expect(figure.locator(".now")).to_contain_text("b1")
        assert page.url.endswith("#rules")
        page.get_by_role("link", name="sarsen").tap()
        page.get_by_text("Easy", exact=True).tap()
        page.get_by_role("button", name="Play now").tap()
        heading(page, "Druid Board")
        play(page, "c1")
        assert Match.objects.get().bots == [None, 1]
        page.get_by_role("link", name="First", exact=True).tap()
        expect(page.locator(".here")).to_have_text("0 / 1")
        page.get_by_role("link", name="Next", exact=True).tap()
        expect(page.locator(".here")).to_have_text("1 / 1")
        expect(page.get_by_text("You are playing as a guest")).to_have_count(1)
        page.locator(".as-guest").get_by_role("link", name="Create account").tap()
        heading(page, "Join")
        become(page, "cleo")
        cleo = Match.objects.get().seats.get(seat=0).player
        assert (cleo.userid, cleo.timezone) == ("cleo", "Asia/Tokyo")
        assert complaints == []


@pytest.mark.ci
def test_friend_who_is_sent_a_link_joins_and_plays(
    chromium: Browser, live_server: Any, world: World
) -> None:
    with chromium.new_context(**PHONE) as one, chromium.new_context(**PHONE) as other:  # type: ignore[arg-type]
        ann, ben = one.new_page(), other.new_page()
        ann.goto(f"{live_server.url}/games/druid/challenge/")
        ann.get_by_label(re.compile("^Quick")).check()
        ann.get_by_label("My opponent").check()
        ann.get_by_label(re.compile("^About a move a day")).check()
        ann.get_by_role("button", name="Challenge").tap()
        join(ann, "ann")
        heading(ann, "Your challenge: a game of Druid")
        address = ann.get_by_label("The link").input_value()
        one.grant_permissions(["clipboard-read", "clipboard-write"])
        ann.get_by_role("button", name="Copy").tap()
        expect(ann.get_by_text("Copied.")).to_be_visible()
        assert ann.evaluate("navigator.clipboard.readText()") == address
        ben.goto(live_server.url + "/" + address.split("/", 3)[3])
        ben.get_by_role("button", name="Accept and play").tap()
        heading(ben, "Druid Board")
        expect(ben.locator(".play-table")).to_contain_text(
            re.compile(r"guest-\d+[\s\S]+V[\s\S]+to move")
        )
        play(ben, "a1")
        # The page that waits for the friend leads to the board by itself.
        expect(ann.locator(".play-table")).to_contain_text(re.compile(r"ann[\s\S]+H[\s\S]+to move"))
