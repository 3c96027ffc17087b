"""The picture, the places to point at, and the words for ears."""

from __future__ import annotations

import pytest

from sarsen import drawing
from sarsen.core.referee import replayed
from sarsen.drawing.scene import Circle, Label, Polygon, Scene, Stroke
from sarsen.drawing.view import plan
from sarsen.games.druid import GAME
from sarsen.games.druid.blocks import HIGHEST, rise
from sarsen.games.druid.rules import DruidPosition


def after(moves: str, options: str = "") -> DruidPosition:
    position = replayed(GAME.start(options), moves.split())
    assert isinstance(position, DruidPosition)
    return position


def labels(scene: Scene, spot: str) -> list[str]:
    """Return the words of the picture that belong to a square."""
    return [shape.text for shape in scene.shapes if isinstance(shape, Label) and shape.spot == spot]


def marked(scene: Scene, kind: type[Polygon | Stroke] = Polygon) -> set[str]:
    """Return the squares with a face, or edges, in the colour of marks."""
    return {
        shape.spot for shape in scene.shapes if isinstance(shape, kind) and shape.role == "mark"
    }


def test_every_square_of_the_site_can_be_pointed_at() -> None:
    scene = drawing.scene(GAME.start("-size=12"))
    spots = {shape.spot for shape in scene.shapes if isinstance(shape, Polygon)} - {""}
    assert len(spots) == 144
    assert {"a1", "l12"} <= spots


def test_opening_squares_and_the_stone_to_swap_are_shown() -> None:
    def shown(position: DruidPosition) -> set[str]:
        return {shape.spot for shape in drawing.scene(position).shapes if isinstance(shape, Circle)}

    assert len(shown(after("", "-size=4"))) == 12
    assert shown(after("a1", "-size=4")) == set()
    assert shown(after("a1", "-size=4 -swap")) == {"a1"}


def test_every_top_tells_its_owner_and_its_height_above_one() -> None:
    scene = drawing.scene(after("a1 h8 c1 h8 a1-c1"))
    assert labels(scene, "b1") == ["V", "2"]
    assert labels(scene, "h8") == ["H", "2"]
    assert labels(drawing.scene(after("a1")), "a1") == ["V"]


def test_last_move_is_marked_on_all_its_squares() -> None:
    for draw in (drawing.scene, plan):
        assert marked(draw(after("a1 h8 c1 h8 a1-c1"))) == {"a1", "b1", "c1"}
        assert marked(draw(after("a1 h8"))) == {"h8"}
        assert marked(draw(after("a1 swap", "-swap"))) == set()


def test_last_move_keeps_a_rim_in_the_colour_of_its_owner() -> None:
    shapes = drawing.scene(after("a1 h8")).shapes
    face, fill = (
        next(
            [x for x, _ in one.points]
            for one in shapes
            if isinstance(one, Polygon) and (one.spot, one.role) == ("h8", role)
        )
        for role in ("second", "mark")
    )
    assert min(face) < min(fill) < max(fill) < max(face)


def test_winning_chain_has_amber_edges_beside_the_last_move() -> None:
    scene = drawing.scene(after("a1 c1 a2 b2 a3", "-size=3"))
    assert marked(scene, Stroke) == {"a1", "a2", "a3"}
    assert marked(scene) == {"a3"}


def test_only_a_tower_at_the_far_edge_takes_room_above_the_board() -> None:
    heights = [
        drawing.scene(after(moves)).height
        for moves in ("a1", "a1 b7 a1 b7", "a1 b8", "a1 b8 a1 b8")
    ]
    assert heights[0] == heights[1] < heights[2] < heights[3]


def test_lintel_is_drawn_without_edges_between_its_parts() -> None:
    def edges(position: DruidPosition, spot: str) -> int:
        return sum(
            isinstance(shape, Stroke) and shape.spot == spot
            for shape in drawing.scene(position).shapes
        )

    position = after("a1 h8 c1 h8 a1-c1")
    assert [edges(position, spot) for spot in ("a1", "b1", "c1")] == [4 + 3, 2, 4 + 3]


@pytest.mark.parametrize("height", [1, 2, 7, 90])
def test_tower_of_any_height_leaves_a_strip_of_the_tops_behind_in_sight(height: int) -> None:
    assert rise(height - 1) < rise(height) <= HIGHEST < 0.9


@pytest.mark.parametrize("options", ["-size=3", "-size=12"])
def test_nothing_is_drawn_outside_the_picture(options: str) -> None:
    corner = "c3" if options == "-size=3" else "l12"
    scene = drawing.scene(after(f"a1 {corner} " * 40, options))
    points = [
        point
        for shape in scene.shapes
        if isinstance(shape, Polygon | Stroke)
        for point in shape.points
    ]
    assert all(0 <= x <= scene.width and 0 <= y <= scene.height for x, y in points)


def test_title_says_the_position_in_one_line() -> None:
    title = drawing.scene(after("a1 h8")).title
    assert title == "Druid on 8 x 8 squares after move 2: V to move."


@pytest.mark.parametrize(
    ("moves", "options", "text", "spots"),
    [
        ("", "", "a1", ("a1",)),
        ("a1 h8 a3 h6", "", "a3-a1", ("a1", "a3")),
        ("c1", "-swap", "swap", ("c1",)),
    ],
)
def test_clicks_follow_the_finger(
    moves: str, options: str, text: str, spots: tuple[str, ...]
) -> None:
    position = after(moves, options)
    assert drawing.view_of(position).clicks(position, position.parse(text)) == spots


def test_position_is_told_to_ears() -> None:
    assert drawing.describe(after("a1 b1 c1 h8 a1-c1")) == (
        "H to move, joining left and right. The last move was a lintel on a1, b1 and c1. "
        "The lintel covers H's stone on b1. V has 3 squares, row 1: a1 (2 high), b1 (2 high), "
        "c1 (2 high). H has 1 square: h8."
    )


def test_opening_swap_and_end_are_told_to_ears() -> None:
    assert "edge square" in drawing.describe(after(""))
    assert "H may swap sides." in drawing.describe(after("a1", "-swap"))
    swapped = drawing.describe(after("a1 swap", "-swap"))
    assert swapped.startswith("H to move")
    assert "The last move was a swap. The players swap sides" in swapped
    ended = drawing.describe(after("a1 c1 a2 b2 a3", "-size=3"))
    assert ended.startswith("The game is over after 5 moves: V joined top and bottom.")
