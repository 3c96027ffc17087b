"""What Visavis looks and sounds like: the seed's two figures, the picture, the words."""

from __future__ import annotations

import random

import pytest

from sarsen import drawing
from sarsen.core.referee import replayed
from sarsen.drawing.palette import DARK, LIGHT
from sarsen.drawing.scene import Circle, Label, Polygon, Scene, Stroke
from sarsen.games.visavis import GAME
from sarsen.games.visavis.board import (
    O,
    VisavisBoard,
    X,
    board_of,
    chains,
    is_peg,
    joins_sides,
    name,
    winning_chain,
)
from sarsen.games.visavis.picture import Plane
from sarsen.games.visavis.rules import VisavisPosition
from sarsen.games.visavis.view import board_text, excerpt

# The first figure of the help text of 2003, 7 rows of a larger board, four blanks of page
# margin taken off. The archive moved X's marks: it left the lower one alone at the margin,
# below an empty line, and the upper one over D. They are put over and under the middle of
# X's pegs here, where the second figure has them.
SMALL = r"""
           X
  A B C D E F G H I
 1    x   x   x   x  1
  2 o   o   o   o   o 2
   3    x   x   x   x  3
 O  4 o   o/  o   o   o 4  O
     5    x   x   x   x  5
      6 o   o   o   o   o 6
       7    x   x   x   x  7
         A B C D E F G H I
                   X
"""

# The second figure, as printed, page margin and all. It has neither letters nor numbers.
# Misprinted: in the last two lines (rows 24 and 25) one blank is lost before the last peg.
LARGE = r"""
                          X

     x   x   x   x   x   x   x   x   x   x   x   x
   o   o   o   o   o   o  \o   o   o   o   o   o   o
       x   x   x   x   x   x   x---x---x   x   x   x
     o   o   o   o   o   o  \o/  o   o  \o   o   o   o
         x   x   x   x   x   x   x   x   x   x   x   x
       o   o   o   o   o   o   o   o   o/  o   o   o   o
           x   x   x   x   x   x   x   x   x   x   x   x
         o   o   o   o   o   o/ \o   o/  o   o   o   o   o
             x   x   x   x\  x   x---x   x   x   x   x   x
           o   o   o   o   o  \o   o   o   o   o   o   o   o
               x   x   x  /x   x   x   x  /x\  x   x   x   x
             o   o   o---o   o/  o   o---o   o---o---o   o   o
         O       x  /x   x   x   x   x   x   x   x   x\  x   x     O
               o---o---o   o  \o   o   o   o   o   o   o   o   o
                   x   x\  x   x   x   x   x---x   x   x\  x  /x
                 o   o   o---o  \o   o   o/  o  \o   o   o   o   o
                     x   x   x\  x---x---x  /x\  x   x   x\ /x   x
                   o   o   o   o---o   o---o   o  \o   o---o   o   o
                       x   x   x   x\ /x   x   x   x  /x   x   x   x
                     o   o   o   o   o   o   o   o/  o   o   o   o   o
                         x   x   x   x   x   x---x   x\  x   x   x   x
                       o   o   o   o   o   o  \o   o---o   o   o   o   o
                           x   x   x   x   x   x   x   x   x   x   x   x
                         o   o   o   o   o   o/  o   o   o   o   o   o  o
                             x   x   x   x   x   x   x   x   x   x   x  x
                                                    X
"""
LARGE_LINES = LARGE.strip("\n").split("\n")
MISPRINTED_ROWS = (24, 25)


def after(moves: str, options: str = "-size=9") -> VisavisPosition:
    position = replayed(GAME.start(options), moves.split())
    assert isinstance(position, VisavisPosition)
    return position


def large_rows() -> list[str]:
    return LARGE_LINES[2:27]


def large_bridges() -> tuple[int, int]:
    """Read the bridges off the printed figure, by the column their middle stands in."""
    board = board_of(25)
    bridges = [0, 0]
    for row, line in enumerate(large_rows(), start=1):
        dashes = line.replace("---", " - ")
        for at, character in enumerate(dashes):
            if character in "-/\\":
                is_x = (character == "-") == (row % 2 == 1)
                side = X if is_x else O
                twice = at - row + (2 if is_x else 1)
                assert twice % 2 == 0
                place = board.place(side, (twice // 2, row))
                assert place, f"no place for {character} of row {row}"
                bridges[side] |= place
    return bridges[O], bridges[X]


def test_small_figure_is_drawn_to_the_character() -> None:
    board = board_of(25)
    bridges = (0, board.bits[X]["D4"])
    assert excerpt(board, bridges, columns=9, rows=7) == SMALL.strip("\n")


def test_large_figure_holds_25_bridges_of_x_and_29_of_o_and_x_has_won() -> None:
    board, bridges = board_of(25), large_bridges()
    assert (bridges[X].bit_count(), bridges[O].bit_count()) == (25, 29)
    assert not board.crossed(O, bridges[O]) & bridges[X]
    assert joins_sides(board, X, bridges[X])
    assert not joins_sides(board, O, bridges[O])
    ((_, chain),) = chains(board, X, bridges[X])
    assert chain == bridges[X]


def test_large_figure_is_drawn_to_the_character_but_for_its_misprints() -> None:
    drawn = board_text(board_of(25), large_bridges()).split("\n")
    # Ours has a margin of one blank; its letters' lines stand where the figure has none.
    upper_mark, _, *rows, _, lower_mark = (line.removeprefix(" ") for line in drawn)
    assert upper_mark == LARGE_LINES[0]
    assert lower_mark == LARGE_LINES[27]
    for number, (ours, printed) in enumerate(zip(rows, large_rows(), strict=True), start=1):
        bare = "".join(" " if character.isdigit() else character for character in ours).rstrip()
        if number in MISPRINTED_ROWS:
            assert bare[:-1].rstrip() == printed[:-1].rstrip()
            assert len(bare) == len(printed) + 1
            assert bare[-1] == printed[-1]
        else:
            assert bare == printed


def test_text_board_of_the_default_size_stays_within_its_width() -> None:
    board = board_of(25)
    lines = board_text(board, board.places).split("\n")
    assert max(map(len, lines)) <= 90
    assert lines[1].split() == list("ABCDEFGHIJKLMNOPQRSTUVWXY")
    assert [line.split()[-1] for line in lines[2:14]] == [str(row) for row in range(1, 13)]


def test_text_board_of_a_short_game_shows_every_kind_of_bridge() -> None:
    expected = r"""
         X
  A B C D E F G
 1    x   x   x  1
  2 o---o/ \o---o 2
   3    x   x   x  3
 O  4 o  \o   o   o 4  O
     5    x\ /x   x  5
      6 o  \o/  o---o 6
       7    x   x   x  7
         A B C D E F G
                 X
"""
    position = after("F6 D6 F2 E2 D5 C6 C5 C4 B2 D2", "-size=7")
    assert drawing.text(position) == expected.strip("\n")


@pytest.mark.parametrize("size", [5, 9, 13])
def test_x2_bridges_cross_in_the_picture_exactly_when_they_block(size: int) -> None:
    board, plane = board_of(size), Plane(size)
    for text, place in board.named[X]:
        for other_text, other in board.named[O]:
            crossing = bool(board.crossed(X, place) & other)
            assert cross(plane, board, place, other) == crossing, (text, other_text)


def cross(plane: Plane, board: VisavisBoard, place: int, other: int) -> bool:
    ((x_place,), (o_place,)) = (list(board.coordinates(it)) for it in (place, other))
    a, b = plane.bridge(X, x_place)
    c, d = plane.bridge(O, o_place)

    def turn(p: tuple[float, float], q: tuple[float, float], r: tuple[float, float]) -> float:
        return (q[0] - p[0]) * (r[1] - p[1]) - (q[1] - p[1]) * (r[0] - p[0])

    return turn(a, b, c) * turn(a, b, d) < 0 and turn(c, d, a) * turn(c, d, b) < 0


@pytest.mark.parametrize("options", ["-size=5", "-size=9 -swap", "-size=25"])
def test_picture_uses_known_roles_and_stays_on_its_paper(options: str) -> None:
    position = GAME.start(options)
    rng = random.Random(options)
    while position.outcome() is None:
        check_shapes(drawing.scene(position))
        for _ in range(20):
            moves = position.legal_moves()
            position = position.play(rng.choice(moves)) if moves else position
    check_shapes(drawing.scene(position))


def check_shapes(scene: Scene) -> None:
    for shape in scene.shapes:
        assert not shape.role or (shape.role in LIGHT and shape.role in DARK)
        points = shape.points if isinstance(shape, Polygon | Stroke) else ()
        if isinstance(shape, Circle | Label):
            points = ((shape.x, shape.y),)
        assert all(0 <= x <= scene.width and 0 <= y <= scene.height for x, y in points)


def test_every_open_place_and_every_bridge_can_be_pointed_at() -> None:
    position = after("D4 G8 F6")
    shown = {shape.spot for shape in drawing.scene(position).shapes if shape.spot}
    assert shown == {*position.legal_moves(), "D4", "G8", "F6"}
    view = drawing.view_of(position)
    assert view.clicks(position, "C2") == ("C2",)


def test_tiles_to_tap_do_not_overlap() -> None:
    for moves in ("", "D4"):
        tiles = [
            shape
            for shape in drawing.scene(after(moves)).shapes
            if isinstance(shape, Polygon) and shape.spot
        ]
        # Each tile has the same area, so that together they fill the lattice just once.
        areas = {round(area(tile.points), 3) for tile in tiles}
        assert len(areas) == 1
        assert len({tile.points for tile in tiles}) == len(tiles)


def area(points: tuple[tuple[float, float], ...]) -> float:
    after_it = points[1:] + points[:1]
    return abs(sum(a[0] * b[1] - a[1] * b[0] for a, b in zip(points, after_it, strict=True))) / 2


def test_swap_is_offered_on_the_first_bridge() -> None:
    position = after("C3", "-size=9 -swap")
    shown = {shape.spot for shape in drawing.scene(position).shapes}
    assert "swap" in shown
    assert drawing.view_of(position).clicks(position, "swap") == ("swap",)
    after_it = position.play("swap")
    assert "swap" not in {shape.spot for shape in drawing.scene(after_it).shapes}


def test_last_bridge_is_marked_and_a_position_read_back_has_none() -> None:
    position = after("C3 D1")
    assert any(shape.role == "mark" for shape in drawing.scene(position).shapes)
    again = GAME.read(position.write())
    assert not any(shape.role == "mark" for shape in drawing.scene(again).shapes)


def test_winning_chain_is_a_shortest_one() -> None:
    position = after("B2 C8 D2 E8 F2 G8 A3 C6 B4 D8 H2")
    board = position.board
    chain = winning_chain(board, O, position.bridges[O])
    assert board.names(chain) == ["B2", "D2", "F2", "H2"]
    assert winning_chain(board, X, position.bridges[X]) == 0


def test_winning_chains_of_random_games_join_and_have_nothing_to_spare() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        position = GAME.start("-size=9")
        while position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
        board, side = position.board, position.winner
        assert side is not None
        chain = winning_chain(board, side, position.bridges[side])
        assert chain & position.bridges[side] == chain
        assert joins_sides(board, side, chain)
        for coordinate in board.coordinates(chain):
            assert not joins_sides(board, side, chain & ~board.place(side, coordinate))


def test_title_says_the_position_in_one_line() -> None:
    assert drawing.scene(after("C3")).title == "Visavis of size 9 with 1 bridge: X to move."
    over = after("B2 C8 D2 E8 F2 G8 H2")
    assert drawing.scene(over).title == (
        "Visavis of size 9 with 7 bridges: O joined left and right."
    )


def test_words_for_ears_name_turn_last_bridge_and_chains() -> None:
    assert drawing.describe(GAME.start("-size=5")) == (
        "O to move, joining left and right. O has no bridge. X has no bridge."
    )
    assert drawing.describe(after("D4 G8 C5 C2 B4")) == (
        "X to move, joining top and bottom. The last bridge is O's B4. B4 blocks X at C4. "
        "O has 3 bridges, columns A to E: B4, D4, C5. "
        "X has 2 bridges in 2 chains. X, alone: C2, G8."
    )
    assert "X may swap sides." in drawing.describe(after("C3", "-size=5 -swap"))
    assert "The game is over: O joined" in drawing.describe(after("B2 C8 D2 E8 F2 G8 H2"))


def test_pegs_of_the_picture_are_those_of_the_board() -> None:
    plane = Plane(9)
    circles = {
        (round(shape.x, 3), round(shape.y, 3))
        for shape in drawing.scene(GAME.start("-size=9")).shapes
        if isinstance(shape, Circle)
    }
    expected = {
        tuple(round(value, 3) for value in plane.place(side, (column, row)))
        for side in (O, X)
        for column in range(1, 10)
        for row in range(1, 10)
        if is_peg(side, column, row, 9)
    }
    assert circles == expected
    assert name(9, 8) == "I8"
