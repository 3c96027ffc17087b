"""Moves pointed out over a board: for every game, over its own spots, and nothing else changed."""

from __future__ import annotations

import pytest

from sarsen.core.referee import replayed
from sarsen.drawing import scene
from sarsen.drawing.pointing import marked, moves_over, pointed, pointing_at
from sarsen.drawing.scene import Circle, Polygon, Stroke
from sarsen.drawing.svg import svg
from sarsen.games import load, names
from sarsen.learning.lessons import lesson_of, shown_move, start_of, taught


@pytest.mark.parametrize("name", names())
def test_every_game_shows_a_cross_and_a_ring_over_its_board(name: str) -> None:
    position = load(name).start()
    for _ in range(3):
        position = position.play(position.legal_moves()[0])
    moves = position.legal_moves()
    before = scene(position)
    after = pointed(position, ((moves[0], "cross"), (moves[-1], "ring")))
    assert after.shapes[: len(before.shapes)] == before.shapes
    signs = after.shapes[len(before.shapes) :]
    assert any(isinstance(one, Circle) and one.outline == "spot" for one in signs)
    assert any(isinstance(one, Stroke) and one.role == "ink" for one in signs)
    assert all(not one.spot for one in signs), "a sign is no place to point at"
    assert svg(after).startswith("<svg")


def test_a_sign_stands_in_the_middle_of_its_spot() -> None:
    position = load("visavis").start("-size=5")
    move = position.parse("C3")
    [halo, ring] = [
        shape
        for shape in pointed(position, ((move, "ring"),)).shapes
        if isinstance(shape, Circle) and not shape.role
    ]
    assert (halo.x, halo.y) == (ring.x, ring.y)
    spots = [shape for shape in scene(position).shapes if shape.spot == "C3"]
    points = spots[0].points  # type: ignore[union-attr]
    assert min(x for x, _ in points) < ring.x < max(x for x, _ in points)
    assert min(y for _, y in points) < ring.y < max(y for _, y in points)


@pytest.mark.parametrize("game", taught())
def test_every_mark_and_arrow_of_a_lesson_is_drawn_over_its_board(game: str) -> None:
    for step in lesson_of(game).steps:
        position = start_of(game, step)
        before = scene(position)
        drawn = marked(position, step.marks, step.arrows).shapes[len(before.shapes) :]
        circles = 2 * len(step.marks) + len(step.arrows)  # one where each arrow begins
        assert len([one for one in drawn if isinstance(one, Circle)]) == circles
        assert len([one for one in drawn if isinstance(one, Polygon)]) == len(step.arrows)
        assert all(not one.spot for one in drawn), "a sign is no place to point at"


@pytest.mark.parametrize("game", taught())
def test_the_move_that_is_shown_has_a_ring_or_an_arrow_also_where_it_is_refused(game: str) -> None:
    for step in lesson_of(game).steps:
        position = start_of(game, step)
        marks, arrows = pointing_at(position, shown_move(step))
        assert bool(marks) != bool(arrows), step.id
        assert marked(position, marks, arrows).shapes != scene(position).shapes


def test_an_arrow_leads_to_the_top_of_what_stands_there() -> None:
    position = replayed(load("druid").start("-size=4"), ("a1", "a2", "a3", "d2"))
    (head,) = [
        one for one in marked(position, (), ("a1-a3",)).shapes[-3:] if isinstance(one, Polygon)
    ]
    tops = [one for one in scene(position).shapes if one.spot == "a3" and isinstance(one, Polygon)]
    across = [x for x, _ in tops[-1].points]
    assert min(across) < head.points[0][0] < max(across)


def test_places_that_are_not_drawn_are_left_out() -> None:
    position = load("druid").start("-size=4")
    assert marked(position, ("z9",), ("a1-z9",)) == scene(position)


@pytest.mark.parametrize("name", ["druid", "gyges", "vasco", "visavis"])
def test_moves_to_lie_over_a_picture_are_signs_alone(name: str) -> None:
    position = load(name).start()
    texts = [position.format(move) for move in position.legal_moves()[:3]]
    drawn = scene(position)
    for one in moves_over(position, texts):
        assert (one.width, one.height) == (drawn.width, drawn.height)
        assert one.shapes
        assert not set(one.shapes) & set(drawn.shapes)
        assert not any(shape.spot for shape in one.shapes)
