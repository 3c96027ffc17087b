"""What Vasco looks and sounds like; the figures are those of the seeds."""

from __future__ import annotations

from collections.abc import Mapping

import pytest

from sarsen import drawing
from sarsen.core.referee import replayed
from sarsen.drawing.scene import Arc, Polygon
from sarsen.games.vasco.board import ORDERS, Cell, Rotation, cell_at
from sarsen.games.vasco.rules import GAME, VascoPosition
from sarsen.games.vasco.text import LEGEND, Canvas, _draw_tiles, _joined, _write_number
from sarsen.games.vasco.tiles import Triangle, arcs

WON = "54 O 0,0=ade 0,1=acbe 1,2=ade"


def after(moves: str, options: str = "") -> VascoPosition:
    position = replayed(GAME.start(options), moves.split())
    assert isinstance(position, VascoPosition)
    return position


def tiles_text(tiles: Mapping[Cell, Rotation]) -> str:
    """Draw the tiles alone, without numbers."""
    canvas: Canvas = {}
    _draw_tiles(canvas, tiles)
    return _joined(canvas)


def drawn(**rotations: str) -> str:
    """Draw tiles named by their place, as in `x0y1="a"`."""
    tiles = {}
    for name, rotation in rotations.items():
        x, y = name[1:].split("y")
        tiles[cell_at(int(x), int(y))] = rotation
    return tiles_text(tiles)


def figure(text: str) -> str:
    return text.strip("\n")


def test_figure_of_the_front() -> None:
    assert drawn(x0y0="a") == figure(r"""
    +
   / \
  oo xx
 /  *  \
+---*---+
""")


def test_figure_of_the_back() -> None:
    assert drawn(x0y0="c") == figure(r"""
    +
   / \
  xx oo
 /  *  \
+---*---+
""")


def test_figure_of_an_opening_and_its_reply() -> None:
    assert drawn(x0y0="a", x1y0="c") == figure(r"""
    +---*---+
   / \  *  /
  oo xxx oo
 /  *  \ /
+---*---+
""")


def test_figure_of_a_move_before_its_forced_tiles() -> None:
    assert drawn(x0y0="a", x1y0="c", x2y1="a") == figure(r"""
    +---*---+
   / \  *  /
  oo xxx oo
 /  *  \ /
+---*---+---*---+
         \  *  /
          oo xx
           \ /
            +
""")


def test_figure_of_the_same_move_after_its_forced_tiles() -> None:
    assert tiles_text(after("a1 c6 a14").tiles) == figure(r"""
    +---*---+
   / \  *  / \
  oo xxx ooo xx
 /  *  \ /  *  \
+---*---+---*---+
 \  *  / \  *  /
  oo xxx ooo xx
   \ /  *  \ /
    +---*---+
""")


def test_figure_of_an_illegal_placement() -> None:
    assert drawn(x0y0="a", x2y0="c") == figure(r"""
    +       +
   / \     / \
  oo xx   xx oo
 /  *  \ /  *  \
+---*---+---*---+
""")


def test_figure_of_the_won_board() -> None:
    assert tiles_text(GAME.read(WON).tiles) == figure(r"""
    +---o---+
   / \  o  / \
  oo xxxx*** oo
 /  *  \ /  x  \
+---*---+---x---+
 \  *  / \  x  / \
  oo xxx ooo *** oo
   \ /  *  \ /  x  \
    +---*---+---x---+
     \  *  / \  x  /
      oo xxxx*** oo
       \ /  o  \ /
        +---o---+
""")


def test_finished_game_shows_neither_numbers_nor_rotations() -> None:
    position = GAME.read(WON)
    assert drawing.text(position) == (
        f"{tiles_text(position.tiles)}\n\n44 of 54 tiles left in the pool."
    )


def test_legend_shows_both_shapes_of_all_six_rotations() -> None:
    assert (
        figure(r"""
    +          +          +          +          +          +
   / \        / \        / \        / \        / \        / \
  oo xx      oo **      xx oo      xx **      ** oo      ** xx
 /  *  \    /  x  \    /  *  \    /  o  \    /  x  \    /  o  \
+---*---+  +---x---+  +---*---+  +---o---+  +---x---+  +---o---+
    a          b          c          d          e          f
+---*---+  +---x---+  +---*---+  +---o---+  +---x---+  +---o---+
 \  *  /    \  x  /    \  *  /    \  o  /    \  x  /    \  o  /
  oo xx      oo **      xx oo      xx **      ** oo      ** xx
   \ /        \ /        \ /        \ /        \ /        \ /
    +          +          +          +          +          +
""")
        == LEGEND
    )


def test_numbers_stand_in_the_middle_of_free_positions() -> None:
    board = drawing.text(after("a1 c6 a14"))
    assert board.startswith(
        figure(r"""
        .       .       .

        1   2   3   4   5

    .       +---*---+       .
           / \  *  / \
    6   7 oo xxx ooo xx 8   9
         /  *  \ /  *  \
.       +---*---+---*---+       .
         \  *  / \  *  /
   10  11 oo xxx ooo xx 12 13
           \ /  *  \ /
    .       +---*---+       .

       14  15  16  17  18

        .       .       .
""")
    )
    assert board.endswith(f"\n\n{LEGEND}\n\n48 of 54 tiles left in the pool.")


def test_first_position_is_an_empty_triangle() -> None:
    assert drawing.text(GAME.start()).startswith(
        figure(r"""
    +
   / \
  / 1 \
 /     \
+-------+
""")
    )


def test_wide_table_is_cut_into_strips() -> None:
    # A row of 60 tiles whose open edges never see two equal ends at one corner.
    board = drawn(**{f"x{x}y0": "ac"[x % 2] for x in range(60)})
    strips = board.split("\n\n(and further to the right)\n\n")
    assert len(strips) == 2
    assert max(len(line) for line in board.split("\n")) <= 180
    whole = "\n".join(
        left.ljust(180) + right
        for left, right in zip(*(strip.split("\n") for strip in strips), strict=True)
    )
    assert whole.count("ooo") + whole.count("xxx") == 59


def test_four_digits_take_the_wide_line_of_their_triangle() -> None:
    canvas: Canvas = {}
    _write_number(canvas, cell_at(0, 0), 1000)
    _write_number(canvas, cell_at(1, 0), 1001)
    assert _joined(canvas) == figure(r"""
    .       .
      1001

  1000
.       .
""")


def test_picture_shows_every_tile_arc_and_free_position() -> None:
    position = after("a1 c6 a14")
    scene = drawing.scene(position)
    board_arcs = [shape for shape in scene.shapes if isinstance(shape, Arc) and not shape.spot]
    assert [sum(shape.role == role for shape in board_arcs) for role in ("first", "second")] == [
        6,
        6,
    ]
    spots = {shape.spot for shape in scene.shapes}
    laid = {"2.3", "2.4", "2.5", "3.3", "3.4", "3.5"}  # by row and place
    assert spots == {"", *"abcdef", *(str(number) for number in range(1, 19)), *laid}
    assert scene.title == "Vasco, 6 tiles laid, 48 left: X to move."


@pytest.mark.parametrize("moves", ["", "a1", "a1 c6 a14"])
def test_tiles_of_a_small_table_are_large_enough_for_a_finger_on_a_phone(moves: str) -> None:
    scene = drawing.scene(after(moves))
    cell = next(s for s in scene.shapes if isinstance(s, Polygon) and s.spot == "1")
    across = [x for x, _ in cell.points]
    # As wide as the text of a page is there, in its pixels.
    assert (max(across) - min(across)) * 328 / scene.width > 44


def test_picture_marks_the_last_tile_more_strongly_than_the_forced_ones() -> None:
    shapes = [s for s in drawing.scene(after("a1 c6 a14")).shapes if isinstance(s, Polygon)]
    assert sum(shape.role == "mark" for shape in shapes) == 1
    assert sum((shape.role, shape.outline) == ("", "mark") for shape in shapes) == 3


def test_picture_highlights_the_winning_loop_only_when_there_is_one() -> None:
    def glow(position: VascoPosition) -> int:
        return sum(
            isinstance(shape, Arc) and shape.role == "mark"
            for shape in drawing.scene(position).shapes
        )

    assert glow(GAME.read(WON)) == 10
    assert glow(after("a1 c6 a14")) == 0


@pytest.mark.parametrize("rotation", list(ORDERS))
@pytest.mark.parametrize("is_up", [True, False])
def test_arcs_meet_every_edge_in_its_middle_at_a_right_angle(rotation: str, is_up: bool) -> None:
    triangle = Triangle(0, 0, 100, is_up)
    middles = {triangle.middle(side) for side in (0, 1, 2)}
    shapes = arcs(triangle, rotation)
    assert len(shapes) == 2
    for shape in shapes:
        assert isinstance(shape, Arc)
        assert {shape.start, shape.end} <= middles
        # The circle is centred on the corner between the two edges, half a side away.
        assert shape.radius == 50
        corner = min(
            triangle.corners,
            key=lambda point: sum(
                abs((point[0] - x) ** 2 + (point[1] - y) ** 2 - 2500)
                for x, y in (shape.start, shape.end)
            ),
        )
        for x, y in (shape.start, shape.end):
            assert (x - corner[0]) ** 2 + (y - corner[1]) ** 2 == pytest.approx(2500)


def test_clicks_are_the_position_and_then_the_rotation() -> None:
    position = after("a1")
    assert drawing.view_of(position).clicks(position, position.parse("c6")) == ("6", "c")


def test_words_say_turn_tiles_and_what_fits_where() -> None:
    words = drawing.describe(after("a1 c6"))
    assert words.startswith("O is to move. 52 of 54 tiles are left.")
    assert "From row 2 place 3: a up, c down." in words
    assert "The tile laid last is the one in row 2 place 4." in words
    assert "Position 12, row 3 place 3, points down, * on its base: a, c." in words


def test_words_of_a_finished_game_give_the_reason_once() -> None:
    words = drawing.describe(after("a1 e9 d4"))
    assert words.startswith("The game is over. O has a closed loop of 6 tiles.")
    assert words.count("closed loop") == 1
    assert "Position" not in words
