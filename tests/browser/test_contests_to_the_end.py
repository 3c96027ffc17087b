"""A contest of each format in real browsers, large and small, to its final table."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.utils import timezone
from playwright.sync_api import Browser, Page, expect

from browser.seats import Seat
from contest_stories import PLAYERS, STORIES, Door, Row, Time
from sarsen.language.commands import MakeContest
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
SIZES = {
    "1440": {"viewport": {"width": 1440, "height": 900}},
    "390": {"viewport": {"width": 390, "height": 844}, "has_touch": True, "is_mobile": True},
}
LOGGED_IN = timedelta(days=7)  # nobody is logged out earlier
# The rows of the table of a page: the place, the player, the signs and boards of each cell, and
# the figures after them.
TABLE = """
(table) => [...table.querySelectorAll("tbody tr")].map((row) => {
  const [games, figures] = [".game", "td:not(.place, .game)"].map((all) =>
    [...row.querySelectorAll(all)]);
  const signs = (cell) => [...cell.querySelectorAll("[aria-hidden]")].map((one) => one.textContent);
  const boards = (cell) => [...cell.querySelectorAll("a")].map((one) => one.getAttribute("href"));
  return {
    place: row.querySelector(".place").innerText.trim(),
    userid: row.querySelector(".name a").innerText.trim(),
    games: games.map((cell) => signs(cell).join("")),
    boards: games.map(boards),
    figures: figures.map((cell) => cell.innerText.trim()),
  };
})
"""
SIGNS = str.maketrans({"½": "=", "−": "-", "·": "."})


class WebDoor:
    """Browsers, one of each player, all with windows of one size."""

    def __init__(self, chromium: Browser, url: str, looks: dict[str, Any]) -> None:
        self._chromium, self._url, self._looks = chromium, url, looks
        self._seats: dict[str, tuple[Seat, Any]] = {}
        self._last: Seat | None = None
        self.complaints: list[str] = []

    def seat(self, userid: str) -> Seat:
        """Return somebody's browser, logged in anew after a week; the last one shows nothing now.

        Pages that are open ask for news, which takes the time of those that are looked at.
        """
        now = timezone.now()
        seat, since = self._seats.get(userid, (None, now))
        if seat is None or now - since > LOGGED_IN:
            if seat is not None:
                self.leave(seat)
            seat = Seat(self._chromium, self._url, userid, **self._looks)
            seat.page.on("console", self._note)
            self._seats[userid] = seat, now
        if self._last not in (None, seat):
            self._last.page.goto("about:blank")
        self._last = seat
        return seat

    def _note(self, message: Any) -> None:
        # A page that stays open for days is told that its key is gone.
        if message.type == "error" and "410 (Gone)" not in message.text:
            self.complaints.append(message.text)

    def leave(self, seat: Seat) -> None:
        self.complaints += seat.complaints
        self._last = None if self._last is seat else self._last
        seat.page.context.close()

    def close(self) -> None:
        for seat, _ in self._seats.values():
            self.leave(seat)

    def open(self, userid: str, path: str) -> Page:
        page = self.seat(userid).page
        page.goto(self._url + path)
        self.look(page)
        return page

    def look(self, page: Page) -> None:
        """Check that a page does not scroll sideways."""
        width = self._looks["viewport"]["width"]
        assert page.evaluate("document.documentElement.scrollWidth") <= width, page.url

    def open_board(self, userid: str, board: int) -> Page:
        """Open a board, with what is below "More" on a phone."""
        page = self.open(userid, f"/boards/{board}/")
        if self._looks.get("is_mobile"):
            page.locator(".tabs").get_by_text("More").click()
        return page

    def make(self, userid: str, asked: MakeContest) -> int:
        terms = dict(term.removeprefix("--").split("=") for term in asked.terms)
        if opponent := terms.pop("with", ""):
            page = self.open(userid, f"/players/{opponent}/")
            page.get_by_role("link", name="Match", exact=True).click()
            expect(page.get_by_label("With whom?")).to_have_value(opponent)
        else:
            page = self.open(userid, "/contests/")
            if asked.format != "round-robin":
                kinds = page.get_by_role("navigation", name="Kind")
                kinds.get_by_role("link", name=asked.format).click()
                expect(kinds.locator("strong")).to_have_text(asked.format)
        self.look(page)
        page.get_by_label("Game", exact=True).select_option(asked.game)
        page.get_by_label("Options of the game").fill(asked.options)
        for name, value in terms.items():
            page.locator(f"select#{name}").select_option(value)
        page.get_by_label("Name, if you like").fill(asked.name)
        page.get_by_role("button", name="Make the contest").click()
        expect(page.locator("h2#table")).to_be_visible()
        self.look(page)
        return int(page.url.split("/contests/")[1].split("/")[0])

    def join(self, userid: str, number: int, *, once: bool = False) -> None:
        page = self.open(userid, "/contests/")
        page.locator(f"a[href='/contests/{number}/']").click()
        name = "Join for this season only" if once else "Join"
        page.get_by_role("button", name=name, exact=True).click()
        expect(page.locator("main")).to_contain_text("You are ")
        self.look(page)

    def join_ladder(self, userid: str, game: str) -> None:
        page = self.open(userid, f"/games/{game}/")
        href = page.locator("main a[href^='/contests/']").first.get_attribute("href")
        assert href
        page = self.open(userid, href)
        page.get_by_role("button", name="Join", exact=True).click()
        expect(page.locator("main")).to_contain_text("at place")
        self.look(page)

    def climb(self, userid: str, other: str, number: int) -> int:
        page = self.open(userid, f"/contests/{number}/")
        page.get_by_role("button", name=f"Climb {other}").click()
        answer = page.locator("main").get_by_text(re.compile(r"board \d+ has started")).first
        found = re.search(r"board (\d+)", answer.inner_text())
        assert found
        self.look(page)
        return int(found[1])

    def board(self, userid: str, other: str, number: int, game: int = 1) -> int:
        page = self.open(userid, f"/contests/{number}/")
        rows = page.locator(".crosstable").evaluate(TABLE)
        names = [row["userid"] for row in rows]
        row = rows[names.index(userid)]
        is_match = "·" not in row["games"]  # a column for each game, not for each opponent
        cell = [game - 1, 0] if is_match else [names.index(other), game - 1]
        return int(row["boards"][cell[0]][cell[1]].split("/")[2])

    def move(self, userid: str, board: int, move: str) -> None:
        seat = self.seat(userid)
        seat.open(board)
        self.look(seat.page)
        seat.play(move)

    def resign(self, userid: str, board: int) -> None:
        page = self.open_board(userid, board)
        page.get_by_role("button", name="Resign").click()
        page.get_by_role("button", name="Yes, resign").click()
        expect(page.locator(".ended")).to_be_visible()
        self.look(page)

    def draw(self, userid: str, board: int) -> None:
        page = self.open(userid, f"/boards/{board}/")
        if page.get_by_role("button", name="Accept").count():
            page.get_by_role("button", name="Accept").click()
            expect(page.locator(".ended")).to_be_visible()
            return
        page = self.open_board(userid, board)
        page.get_by_role("button", name="Draw").click()
        expect(page.locator("#offer")).to_contain_text("You offer")
        self.look(page)

    def table(self, userid: str, number: int, *, is_final: bool = True) -> list[Row]:
        page = self.open(userid, f"/contests/{number}/")
        head = "Final table" if is_final else "Table"
        expect(page.locator("h2#table")).to_have_text(head)
        heads = page.locator(".crosstable thead").inner_text()
        return [
            Row(
                row["place"],
                row["userid"],
                tuple(signs.translate(SIGNS) for signs in row["games"]),
                row["figures"][0],
                row["figures"][1] if "SB" in heads else "",
            )
            for row in page.locator(".crosstable").evaluate(TABLE)
        ]

    def order(self, userid: str, number: int) -> list[str]:
        page = self.open(userid, f"/contests/{number}/")
        return page.locator(".ladder .name a").all_inner_texts()


@pytest.fixture
def time(transactional_db: None) -> Iterator[Time]:
    with time_machine.travel(timezone.now()) as traveller:
        for userid in PLAYERS:
            World(timezone.now()).player(userid)
        yield Time(traveller)


@pytest.fixture
def door(size: str, time: Time, chromium: Browser, live_server: Any) -> Iterator[WebDoor]:
    door = WebDoor(chromium, live_server.url, SIZES[size])
    yield door
    door.close()
    assert door.complaints == []


# Each takes seconds of processor: CI plays each story once, and each size with two of them.
CASES = [
    pytest.param(size, story, marks=[pytest.mark.slow] if (at + row) % 2 else [])
    for at, story in enumerate(STORIES)
    for row, size in enumerate(SIZES)
]


@pytest.mark.parametrize(("size", "story"), CASES, ids=lambda one: getattr(one, "__name__", one))
def test_a_contest_is_made_joined_and_played_to_its_final_table(
    door: Door, time: Time, size: str, story: Callable[[Door, Time], None]
) -> None:
    """Each story at one size, and with `--long` at both."""
    story(door, time)
    assert not [str(one) for one in verify(VerifyReport(), lambda: None)]
