"""The viewer of records, framed by somebody else's page, with script and without."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any

import pytest
from lxml import html
from playwright.sync_api import Browser, Frame, expect

from serving import serving
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
MOVES = "b8 b5 b4 a5 b6 d1 b4-b6"
HOUR = 3_600  # seconds
A_POSITION = 1_200  # milliseconds until the next one is shown, when a record plays itself


class Quiet(SimpleHTTPRequestHandler):
    def log_message(self, *words: Any) -> None:
        pass


@pytest.fixture
def elsewhere(tmp_path: Path) -> Iterator[tuple[Path, str]]:
    """Another site: its folder, and its address."""
    server = ThreadingHTTPServer(("127.0.0.1", 0), partial(Quiet, directory=str(tmp_path)))
    with serving(server) as url:
        yield tmp_path, f"{url}/"


def framed(page: Any, live_server: Any, elsewhere: tuple[Path, str], board: int) -> Frame:
    """Put the line that the board's page offers onto another site's page, and open that."""
    page.goto(f"{live_server.url}/boards/{board}/")
    line = html.fromstring(page.content()).xpath("string(//pre[@class='wrapped'])")
    folder, address = elsewhere
    line = line.replace("http://sarsen.test", live_server.url)
    (folder / "index.html").write_text(f"<!doctype html><link rel='icon' href='data:,'>{line}")
    page.goto(address)
    page.frame_locator("iframe").locator("svg").first.wait_for()
    return page.frames[1]


def test_the_line_of_the_board_shows_it_on_another_site_to_step_by_keys_and_to_play(
    chromium: Browser, live_server: Any, world: World, elsewhere: tuple[Path, str]
) -> None:
    board = world.board(moves=MOVES)
    page = chromium.new_page()
    complaints: list[str] = []
    page.on("console", lambda message: complaints.append(message.text))
    page.clock.install(time=0)
    frame = framed(page, live_server, elsewhere, board)
    page.clock.pause_at(HOUR)  # what plays by itself goes on when the test says so
    main = frame.locator("main")
    expect(main).to_contain_text("7 / 7 · b4-b6")
    main.click(position={"x": 5, "y": 5})
    page.keyboard.press("ArrowLeft")
    expect(main).to_contain_text("6 / 7 · d1")
    page.keyboard.press("Home")
    expect(main).to_contain_text("0 / 7")
    frame.get_by_role("link", name="Next").click()
    expect(main).to_contain_text("1 / 7 · b8")
    page.keyboard.press("End")
    frame.get_by_role("button", name="Play").click()
    for shown in ("0 / 7", "1 / 7 · b8", "2 / 7 · b5"):
        expect(main).to_contain_text(shown)
        page.clock.run_for(A_POSITION)
    frame.get_by_role("button", name="Stop").click()
    expect(frame.get_by_role("button", name="Play")).to_be_visible()
    for key in ("Home", "ArrowRight", "ArrowRight", "ArrowRight", "ArrowLeft"):
        page.keyboard.press(key)  # faster than the positions come: none may be lost
    expect(main).to_contain_text("2 / 7 · b5")
    assert page.context.cookies(live_server.url) == []
    assert complaints == []
    page.close()


@pytest.mark.parametrize("form", ["embed/", "embed.svg"])
def test_without_script_the_links_step(
    chromium: Browser, live_server: Any, world: World, form: str
) -> None:
    board = world.board(moves=MOVES)
    with chromium.new_context(java_script_enabled=False) as browser:
        page = browser.new_page()
        page.goto(f"{live_server.url}/boards/{board}/{form}")
        for step, said in (("First", "0 / 7"), ("Next", "1 / 7 · b8"), ("Last", "7 / 7 · b4-b6")):
            page.get_by_text(step, exact=True).click()
            expect(page.get_by_text(said, exact=True)).to_be_visible()
        assert page.get_by_role("button").count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("form", ["embed/", "embed.svg"])
def test_the_viewer_is_dark_for_those_who_like_it_dark(
    chromium: Browser, live_server: Any, world: World, form: str
) -> None:
    board = world.board(moves=MOVES)
    looks = []
    for scheme in ("light", "dark"):
        with chromium.new_context(color_scheme=scheme) as browser:  # type: ignore[arg-type]
            page = browser.new_page()
            page.goto(f"{live_server.url}/boards/{board}/{form}")
            looks.append(page.screenshot())
    assert looks[0] != looks[1]
