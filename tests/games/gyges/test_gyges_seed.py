"""Every diagram, example and game of the first description of Gyges."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sarsen import drawing
from sarsen.core.errors import IllegalMove
from sarsen.core.referee import judge, replay, replayed
from sarsen.games.gyges import GAME
from sarsen.games.gyges.rules import GygesPosition

Stand = Callable[..., GygesPosition]

SAMPLE = """
231123 321123
16-35 61-53
15-24 66x65=21
13-14-24x35=33 62x53=36
14-24-35x36=43 64-54
12-33x54=14 65-35x36=34
14-24-35-36-66 63-64
11-22 64-54-35-36-S
"""

# What the description draws after plies 2, 4 … 16, its strips put upright again.
DIAGRAMS = {
    2: "N / 321123 / ...... / ...... / ...... / ...... / 231123 / S",
    4: "N / .21123 / ..3... / ...... / ....3. / ...... / 23112. / S",
    6: "N / .2113. / ..3... / ...... / ....3. / 2..2.. / 2311.. / S",
    8: "N / ..113. / ..2... / ...... / ..3.13 / 2..2.. / 23.1.. / S",
    10: "N / ..1.3. / ..21.. / ..3... / ..3.11 / 2..2.. / 23.... / S",
    12: "N / ..1... / ..23.. / ..3... / ..3113 / 2..2.. / 2..1.. / S",
    14: "N / ...1.1 / ..23.. / ..3... / ..3113 / 2..2.. / 2..... / S",
    16: "N / .....1 / ..23.. / ..3... / ..3113 / 22.2.. / ...... / 1",
}

SHORES = """
. 3 . . . . 6
. . 2 1 . . 5
. 2 1 2 3 . 4
. 1 1 3 2 . 3
. . . . . . 2
. . . . . 3 1
"""

BOUNCING = """
. . . . . . 6
3 . . . . . 5
. . 1 . 1 . 4
1 . 2 3 . 3 3
3 . 2 2 . 1 2
. . . . 2 . 1
"""

EURYDICE = """
. . . . . . 6
1 . . . . . 5
3 . 2 3 . . 4
3 . 2 1 1 . 3
2 . 1 3 2 . 2
. . . . . . 1
"""

RELOCATION = [
    """
2 1 3 1 3 2 6
. . . . . . 5
. . . . . . 4
. . . . . . 3
. . . . . . 2
1 1 3 2 2 3 1
""",
    """
2 1 3 1 3 2 6
. . . . . . 5
. . . 2 . . 4
. . . . . . 3
. . . . . . 2
1 1 . 3 2 3 1
""",
    """
2 1 3 . 3 2 6
. . . . . . 5
. . . 1 . . 4
. . . 2 . . 3
. . . . . . 2
1 1 . 3 2 3 1
""",
]

# Erratum of the rules: the double drawn at 36 stands on 46.
STALEMATE = """
. 3 . 3 . 3 6
1 1 2 2 3 2 5
. . . 1 . 2 4
. . . 1 . . 3
. . . . . . 2
. . . . . . 1
"""
STALEMATE_AS_DRAWN = """
. 3 . 3 . 3 6
1 1 2 2 3 2 5
. . . 1 . . 4
. . . 1 . 2 3
. . . . . . 2
. . . . . . 1
"""


def grid(diagram: str) -> list[list[str]]:
    """Return the goals and rows of a diagram, a list of signs each."""
    return [list(row.strip()) for row in diagram.split("/")]


def drawn_grid(board: str) -> list[list[str]]:
    """Return the same of a text board, without its numbers."""
    lines = [line.split() for line in board.splitlines()[1:]]
    return [line if len(line) == 1 else line[:6] for line in lines]


@pytest.mark.parametrize("ply", DIAGRAMS)
def test_sample_game_stands_as_drawn_after_each_pair_of_plies(ply: int) -> None:
    position = replayed(GAME.start(), SAMPLE.split()[:ply])
    assert drawn_grid(drawing.text(position)) == grid(DIAGRAMS[ply])


def test_sample_game_is_echoed_as_it_was_written() -> None:
    assert [ruling.text for ruling in replay(GAME.start(), SAMPLE.split())] == SAMPLE.split()


def test_sample_game_ends_with_norths_win() -> None:
    rulings = list(replay(GAME.start(), SAMPLE.split()))
    assert [ruling.seat for ruling in rulings] == [0, 1] * 8
    outcome = rulings[-1].position.outcome()
    assert outcome is not None
    assert outcome.winner == 1
    assert rulings[-2].position.outcome() is None


def test_shores_move_when_their_last_ring_leaves(stand: Stand) -> None:
    position = stand("S", SHORES)
    position = judge(position, "16-46").position
    assert position.effects() == ("South's shore is now row 3.",)
    position = judge(position, "62-41").position
    assert position.effects() == ("North's shore is now row 5.",)


def test_only_one_ring_each_can_move_in_the_example_of_shores(stand: Stand) -> None:
    for side, slot in (("S", "16"), ("N", "62")):
        moves = stand(side, SHORES).legal_moves()
        assert {move.stops[0] for move in moves} == {slot}


@pytest.mark.parametrize("text", ["51-43-33-31-21-S", "51-43-33-31-21-(11-12-)S"])
def test_north_wins_by_bouncing_in_the_example(stand: Stand, text: str) -> None:
    ruling = judge(stand("N", BOUNCING), text)
    assert ruling.text == "51-43-33-31-21-S"
    assert ruling.position.outcome().winner == 1


def test_south_wards_off_the_bouncing_threat_with_a_new_shore_for_north(stand: Stand) -> None:
    position = judge(stand("S", BOUNCING), "15-26-36-66").position
    assert "North's shore is now row 6." in position.effects()
    assert position.outcome() is None
    assert not any(move.stops[-1] == "S" for move in position.legal_moves())


@pytest.mark.parametrize("text", ["51-41-31-21-S", "51-41-(42-32-)31-(32-22-)21-(11-)S"])
def test_g2_eurydice_keeps_north_from_winning_over_one_connection_twice(
    stand: Stand, text: str
) -> None:
    with pytest.raises(IllegalMove) as refusal:
        stand("N", EURYDICE).parse(text)
    assert refusal.value.code == "gyges.connection-twice"


@pytest.mark.parametrize("text", ["24-25-34-44-N", "24-(14-15-)25-(24-)34-44-(54-64-)N"])
def test_g2_eurydice_lets_south_win_over_one_slot_twice(stand: Stand, text: str) -> None:
    ruling = judge(stand("S", EURYDICE), text)
    assert ruling.text == "24-25-34-44-N"
    assert ruling.position.outcome().winner == 0


def test_relocations_stand_as_drawn(stand: Stand) -> None:
    position = stand("S", RELOCATION[0])
    for text, diagram in zip(["13x14=44", "64x44=34"], RELOCATION[1:], strict=True):
        position = judge(position, text).position
        assert position.rings == stand("SN"[position.seat], diagram).rings


def test_relocation_example_threatens_and_the_answer_wards_off(stand: Stand) -> None:
    threat = judge(stand("S", RELOCATION[1]), "14-44-64-N")
    assert threat.position.outcome().winner == 0
    after = stand("S", RELOCATION[2])
    middle = {"34", "44"}
    assert not any(set(move.stops) & middle for move in after.legal_moves())


def test_g7_relocation_example_leaves_out_a_bounce(stand: Stand) -> None:
    assert judge(stand("N", RELOCATION[1]), "64x44=34").text == "64-63x44=34"


@pytest.mark.parametrize(
    "texts",
    [["34-44-43; 43-53-N"], ["34-44-43", "43-53-N"], ["34-44-43;43-53-n;"]],
)
def test_g6_south_wins_with_two_moves_in_a_row_in_the_stalemate_example(
    stand: Stand, texts: list[str]
) -> None:
    position = stand("S", STALEMATE)
    assert replayed(position, texts).outcome().winner == 0


def test_stalemate_example_as_first_drawn_keeps_souths_shore_in_row_3(stand: Stand) -> None:
    position = judge(stand("S", STALEMATE_AS_DRAWN), "34-44-43").position
    with pytest.raises(IllegalMove) as refusal:
        judge(position, "43-53-N")
    assert refusal.value.code == "gyges.shore"
