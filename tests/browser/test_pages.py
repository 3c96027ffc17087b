"""Pages in a real browser: narrow and wide, light and dark, without script."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect

from filled_world import DRUID, own_paths, paths
from sarsen.doors.mail import jobs
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]


def context(chromium: Browser, width: int, scheme: Any = "light") -> BrowserContext:
    return chromium.new_context(
        viewport={"width": width, "height": 740}, color_scheme=scheme, java_script_enabled=False
    )


def width_of(page: Page) -> float:
    """Return how wide the page is, whatever the window shows of it."""
    session = page.context.new_cdp_session(page)
    metrics = session.send("Page.getLayoutMetrics")
    session.detach()
    return float(metrics["cssContentSize"]["width"])


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.slow)])
def test_no_page_scrolls_sideways_and_none_asks_anybody_else(
    chromium: Browser, live_server: Any, world: World, width: int
) -> None:
    with context(chromium, width) as browser:
        page = browser.new_page()
        asked: list[str] = []
        complaints: list[str] = []
        page.on("request", lambda request: asked.append(request.url))
        page.on("console", lambda message: complaints.append(message.text))
        for path in paths(world):
            page.goto(live_server.url + path, wait_until="load")
            assert width_of(page) <= width, path
        assert [url for url in asked if not url.startswith(live_server.url)] == []
        # The pages that are not there say so on the console as well; nothing else does.
        assert [text for text in complaints if "404" not in text] == []


def test_every_tab_of_past_games_is_there_on_a_phone(
    chromium: Browser, live_server: Any, world: World
) -> None:
    world.board(moves=DRUID)
    with context(chromium, 360) as browser:
        page = browser.new_page()
        page.goto(f"{live_server.url}/players/ann/history/")
        for name in ("All games", "Druid", "Gyges", "Vasco", "Visavis"):
            expect(page.get_by_role("link", name=name, exact=True).first).to_be_visible()


@pytest.mark.parametrize("width", [360, pytest.param(1280, marks=pytest.mark.slow)])
def test_no_page_of_a_player_scrolls_sideways(
    chromium: Browser, live_server: Any, world: World, width: int
) -> None:
    paths = own_paths(world)
    player = world.player("Winifred_Long-16")
    player.set_password("open-sesame")
    player.save()
    with context(chromium, width) as browser:
        page = browser.new_page()
        page.goto(f"{live_server.url}/login/")
        page.get_by_label("Name").fill("winifred_long-16")
        page.get_by_label("Password").fill("open-sesame")
        page.get_by_role("button", name="Log in", exact=True).click()
        expect(page).to_have_url(f"{live_server.url}/my/")
        for path in paths:
            page.goto(live_server.url + path, wait_until="load")
            assert width_of(page) <= width, path


def test_boards_and_paper_are_dark_for_those_who_like_it_dark(
    chromium: Browser, live_server: Any, world: World
) -> None:
    board = world.board(moves="b8 b5")
    looks = []
    for scheme in ("light", "dark"):
        with context(chromium, 360, scheme) as browser:
            page = browser.new_page()
            page.goto(f"{live_server.url}/boards/{board}/")
            looks.append((page.screenshot(), page.locator("svg.board").first.screenshot()))
    assert looks[0][0] != looks[1][0]
    assert looks[0][1] != looks[1][1]


def test_the_last_move_appears_briefly_unless_one_steps_back_or_wants_no_motion(
    chromium: Browser, live_server: Any, world: World
) -> None:
    address = f"{live_server.url}/boards/{world.board(moves='b8 b5')}/"
    with chromium.new_context() as browser:
        page = browser.new_page()
        mark = page.locator(".view .f-mark").first
        style = "getComputedStyle(one).animation"

        def motion() -> list[str]:
            return list(mark.evaluate(f"one => [{style}Name, {style}Duration]"))

        page.goto(address)
        assert motion() == ["arrive", "0.15s"]
        page.emulate_media(reduced_motion="reduce")
        assert motion()[0] == "none"
        page.emulate_media(reduced_motion="no-preference")
        page.goto(f"{address}1/")
        assert motion()[0] == "none"


def test_a_game_is_stepped_through_by_links_alone(
    chromium: Browser, live_server: Any, world: World
) -> None:
    board = world.board(moves=DRUID)
    with context(chromium, 360) as browser:
        page = browser.new_page()
        page.goto(f"{live_server.url}/")
        page.get_by_role("link", name="ann v bob").click()
        page.get_by_role("link", name="1 b8", exact=True).click()
        page.get_by_role("link", name="Back").click()
        expect(page.locator(".here")).to_have_text("0 / 25")
        for _ in range(3):
            page.get_by_role("link", name="Next").click()
        expect(page.locator(".here")).to_have_text("3 / 25")
        expect(page.locator("[aria-current=true]")).to_have_text("3 b4")
        page.goto(f"{live_server.url}/boards/{board}/24/")
        page.get_by_role("link", name="Next").click()
        expect(page.locator(".here")).to_have_text("25 / 25")


def test_the_first_key_leads_to_the_content(
    chromium: Browser, live_server: Any, world: World
) -> None:
    with context(chromium, 1280) as browser:
        page = browser.new_page()
        page.goto(live_server.url)
        page.keyboard.press("Tab")
        expect(page.get_by_role("link", name="To the content")).to_be_focused()
        expect(page.get_by_role("link", name="To the content")).to_be_in_viewport()
        page.keyboard.press("Enter")
        expect(page).to_have_url(re.compile("#main$"))


@pytest.mark.slow  # half a minute; test_playing and test_pointing play whole games in any case
def test_one_person_plays_both_sides_in_the_browser_alone(
    chromium: Browser, live_server: Any, world: World
) -> None:
    with context(chromium, 360) as browser:
        player = Player(browser.new_page(), live_server.url)
        for userid in ("ann", "bob"):
            player.write(userid, f"signup {userid}")
            player.answer(userid, "yes")
        player.answer("ann", "druid challenge -size=5 ann bob")
        player.answer("bob", "accept")
        player.answer("ann", "a3")
        player.answer("bob", "b4")
        player.answer("ann", "z9", expects="z9")
        player.page.goto(f"{live_server.url}/games/druid/")
        # On a phone the parts of a game's page stand behind tabs.
        player.page.get_by_role("link", name="Boards", exact=True).click()
        player.page.get_by_role("link", name=re.compile("ann.* v bob")).click()
        expect(player.page.locator(".play-table")).to_contain_text(
            re.compile(r"ann[\s\S]+V[\s\S]+to move")
        )
        expect(player.page.locator(".moves tbody")).to_contain_text("2 b4")


class Player:
    """Write and answer mail with the forms of the pages, the server working in between."""

    def __init__(self, page: Page, url: str) -> None:
        self.page = page
        self.url = url

    def write(self, userid: str, subject: str) -> None:
        self.page.goto(f"{self.url}/mail/write/")
        self.page.get_by_label("From").fill(f"{userid}@example.org")
        self.page.get_by_label("Subject").fill(subject)
        self.page.get_by_role("button", name="Send").click()
        self._wait()

    def answer(self, userid: str, text: str, expects: str = "") -> None:
        """Answer the newest mail of somebody; the answer must mention what is expected."""
        self.page.goto(f"{self.url}/mail/?to={userid}@example.org")
        self.page.locator(".letters a").first.click()
        self.page.get_by_label("Your answer").fill(text)
        self.page.get_by_role("button", name=re.compile("Send as")).click()
        self._wait()
        if expects:
            self.page.locator(".letters .new a").first.click()
            expect(self.page.locator("main")).to_contain_text(expects)

    def _wait(self) -> None:
        expect(self.page.get_by_role("status")).to_contain_text("arrives in a moment")
        jobs.answer_mail.call()
        jobs.send_mail.call()
        # The page looks again by itself, without script.
        expect(self.page.get_by_role("status")).to_contain_text("has come")
