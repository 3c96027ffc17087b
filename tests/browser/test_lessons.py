"""Lessons from home to their end: by taps on a phone, and by keys alone, without an account."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils.http import urlencode
from playwright.sync_api import Browser, expect

from browser.learners import PHONE, SCREEN, Learner, due, go_and_press, tap_there
from sarsen.learning.lessons import lesson_of
from sarsen.learning.tries import judge_line, move_to_show
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
expect.set_options(timeout=120_000)  # other processes may be at work on the machine
# For all of Druid's lesson: one on home, seven to go on, and one to three a move.
MOST_TAPS = 25
MOST_KEYS = 150  # arrows to each place of Visavis, and Tab through home
FOCUSED = "() => document.activeElement.textContent.replace(/\\s+/g, ' ').trim()"


def take(learner: Learner, game: str, choose: Any) -> None:
    """Take every step of a lesson: `choose` points at a place, and what leads on is pressed."""
    lesson = lesson_of(game)
    for step in lesson.steps:
        own: tuple[str, ...] = ()
        while (found := judge_line(game, step, own)).verdict == "right":
            move = move_to_show(game, step, found)
            learner.page.locator("figure.pointable svg.board").wait_for()
            for spot in due(found.position, move):
                choose(learner, spot)
            own = (*own, move)
            path = f"/learn/{game}/{step.id}/?{urlencode([('moves', one) for one in own])}"
            expect(learner.page).to_have_url(learner.url + path)
        ahead = learner.page.locator("[data-ahead]")
        expect(ahead).to_be_focused()
        if step != lesson.steps[-1]:
            learner.press("Enter") if choose is go_and_press else learner.tap(ahead)
            following = lesson.steps[lesson.place_of(step)]
            expect(learner.page).to_have_url(re.compile(f"/learn/{game}/{following.id}/"))
    expect(learner.page.get_by_role("status").last).to_contain_text("Lesson finished.")
    assert learner.complaints == []


def test_a_stranger_finishes_a_lesson_on_a_phone_by_taps(
    chromium: Browser, live_server: Any, world: World
) -> None:
    learner = Learner(chromium, live_server.url, **PHONE)
    learner.page.goto(live_server.url)
    learner.tap(learner.page.get_by_role("link", name="Learn in 3 minutes Druid"))
    take(learner, "druid", tap_there)
    print(f"Druid's lesson from home: {learner.presses} taps")
    assert learner.presses <= MOST_TAPS
    learner.page.context.close()


def test_a_stranger_finishes_a_lesson_by_keys_alone(
    chromium: Browser, live_server: Any, world: World
) -> None:
    learner = Learner(chromium, live_server.url, **SCREEN)
    learner.page.goto(live_server.url)
    for _ in range(MOST_KEYS):
        if learner.page.evaluate(FOCUSED) == "Learn in 3 minutes Visavis":
            break
        learner.press("Tab")
    learner.press("Enter")
    take(learner, "visavis", go_and_press)
    print(f"Visavis's lesson from home: {learner.presses} keys")
    assert learner.presses <= MOST_KEYS
    learner.page.context.close()


def test_a_wrong_move_is_shown_and_one_press_brings_the_position_back(
    chromium: Browser, live_server: Any, world: World
) -> None:
    learner = Learner(chromium, live_server.url, **SCREEN)
    learner.page.goto(f"{live_server.url}/learn/druid/block/")
    learner.page.locator("figure.pointable").wait_for()
    before = learner.page.locator("svg.board > title").text_content()
    go_and_press(learner, "a1")
    expect(learner.page.get_by_role("button", name="Try again")).to_be_focused()
    expect(learner.page.locator(".said")).to_contain_text("Not yet. H plays d3")
    expect(learner.page).to_have_url(f"{live_server.url}/learn/druid/block/")
    learner.press("Enter")
    expect(learner.page.locator("svg.board > title")).to_have_text(str(before))
    assert learner.complaints == []
    learner.page.context.close()
