"""The rulings on Vasco, one by one."""

from __future__ import annotations

import random

import pytest

from sarsen.core.errors import IllegalMove
from sarsen.core.referee import perft, replayed
from sarsen.games.vasco.board import ORDERS, LaidTiles, cell_at, place_of
from sarsen.games.vasco.judgement import judgement
from sarsen.games.vasco.moves import Move, survey
from sarsen.games.vasco.paths import ARCS, paths
from sarsen.games.vasco.rules import GAME, VascoPosition

WON = "54 O 0,0=ade 0,1=acbe 1,2=ade"
O_ARC, X_ARC = ARCS


def after(moves: str, options: str = "") -> VascoPosition:
    position = replayed(GAME.start(options), moves.split())
    assert isinstance(position, VascoPosition)
    return position


def orders(position: VascoPosition) -> dict[tuple[int, int], str]:
    return {place_of(cell): ORDERS[rotation] for cell, rotation in position.tiles.items()}


def laid_last(position: VascoPosition) -> list[tuple[int, int]]:
    return [place_of(cell) for cell in position.last]


def test_first_tile_has_six_rotations_at_one_position() -> None:
    assert [GAME.start().format(move) for move in GAME.start().legal_moves()] == [
        f"{rotation}1" for rotation in "abcdef"
    ]


def test_rotations_are_the_six_orders_in_alphabetical_order_of_o_x_and_star() -> None:
    rank = {"o": 0, "x": 1, "*": 2}
    assert len(set(ORDERS.values())) == 6
    assert list(ORDERS) == list("abcdef")
    assert list(ORDERS.values()) == sorted(
        ORDERS.values(), key=lambda order: [rank[colour] for colour in order]
    )


def test_seats_are_o_then_x_and_take_turns() -> None:
    assert GAME.info.seats == ("O", "X")
    assert [after(moves).seat for moves in ("", "a1", "a1 c6")] == [0, 1, 0]


def test_example_of_the_rules_forces_exactly_three_tiles() -> None:
    position = after("a1").play(Move(1, 0, "c")).play(Move(2, 1, "a"))
    assert laid_last(position) == [(2, 1), (2, 0), (0, 1), (1, 1)]
    assert orders(position) == {
        (0, 0): "ox*",
        (1, 0): "xo*",
        (2, 1): "ox*",
        (2, 0): "ox*",
        (0, 1): "ox*",
        (1, 1): "xo*",
    }
    assert position.effects() == ("Tiles forced by this move: 3 (a, a, c).",)


def test_v1_an_empty_cell_between_equal_ends_is_refused() -> None:
    with pytest.raises(IllegalMove, match="two x ends") as refusal:
        after("a1").play(Move(2, 0, "c"))
    assert refusal.value.code == "vasco.ends-alike"


def test_v1_a_gap_of_two_cells_with_equal_ends_is_legal_and_not_forced() -> None:
    position = after("a1").play(Move(2, 1, "b"))
    assert laid_last(position) == [(2, 1), (0, 1), (1, 1)]
    gap = [cell_at(1, 0), cell_at(2, 0)]
    assert [len(position.table.possible(cell)) for cell in gap] == [2, 2]


def test_v2_forced_cells_are_filled_in_reading_order() -> None:
    position = after("a1").play(Move(2, 1, "c"))
    assert laid_last(position) == [(2, 1), (1, 0), (2, 0), (0, 1), (1, 1)]


def test_v2_each_time_the_first_forced_cell_even_if_only_just_forced() -> None:
    position = after("a1").play(Move(-2, 1, "a"))
    assert laid_last(position) == [(-2, 1), (-2, 0), (-1, 0), (-1, 1), (0, 1)]


def test_v3_a_tile_that_forces_no_join_is_refused() -> None:
    with pytest.raises(IllegalMove, match="corner only") as refusal:
        after("d1").parse("d2")
    assert refusal.value.code == "vasco.not-connected"


def test_v3_a_cell_that_nothing_can_fill_after_the_forced_tiles_is_refused() -> None:
    with pytest.raises(IllegalMove, match="no tile could ever fill") as refusal:
        after("e1 d8 e6 c19 c23").parse("b13")
    assert refusal.value.code == "vasco.unplayable-cell"


def test_v3_every_cell_beside_the_group_can_be_filled_after_every_move() -> None:
    rng = random.Random(3)
    position = GAME.start()
    while position.outcome() is None:
        position = position.play(rng.choice(position.legal_moves()))
        table = position.table
        assert all(table.possible(cell) for cell in table.cells_beside())


def test_v4_forced_tiles_stop_when_the_pool_runs_out() -> None:
    position = after("c1 f5 c14", "-size=6")
    assert position.room == 0
    assert laid_last(position) == [(2, 1), (1, 0), (2, 0), (0, 1)]
    assert len(position.table.possible(cell_at(1, 1))) == 1
    assert position.effects() == ("Tiles forced by this move: 3 (a, c, c).", "The pool is empty.")


def test_v4_the_tiles_of_a_pool_are_never_more_than_its_size() -> None:
    for seed in range(20):
        rng = random.Random(seed)
        position = GAME.start("-size=9")
        while position.outcome() is None:
            position = position.play(rng.choice(position.legal_moves()))
        assert len(position.tiles) <= 9


def test_won_board_of_the_rules_is_an_x_loop_of_ten() -> None:
    position = GAME.read(WON)
    assert [(len(path), path.is_closed) for path in paths(position.tiles, X_ARC)] == [(10, True)]
    assert sorted(len(path) for path in paths(position.tiles, O_ARC)) == [2, 2, 2, 4]
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == (0.0, 1.0)
    assert outcome.reason == "X has a closed loop of 10 tiles."


@pytest.mark.parametrize(("moves", "scores"), [("a1 e9 d4", (1.0, 0.0)), ("e1 a4 d13", (0.0, 1.0))])
def test_v5_a_loop_wins_for_its_colour_whichever_side_closed_it(
    moves: str, scores: tuple[float, float]
) -> None:
    outcome = after(moves).outcome()
    assert outcome is not None
    assert outcome.scores == scores


def test_v5_a_forced_tile_may_close_the_loop() -> None:
    position = after("a1 e9 d4")
    assert len(position.last) == 3
    assert position.effects()[-1] == "O has a closed loop of 6 tiles."


@pytest.mark.parametrize(
    ("moves", "scores"),
    [
        ("c1 f8 f9 d21 b16 d7 a28", (0.0, 1.0)),
        ("d1 f9 f15 e11 e14 d20 e29 f30", (1.0, 0.0)),
        ("e1 f12 a3 d3 a7 f27 e23", (0.5, 0.5)),
    ],
)
def test_v5_of_loops_of_both_colours_the_longest_loses(
    moves: str, scores: tuple[float, float]
) -> None:
    position = after(moves)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == scores
    assert outcome.reason.startswith("Both have closed loops")
    assert len([word for word in position.effects() if "closed loop" in word]) == 2


@pytest.mark.parametrize(
    ("line", "scores"),
    [
        ("54 O -9,-3=acb -10,-2=fcbeacbeb -10,-1=debeacbebfca -9,0=ebeacbeadeac "
         "-8,1=beacbeacbea -7,2=bfcbeac", (0.0, 1.0)),
        ("54 O -4,0=ebebe -5,1=bebebebfcbf -6,2=bebebebeacad -7,3=bebebebeacac "
         "-8,4=debebebeacac -8,5=f 2,5=c", (1.0, 0.0)),
        ("6 X -1,0=fcac 0,1=c 2,1=c", (0.5, 0.5)),
    ],
)  # fmt: skip
def test_v6_with_an_empty_pool_the_longest_path_loses(
    line: str, scores: tuple[float, float]
) -> None:
    outcome = GAME.read(line).outcome()
    assert outcome is not None
    assert outcome.scores == scores
    assert outcome.reason.startswith("No loop was closed")


def test_v6_loops_are_judged_before_the_pool() -> None:
    position = after("a1 e9 d4", "-size=6")
    outcome = position.outcome()
    assert position.room == 0
    assert outcome is not None
    assert outcome.reason == "O has a closed loop of 6 tiles."


def test_v7_without_a_legal_move_the_game_ends_as_if_the_pool_were_empty() -> None:
    # No game is known to come here, so the cells round one tile are walled in by hand.
    lone = GAME.read("54 X 0,0=a").table
    walls = dict.fromkeys(lone.free_cells(), 0)
    position = VascoPosition(54, 1, LaidTiles(lone.tiles, walls))
    outcome = position.outcome()
    assert outcome is not None
    assert outcome == judgement(lone.tiles, None, is_at_its_end=True)
    assert position.legal_moves() == ()


def test_placements_that_lead_to_one_board_are_two_moves() -> None:
    position = after("a1 c6")
    first, second = position.parse("a13"), position.parse("c14")
    assert {first, second} <= set(position.legal_moves())
    assert position.play(first).tiles == position.play(second).tiles
    assert position.play(first).write() == "54 X @1,1 0,0=aca 0,1=cac"
    assert position.play(second).write() == "54 X @2,1 0,0=aca 0,1=cac"
    assert position.play(first) != position.play(second)


def test_positions_are_numbered_anew_in_reading_order() -> None:
    position = after("a1 c6 a14")
    numbers = position.survey().numbers
    assert list(numbers.values()) == list(range(1, 19))
    assert list(numbers) == sorted(numbers)
    assert {cell_at(move.x, move.y) for move in position.survey().placements} == set(numbers)


def test_perft_counts_placements_and_not_boards() -> None:
    """The 15156 moves of depth 3, as settled, lead to 13608 different sets of tiles."""
    assert [perft(GAME.start(), depth) for depth in (1, 2, 3)] == [6, 270, 15156]
    boards = sum(
        len({tuple(sorted(second.play(move).tiles.items())) for move in second.legal_moves()})
        for first in (GAME.start().play(move) for move in GAME.start().legal_moves())
        for second in (first.play(move) for move in first.legal_moves())
    )
    assert boards == 13608


@pytest.mark.parametrize(("options", "plies"), [("-size=30", 30), ("-size=600", 40)])
def test_survey_taken_over_from_the_last_move_equals_a_fresh_one(options: str, plies: int) -> None:
    rng = random.Random(options)
    position = GAME.start(options)
    for _ in range(plies):
        if position.outcome() is not None:
            break
        assert position.survey() == survey(position.table, position.room)
        position = position.play(rng.choice(position.legal_moves()))
