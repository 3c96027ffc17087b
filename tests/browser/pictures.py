"""Draw the pictures of the README: `make pictures` runs this file, the test suite does not.

They are pages of a running server, and a mail as a mail program displays it. The time is fixed,
so that they change only with what they show. Look at all of them before you commit them.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.test import Client
from PIL import Image
from playwright.sync_api import Browser, BrowserContext, Page, ViewportSize, expect

from filled_world import DRUID, GYGES
from sarsen.doors.mail import jobs
from sarsen.services.bots.accounts import make_accounts
from sarsen.storage.models import CaughtMail, Player
from web_world import NOW, World

DRAWN_AT = NOW + timedelta(hours=1)
FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
MAX_BYTES = 80_000
DESKTOP = ViewportSize(width=1280, height=800)
PHONE = ViewportSize(width=390, height=844)
COLOURS = 128
# What a mail program shows above a mail, and the font it chooses.
HEAD = """
([subject, to]) => {
  const head = document.createElement("p");
  head.style = "line-height: 1.6; padding-bottom: 10px; border-bottom: 1px solid #ccc";
  head.innerText = `Subject: ${subject}\\nTo: ${to}`;
  document.body.style.fontFamily = "sans-serif";
  document.body.prepend(head);
}
"""


@pytest.fixture(autouse=True)
def _kept_as_they_are(
    pytestconfig: pytest.Config, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Draw elsewhere with `--quick`, which shows that all works."""
    if pytestconfig.getoption("--quick"):
        monkeypatch.setitem(globals(), "FOLDER", tmp_path)


@pytest.fixture
def world(transactional_db: Any) -> World:
    return World()


@pytest.fixture(autouse=True)
def _same_time() -> Iterator[None]:
    with time_machine.travel(DRAWN_AT):
        yield


def write(name: str, screenshot: bytes) -> None:
    """Write a screenshot as a small PNG file with a palette."""
    path = FOLDER / name
    path.parent.mkdir(exist_ok=True)
    picture = Image.open(BytesIO(screenshot)).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    assert path.stat().st_size < MAX_BYTES, f"{name} has {path.stat().st_size} bytes"


def show(browser: BrowserContext, address: str) -> Page:
    """Open a page at the fixed time, drawn to its end."""
    page = browser.new_page()
    page.clock.set_fixed_time(DRAWN_AT)
    page.goto(address, wait_until="networkidle")
    return page


def log_in(browser: BrowserContext, url: str) -> None:
    client = Client()
    client.force_login(Player.objects.get(userid="ann"))
    key = client.cookies[settings.SESSION_COOKIE_NAME].value
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": key, "url": url}
    browser.add_cookies([cookie])  # type: ignore[list-item]


def test_draw_the_pages(chromium: Browser, live_server: Any, world: World) -> None:
    url = live_server.url
    board = world.board(moves=" ".join(DRUID.split()[:24]))
    gyges = world.board("gyges", " ".join(GYGES.split()[:8]))
    world.board(moves=DRUID)
    make_accounts(DRAWN_AT)
    with chromium.new_context(viewport=DESKTOP) as nobody:
        write("home.png", show(nobody, url).screenshot())
        write("rules.png", show(nobody, f"{url}/games/gyges/#rules").screenshot())
    with chromium.new_context(viewport=DESKTOP) as ann:
        log_in(ann, url)
        page = show(ann, f"{url}/boards/{board}/")
        expect(page.locator(".pointable")).to_be_visible()
        write("board.png", page.screenshot())
        write("profile.png", show(ann, f"{url}/players/ann/").screenshot())
    with chromium.new_context(viewport=PHONE, color_scheme="dark", is_mobile=True) as phone:
        log_in(phone, url)
        page = show(phone, f"{url}/boards/{gyges}/")
        expect(page.locator(".pointable")).to_be_visible()
        write("phone.png", page.screenshot())


def test_draw_a_mail(chromium: Browser, live_server: Any, world: World) -> None:
    world.board("gyges", " ".join(GYGES.split()[:8]))
    jobs.send_mail.call()
    mail = CaughtMail.objects.filter(address="ann@example.org").latest("pk")
    with chromium.new_context(viewport={"width": 640, "height": 1100}) as browser:
        page = browser.new_page()
        page.goto(f"{live_server.url}/mail/{mail.pk}/html/")
        page.evaluate(HEAD, [mail.subject, mail.address])
        write("mail.png", page.screenshot())
