"""Whole games by pointing at the board alone, and what may go wrong meanwhile."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from playwright.sync_api import Browser, Page, Route, expect
from tests.browser.test_keys import needed

from sarsen.games import load
from sarsen.storage.models import Player
from web_world import World

pytestmark = [
    pytest.mark.browser,
    pytest.mark.ci,
    pytest.mark.skipif(
        not Path("/usr/bin/chromium").exists(), reason="/usr/bin/chromium is not installed"
    ),
]
expect.set_options(timeout=20_000)  # other processes may be at work on the machine
PHONE = {"viewport": {"width": 360, "height": 740}, "has_touch": True, "is_mobile": True}
DESK = {"viewport": {"width": 1280, "height": 800}}
# Small games, each with all that may be pointed at there.
GAMES = {
    "druid": ("-size=3", "a1 a2 a3 c2 a1-a3"),
    "gyges": ("", "322131 213132 16-15x14=25 63x62=35 15x25=51 65-35-25-S"),
    "vasco": ("-size=12", "d1 b8 d1 d11"),
    "visavis": ("-size=9", "F4 H7 F6 D3 H5 D1 D6 C2 B6"),
}
# Where a spot is on the screen: its largest shape, which is scrolled to.
MIDDLE = """
(spot) => {
  const area = (one) => { const box = one.getBoundingClientRect(); return box.width * box.height; };
  const shapes = [...document.querySelectorAll(`svg.board [data-spot="${spot}"]`)]
    .filter((one) => one.tagName !== "text" && one.getClientRects().length)
    .sort((one, other) => area(other) - area(one));
  shapes[0].scrollIntoView({ block: "center" });
  const box = shapes[0].getBoundingClientRect();
  return [box.x + box.width / 2, box.y + box.height / 2];
}
"""

# The same without scrolling.
WHERE = MIDDLE.replace('shapes[0].scrollIntoView({ block: "center" });', "")


class Seat:
    """One player at a browser, who only points."""

    def __init__(self, chromium: Browser, url: str, userid: str, **looks: Any) -> None:
        self.is_phone = looks.get("has_touch", False)
        self.page: Page = chromium.new_context(**looks).new_page()
        self.complaints: list[str] = []
        self.page.on("pageerror", lambda error: self.complaints.append(str(error)))
        self.url = url
        browser = Client()
        browser.force_login(Player.objects.get(userid=userid))
        key = browser.cookies[settings.SESSION_COOKIE_NAME].value
        cookie = {"name": settings.SESSION_COOKIE_NAME, "value": key, "url": url}
        self.page.context.add_cookies([cookie])  # type: ignore[list-item]

    def open(self, board: int) -> None:
        self.page.goto(f"{self.url}/boards/{board}/")
        expect(self.page.locator(".pointable")).to_be_visible()

    def point(self, spot: str) -> None:
        if not self.is_phone:
            self.page.mouse.click(*self.page.evaluate(MIDDLE, spot))
            return
        was_enlarged = self.page.locator("svg.zoomed").count()
        self.page.touchscreen.tap(*self.page.evaluate(MIDDLE, spot))
        if self.page.locator("svg.zoomed").count() and not was_enlarged:
            self.page.touchscreen.tap(*self.page.evaluate(MIDDLE, spot))

    def play(self, *spots: str) -> None:
        """Point a move out, look at it, and play it."""
        for spot in spots:
            self.point(spot)
        self.page.locator(".deciding").get_by_role("button", name="Play ").click()
        expect(self.page.locator(".done")).to_contain_text("is played")


def seated(world: World) -> None:
    for userid in ("ann", "bob"):
        player = world.player(userid)
        player.set_password("open-sesame")
        player.save()


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
    expect(other.locator(".done")).to_contain_text("h1 is played")
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
    ann.page.get_by_label("Userid or mail address").fill("ann")
    ann.page.get_by_label("Password").fill("open-sesame")
    ann.page.get_by_role("button", name="Log in", exact=True).click()
    ann.page.get_by_role("button", name="Play c3").click()
    expect(ann.page.locator(".done")).to_contain_text("c3 is played")
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
    page.get_by_role("button", name="From above").click()
    expect(page.locator(".plan svg")).to_be_visible()
    page.get_by_role("button", name="Turn").click()
    page.keyboard.press("ArrowRight")
    expect(page.locator(".here")).to_have_text("6 / 7")
    expect(page.locator(".plan g.drawn")).to_have_attribute("transform", re.compile("rotate"))
    assert page.evaluate("window.isTheSame")
    page.context.close()


def test_an_enlarged_board_is_scrolled_in_its_frame_and_takes_no_room_from_others(
    chromium: Browser, live_server: Any, world: World
) -> None:
    board = world.board("visavis", "H8", options="-size=25")
    page = chromium.new_context(**DESK).new_page()
    page.goto(f"{live_server.url}/boards/{board}/")
    frame, walk = page.locator(".picture > .view"), page.locator(".picture > .walk")
    before, below = frame.bounding_box(), walk.bounding_box()
    x, y = page.evaluate(WHERE, "L4")
    page.get_by_role("button", name="Larger").click()
    expect(page.locator("svg.zoomed")).to_be_visible()
    assert (frame.bounding_box(), walk.bounding_box()) == (before, below)
    page.get_by_role("button", name="Smaller").click()
    expect(page.locator("svg.zoomed")).to_have_count(0)
    assert page.evaluate(WHERE, "L4") == [x, y]
    # Two taps bring what they mean to the middle.
    page.mouse.dblclick(x, y)
    expect(page.locator("svg.zoomed")).to_be_visible()
    box = frame.bounding_box()
    assert box is not None
    seen_x, seen_y = page.evaluate(WHERE, "L4")
    assert abs(seen_x - box["x"] - box["width"] / 2) < 20
    assert box["y"] < seen_y < box["y"] + box["height"]
    page.context.close()


def middle_of(page: Page, spot: str) -> tuple[float, float]:
    x, y = page.evaluate(WHERE, spot)
    return x, y


def drag(seat: Seat, start: str, end: str) -> None:
    """Press at one spot, go to the other, and let go there."""
    page = seat.page
    (x, y), (to_x, to_y) = middle_of(page, start), middle_of(page, end)
    if not seat.is_phone:
        page.mouse.move(x, y)
        page.mouse.down()
        page.mouse.move(to_x, to_y, steps=4)
        page.mouse.up()
        return
    touch = page.context.new_cdp_session(page)
    for part in (0, 0.3, 0.7, 1):
        point = {"x": x + part * (to_x - x), "y": y + part * (to_y - y)}
        kind = "touchMove" if part else "touchStart"
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": [point]})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


TALL = {**PHONE, "viewport": {"width": 390, "height": 844}}


@pytest.mark.parametrize("looks", [TALL, DESK], ids=["finger", "mouse"])
@pytest.mark.parametrize(
    ("game", "moves", "drags", "move"),
    [
        ("gyges", "322131 213132", ("16", "15", "25"), "16x15=25"),
        ("druid", "b8 b5 b4 a5 b6 d1", ("b4", "b6"), "b4-b6"),
    ],
)
def test_a_piece_is_dragged_to_where_it_goes(
    chromium: Browser,
    live_server: Any,
    world: World,
    looks: dict[str, Any],
    game: str,
    moves: str,
    drags: tuple[str, ...],
    move: str,
) -> None:
    seated(world)
    board = world.board(game, moves)
    ann = Seat(chromium, live_server.url, "ann", **looks)
    ann.open(board)
    scrolled = ann.page.evaluate("scrollY")
    for start, end in pairwise(drags):
        drag(ann, start, end)
    expect(ann.page.get_by_role("button", name=f"Play {move}", exact=True)).to_be_visible()
    assert ann.page.evaluate("scrollY") == scrolled
    assert ann.complaints == []
    ann.page.context.close()


def test_the_way_of_a_ring_is_shown_before_it_is_chosen(
    chromium: Browser, live_server: Any, world: World
) -> None:
    seated(world)
    board = world.board("gyges", "322131 213132")
    ann = Seat(chromium, live_server.url, "ann", **DESK)
    ann.open(board)
    ann.point("16")
    expect(ann.page.locator(".way")).to_have_count(0)
    ann.page.mouse.move(*middle_of(ann.page, "14"))
    # It bounces on 15, beside which it lies: three slots in a row.
    points = ann.page.locator(".way").get_attribute("points")
    assert points is not None
    assert len(points.split()) >= 3
    ann.page.context.close()


@pytest.mark.parametrize("looks", [PHONE, DESK], ids=["phone", "desk"])
def test_the_tiles_that_may_lie_at_a_place_come_as_a_tray_large_enough_for_a_thumb(
    chromium: Browser, live_server: Any, world: World, looks: dict[str, Any]
) -> None:
    seated(world)
    board = world.board("vasco", "d1 b8")
    ann = Seat(chromium, live_server.url, "ann", **looks)
    ann.open(board)
    point = ann.page.touchscreen.tap if ann.is_phone else ann.page.mouse.click
    point(*middle_of(ann.page, "11"))
    tiles = ann.page.locator(".tray rect")
    assert tiles.evaluate_all("(all) => all.map((one) => one.dataset.spot)") == ["c", "e"]
    frame = ann.page.locator(".view").bounding_box()
    assert frame
    for tile in tiles.all():
        box = tile.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
        assert frame["x"] <= box["x"] <= frame["x"] + frame["width"] - box["width"]
        assert frame["y"] <= box["y"] <= frame["y"] + frame["height"] - box["height"]
    point(*middle_of(ann.page, "c"))
    expect(ann.page.get_by_role("button", name="Play c11")).to_be_visible()
    assert ann.complaints == []
    ann.page.context.close()


def test_two_fingers_enlarge_a_board_whose_coordinates_stay_in_sight(
    chromium: Browser, live_server: Any, world: World
) -> None:
    seated(world)
    board = world.board("visavis", "P10", options="-size=25")
    bob = Seat(chromium, live_server.url, "bob", **TALL)
    bob.open(board)
    page = bob.page
    x, y = middle_of(page, "M12")
    touch = page.context.new_cdp_session(page)
    for apart in (20, 40, 80, 130):
        points = [{"x": x - apart, "y": y, "id": 1}, {"x": x + apart, "y": y, "id": 2}]
        kind = "touchStart" if apart == 20 else "touchMove"
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})
    touch.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})
    expect(page.locator("svg.zoomed")).to_be_visible()
    assert page.evaluate("visualViewport.scale") == 1  # the page itself is as large as before
    seen_x, seen_y = middle_of(page, "M12")
    assert abs(seen_x - x) + abs(seen_y - y) < 6
    frame = page.locator(".view").bounding_box()
    row = page.locator("text.where", has_text="12").first.bounding_box()
    assert frame
    assert row
    assert frame["x"] <= row["x"] <= frame["x"] + 20
    # It stays so when a move is looked at.
    page.touchscreen.tap(x, y)
    expect(page.get_by_role("button", name="Play M12")).to_be_visible()
    expect(page.locator("svg.zoomed")).to_be_visible()
    assert bob.complaints == []
    page.context.close()


ASK = "dispatchEvent(new Event('online'))"  # for news, at once
SOUNDS = """
window.sounds = 0;
class Tone {
  frequency = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
  gain = this.frequency;
  connect(one) { return one; }
  start() { window.sounds += 1; }
  stop() {}
}
window.AudioContext = class {
  currentTime = 0;
  createOscillator() { return new Tone(); }
  createGain() { return new Tone(); }
};
"""


def test_a_move_of_the_other_side_sounds_for_those_who_chose_that(
    chromium: Browser, live_server: Any, world: World
) -> None:
    seated(world)
    board = world.board(moves="b8 b5")
    ann, bob = (Seat(chromium, live_server.url, userid, **DESK) for userid in ("ann", "bob"))
    bob.page.add_init_script(SOUNDS)
    bob.page.goto(f"{live_server.url}/boards/{board}/")
    ann.open(board)
    ann.play("c3")
    bob.page.evaluate(ASK)
    expect(bob.page.locator(".moves")).to_contain_text("c3")
    assert bob.page.evaluate("window.sounds") == 0
    bob.page.get_by_role("button", name="Sound").click()
    assert bob.page.evaluate("window.sounds") == 1  # one hears what was chosen
    bob.play("e5")
    assert bob.page.evaluate("window.sounds") == 0  # on a page that was loaded anew
    ann.open(board)
    ann.play("d6")
    bob.page.evaluate(ASK)
    expect(bob.page.locator(".moves")).to_contain_text("d6")
    assert bob.page.evaluate("window.sounds") == 1
    for seat in (ann, bob):
        assert seat.complaints == []
        seat.page.context.close()


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
        expect(page.locator(".done")).to_contain_text("is played")
        position = position.play(move)
    outcome = position.outcome()
    assert outcome is not None
    expect(page.locator(".state")).to_contain_text(outcome.reason)
    assert [seat.complaints for seat in seats] == [[], []]
    for seat in seats:
        seat.page.context.close()


def test_the_moves_of_vasco_show_their_tiles(
    chromium: Browser, live_server: Any, world: World
) -> None:
    board = world.board("vasco", "d1 b8")
    page = chromium.new_context(**DESK).new_page()
    page.goto(f"{live_server.url}/boards/{board}/")
    tiles = page.locator(".moves a .piece use")
    assert tiles.evaluate_all("(all) => all.map((one) => one.getAttribute('href'))") == [
        "#piece-d",
        "#piece-b",
    ]
    # In the colours of the board, which a copy of a shape gets only from its own tree.
    colours = page.evaluate(
        """() => ["#piece-b .s-first", ".view .s-first"].map((one) =>
          getComputedStyle(document.querySelector(one)).stroke)"""
    )
    assert colours[0] == colours[1]
    assert page.locator("symbol.board").count() == 6
    page.context.close()
