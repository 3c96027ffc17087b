"""Boards of kits: every door shows the same contents, whatever the board's shape."""

from __future__ import annotations

from dataclasses import dataclass, field
from types import SimpleNamespace
from typing import Any

import pytest

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
    assert sorted(spots) == sorted(board.places)
    empty = "+" if board.on_points else "."
    assert view(board).text(shown).count(empty) == len(board.places)
    cells = [cell.spot for row in view(board).cells(shown).rows for cell in row.cells]
    assert sorted(cells) == sorted(board.places)


@every_board
def test_text_picture_table_and_words_show_the_same_contents(board: Board) -> None:
    first, second, third, *_ = board.places
    shown = Shown({first: 0, second: Piece(1, "k", "king"), third: Piece(None)})
    text, scene = view(board).text(shown), view(board).scene(shown)
    assert [text.count(mark) for mark in ("o", "k", "*")] == [1, 1, 1]
    discs = {shape.spot: shape.role for shape in scene.shapes if isinstance(shape, Circle)}
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
    scene = view(board).scene(Shown(dict.fromkeys(board.places, 0)))
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
    rows: dict[int, list[str]] = {}
    for place, (_, row) in board.places.items():
        rows.setdefault(row, []).append(place)
    first, second, third = next(row for row in rows.values() if len(row) >= 3)[:3]
    text = view(board).text(Shown({first: 0, second: 1, third: 0}, f"{first} {second} {third}"))
    assert "(o x o)" in text
    assert text.count("(") == text.count(")") == 1
