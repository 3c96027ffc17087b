"""Whole games by keys alone: on the picture with script, in words without."""

from __future__ import annotations

from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page, expect

from sarsen.core.game import AnyPosition
from sarsen.drawing.taps import tap_tree, tapped
from sarsen.drawing.view import view_of
from sarsen.games import load
from sarsen.storage.models import Match, Player
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
FOCUSED = """
() => {
  const one = document.activeElement;
  return one.getAttribute("aria-label") || one.id || one.textContent.trim();
}
"""
# Where the place that has the focus lies on the screen, and those of a spot.
AT = """
(spot) => {
  const middle = (one) => {
    const box = one.getBoundingClientRect();
    return [box.x + box.width / 2, box.y + box.height / 2];
  };
  const key = document.querySelector("svg.board .key");
  const shapes = [...key.ownerSVGElement.querySelectorAll(`[data-spot="${spot}"]`)];
  return [middle(key), shapes.filter((one) => one.tagName !== "text").map(middle)];
}
"""
MAX_KEYS = 60
PATIENCE = 120_000  # milliseconds: other processes may be at work on the machine
NARROW, WIDE = 360, 1280
# A chain over the largest board, which lacks two bridges.
NEARLY_ACROSS = "B12 D1 D12 F1 F12 H1 H12 J1 J12 L1 L12 N1 N12 P1 P12 R1 R12 T1 T12 V1"
WAYS = ("ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown")
expect.set_options(timeout=120_000)


class Hands:
    """Somebody with keys and no pointer."""

    def __init__(self, chromium: Browser, url: str, userid: str, *, width: int, script: bool):
        self.page: Page = chromium.new_context(
            viewport={"width": width, "height": 800}, java_script_enabled=script
        ).new_page()
        self.page.set_default_timeout(PATIENCE)
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        client = Client()
        client.force_login(Player.objects.get(userid=userid))
        key = client.cookies[settings.SESSION_COOKIE_NAME].value
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": key, "url": url}
        self.page.context.add_cookies([cookie])  # type: ignore[list-item]  # a TypedDict

    def press(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def focused(self) -> str:
        """Return a text that says what has the focus."""
        return str(self.page.evaluate(FOCUSED))

    def tab_to(self, words: str) -> None:
        """Press the Tab key until something has the focus whose name begins so."""
        for _ in range(MAX_KEYS):
            if self.focused().startswith(words):
                return
            self.press("Tab")
        raise AssertionError(f"no key leads to {words!r} on {self.page.url}")

    def go_to(self, spot: str) -> None:
        """Press arrows towards a spot until it has the focus."""
        seen: set[tuple[str, str]] = set()
        for _ in range(MAX_KEYS):
            at = str(self.page.locator(".key").get_attribute("data-at"))
            if at == spot:
                assert self.focused().split(":")[0] == spot
                return
            (x, y), goals = self.page.evaluate(AT, spot)
            goal = min(goals, key=lambda one: abs(one[0] - x) + abs(one[1] - y))
            across, down = goal[0] - x, goal[1] - y
            gains = (-across, across, -down, down)
            ways = sorted(zip(gains, WAYS, strict=True), reverse=True)
            way = next((way for _, way in ways if (at, way) not in seen), "")
            assert way, f"no arrows lead from {at} to {spot}"
            seen.add((at, way))
            self.press(way)
        raise AssertionError(f"{spot} is too far away")


def point(hands: Hands, board: str, spots: tuple[str, ...], move: str) -> None:
    """Play on the picture: go there by arrows, tap, and play what is shown."""
    page = hands.page
    page.goto(board)
    page.locator(".key").wait_for(state="attached")
    hands.press("Tab")
    assert hands.focused() == "To the content"
    while page.evaluate("() => document.activeElement.getAttribute('class')") != "key":
        hands.press("Tab")
    for spot in spots:
        hands.go_to(spot)
        hands.press("Enter")
    expect(page.get_by_role("button", name=f"Play {move}", exact=True)).to_be_focused()
    hands.press("Enter")
    expect(page.locator(".done")).to_be_focused()


def say(hands: Hands, board: str, spots: tuple[str, ...], move: str) -> None:
    """Play in words, without script: choose places from lists, and play the move."""
    page = hands.page
    page.goto(board)
    hands.press("Tab", "Tab")
    assert hands.focused() == "This board in words"
    hands.press("Enter")
    page.wait_for_url("**/text/")
    for spot in spots:
        hands.tab_to("spot")
        page.keyboard.type(f"{spot}:")
        hands.tab_to("Choose")
        with page.expect_navigation():
            hands.press("Enter")
    expect(page.locator(".state")).to_be_focused()
    expect(page.locator(".state")).to_contain_text(f"Preview: {move}.")
    hands.tab_to(f"Play {move}")
    hands.press("Enter")
    expect(page.locator(".done")).to_be_focused()


def needed(position: AnyPosition, move: Any) -> tuple[str, ...]:
    """Name the spots of a move, without the last ones if they go without saying."""
    spots, tree = view_of(position).clicks(position, move), tap_tree(position)
    for count in range(1, len(spots)):
        begun = {text for taps, text in tapped(tree) if taps[:count] == spots[:count]}
        if len(begun) == 1:
            return spots[:count]
    return spots


@pytest.mark.parametrize(
    ("game", "options", "before", "moves", "width"),
    [
        ("druid", "-size=3", "", "a1 c1 a2 b2 a3", WIDE),
        pytest.param("druid", "-size=3", "", "a1 a2 a3 c2 a1-a3", NARROW, marks=pytest.mark.slow),
        *(
            pytest.param(*story, width, marks=pytest.mark.slow)
            for width in (NARROW, WIDE)
            for story in (
                ("gyges", "", "", "322131 213132 16-15x14=25 63x62=35 15x25=51 65-35-25-S"),
                ("vasco", "-size=12", "", "d1 b8 d1 d11"),
                ("visavis", "-size=9", "", "F4 H7 F6 D3 H5 D1 D6 C2 B6"),
                ("visavis", "", NEARLY_ACROSS, "V12 D25 X12"),
            )
        ),
    ],
)
def test_a_game_is_played_to_its_end_by_keys_alone(
    chromium: Browser,
    live_server: Any,
    world: World,
    game: str,
    options: str,
    before: str,
    moves: str,
    width: int,
) -> None:
    number = world.board(game, before, options=options)
    board = f"{live_server.url}/boards/{number}/"
    ann = Hands(chromium, live_server.url, "ann", width=width, script=True)
    bob = Hands(chromium, live_server.url, "bob", width=width, script=False)
    position = load(game).start(options)
    for text in before.split():
        position = position.play(position.parse(text))
    for text in moves.split():
        move = position.parse(text)
        hands, play = ((ann, point), (bob, say))[position.seat]
        play(hands, board, needed(position, move), position.format(move))
        position = position.play(move)
    assert Match.objects.get(pk=number).ended_at is not None
    outcome = position.outcome()
    assert outcome is not None
    bob.page.goto(f"{board}text/")
    expect(bob.page.locator(".state")).to_contain_text(outcome.reason)
    assert ann.complaints == []
    for hands in (ann, bob):
        hands.page.context.close()


@pytest.mark.parametrize(
    ("game", "moves", "options", "spots"),
    [
        ("druid", "b8 b5", "", {"c3": "c3: empty", "b5": "b5: H"}),  # ann is to move
        ("druid", "b8", "", {"h1": "h1: empty", "b8": "b8: V"}),
        ("druid", "a1 a2 a3 c2 a1-a3", "-size=3", {"c3": "c3: empty", "a2": "a2: V, 2 high"}),
        ("gyges", "322131 213132 16-15x14=25", "", {"25": "25: single"}),
        ("vasco", "d1", "", {"2.3": "2.3: tile d, up"}),
        ("visavis", "H8 F6", "", {"H8": "H8: O bridge"}),
    ],
)
def test_arrows_reach_every_place_and_say_what_stands_there_in_every_state(
    chromium: Browser,
    live_server: Any,
    world: World,
    game: str,
    moves: str,
    options: str,
    spots: dict[str, str],
) -> None:
    number = world.board(game, moves, options=options)
    ann = Hands(chromium, live_server.url, "ann", width=WIDE, script=True)
    ann.page.goto(f"{live_server.url}/boards/{number}/")
    assert ann.page.locator("svg[role=application] .key").count() == 1
    ann.page.locator(".key").focus()
    for spot, words in spots.items():
        ann.go_to(spot)
        assert ann.focused() == words
    assert ann.page.url.endswith(f"/boards/{number}/")  # no arrow stepped through the record
    assert ann.complaints == []
    ann.page.context.close()


def test_what_the_move_of_the_other_side_caused_is_announced(
    chromium: Browser, live_server: Any, world: World
) -> None:
    number = world.board("vasco", "d1")
    ann = Hands(chromium, live_server.url, "ann", width=WIDE, script=True)
    ann.page.goto(f"{live_server.url}/boards/{number}/")
    bob = Hands(chromium, live_server.url, "bob", width=WIDE, script=True)
    bob.page.goto(f"{live_server.url}/boards/{number}/?try=b8")
    bob.page.get_by_role("button", name="Play b8").click()
    expect(bob.page.locator(".done")).to_be_visible()
    ann.page.evaluate("dispatchEvent(new Event('online'))")  # asks at once
    expect(ann.page.locator("#told")).to_contain_text("Tiles forced by this move: 2")
    for hands in (ann, bob):
        hands.page.context.close()
