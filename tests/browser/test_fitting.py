"""A board, its players, the prompt and the Play button fit the window, for every game and state."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from django.test import Client
from playwright.sync_api import Browser, Page, Route, expect
from tests.browser.test_keys import needed

from contest_world import ContestWorld
from filled_world import DRUID, GYGES
from sarsen.core.referee import replayed
from sarsen.games import load
from sarsen.language.commands import PlayMove, Rematch
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.storage.models import Player
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
expect.set_options(timeout=120_000)  # other processes may be at work on the machine
DESKS = ((1280, 800), (1366, 768), (1440, 900))
PHONES = ((360, 640), (390, 664), (390, 844))
# The smallest of each kind; `--long` takes them all.
IN_CI = {DESKS[0], PHONES[0]}
# A board of each game at its default size, of the largest one, and a move that is legal there.
BOARDS = {
    "druid": (("druid", DRUID.rpartition(" ")[0], ""), "a1"),
    "gyges": (("gyges", GYGES, ""), ""),
    "set-up": (("gyges", "", ""), ""),
    "vasco": (("vasco", "d1 b8", ""), "d1"),
    "visavis": (("visavis", "H8 F6", ""), "P10"),
    "visavis25": (("visavis", "", "-size=25"), "P10"),
}
SHIFTS = """
() => {
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const { value, sources } of list.getEntries()) {
      const moved = sources.map(({ node, previousRect, currentRect }) =>
        `${node?.tagName}: ${JSON.stringify(previousRect)} to ${JSON.stringify(currentRect)}`);
      window.shifts.push([value, moved.join("; ")]);
    }
  }).observe({ type: "layout-shift", buffered: true });
}
"""
# What of some elements, the first in sight of each, lies outside the window.
OUTSIDE = """
(selectors) => selectors.flatMap((selector) => {
  const one = [...document.querySelectorAll(selector)].find((it) => it.getClientRects().length);
  if (!one) return [`${selector} is not there`];
  const { left, top, right, bottom } = one.getBoundingClientRect();
  const isInside = left >= -1 && top >= -1 && right <= innerWidth + 1 && bottom <= innerHeight + 1;
  return isInside ? [] : [`${selector}: ${[left, top, right, bottom].map(Math.round)}`];
})
"""


# Placeholders and headings whose words are wider than they are.
CUT = """
() => {
  const isCut = (one) => {
    one.style.fontFamily = getComputedStyle(one, "::placeholder").fontFamily;
    one.value = one.placeholder;
    return one.scrollWidth > one.clientWidth;
  };
  const seen = (selector) =>
    [...document.querySelectorAll(selector)].filter((one) => one.getClientRects().length);
  return [
    ...seen(".typing input").filter(isCut).map((one) => one.placeholder),
    ...seen("h1, .state, .state *")
      .filter((one) => one.scrollWidth > one.clientWidth && one.clientWidth > 1)
      .map((one) => one.textContent.trim()),
  ];
}
"""

# Where the words of a title end, and where the deadline in the same lines begins.
APART = """
(game) => {
  document.querySelector("h1 a").textContent = game;
  const words = document.createRange();
  words.selectNodeContents(document.querySelector("h1"));
  const due = document.querySelector(".due").getBoundingClientRect();
  return [words.getBoundingClientRect().right, due.left];
}
"""
# The heights of a move before and after it gets a number.
NUMBERED = """
(number) => {
  const move = document.querySelector(".moves td a");
  const height = () => move.getBoundingClientRect().height;
  const before = height();
  move.querySelector(".ply").textContent = number;
  return [before, height()];
}
"""
# What the note about what was done has in its place.
COVERED = """
() => {
  const place = (one) => one.getBoundingClientRect();
  const note = place(document.querySelector(".done"));
  const parts = ".side, .moves td a, h1, .state > *, .prompt, .tabs, .walk, .acts, svg.board";
  return [...document.querySelectorAll(parts)]
    .filter((one) => one.getClientRects().length)
    .filter((one) => place(one).top < note.bottom - 1 && note.top < place(one).bottom - 1)
    .filter((one) => place(one).left < note.right - 1 && note.left < place(one).right - 1)
    .map((one) => one.className || one.tagName);
}
"""
MAX_PATH_LOSES = "e1 f11 c9 f2 b5 a1 a1 b9 c35 f9 f14 c39 b15 e26 e29 d17 f30"


def sizes(*chosen: tuple[int, int]) -> list[Any]:
    """Return windows as parameters; those beyond `IN_CI` are slow."""
    return [
        size if size in IN_CI else pytest.param(size, marks=pytest.mark.slow) for size in chosen
    ]


# Every game where there is least room, and the widest and the largest one at all sizes.
CASES = [
    pytest.param(size, name, marks=() if size in IN_CI else pytest.mark.slow)
    for size in (*DESKS, *PHONES)
    for name in (("druid", "gyges") if size in (*DESKS[1:], PHONES[2]) else BOARDS)
]


@pytest.fixture
def size(request: pytest.FixtureRequest) -> tuple[int, int]:
    """Return the width and height of the window."""
    chosen: tuple[int, int] = getattr(request, "param", DESKS[0])
    return chosen


@pytest.fixture
def page(
    size: tuple[int, int], chromium: Browser, live_server: Any, world: World
) -> Iterator[Page]:
    """Return a browser in which ann is logged in."""
    width, height = size
    is_phone = size in PHONES
    context = chromium.new_context(
        viewport={"width": width, "height": height}, has_touch=is_phone, is_mobile=is_phone
    )
    client = Client()
    client.force_login(world.player("ann"))
    cookie = client.cookies["sessionid"].value
    context.add_cookies([{"name": "sessionid", "value": cookie, "url": live_server.url}])
    page = context.new_page()
    page.add_init_script(f"({SHIFTS})()")
    yield page
    context.close()


def check(page: Page, *further: str) -> None:
    seen = ("svg.board", ".above .side", ".below .side", *further)
    assert page.evaluate(OUTSIDE, list(seen)) == []
    assert page.evaluate("scrollY") == 0
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize(("size", "name"), CASES, indirect=["size"])
def test_the_board_its_players_and_what_to_do_are_in_sight(
    page: Page, live_server: Any, world: World, size: tuple[int, int], name: str
) -> None:
    (game, moves, options), move = BOARDS[name]
    board = world.board(game, moves, options=options)
    world.board(moves="b8 b5")
    address = f"{live_server.url}/boards/{board}/"
    page.goto(address)
    beside = (".typing button", ".own-boards", "#say", ".acts")
    if size in PHONES:
        beside = (".walk", ".tabs")
    if len(moves.split()) % 2 == 0:
        expect(page.locator(".pointable")).to_be_visible()
        beside = (".pointed", *beside)
    if len(moves.split()) < 4:
        beside = (".aim", *beside)
    if name == "set-up":
        beside = (".presets button", *beside)
    check(page, ".state", ".moves-sheet", *beside)
    shifts = page.evaluate("window.shifts")
    assert round(sum(value for value, _ in shifts), 2) == 0, shifts
    if move:
        drawn = page.locator("svg.board").first.bounding_box()
        page.goto(f"{address}?try={move}")
        check(page, ".deciding button, .deciding .button")
        assert page.locator("svg.board").first.bounding_box() == drawn


def test_board_stands_in_its_place_before_the_rest_of_the_page_has_come(
    page: Page, live_server: Any, world: World
) -> None:
    board = world.board("visavis", "H8 F6")
    world.board(moves="b8 b5")
    address = f"{live_server.url}/boards/{board}/"

    def cut(route: Route) -> None:
        answer = route.fetch()
        before, view, after = answer.text().partition('class="view"')
        svg, end, _ = after.partition("</svg>")
        route.fulfill(response=answer, body=before + view + svg + end)

    page.route(address, cut)
    page.goto(address)
    early = page.locator("svg.board").first.bounding_box()
    page.unroute(address)
    page.goto(address)
    assert page.locator("svg.board").first.bounding_box() == early


@pytest.mark.parametrize("size", sizes(*DESKS), indirect=True)
def test_the_page_to_explore_fits_the_window(page: Page, live_server: Any, world: World) -> None:
    page.goto(f"{live_server.url}/boards/{world.board(moves='b8 b5')}/variations/")
    expect(page.locator(".pointable")).to_be_visible()
    assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("moves", ["b8 b5 b4 a5 b6 d1", "b8 b5 b4 a5 b6 d1 b4-b6"])
@pytest.mark.parametrize("size", [DESKS[0], PHONES[0], PHONES[2]], indirect=True)
def test_no_word_of_the_heading_and_of_the_field_of_moves_is_cut(
    page: Page, live_server: Any, world: World, moves: str, language: str
) -> None:
    for players in (("ann", "bob"), ("bob", "ann")):
        board = world.board(moves=moves, players=players)
        Player.objects.filter(userid="ann").update(language=language)
        page.goto(f"{live_server.url}/boards/{board}/")
        check(page)
        assert page.evaluate(CUT) == []
        if page.locator("[for=sheet-more]").is_visible():
            page.locator("[for=sheet-more]").click()
            assert page.evaluate(CUT) == []


@pytest.mark.parametrize(("game", "move"), [("druid", "b8"), ("visavis", "H8")])
@pytest.mark.parametrize("size", [DESKS[0], PHONES[0]], indirect=True)
def test_a_swap_is_a_button_that_has_its_place_from_the_first_paint_on(
    page: Page, live_server: Any, world: World, game: str, move: str
) -> None:
    board = world.board(game, move, options="-swap", players=("bob", "ann"))
    page.goto(f"{live_server.url}/boards/{board}/")
    expect(page.get_by_role("button", name="My move is swap")).to_be_visible()
    shifts = page.evaluate("window.shifts")
    assert round(sum(value for value, _ in shifts), 2) == 0, shifts
    page.get_by_role("button", name="My move is swap").click()
    expect(page.get_by_role("button", name="Play swap")).to_be_visible()


@pytest.mark.parametrize("size", sizes(DESKS[0], *PHONES), indirect=True)
def test_other_turns_of_a_tile_leave_the_rest_in_sight(
    page: Page, live_server: Any, world: World, size: tuple[int, int]
) -> None:
    position = replayed(load("vasco").start(""), ["d1", "b8"])
    page.goto(f"{live_server.url}/boards/{world.board('vasco', 'd1 b8')}/")
    expect(page.locator(".pointable")).to_be_visible()
    for spot in needed(position, position.parse("d1")):
        page.locator(f'.pointable svg.board [data-spot="{spot}"]').first.click(force=True)
    expect(page.locator(".others button").first).to_be_visible()
    check(page, ".others", ".others button", ".deciding form button")


@pytest.mark.parametrize("size", sizes(*DESKS, *PHONES), indirect=True)
def test_the_end_of_a_game_is_in_sight(page: Page, live_server: Any, world: World) -> None:
    board = world.board(moves=DRUID)
    world.board(moves="b8 b5")
    page.goto(f"{live_server.url}/boards/{board}/")
    expect(page.get_by_role("button", name="Rematch")).to_be_visible()
    check(page, ".ended summary", ".ended button", ".ended [data-next]")
    drawn, ended = (page.locator(one).first.bounding_box() for one in ("svg.board", ".ended"))
    assert drawn
    assert ended
    is_beside = ended["x"] >= drawn["x"] + drawn["width"]
    assert is_beside or ended["y"] >= drawn["y"] + drawn["height"]


@pytest.mark.parametrize("size", sizes(DESKS[0], *PHONES), indirect=True)
def test_the_end_of_a_game_of_a_guest_is_in_sight(
    page: Page, live_server: Any, world: World
) -> None:
    board = world.board(moves=DRUID)
    world.board(moves="b8 b5")
    Player.objects.filter(userid="ann").update(is_guest=True)
    page.goto(f"{live_server.url}/boards/{board}/")
    expect(page.locator(".ended").get_by_role("link", name="Create account")).to_be_visible()
    check(page, ".ended summary", ".ended p a", ".ended button", ".ended [data-next]")


@pytest.mark.parametrize("size", sizes(*PHONES), indirect=True)
def test_a_long_reason_for_the_end_of_a_tall_board_is_in_sight(
    page: Page, live_server: Any, world: World
) -> None:
    board = world.board("vasco", MAX_PATH_LOSES)
    world.board(moves="b8 b5")
    Player.objects.filter(userid="ann").update(language="de")
    page.goto(f"{live_server.url}/boards/{board}/")
    expect(page.get_by_role("button", name="Revanche")).to_be_visible()
    check(page, ".ended summary", ".ended button", ".ended [data-next]", ".tabs")


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", sizes(*PHONES), indirect=True)
def test_an_offered_rematch_and_all_its_buttons_are_in_sight(
    page: Page, live_server: Any, world: World, language: str
) -> None:
    board = world.board(moves=DRUID)
    world.board(moves="b8 b5")
    perform(Rematch("druid", board), Actor(world.player("bob")), "", world.now)
    Player.objects.filter(userid="ann").update(language=language)
    page.goto(f"{live_server.url}/boards/{board}/")
    expect(page.locator(".ended .ask")).to_be_visible()
    buttons = page.locator(".ended .choices :is(button, .button)")
    assert buttons.count() == 5
    for at in range(4):
        expect(buttons.nth(at)).to_be_in_viewport(ratio=1)
    check(page, ".ended summary", ".tabs")


def test_a_long_title_and_the_deadline_stand_apart(
    page: Page, live_server: Any, world: World
) -> None:
    page.goto(f"{live_server.url}/boards/{world.board(moves='b8 b5')}/")
    right, left = page.evaluate(APART, "Breakthrough")
    assert right <= left


def test_the_number_of_a_late_move_stands_in_one_line(
    page: Page, live_server: Any, world: World
) -> None:
    page.goto(f"{live_server.url}/boards/{world.board(moves='b8 b5')}/")
    before, after = page.evaluate(NUMBERED, "398")
    assert before == after


@pytest.mark.parametrize("language", ["en", "de"])
@pytest.mark.parametrize("size", sizes(DESKS[0], *PHONES), indirect=True)
def test_what_was_done_is_said_beside_the_rest_until_the_other_side_moves(
    page: Page, live_server: Any, world: World, language: str
) -> None:
    board = world.board(moves="b8 b5")
    Player.objects.filter(userid="ann").update(language=language)
    page.goto(f"{live_server.url}/boards/{board}/?try=c3")
    page.locator(".deciding button").first.click()
    note = page.locator(".done")
    expect(note).to_contain_text("c3")
    page.wait_for_load_state()
    check(page, ".done", ".state", ".moves-sheet", ".tabs")
    assert page.evaluate(COVERED) == []
    perform(PlayMove("druid", board, "h1"), Actor(world.player("bob")), "", world.now)
    expect(page.locator(".here")).to_contain_text("4 / 4")
    expect(note).to_be_hidden()


@pytest.mark.parametrize("size", PHONES[:1], indirect=True)
def test_on_a_phone_other_sheets_take_the_place_of_the_board_and_give_it_back(
    page: Page, live_server: Any, world: World
) -> None:
    board = world.board(moves="b8 b5")
    page.goto(f"{live_server.url}/boards/{board}/")
    tabs = page.locator(".tabs")
    drawn = page.locator("svg.board").first
    for name, shown in (
        ("Chat", page.get_by_label("Message")),
        ("More", page.get_by_role("button", name="Draw")),
        ("Notes", page.get_by_label("Your note")),
    ):
        tabs.get_by_text(name).click()
        expect(shown).to_be_visible()
        expect(drawn).to_be_hidden()
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight")
    tabs.get_by_text("Board").click()
    expect(drawn).to_be_visible()


@pytest.mark.parametrize("size", PHONES[:1], indirect=True)
def test_on_a_phone_moves_are_typed_below_more(page: Page, live_server: Any, world: World) -> None:
    board = world.board(moves="b8 b5")
    page.goto(f"{live_server.url}/boards/{board}/")
    typed = page.get_by_label("Move", exact=True)
    expect(typed).to_be_hidden()
    page.locator(".tabs").get_by_text("More").click()
    expect(page.locator(".pointed")).to_be_hidden()
    typed.fill("a1")
    page.locator(".typing").get_by_role("button", name="Play").click()
    expect(page.locator(".moves [aria-current]")).to_contain_text("a1")
    expect(page.locator("svg.board").first).to_be_visible()
    expect(typed).to_be_hidden()


@pytest.mark.parametrize("size", [(1280, 800), (390, 844)], indirect=True)
def test_the_last_move_is_in_sight(page: Page, live_server: Any, world: World) -> None:
    last = page.locator(".moves [aria-current]")
    board = world.board(moves=DRUID.rpartition(" ")[0])
    page.goto(f"{live_server.url}/boards/{board}/")
    expect(page.locator(".pointed")).to_contain_text("Tap ")
    expect(last).to_be_in_viewport(ratio=1)
    board = world.board(moves=DRUID)
    page.goto(f"{live_server.url}/boards/{board}/")
    expect(last).to_be_in_viewport(ratio=1)
    page.locator(".walk [rel~=prev]").click()
    expect(page.locator(".walk [rel~=next]")).to_be_visible()
    page.locator(".walk [rel~=next]").click()
    expect(last).to_contain_text(DRUID.split()[-1])
    expect(last).to_be_in_viewport(ratio=1)


@pytest.mark.parametrize("size", [DESKS[0], PHONES[0], PHONES[2]], indirect=True)
def test_a_board_of_a_contest_fits_the_window(page: Page, live_server: Any, world: World) -> None:
    contests = ContestWorld(world.now)
    contests.make("ann", "bob", "cid", game="druid", options="-size=5", name="Stonehenge " * 3)
    page.goto(f"{live_server.url}/boards/{contests.board('ann', 'bob').pk}/")
    check(page, ".state", ".of-contest")
