"""Boards of kits: every door shows the same contents, whatever the board's shape."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise
from math import dist, hypot
from types import SimpleNamespace
from typing import Any

import pytest

from sarsen.drawing.board_picture import STEP
from sarsen.drawing.boards import (
    Board,
    hexagon_board,
    rhombus_board,
    square_board,
    triangle_board,
)
from sarsen.drawing.kits import BoardView, Contents, Piece
from sarsen.drawing.scene import Circle, Label, Polygon, Stroke
from sarsen.games import load

BOARDS = {
    "square": square_board(4, 5),
    "points": square_board(4, on_points=True),
    "rhombus": rhombus_board(5, 4, owners=(("top", 0), ("bottom", 0), ("right", 1))),
    "hexagon": hexagon_board(3),
    "triangle": triangle_board(4),
    "hexagonal points": triangle_board(4, on_points=True),
    "points with gaps": square_board(4, 3, on_points=True, has_gaps=True),
    "cells with gaps": square_board(4, has_gaps=True, owners=(("top", 0), ("left", 1))),
    "rhombus with gaps": rhombus_board(4, 3, has_gaps=True),
    "hexagonal points with gaps": hexagon_board(3, on_points=True, has_gaps=True),
}
every_board = pytest.mark.parametrize("board", BOARDS.values(), ids=list(BOARDS))


@dataclass(frozen=True)
class Shown:
    """A position of nothing but contents; the rest is that of a new game of Visavis."""

    contents: Contents
    last: str = ""
    start: Any = field(default_factory=lambda: load("visavis").start())

    def __getattr__(self, name: str) -> Any:
        return getattr(self.start, name)


def view(board: Board) -> BoardView:
    return BoardView(lambda _: board, lambda one: one.contents, lambda one: one.last)


@every_board
def test_every_place_is_drawn_once_and_can_be_pointed_at(board: Board) -> None:
    shown = Shown({})
    scene = view(board).scene(shown)
    spots = [shape.spot for shape in scene.shapes if shape.spot]
    assert sorted(spots) == sorted(board.names)
    empty = "+" if board.on_points else "."
    assert view(board).text(shown).count(empty) == len(board.places)
    cells = [cell.spot for row in view(board).cells(shown).rows for cell in row.cells]
    assert sorted(cells) == sorted(board.names)


@every_board
def test_text_picture_table_and_words_show_the_same_contents(board: Board) -> None:
    first, second, third, *_ = board.places
    shown = Shown({first: 0, second: Piece(1, "k", "king"), third: Piece(None)})
    text, scene = view(board).text(shown), view(board).scene(shown)
    assert [text.count(mark) for mark in ("o", "k", "*")] == [1, 1, 1]
    discs = {
        shape.spot: shape.role for shape in scene.shapes if isinstance(shape, Circle) and shape.spot
    }
    assert discs == {first: "first", second: "second", third: "neutral"}
    cells = {cell.spot: cell.words for row in view(board).cells(shown).rows for cell in row.cells}
    assert {place: words for place, words in cells.items() if words} == {
        first: "O",
        second: "X king",
        third: "nobody",
    }
    words = view(board).describe(shown)
    assert words == f"O is to move. O: {first}. X king: {second}. nobody: {third}."


@every_board
def test_everything_lies_within_the_picture(board: Board) -> None:
    scene = view(board).scene(Shown(dict.fromkeys(board.names, 0)))
    for shape in scene.shapes:
        match shape:
            case Circle():
                reach = shape.radius
                points = [(shape.x - reach, shape.y - reach), (shape.x + reach, shape.y + reach)]
            case Stroke():
                half = shape.width / 2
                points = [(x + h, y + h) for x, y in shape.points for h in (-half, half)]
            case Polygon():
                points = list(shape.points)
            case Label():
                points = [(shape.x, shape.y)]
            case _:
                points = []
        assert all(-0.01 <= x <= scene.width + 0.01 for x, _ in points)
        assert all(-0.01 <= y <= scene.height + 0.01 for _, y in points)


def test_hexagonal_text_leans_and_names_the_owners_of_edges_and_the_last_move() -> None:
    owners = (("top", 0), ("bottom", 0), ("left", 1), ("right", 1))
    board = rhombus_board(3, owners=owners)
    lines = ["     O", "  a b c", " 1 . . .", "X 2 . o(x) X", "   3 . . .", "       O"]
    assert view(board).text(Shown({"b2": 0, "c2": 1}, "c2")).splitlines() == lines


def test_bare_text_keeps_the_owners_of_edges_and_the_last_move_and_has_no_coordinates() -> None:
    owners = (("top", 0), ("bottom", 0), ("left", 1), ("right", 1))
    board = rhombus_board(3, owners=owners)
    lines = ["   O", " . . .", "X . o(x) X", "   . . .", "     O"]
    assert view(board).bare_text(Shown({"b2": 0, "c2": 1}, "c2")).splitlines() == lines
    assert view(square_board(3, 2)).bare_text(Shown({"a1": 0})) == ". . .\no . ."


def test_square_text_has_letters_below_and_stacks_with_their_height() -> None:
    board = square_board(3, 2)
    stacked = {"a1": Piece(0, height=12), "c2": Piece(1)}
    assert view(board).text(Shown(stacked)) == ("2 .   .   x\n1 o12 .   .\n  a   b   c")
    assert "a1, 12 high" in view(board).describe(Shown(stacked))


def test_sides_whose_names_begin_alike_are_x_and_o() -> None:
    info = SimpleNamespace(title="", seats=("Black", "Blue"))
    shown = Shown({"a1": 0, "b1": 1}, start=SimpleNamespace(game=SimpleNamespace(info=info)))
    assert view(square_board(2)).text(shown).splitlines()[1] == "1 x o"


def test_edges_have_the_colours_of_their_owners_all_around() -> None:
    board = rhombus_board(4, owners=(("top", 0), ("right", 1)))
    lengths = dict.fromkeys(("first", "second"), 0.0)
    for shape in view(board).scene(Shown({})).shapes:
        if isinstance(shape, Stroke):
            (x, y), (right, down) = shape.points
            lengths[shape.role] += ((right - x) ** 2 + (down - y) ** 2) ** 0.5
    # Of equal length: the side of the cell in the corner is halved.
    assert lengths["first"] == pytest.approx(lengths["second"])


def test_hexagons_and_triangles_have_as_many_cells_as_their_numbers() -> None:
    # The centred hexagonal numbers, and the triangular ones.
    assert [len(hexagon_board(side).places) for side in (1, 2, 3, 4)] == [1, 7, 19, 37]
    assert [len(triangle_board(side).places) for side in (1, 2, 3)] == [1, 3, 6]


def test_crowned_piece_has_a_capital_letter_and_a_ring() -> None:
    shown, plain = Shown({"a1": Piece(0, is_crowned=True)}), Shown({"a1": 0})
    board = view(square_board(2))
    assert board.text(shown).replace("O", "o") == board.text(plain)
    assert "O" in board.text(shown)
    rings = set(board.scene(shown).shapes) - set(board.scene(plain).shapes)
    assert [(ring.role, ring.spot) for ring in rings] == [("", "a1")]


def test_letters_of_a_triangle_stand_below_the_columns_that_they_name() -> None:
    drawn = view(triangle_board(4)).text(Shown({"d1": 0, "b4": 0}))
    assert drawn.split("\n") == [
        "   o 1",
        "  . . 2",
        " . . . 3",
        ". o . . 4",
        " a b c d",
    ]


def test_piece_beside_the_board_is_named_with_what_the_board_has() -> None:
    with pytest.raises(ValueError, match=r"names d1, .* 9 places, from a3 to c1"):
        view(square_board(3)).text(Shown({"d1": 0}))


def test_unknown_edge_is_named_with_those_there_are() -> None:
    with pytest.raises(ValueError, match="'north': the edges are top, bottom, left, right"):
        square_board(3, owners=(("north", 0),))


@every_board
def test_marks_of_neighbouring_places_share_one_pair_of_brackets(board: Board) -> None:
    rows: dict[float, list[str]] = {}
    for name in sorted(board.names, key=board.middle_of):
        rows.setdefault(board.row_of(name), []).append(name)
    first, second, third = next(row for row in rows.values() if len(row) >= 3)[:3]
    text = view(board).text(Shown({first: 0, second: 1, third: 0}, f"{first} {second} {third}"))
    assert "(o x o)" in text
    assert text.count("(") == text.count(")") == 1


@every_board
def test_circle_of_one_size_fits_into_whatever_is_pointed_at(board: Board) -> None:
    small = {
        shape.spot: across
        for shape in view(board).scene(Shown({})).shapes
        if isinstance(shape, Polygon)
        and shape.spot
        and (across := inner_circle(shape)) < STEP - 0.1
    }
    assert small == {}


def inner_circle(shape: Polygon) -> float:
    """Return the diameter of the circle around the middle of a shape that touches a side."""
    x, y = (sum(axis) / len(shape.points) for axis in zip(*shape.points, strict=True))
    return 2 * min(
        abs((right - left) * (top - y) - (left - x) * (bottom - top))
        / hypot(right - left, bottom - top)
        for (left, top), (right, bottom) in pairwise([*shape.points, shape.points[0]])
    )


@every_board
def test_gap_is_named_by_places_whose_middle_it_is(board: Board) -> None:
    for name, cells in board.gaps.items():
        ends = [board.middle(board.places[place]) for place in name.split("-")]
        middle = tuple(sum(axis) / 2 for axis in zip(*ends, strict=True))
        assert board.middle_of(name) == pytest.approx(middle)
        # A line joins neighbours; four places lie around a box.
        assert dist(*ends) == pytest.approx(1 if len(cells) == 2 else 2**0.5)


def test_lines_and_boxes_are_drawn_between_points_by_their_side() -> None:
    board = square_board(3, on_points=True, has_gaps=True)
    drawn = {"a1-b1": 0, "a1-a2": 1, "a1-b2": 1, "b1-b2": Piece(None), "a2-b2": Piece(None)}
    lines = ["3 +   +   +", "", "2 +---+   +", "  x x(|)", "1 +-o-+   +", "  a   b   c"]
    assert view(board).text(Shown(drawn, "b1-b2")).splitlines() == lines


def test_walls_stand_between_cells_and_join_where_they_cross() -> None:
    board = square_board(3, has_gaps=True)
    wall = dict.fromkeys(("a2-a3", "a2-b3", "b2-b3", "c1-c2"), Piece(None))
    lines = ["3 . x .", " ---+---", "2 . . .", "        ---", "1 . . .", "  a b c"]
    wide = [line.replace(" . ", "  .  ").replace(". .", ".   .") for line in lines]
    shown = Shown({**wall, "b3": 1})
    assert ["".join(line.split()) for line in view(board).text(shown).splitlines()] == [
        "".join(line.split()) for line in wide
    ]
    strokes = [
        shape
        for shape in view(board).scene(shown).shapes
        if isinstance(shape, Stroke) and shape.spot == "a2-b3"
    ]
    middle = {stroke.points[0] for stroke in strokes}
    ends = [stroke.points[1] for stroke in strokes]
    # From the crossing straight on to both parts of the wall, and nowhere else.
    assert len(middle) == 1
    assert len(ends) == 2
    assert {y for _, y in ends} == {y for _, y in middle}


def test_text_names_a_gap_or_two_places_as_the_board_has_them() -> None:
    board = square_board(3, on_points=True, has_gaps=True)
    assert board.named_in("a1-b1 A1-B2 b1-a1 c3") == ["a1-b1", "a1-b2", "b1", "a1", "c3"]
    assert square_board(3).named_in("a1-b1") == ["a1", "b1"]


def test_something_beside_the_gaps_is_named_with_what_the_board_has() -> None:
    with pytest.raises(ValueError, match=r"names b1-a1, .* 4 places, from a2 to b1, and 5 gaps"):
        view(square_board(2, has_gaps=True)).text(Shown({"b1-a1": 0}))
