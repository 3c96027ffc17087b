"""Written positions: what comes back, and what is refused."""

from __future__ import annotations

import pytest

from sarsen.core.errors import UserError
from sarsen.core.referee import replayed
from sarsen.games.druid import GAME
from sarsen.games.druid.position_line import EXAMPLE
from sarsen.games.druid.rules import DruidPosition

LINTELS = "-size=4 -nogaps;8;;Va1 Hb1 Vc1 Hd1 Ha2 Ha3 Vd4 Va1-c1"


def after(moves: str, options: str = "") -> DruidPosition:
    position = replayed(GAME.start(options), moves.split())
    assert isinstance(position, DruidPosition)
    return position


def test_position_is_written_with_its_stones_from_low_to_high() -> None:
    position = after("a1 d1 c1 b1 a1-c1 a3 d4 a2 a1", "-nogaps -size=4")
    assert position.write() == "-size=4 -nogaps;9;;Va1 Hb1 Vc1 Hd1 Ha2 Ha3 Vd4 Va1-c1 Va1"


def test_start_is_written_with_its_plies_only() -> None:
    assert GAME.start().write() == ";0;;"
    assert GAME.read(";0;;") == GAME.start()


def test_order_of_building_leaves_no_trace() -> None:
    one = after("a1 h8 c3 f6")
    other = after("a1 f6 c3 h8")
    assert one == other
    assert one.write() == other.write()


def test_swap_and_passes_are_written() -> None:
    swapped = after("c1 swap c3", "-swap -size=5")
    assert swapped.write() == "-size=5 -swap;3;swapped;Vc1 Hc3"
    assert GAME.read(swapped.write()).sides == ("H", "V")
    line = "-size=3;18;passed;Va1 Vb1 Vc1 Va2 Vb2 Vc2 Va3 Vb3 Vc3"
    assert GAME.read(line).write() == line


def test_long_game_reads_back() -> None:
    position = after("a1 l12 " * 720, "-size=12")
    assert position.outcome() is not None
    assert GAME.read(position.write()) == position


def test_example_of_the_refusal_is_a_position() -> None:
    assert GAME.read(EXAMPLE).write() == EXAMPLE


@pytest.mark.parametrize(
    "line",
    [
        "",
        ";;;",
        "nonsense",
        ";0;;;",
        ";00;;",
        "; 0;;",
        ";0;; ",
        ";-1;;",
        ";1;;",
        ";0;;Va1",
        ";9999;;",
        ";99999;;",
        "-size=4;641;;Va1",
        "-size=13;0;;",
        "-size=8;0;;",
        "-nogaps -size=4;0;;",
        "-colour;0;;",
        ";1;;va1",
        ";1;;Ha1",
        ";1;;Va01",
        ";1;;Va9",
        ";1;;Vd4",
        ";1;;Vpass",
        ";2;;Va1  Hb1",
        ";2;;Va1 Va2",
        ";2;;Hb1 Va1",
        ";2;;Va1 Ha1",
        ";3;;Va1 Hb1 Vc1-a1",
        ";3;;Va1 Hb1 Va1-c1",
        "-size=4 -nogaps;5;;Va1 Vc1 Hb2 Hb3 Va1-c1",
        ";2;swapped;Va1",
        "-swap;1;swapped;",
        "-swap;2;swapped swapped;Va1",
        "-swap;2;swap;Va1",
        "-swap;2;swapped;Ha1",
        ";3;passed;Va1 Hb1",
        ";3;;Va1 Hb1",
        "-size=3;18;passed passed passed;Va1 Vb1 Vc1 Va2 Vb2 Vc2 Va3 Vb3 Vc3",
        "-size=3;91;;Va1 Vb1 Vc1 Va2 Vb2 Vc2 Va3 Vb3 Vc3",
        "x" * 30_000,
        ";1;;" + "Va1 " * 4000,
        ";١;;Va1",
    ],
)
def test_line_that_is_no_position_is_refused(line: str) -> None:
    with pytest.raises(UserError) as caught:
        GAME.read(line)
    assert caught.value.code == "druid.unreadable-position"
    assert caught.value.hint


def test_line_with_a_lintel_reads_back() -> None:
    assert GAME.read(LINTELS).write() == LINTELS
