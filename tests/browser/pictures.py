"""Draw the pictures of the README: `make pictures` runs this file, the test suite does not.

One is a page of a running server, the other a mail as a mail program displays it. The time is
fixed, so that they change only with what they show. Look at both before you commit them.
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
from playwright.sync_api import Browser, expect

from filled_world import DRUID, GYGES
from sarsen.doors.mail import jobs
from sarsen.storage.models import CaughtMail, Player
from web_world import NOW, World

DRAWN_AT = NOW + timedelta(hours=1)
FOLDER = Path(__file__).parents[2] / "docs" / "pictures"
MOST_BYTES = 80_000
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
def _same_time() -> Iterator[None]:
    with time_machine.travel(DRAWN_AT):
        yield


def write(name: str, screenshot: bytes) -> None:
    """Write a screenshot as a small PNG file with a palette."""
    path = FOLDER / name
    path.parent.mkdir(exist_ok=True)
    picture = Image.open(BytesIO(screenshot)).convert("RGB")
    picture.quantize(COLOURS, dither=Image.Dither.NONE).save(path, optimize=True)
    assert path.stat().st_size < MOST_BYTES, f"{name} has {path.stat().st_size} bytes"


def test_draw_a_page(chromium: Browser, live_server: Any, world: World) -> None:
    board = world.board(moves=" ".join(DRUID.split()[:24]))
    client = Client()
    client.force_login(Player.objects.get(userid="ann"))
    key = client.cookies[settings.SESSION_COOKIE_NAME].value
    cookie = {"name": settings.SESSION_COOKIE_NAME, "value": key, "url": live_server.url}
    with chromium.new_context(viewport={"width": 1280, "height": 800}) as browser:
        browser.add_cookies([cookie])  # type: ignore[list-item]
        page = browser.new_page()
        page.clock.set_fixed_time(DRAWN_AT)
        page.goto(f"{live_server.url}/boards/{board}/", wait_until="networkidle")
        expect(page.locator(".pointable")).to_be_visible()
        write("board.png", page.screenshot())


def test_draw_a_mail(chromium: Browser, live_server: Any, world: World) -> None:
    world.board("gyges", " ".join(GYGES.split()[:8]))
    jobs.send_mail.call()
    mail = CaughtMail.objects.filter(address="ann@example.org").latest("pk")
    with chromium.new_context(viewport={"width": 640, "height": 1100}) as browser:
        page = browser.new_page()
        page.goto(f"{live_server.url}/mail/{mail.pk}/html/")
        page.evaluate(HEAD, [mail.subject, mail.address])
        write("mail.png", page.screenshot())
