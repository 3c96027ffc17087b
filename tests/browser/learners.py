"""Somebody without an account who points at places of a live board: by taps, or by keys alone."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Browser, Page

from sarsen.core.game import AnyPosition
from sarsen.drawing.taps import tap_tree, taps_of, with_move

PHONE = {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True}
SCREEN = {"viewport": {"width": 1280, "height": 800}}
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
