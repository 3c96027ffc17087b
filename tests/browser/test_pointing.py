"""Whole games by pointing at the board alone, and what may go wrong meanwhile."""

from __future__ import annotations

import re
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, Route, expect
from tests.browser.seats import DESK, MIDDLE, PHONE, WHERE, Seat, middle_of, seated
from tests.browser.test_keys import needed

from sarsen.games import load
from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
expect.set_options(timeout=120_000)  # other processes may be at work on the machine
# Small games, each with all that may be pointed at there.
GAMES = {
    "druid": ("-size=3", "a1 a2 a3 c2 a1-a3"),
    "gyges": ("", "322131 213132 16-15x14=25 63x62=35 15x25=51 65-35-25-S"),
    "vasco": ("-size=12", "d1 b8 d1 d11"),
    "visavis": ("-size=9", "F4 H7 F6 D3 H5 D1 D6 C2 B6"),
}


def play_by_pointing(
    seats: tuple[Seat, Seat], board: int, game: str, options: str, moves: str
) -> None:
    """Point out all moves; by the spots that tell a move from all others."""
    position = load(game).start(options)
    for text in moves.split():
        move = position.parse(text)
        seat = seats[position.seat]
        seat.open(board)
        seat.play(*needed(position, move))
        position = position.play(move)
    page = seats[0].page
    page.goto(f"{seats[0].url}/boards/{board}/")
    outcome = position.outcome()
    assert outcome is not None
    expect(page.locator(".state")).to_contain_text(outcome.reason)
    assert [seat.complaints for seat in seats] == [[], []]
    for seat in seats:
        seat.page.context.close()


@pytest.mark.parametrize(
    ("game", "looks"),
    [
        ("druid", {**PHONE, "color_scheme": "dark"}),
        pytest.param("gyges", {**PHONE}, marks=pytest.mark.slow),
        pytest.param("vasco", {**DESK, "color_scheme": "dark"}, marks=pytest.mark.slow),
        pytest.param("visavis", {**DESK}, marks=pytest.mark.slow),
    ],
)
def test_a_game_is_played_to_its_end_by_pointing_alone(
    chromium: Browser, live_server: Any, world: World, game: str, looks: dict[str, Any]
) -> None:
    seated(world)
    options, moves = GAMES[game]
    board = world.board(game, options=options)
    seats = tuple(Seat(chromium, live_server.url, userid, **looks) for userid in ("ann", "bob"))
    play_by_pointing(seats, board, game, options, moves)


@pytest.mark.slow
def test_a_finger_never_misses_on_the_largest_board_of_visavis(
    chromium: Browser, live_server: Any, world: World
) -> None:
    seated(world)
    board = world.board("visavis", "H8", options="-size=25")
    bob = Seat(chromium, live_server.url, "bob", **PHONE)
    for spot in ("C2", "M12", "W24"):
        bob.open(board)
        x, y = bob.page.evaluate(MIDDLE, spot)
        bob.page.touchscreen.tap(x + 5, y - 4)  # beside it, between it and the next
        expect(bob.page.locator("svg.zoomed")).to_be_visible()
        x, y = bob.page.evaluate(MIDDLE, spot)
        bob.page.touchscreen.tap(x + 5, y - 4)
        expect(bob.page.get_by_role("button", name=f"Play {spot}")).to_be_visible()
        bob.page.get_by_role("link", name="Change").click()
        expect(bob.page.locator(".pointable")).to_be_visible()
        for _ in range(3):
            bob.page.get_by_role("button", name="Smaller").click()
        expect(bob.page.locator("svg.zoomed")).to_have_count(0)
    assert bob.complaints == []
    bob.page.context.close()


def test_the_sign_on_a_triangle_is_round_its_number(
    chromium: Browser, live_server: Any, world: World
) -> None:
    seated(world)
    ann = Seat(chromium, live_server.url, "ann", **DESK)
    ann.open(world.board("vasco"))
    sign = ann.page.locator(".light").first.bounding_box()
    number = ann.page.locator("text[data-spot='1']").bounding_box()
    assert sign
    assert number
    apart = sign["y"] + sign["height"] / 2 - number["y"] - number["height"] / 2
    assert abs(apart) < 0.1 * sign["height"]
    ann.page.context.close()


def test_a_tap_that_is_quicker_than_the_moves_waits_for_them(
    chromium: Browser, live_server: Any, world: World
) -> None:
    seated(world)
    board = world.board(moves="b8 b5")
    ann = Seat(chromium, live_server.url, "ann", **DESK)
    page = ann.page
    on_the_way: list[Route] = []

    def hold(route: Route) -> None:
        on_the_way.append(route)

    page.route("**/moves.json", hold)
    with page.expect_request("**/moves.json"):
        page.goto(f"{live_server.url}/boards/{board}/")
    ann.point("c3")
    assert on_the_way
    on_the_way[0].continue_()
    expect(page.get_by_role("button", name="Play c3")).to_be_visible()
    page.context.close()


def test_the_board_stays_in_sight_on_a_phone_while_a_move_is_pointed_out(
    chromium: Browser, live_server: Any, world: World
) -> None:
    seated(world)
    board = world.board("gyges")
    ann = Seat(chromium, live_server.url, "ann", **PHONE)
    page = ann.page
    ann.open(board)
    # The ring that is pointed at lies at the foot of the window, where the next words come.
    page.evaluate(f"window.scrollBy(0, ({MIDDLE})('2')[1] - innerHeight + 40)")
    page.touchscreen.tap(*page.evaluate(WHERE, "2"))
    expect(page.locator(".pointed.waits")).to_be_visible()
    for spot in "233":
        x, y = page.evaluate(WHERE, spot)
        assert page.evaluate("([x, y]) => document.elementFromPoint(x, y).dataset.spot", [x, y])
        page.touchscreen.tap(x, y)
    page.context.close()


def test_a_ring_that_may_go_to_many_places_does_not_cover_the_board_with_them(
    chromium: Browser, live_server: Any, world: World
) -> None:
    seated(world)
    board = world.board("gyges", "231123 321123")
    ann = Seat(chromium, live_server.url, "ann", **PHONE)
    ann.open(board)
    for spot in ("13", "14", "44"):
        ann.point(spot)
    panel = ann.page.locator(".deciding")
    expect(panel.get_by_role("button", name="Play 13x14=44")).to_be_visible()
    box = panel.bounding_box()
    assert box is not None
    assert box["height"] < 740 / 4
    ann.page.context.close()


def test_what_goes_wrong_at_a_board_plays_nothing_and_loses_nothing(
    chromium: Browser, live_server: Any, world: World
) -> None:
    seated(world)
    board = world.board(moves="b8 b5 b4 a5 b6 d1")
    ann = Seat(chromium, live_server.url, "ann", **DESK)
    page = ann.page
    ann.open(board)
    page.get_by_label("Message").fill("A long thought")
    # A rule is said where it was broken.
    ann.point("b5")
    expect(page.locator(".why")).to_contain_text("b5")
    # A sarsen that might become a lintel is asked about, and taken back by a key.
    ann.point("b4")
    expect(page.get_by_role("button", name="My move is b4")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.get_by_role("button", name="My move is b4")).to_have_count(0)
    # A preview is an address of its own; a key leaves it.
    ann.point("b6")
    ann.point("b4")
    expect(page.locator(".note.tried")).to_contain_text("covers H's stone on b5")
    assert "try=b4-b6" in page.url
    page.keyboard.press("Escape")
    expect(page.locator(".pointable")).to_be_visible()
    expect(page.get_by_label("Message")).to_have_value("A long thought")
    # In another tab the same board goes on; this one's move is not played over it.
    ann.point("c3")
    expect(page.get_by_role("button", name="Play c3")).to_be_visible()
    other = page.context.new_page()
    other.goto(f"{live_server.url}/boards/{board}/?try=h1")
    other.get_by_role("button", name="Play h1").dblclick()
    expect(other.locator(".done")).to_contain_text("You played h1")
    page.get_by_role("button", name="Play c3").click()
    expect(page.locator(".refusal")).to_be_visible()
    other.goto(f"{live_server.url}/boards/{board}/")
    expect(other.locator(".here")).to_have_text("7 / 7")
    assert ann.complaints == []
    page.context.close()


@pytest.mark.slow
def test_who_was_logged_out_while_thinking_plays_after_logging_in(
    chromium: Browser, live_server: Any, world: World
) -> None:
    seated(world)
    board = world.board(moves="b8 b5")
    ann = Seat(chromium, live_server.url, "ann", **DESK)
    ann.open(board)
    session = [one for one in ann.page.context.cookies() if one["name"] == "sessionid"]
    ann.page.context.clear_cookies(name="sessionid")
    assert session
    ann.point("c3")
    ann.page.get_by_role("link", name="Log in to play c3").click()
    ann.page.get_by_label("Name or mail address").fill("ann")
    ann.page.get_by_label("Password").fill("open-sesame")
    ann.page.get_by_role("button", name="Log in", exact=True).click()
    ann.page.get_by_role("button", name="Play c3").click()
    expect(ann.page.locator(".done")).to_contain_text("You played c3")
    ann.page.context.close()


@pytest.mark.slow
def test_a_record_is_stepped_through_by_keys_without_loading_anew(
    chromium: Browser, live_server: Any, world: World
) -> None:
    board = world.board(moves="b8 b5 b4 a5 b6 d1 b4-b6")
    page = chromium.new_context(**DESK).new_page()
    page.goto(f"{live_server.url}/boards/{board}/")
    page.evaluate("window.isTheSame = true")
    for _ in range(3):
        page.keyboard.press("ArrowLeft")
    expect(page.locator(".here")).to_have_text("4 / 7")
    assert page.url.endswith(f"/boards/{board}/4/")
    page.get_by_role("link", name="First").click()
    expect(page.locator(".here")).to_have_text("0 / 7")
    page.locator(".moves a").nth(4).click()
    expect(page.locator("[aria-current=true]")).to_have_text("5 b6")
    # Looks are kept, and the arrow keys stay with who types.
    page.get_by_role("button", name="View", exact=True).click()
    page.get_by_role("button", name="From above").click()
    expect(page.locator(".plan svg")).to_be_visible()
    page.get_by_role("button", name="Rotate").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".here")).to_have_text("6 / 7")
    expect(page.locator(".plan g.drawn")).to_have_attribute("transform", re.compile("rotate"))
    assert page.evaluate("window.isTheSame")
    page.context.close()


LOW = {"viewport": {"width": 390, "height": 664}, "has_touch": True, "is_mobile": True}
# Whole games at the smallest usual size, each with what only this game has.
TAPPED = {
    "druid": ("-size=5", "a1 c5 a2 c4 a3 c3 a1-a3 c2 a4 c1 a5"),
    "gyges": GAMES["gyges"],
    "vasco": GAMES["vasco"],
    "visavis": GAMES["visavis"],
}


def tap(page: Page, spot: str) -> None:
    """Tap a spot where it is: nothing may be scrolled for it."""
    x, y = middle_of(page, spot)
    assert 0 < x < 390, spot
    assert 0 < y < 664, spot
    page.touchscreen.tap(x, y)


@pytest.mark.slow
@pytest.mark.parametrize("game", TAPPED)
def test_a_game_is_played_to_its_end_by_taps_above_the_fold_of_a_low_phone(
    chromium: Browser, live_server: Any, world: World, game: str
) -> None:
    seated(world)
    options, moves = TAPPED[game]
    board = world.board(game, options=options)
    seats = tuple(Seat(chromium, live_server.url, userid, **LOW) for userid in ("ann", "bob"))
    position = load(game).start(options)
    for text in moves.split():
        move = position.parse(text)
        page = seats[position.seat].page
        seats[position.seat].open(board)
        for spot in needed(position, move):
            was_enlarged = page.locator("svg.zoomed").count()
            tap(page, spot)
            if page.locator("svg.zoomed").count() > was_enlarged:
                tap(page, spot)
        play = page.get_by_role("button", name=f"Play {position.format(move)}", exact=True)
        expect(play).to_be_visible()
        assert page.evaluate("scrollY") == 0
        box = play.bounding_box()
        assert box
        assert box["y"] + box["height"] <= 664
        assert box["height"] >= 44
        page.touchscreen.tap(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
        expect(page.locator(".done")).to_contain_text("You played")
        position = position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    expect(page.locator(".state")).to_contain_text(outcome.reason)
    assert [seat.complaints for seat in seats] == [[], []]
    for seat in seats:
        seat.page.context.close()
