"""Boards without coordinates: nothing else is left out."""

from __future__ import annotations

import pytest

from sarsen import drawing
from sarsen.core.referee import replayed
from sarsen.games import load

BOARDS = {
    ("druid", "-size=3", "a1 c3"): r"""
             +-----+
+-----+-----/| h h |
|           || h h |
|           |+-----+
+     +     /-----/
|                 |
|+-----+          |
/| v v |    +     +
|| v v |          |
|+-----+          |
/-----/-----+-----+

. . h     . . 1
. . .     . . .
v . .     1 . .
""",
    ("gyges", "", "321123 112233"): """
     N
1 1 2 2 3 3
. . . . . .
. . . . . .
. . . . . .
. . . . . .
3 2 1 1 2 3
     S
""",
    ("visavis", "-size=5", "B2 C4"): r"""
       X
      x   x
    o---o   o
O       x   x     O
      o  \o   o
          x   x
             X
""",
}


@pytest.mark.parametrize(("drawn", "board"), BOARDS.items(), ids=[game for game, _, _ in BOARDS])
def test_bare_board_shows_what_stands_on_it_and_no_coordinates(
    drawn: tuple[str, str, str], board: str
) -> None:
    game, options, moves = drawn
    position = replayed(load(game).start(options), moves.split())
    assert drawing.bare_text(position) == board.strip("\n")


def test_druid_with_rows_of_two_digits_has_no_margin_for_them() -> None:
    position = load("druid").start("-size=12")
    plan = " ".join("." * 12)
    lines = drawing.bare_text(position).splitlines()
    assert lines[0] == "+-----" * 12 + "+"
    assert lines[-12:] == [f"{plan}     {plan}"] * 12


def test_vasco_keeps_the_numbers_by_which_places_are_chosen() -> None:
    position = load("vasco").start()
    assert drawing.bare_text(position) == drawing.text(position)
