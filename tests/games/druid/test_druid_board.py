"""The text board: the seed's sample to the character, and what it leaves open."""

from __future__ import annotations

import pytest

from sarsen import drawing
from sarsen.core.referee import replayed
from sarsen.games.druid import GAME

SAMPLE_MOVES = "b8 b5 b4 a5 b6 d1 b4-b6 c5 d4 d5 d4 e5 b4-d4 f5 c1 b1 e1 f1 c1-e1 g5 b7 f4 d2 h5 d3"
SAMPLE_BOARD = """\
     A   +-----+ C     D     E     F     G     H
  +-----/| v v |----+-----+-----+-----+-----+-----+
8 |     || v v |                                  | 8
  |     |+     +                                  |
  +     /| v v |    +     +     +     +     +     +
7 |     ||+-----+                                 | 7
  |     |/| v v |                                 |
  +     /|| v v |   +     +     +     +     +     +
6 |     ||+     +                                 | 6
  |+-----/| v v |----+-----+-----+-----+-----+-----+
  /| h h ||+-----+-----+-----+ h   h h   h h   h h |
5 || h h |/| v v   v v   v v | h   h h   h h   h h |5
  |+-----/|| v v   v v   v v |---+     +-----+-----+
  /-----/||+-----+-----+-----+--/| h h |----/-----/
4 |     ||/-----/-----/-----/   || h h |          | 4
  |     |/-----/    |/-----/    |+-----+          |
  +     /-----/     /| v v |    /-----/     +     +
3 |                 || v v |                      | 3
  |                 |+     +                      |
  +     +     +     /| v v |    +     +     +     +
2 |             +-----+-----+-----+               | 2
  |      +-----/| v v   v v   v v |----+          |
  +     /| h h || v v   v v   v v |h h |    +     +
1 |     || h h |+-----+-----+-----+h h |          | 1
  |     |+-----/-----/-----/-----/-----+          |
  +-----/-----/-----/-----/-----/-----/-----+-----+
     A     B     C     D     E     F     G     H

     A B C D E F G H             A B C D E F G H

  8  . v . . . . . .  8       8  . 1 . . . . . .  8
  7  . v . . . . . .  7       7  . 1 . . . . . .  7
  6  . v . . . . . .  6       6  . 2 . . . . . .  6
  5  h v h h h h h h  5       5  1 2 1 1 1 1 1 1  5
  4  . v v v . h . .  4       4  . 3 3 3 . 1 . .  4
  3  . . . v . . . .  3       3  . . . 1 . . . .  3
  2  . . . v . . . .  2       2  . . . 1 . . . .  2
  1  . h v v v h . .  1       1  . 1 2 2 2 1 . .  1

     A B C D E F G H             A B C D E F G H"""

BARE_BOARD = """\
     A     B     C
  +-----+-----+-----+
3 |                 | 3
  |                 |
  +     +     +     +
2 |                 | 2
  |                 |
  +     +     +     +
1 |                 | 1
  |                 |
  +-----+-----+-----+
     A     B     C

     A B C             A B C

  3  . . .  3       3  . . .  3
  2  . . .  2       2  . . .  2
  1  . . .  1       1  . . .  1

     A B C             A B C"""

LINTEL_AT_THE_BACK = """\
    +-----+-----+-----+
   /| v v   v v   v v |
  /|| v v   v v   v v |
3 ||+-----+-----+-----+
  |/-----/| h h |----/
  /-----/|| h h |---/
2 |     ||+-----+   | 2
  |     |/-----/    |
  +     /| h h |    +
1 |     || h h |    | 1
  |     |+-----+    |
  +-----/-----/-----+
     A     B     C

     A B C             A B C

  3  v v v  3       3  2 2 2  3
  2  . h .  2       2  . 2 .  2
  1  . h .  1       1  . 1 .  1

     A B C             A B C"""

HEIGHTS_OF_TWO_DIGITS = """\
     A B C              A  B  C

  3  . . h  3       3   .  . 10  3
  2  . . .  2       2   .  .  .  2
  1  v . .  1       1  10  .  .  1

     A B C              A  B  C"""

LAST_ROWS_OF_TWELVE = """\
    +-----+ B     C     D     E     F     G     H     I     J     K   +-----+
   /| v v |----+-----+-----+-----+-----+-----+-----+-----+-----+-----/| v v |
12 || v v |                                                          || v v |12
   |+-----+                                                          |+-----+
   /-----/     +     +     +     +     +     +     +     +     +     /-----/
11 |                                                                       | 11"""

PLANS_OF_TEN = """\
      A B C D E F G H I J               A B C D E F G H I J

  10  v . . . . . . . . .  10       10  1 . . . . . . . . .  10
   9  . . . . . . . . . .  9         9  . . . . . . . . . .  9"""


def board(moves: str, options: str = "") -> str:
    return drawing.text(replayed(GAME.start(options), moves.split()))


def test_sample_board_of_the_seed_is_drawn_to_the_character() -> None:
    assert board(SAMPLE_MOVES) == SAMPLE_BOARD


def test_sample_game_is_won_by_v_with_its_last_move() -> None:
    position = replayed(GAME.start(), SAMPLE_MOVES.split())
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.winner == 0


def test_bare_site_is_drawn_without_headroom() -> None:
    assert board("", "-size=3") == BARE_BOARD


def test_lintel_over_a_gap_shows_the_ground_below() -> None:
    assert board("a3 b2 c3 b2 a3-c3 b1", "-size=3") == LINTEL_AT_THE_BACK


def test_d2_heights_of_two_digits_widen_their_plan() -> None:
    assert board("a1 c3 " * 10, "-size=3").endswith("\n\n" + HEIGHTS_OF_TWO_DIGITS)


def test_d2_plan_has_room_for_three_digits() -> None:
    lines = board("a1 h8 " * 100).splitlines()
    assert lines[0] == "     A B C D E F G H               A   B   C   D   E   F   G   H"
    assert "  1    ." not in lines[9]
    assert lines[9].endswith("1  100   .   .   .   .   .   .   .  1")


def test_rows_of_two_digits_move_the_frame_by_one() -> None:
    assert board("a12 b2 l12", "-size=12").startswith(LAST_ROWS_OF_TWELVE + "\n")
    assert PLANS_OF_TEN in board("a10", "-size=10")


@pytest.mark.parametrize(("height", "widest"), [(99, 160), (100, 70)])
def test_monument_too_tall_for_a_mail_is_drawn_in_plan_only(height: int, widest: int) -> None:
    lines = board("a1 h8 " * height).splitlines()
    assert (len(lines) > 100) == (height == 99)
    assert max(map(len, lines)) <= widest
