"""Debian's Chromium, without script, before a real server."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from playwright.sync_api import Browser, Page, sync_playwright

from sarsen.services.events import live_updates, news_cache
from web_world import World

# Pages in it take a third of the processor time of a whole Chromium: no windows, no menus.
SHELL = Path("/usr/bin/chromium-headless-shell")
WHOLE = Path("/usr/bin/chromium")
FLAGS = [
    "--no-sandbox",
    "--disable-gpu",
    "--disable-quic",
    "--no-first-run",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
]
# Not by Page.wait_for_function(): it takes any promise for an answer, and where its first look is
# too early, the content security policy refuses the next one.
WHEN_KEPT = """
async (path) => {
  while (!(await caches.match(path))) await new Promise((again) => setTimeout(again, 50));
}
"""


@pytest.fixture
def wait_until_kept() -> Callable[[Page, str], None]:
    """Return a function that waits until a page's worker has kept an address."""
    return lambda page, path: page.evaluate(WHEN_KEPT, path)


@pytest.fixture(scope="module")
def chromium() -> Iterator[Browser]:
    program = next((path for path in (SHELL, WHOLE) if path.exists()), None)
    if program is None:  # pages cannot be looked at without a browser, which `.ci/run` installs
        pytest.skip(f"neither {SHELL} nor {WHOLE} is installed")
    # Playwright keeps an event loop in this thread, and Django would refuse its queries there.
    before = os.environ.get("DJANGO_ALLOW_ASYNC_UNSAFE")
    os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=program, args=FLAGS)
        yield browser
        browser.close()
    if before is None:
        del os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"]


@pytest.fixture
def set_offline(live_server: Any) -> Iterator[Callable[[Page, bool], None]]:
    """Return a function that takes a page's connection away, or brings it back.

    About once in 600 pages, as one page follows another, Chromium lets a request through that it
    should hold up. So the server answers 503 as long as there is no connection.
    """
    server = live_server.thread.httpd
    app = server.get_app()

    def switch(page: Page, is_offline: bool) -> None:
        if not is_offline:
            server.set_app(app)
        page.context.set_offline(is_offline)
        if is_offline:
            server.set_app(_unavailable)

    yield switch
    server.set_app(app)


def _unavailable(environ: dict[str, Any], start_response: Any) -> list[bytes]:
    start_response("503 Service Unavailable", [("Content-Length", "0")])
    return []


@pytest.fixture
def flags() -> list[str]:
    """Return what a browser of one's own is started with."""
    return FLAGS


@pytest.fixture
def world(transactional_db: Any) -> World:
    return World(timezone.now())


@pytest.fixture(autouse=True)
def _news_at_once(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Let no question of a page be answered from memory; the server of the tests holds none."""
    monkeypatch.setattr(news_cache, "KEPT", 0.0)
    # A page asks the more seldom, the older the last move is.
    for pause in ("SLOWEST", "WITHOUT_BOARD"):
        monkeypatch.setattr(live_updates, pause, 0.5)
    live_updates.forget_answers()
    yield
    live_updates.forget_answers()
