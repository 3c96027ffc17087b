"""Boards as characters: every place can be seen, told apart, and reached by arrow keys."""

from __future__ import annotations

import random
from collections import deque

import pytest

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.core.referee import replayed
from sarsen.doors.tui.board_state import taps_of
from sarsen.doors.tui.board_widget import neighbour
from sarsen.doors.tui.colours import Colours, palette, style_of_cell
from sarsen.doors.tui.fitting import best_size, pitch_of, possible_sizes
from sarsen.doors.tui.mosaic import Character, Mosaic, draw_board, mosaic_of
from sarsen.doors.tui.raster import ROLES, Raster, Transform
from sarsen.drawing.palette import LIGHT
from sarsen.drawing.scene import Circle, Polygon, Stroke
from sarsen.drawing.view import view_of
from sarsen.games import load, names

ROOM = (54, 21)  # of a board on a terminal of 80 x 24
ARROWS = ((1, 0), (-1, 0), (0, 1), (0, -1))
OURS = ("druid", "gyges", "vasco", "visavis")


def played(name: str, plies: int, options: str = "") -> AnyPosition:
    position = load(name).start(options)
    chance = random.Random(plies)
    for _ in range(plies):
        moves = position.legal_moves()
        if moves:
            position = position.play(chance.choice(list(moves)))
    return position


def drawn(position: AnyPosition, room: tuple[int, int] = ROOM) -> Mosaic:
    return draw_board(position, position.game.start(position.options), room, 0)


def sign_at(mosaic: Mosaic, spot: str) -> Character:
    column, row = mosaic.places[spot].middle
    return mosaic.cells[row][column]


def wanted_spots(position: AnyPosition) -> set[str]:
    view = view_of(position)
    return {spot for move in position.legal_moves() for spot in view.clicks(position, move)}


SMALL = {"druid": "-size=6", "visavis": "-size=9"}
POSITIONS = [(name, plies, SMALL.get(name, "")) for name in OURS for plies in (0, 5)]
POSITIONS += [("druid", 6, "-size=12")]


@pytest.mark.parametrize(("name", "plies", "options"), POSITIONS)
def test_every_spot_of_a_move_has_a_character_of_its_own_and_arrows_reach_it(
    name: str, plies: int, options: str
) -> None:
    position = played(name, plies, options)
    mosaic = drawn(position)
    wanted = wanted_spots(position)
    assert wanted <= set(mosaic.places)
    middles = [mosaic.places[spot].middle for spot in wanted]
    assert len(set(middles)) == len(middles)
    assert all(0 <= row < mosaic.rows and 0 <= column < mosaic.columns for column, row in middles)
    first = {choice.spots[0] for choice in taps_of(position).choices if choice.spots}
    assert first == reached(mosaic, first)


def reached(mosaic: Mosaic, lit: set[str]) -> set[str]:
    places = {spot: mosaic.places[spot].middle for spot in sorted(lit)}
    first = next(iter(places))
    seen, queue = {first}, deque([first])
    while queue:
        here = queue.popleft()
        for across, down in ARROWS:
            there = neighbour(places, here, across, down)
            if there and there not in seen:
                seen.add(there)
                queue.append(there)
    return seen


@pytest.mark.parametrize("name", OURS)
def test_a_usual_board_is_seen_whole_on_80_by_24_or_scrolls_by_rows_only(name: str) -> None:
    mosaic = drawn(played(name, 4))
    assert mosaic.columns <= ROOM[0] + 6
    if name in ("druid", "gyges"):
        assert mosaic.columns <= ROOM[0]
        assert mosaic.rows <= ROOM[1]


@pytest.mark.parametrize("name", OURS)
def test_a_board_uses_more_room_when_there_is_more(name: str) -> None:
    position = played(name, 4, SMALL.get(name, ""))
    small, large = drawn(position), drawn(position, (150, 70))
    assert large.columns > small.columns
    assert large.rows > small.rows
    assert (large.columns, large.rows) <= (150, 70)


def test_druid_shows_whose_stone_lies_on_a_square_and_how_high() -> None:
    position = replayed(load("druid").start(), ["c1", "a3", "b1", "a5", "d1", "h8", "b1-d1"])
    mosaic = drawn(position)
    signs = "\n".join("".join(cell.sign for cell in row) for row in mosaic.cells)
    assert signs.count("V2") == 3
    assert signs.count("H") == 3


def test_gyges_writes_the_value_of_every_ring_on_its_slot() -> None:
    position = replayed(load("gyges").start(), ["123321", "332211"])
    for room in (ROOM, (150, 60)):
        mosaic = drawn(position, room)
        front = [sign_at(mosaic, f"1{column}").sign for column in range(1, 7)]
        back = [sign_at(mosaic, f"6{column}").sign for column in range(1, 7)]
        assert front == list("123321")
        assert back == list("332211")


def test_a_visavis_bridge_is_drawn_in_its_owners_colour_where_it_stands() -> None:
    position = replayed(load("visavis").start("-size=9"), ["C3", "E6"])
    mosaic = drawn(position)
    roles = {role for row in mosaic.cells for cell in row for role in (cell.front, cell.behind)}
    assert {"first", "second", "mark"} <= roles


def test_vasco_numbers_stand_on_the_free_cells() -> None:
    mosaic = drawn(played("vasco", 3))
    for spot in ("1", "2", "3"):
        column, row = mosaic.places[spot].middle
        beside = "".join(cell.sign for cell in mosaic.cells[row][column - 2 : column + 3])
        lower = "".join(cell.sign for cell in mosaic.cells[row + 1][column - 2 : column + 3])
        assert spot in beside + lower


def test_without_colours_the_sides_differ_by_their_signs() -> None:
    signs = {
        role: style_of_cell(Character(" ", "ink", role), Colours.NONE, True)[0]
        for role in ("first", "second", "ground", "mark")
    }
    assert len(set(signs.values())) == 4


@pytest.mark.parametrize("colours", [Colours.MANY, Colours.SIXTEEN])
@pytest.mark.parametrize("is_dark", [True, False])
def test_every_role_has_a_colour_and_the_sides_have_two(colours: Colours, is_dark: bool) -> None:
    known = palette(colours, is_dark=is_dark)
    assert set(LIGHT) <= set(known)
    assert len({known["first"], known["second"], known["ground"]}) == 3


def test_a_game_without_spots_is_shown_as_its_text() -> None:
    for name in set(names()) - set(OURS):
        position = load(name).start()
        assert drawn(position).rows >= 1


def test_a_scene_is_drawn_alike_at_every_place() -> None:
    # Ruling of the drawing: places fall upon whole characters, so equal stones look equal.
    position = replayed(load("druid").start(), ["a1", "h8", "c3", "f6", "e5", "b8"])
    mosaic = drawn(position)

    def around(spot: str) -> list[str]:
        column, row = mosaic.places[spot].middle
        return [mosaic.cells[row][at].sign for at in range(column - 1, column + 2)]

    assert around("c3") == around("e5") == around("a1")


def test_a_shape_partly_outside_is_cut_off() -> None:
    shapes = [Circle(0, 0, 50, "first"), Polygon(((-9, -9), (4, -9), (4, 99)), "second")]
    raster = Raster(shapes, Transform(1, 1, 0, 0), 2, 1)
    assert set(raster.block(0, 0)) == {ROLES.index("second")}
    assert set(raster.block(1, 0)) == {ROLES.index("first")}


def test_a_fine_stroke_is_seen_wherever_it_lies() -> None:
    for tenths in range(10, 70):
        lines = [Stroke(((0, tenths / 10), (4, tenths / 10)), "grid", 0.01)]
        assert ROLES.index("grid") in Raster(lines, Transform(1, 1, 0, 0), 1, 1).block(0, 0)


def test_the_smallest_size_is_taken_where_nothing_fits() -> None:
    scene = drawing.scene(load("visavis").start())
    pitch = pitch_of(scene)
    assert pitch is not None
    sizes = list(possible_sizes(scene, pitch))
    assert best_size(sizes, 5, 5) == sizes[0]
    assert best_size(sizes, 5, 5, zoom=1) == sizes[1]
    assert best_size(sizes, 5, 5, zoom=99) == sizes[-1]
    assert mosaic_of(scene, sizes[0]).rows == sizes[0].rows
