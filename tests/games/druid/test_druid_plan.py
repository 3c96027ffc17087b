"""The site from above: every square can be pointed at, and nothing is hidden."""

from __future__ import annotations

from sarsen import drawing
from sarsen.drawing.scene import Label
from sarsen.drawing.view import plan
from sarsen.games import load
from sarsen.games.druid.rules import DruidPosition


def after(moves: str) -> DruidPosition:
    position = load("druid").start("-swap")
    for text in moves.split():
        position = position.play(position.parse(text))
    assert isinstance(position, DruidPosition)
    return position


def test_plan_has_the_spots_of_the_picture_and_names_every_top_with_its_height() -> None:
    position = after("b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4")
    flat = plan(position)
    assert flat is not None
    spots = {shape.spot for shape in flat.shapes if shape.spot}
    assert spots == {shape.spot for shape in drawing.scene(position).shapes if shape.spot}
    tops = {one.spot: one.text for one in flat.shapes if isinstance(one, Label) and one.spot}
    assert tops == {
        **{"a5": "H1", "b4": "V2", "b5": "V2", "b6": "V2", "b8": "V1"},
        **{"c5": "H1", "d1": "H1", "d4": "V2", "d5": "H1"},
    }


def test_a_swap_can_be_pointed_at_from_above() -> None:
    flat = plan(after("b8"))
    assert flat is not None
    rings = [shape for shape in flat.shapes if shape.spot == "b8" and getattr(shape, "radius", 0)]
    assert len(rings) == 1


def test_flat_games_have_no_plan() -> None:
    assert plan(load("visavis").start()) is None
