"""Moves pointed out over a board: for every game, over its own spots, and nothing else changed."""

from __future__ import annotations

import pytest

from sarsen.drawing import scene
from sarsen.drawing.pointing import pointed
from sarsen.drawing.scene import Circle, Stroke
from sarsen.drawing.svg import svg
from sarsen.games import load, names


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
