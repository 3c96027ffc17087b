"""What fingers and mice do beside pointing: enlarging, dragging, aiming, listening."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Browser, expect
from tests.browser.seats import DESK, PHONE, WHERE, Seat, middle_of, seated

from web_world import World

pytestmark = [pytest.mark.browser, pytest.mark.ci]
expect.set_options(timeout=120_000)  # other processes may be at work on the machine


def test_an_enlarged_board_is_scrolled_in_its_frame_and_takes_no_room_from_others(
    chromium: Browser, live_server: Any, world: World
) -> None:
    board = world.board("visavis", "H8", options="-size=25")
    page = chromium.new_context(**DESK).new_page()
    page.goto(f"{live_server.url}/boards/{board}/")
    frame, walk = page.locator(".picture > .view"), page.locator(".picture > .walk")
    before, below = frame.bounding_box(), walk.bounding_box()
    x, y = page.evaluate(WHERE, "L4")
    page.get_by_role("button", name="View", exact=True).click()
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
def test_the_tiles_that_may_lie_at_a_place_are_pictures_beside_the_board_and_large_enough(
    chromium: Browser, live_server: Any, world: World, looks: dict[str, Any]
) -> None:
    seated(world)
    board = world.board("vasco", "d1 b8")
    ann = Seat(chromium, live_server.url, "ann", **looks)
    ann.open(board)
    point = ann.page.touchscreen.tap if ann.is_phone else ann.page.mouse.click
    point(*middle_of(ann.page, "11"))
    tiles = ann.page.locator(".pointed button.pictured")
    expect(tiles).to_have_text(["c", "e"])
    board_box = ann.page.locator("svg.board").first.bounding_box()
    assert board_box
    for tile in tiles.all():
        assert tile.locator("svg.piece :is(path, polyline, polygon)").count() > 1
        box = tile.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= 44
        is_beside = box["x"] >= board_box["x"] + board_box["width"]
        assert is_beside or box["y"] >= board_box["y"] + board_box["height"]
    tiles.first.click()
    expect(ann.page.get_by_role("button", name="Play c11")).to_be_visible()
    # The other turn that fits is offered as a picture, too.
    others = ann.page.locator(".others button.pictured")
    expect(others).to_have_text(["c11", "e11"])
    assert others.nth(1).locator("svg.piece :is(path, polyline, polygon)").count() > 1
    others.nth(1).click()
    expect(ann.page.get_by_role("button", name="Play e11")).to_be_visible()
    ann.page.get_by_role("link", name="Change").click()
    # The legend of the picture can still be tapped.
    expect(ann.page.locator(".pointable")).to_be_visible()
    point(*middle_of(ann.page, "11"))
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
    bob.page.get_by_role("button", name="View", exact=True).click()
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
