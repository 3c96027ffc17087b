"""Boards as tables of cells in words."""

from __future__ import annotations

import random
from dataclasses import replace
from types import SimpleNamespace
from typing import Any

import pytest

from sarsen import drawing
from sarsen.core.game import AnyPosition
from sarsen.drawing.cells import CellTable
from sarsen.drawing.scene import Circle, Label, Polygon, Scene, Stroke
from sarsen.drawing.view import cells
from sarsen.games import load, names


def after(game: str, moves: str, options: str = "") -> AnyPosition:
    position = load(game).start(options)
    for text in moves.split():
        position = position.play(position.parse(text))
    return position


def words(table: CellTable) -> dict[str, str]:
    return {cell.spot: cell.words for row in table.rows for cell in row.cells if cell.spot}


@pytest.mark.parametrize("game", names())
def test_every_place_of_a_move_is_among_the_cells(game: str) -> None:
    position, chance = load(game).start(), random.Random(4)
    for _ in range(14):
        known, table = words(cells(position)), cells(position)
        view = drawing.view_of(position)
        for move in position.legal_moves()[::5]:
            assert set(view.clicks(position, move)) <= set(known)
        assert not table.columns or all(len(row.cells) <= len(table.columns) for row in table.rows)
        moves = position.legal_moves()
        if not moves:
            break
        position = position.play(chance.choice(moves))


def test_squares_of_druid_say_whose_they_are_and_how_high() -> None:
    table = cells(after("druid", "a1 b1 c1 h8 a1-c1"))
    assert table.columns == tuple("abcdefgh")
    assert [row.head for row in table.rows] == list("87654321")
    known = words(table)
    assert (known["a1"], known["b1"], known["h8"], known["d4"]) == (
        "V, 2 high",
        "V, 2 high",
        "H",
        "empty",
    )


def test_slots_of_gyges_say_their_rings_and_rows_their_shores() -> None:
    setting = cells(load("gyges").start())
    assert setting.rows[-1].head == "Rings to set up"
    table = cells(after("gyges", "231123 321123"))
    assert table.rows[0].head == "North's goal"
    assert table.rows[1].head == "Row 6, North's shore"
    assert [cell.words for cell in table.rows[6].cells] == [
        *("double", "triple", "single", "single", "double", "triple"),
    ]


def test_coordinates_of_visavis_say_what_both_lattices_have_there() -> None:
    known = words(cells(after("visavis", "D4", "-size=9")))
    assert known["D4"] == "O bridge"
    assert known["C4"] == "O peg, open to X"
    assert known["F6"] == "open"
    # X's bridge there would cross O's, and O has a peg there.
    assert known["E4"] == "O peg"


def test_cells_of_vasco_say_tiles_and_what_free_ones_see() -> None:
    table = cells(after("vasco", "a1"))
    said = [cell.words for row in table.rows for cell in row.cells]
    assert "tile a, up" in said
    assert "free, down, * base" in said
    assert words(table)["a"] == "o left, x right, * base"


class SticksView:
    """A view that knows nothing of cells."""

    def text(self, position: AnyPosition, viewer: int | None = None) -> str:
        return ""

    def scene(self, position: AnyPosition, viewer: int | None = None) -> Scene:
        square = Polygon(((40, 0), (60, 0), (60, 20), (40, 20)), "ground", spot="b1")
        shapes = (
            Stroke(((5, 60), (5, 80)), "neutral", 2, spot="a2"),
            square,
            Circle(50, 10, 5, "first", spot="b1"),
            Label(10, 11, "x", 10, "ink", spot="a1"),
        )
        return Scene(100, 100, "Sticks", shapes)

    def clicks(self, position: AnyPosition, move: object) -> tuple[str, ...]:
        return ()

    def describe(self, position: AnyPosition) -> str:
        return "Sticks."


def test_a_view_without_cells_is_read_by_its_picture() -> None:
    info = replace(load("druid").info, name="sticks")
    sticks: Any = SimpleNamespace(game=SimpleNamespace(info=info))
    drawing.register("sticks", SticksView())
    table = cells(sticks)
    assert [(row.head, [cell.spot for cell in row.cells]) for row in table.rows] == [
        ("Row 1", ["a1", "b1"]),
        ("Row 2", ["a2"]),
    ]
    assert words(table) == {"a1": "", "b1": "V", "a2": ""}
