"""Lessons from home to their end: by taps on a phone, and by keys alone, without an account."""

from __future__ import annotations

import re
from typing import Any

import pytest
from django.utils.http import urlencode
from playwright.sync_api import Browser, Page, expect

from sarsen.core.game import AnyPosition
from sarsen.drawing.taps import tap_tree, taps_of, with_move
from sarsen.learning.lessons import lesson_of
from sarsen.learning.tries import judge_line, move_to_show
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
expect.set_options(timeout=120_000)  # other processes may be at work on the machine
PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCREEN = {"viewport": {"width": 1280, "height": 800}}
# For all of Druid's lesson: one on home, seven to go on, and one to three a move.
MOST_TAPS = 25
MOST_KEYS = 150  # arrows to each place of Visavis, and Tab through home
FOCUSED = "() => document.activeElement.textContent.replace(/\\s+/g, ' ').trim()"
# The place that has the focus, and the arrows that lead from it to another one, the best first.
WAY = """
(spot) => {
  const key = document.querySelector("svg.board .key");
  const middle = (one) => {
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const shapes = [...key.ownerSVGElement.querySelectorAll(`[data-spot="${spot}"]`)];
  const [x, y] = middle(key);
  const [a, b] = middle(shapes.find((one) => one.tagName !== "text"));
  const gains = { ArrowLeft: x - a, ArrowRight: a - x, ArrowUp: y - b, ArrowDown: b - y };
  return [key.dataset.at, Object.keys(gains).sort((one, other) => gains[other] - gains[one])];
}
"""
FURTHEST = 20  # arrows to a place


class Learner:
    """Somebody without an account at one page, whose presses are counted."""

    def __init__(self, chromium: Browser, url: str, **looks: Any) -> None:
        self.url = url
        self.page: Page = chromium.new_context(**looks).new_page()
        self.page.set_default_timeout(120_000)
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.presses = 0

    def tap(self, place: Any) -> None:
        place.tap(force=True)
        self.presses += 1

    def press(self, key: str) -> None:
        self.page.keyboard.press(key)
        self.presses += 1


def due(position: AnyPosition, text: str) -> tuple[str, ...]:
    """Return the taps of a move, the last one twice where more could follow."""
    taps, tree = taps_of(position, text), with_move(tap_tree(position), position, text)
    for spot in taps:
        tree = tree[spot]  # type: ignore[assignment]
    return taps if isinstance(tree, str) else (*taps, taps[-1])


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


def tap_there(learner: Learner, spot: str) -> None:
    learner.tap(learner.page.locator(f'figure svg.board [data-spot="{spot}"]').first)


def go_and_press(learner: Learner, spot: str) -> None:
    """Go to a place by arrows, and choose it; the focus is on the board, or Tab leads there."""
    for _ in range(FURTHEST):
        if learner.page.evaluate("() => document.activeElement.getAttribute('class')") == "key":
            break
        learner.press("Tab")
    seen: set[tuple[str, str]] = set()
    for _ in range(FURTHEST):
        at, ways = learner.page.evaluate(WAY, spot)
        if at == spot:
            learner.press("Enter")
            return
        way = next(way for way in ways if (at, way) not in seen)
        seen.add((at, way))
        learner.press(way)
    raise AssertionError(f"{spot} is too far away")


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
