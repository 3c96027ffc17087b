"""The analysis board in a browser: moves by taps and keys, and an answer by itself."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from typing import Any

import pytest
from django.db import connections
from django.utils import timezone
from playwright.sync_api import Browser, expect

from browser.learners import PHONE, SCREEN, Learner, go_and_press, tap_there
from sarsen.search.analysis import Analysis, Likely
from sarsen.services.analysis import questions, searching
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
expect.set_options(timeout=120_000)  # other processes may be at work on the machine
PAGE = "/analyse/druid/?options=-size%3D5&moves=c1+b2"


@pytest.fixture
def thinker(monkeypatch: pytest.MonkeyPatch, world: World) -> Iterator[None]:
    """Search as the thinker does."""
    monkeypatch.setattr(questions, "are_made", lambda: True)
    ended = threading.Event()

    def search() -> None:
        while not ended.wait(0.05):
            claim = searching.claim(timezone.now())
            if claim is not None:
                likely = (Likely("d4", 0.61), Likely("a5", 0.3))
                searching.settle(claim, Analysis(None, ("d4",), None, likely, 0.2), timezone.now())
        connections.close_all()

    thread = threading.Thread(target=search)
    thread.start()
    yield
    ended.set()
    thread.join()


def test_a_line_is_played_by_taps_and_each_position_is_answered(
    chromium: Browser, live_server: Any, thinker: None
) -> None:
    learner = Learner(chromium, live_server.url, **PHONE)
    learner.page.goto(learner.url + PAGE)
    expect(learner.page.locator(".found")).to_contain_text("61%")
    learner.page.locator("figure.pointable .view > svg.board").wait_for()
    # The best move lies over the board, and no tap meets it.
    expect(learner.page.locator(".view > .advised > svg").first).to_be_visible()
    tap_there(learner, "d2")
    expect(learner.page.locator(".ways .here")).to_have_text("3 / 3")
    expect(learner.page.locator(".found")).to_contain_text("Likely best for H")
    learner.page.get_by_role("link", name="d4", exact=True).click()
    expect(learner.page.locator(".ways .here")).to_have_text("4 / 4")
    learner.page.get_by_role("link", name="Take back").click()
    expect(learner.page.locator(".ways .here")).to_have_text("3 / 3")
    assert learner.complaints == []
    learner.page.context.close()


def test_keys_alone_play_and_step_back(chromium: Browser, live_server: Any, thinker: None) -> None:
    learner = Learner(chromium, live_server.url, **SCREEN)
    learner.page.goto(learner.url + PAGE)
    learner.page.locator("figure.pointable .view > svg.board").wait_for()
    go_and_press(learner, "d2")
    expect(learner.page.locator(".ways .here")).to_have_text("3 / 3")
    assert learner.complaints == []
    learner.page.context.close()
