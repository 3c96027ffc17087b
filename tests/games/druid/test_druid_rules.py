"""The law of Druid, ruling by ruling (D1 to D5 of the specification)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from sarsen.core.errors import IllegalMove, UnreadableMove, UserError
from sarsen.core.referee import judge, replayed
from sarsen.games.druid import GAME
from sarsen.games.druid.board import EAST, Lintel, Sarsen
from sarsen.games.druid.notation import Word
from sarsen.games.druid.rules import DruidPosition

# Every square V's; H passed eight times. No game leads here: V has won long before.
ALL_V = "-size=3;17;;Va1 Vb1 Vc1 Va2 Vb2 Vc2 Va3 Vb3 Vc3"


def after(moves: str, options: str = "") -> DruidPosition:
    position = replayed(GAME.start(options), moves.split())
    assert isinstance(position, DruidPosition)
    return position


def texts(position: DruidPosition) -> set[str]:
    return {position.format(move) for move in position.legal_moves()}


def refused(position: DruidPosition, text: str) -> UserError:
    """Return the refusal of a move, whose hint must be a move that is not refused."""
    with pytest.raises(UserError) as caught:
        judge(position, text)
    judge(position, caught.value.hint.removeprefix("For example: "))
    return caught.value


def test_first_stone_is_a_sarsen_on_any_edge_square() -> None:
    edge = {f"{letter}{number}" for letter in "abcd" for number in (1, 4)}
    edge |= {f"{letter}{number}" for letter in "ad" for number in (2, 3)}
    assert texts(GAME.start("-size=4")) == edge


@pytest.mark.parametrize("text", ["d4", "a1-a3", "b2-d2"])
def test_first_stone_elsewhere_is_refused(text: str) -> None:
    assert refused(GAME.start(), text).code == "druid.opening"


def test_second_stone_may_stand_anywhere_bare() -> None:
    assert "d4" in texts(after("a1"))
    assert len(texts(after("a1"))) == 63


def test_sarsen_stands_on_own_stone_of_any_kind() -> None:
    position = after("a1 d1 a3 d2 a1-a3 d3")
    assert {"a1", "a2", "a3"} <= texts(position)
    higher = position.play(position.parse("a2"))
    assert higher.monument.heights[16] == 3


def test_sarsen_on_enemy_stone_is_refused_with_the_owner_named() -> None:
    refusal = refused(after("a1"), "a1")
    assert refusal.code == "druid.sarsen-on-enemy"
    assert "a1 is V's" in refusal.text


def test_lintel_needs_a_stone_below_each_end() -> None:
    refusal = refused(after("a1 h8"), "a3-a1")
    assert refusal.code == "druid.lintel-ground"
    assert "none on a3" in refusal.text


def test_lintel_needs_own_stone_at_each_end() -> None:
    refusal = refused(after("a1 c1 d1 h8"), "a1-c1")
    assert refusal.code == "druid.lintel-ends"
    assert "c1 is H's" in refusal.text


def test_lintel_lies_flat_on_equally_high_ends() -> None:
    refusal = refused(after("a1 h8 c1 h7 a1 h6"), "a1-c1")
    assert refusal.code == "druid.lintel-level"


def test_lintel_never_rests_on_a_higher_middle() -> None:
    refusal = refused(after("a1 b1 c1 b1"), "a1-c1")
    assert refusal.code == "druid.lintel-middle"


def test_lintel_covers_an_enemy_stone_and_takes_its_square() -> None:
    position = after("a1 b1 c1 h8 a1-c1")
    assert position.monument.owner(1) == 0
    assert position.monument.heights[:3] == (2, 2, 2)
    assert position.effects() == ("The lintel covers H's stone on b1.",)


def test_lintel_spans_a_gap_above_a_lower_stone() -> None:
    position = after("a1 b1 c1 h8 a1 h7 c1 h6")
    assert "a1-c1" in texts(position)
    assert position.play(position.parse("a1-c1")).monument.heights[:3] == (3, 3, 3)


def test_nogaps_wants_the_middle_exactly_as_high_as_the_ends() -> None:
    refusal = refused(after("a1 h8 c1 h7", "-nogaps"), "a1-c1")
    assert refusal.code == "druid.lintel-gap"
    assert "a1-c1" in texts(after("a1 b1 c1 h7", "-nogaps"))
    assert "a1-c1" in texts(after("a1 h8 b1 h7 c1 h6", "-nogaps"))


def test_d3_lintel_may_rest_on_three_own_stones() -> None:
    assert "a1-c1" in texts(after("a1 h8 b1 h7 c1 h6"))


@pytest.mark.parametrize(
    "moves",
    ["a1 b1 c1 h8", "b1 a1 c1 h8", "a1 c1 b1 h8", "a1 h8 c1 h7"],
    ids=["v,h,v", "h,v,v", "v,v,h", "v,gap,v"],
)
def test_d4_exact_lintel_rests_on_two_own_stones_and_one_odd_place(moves: str) -> None:
    position = after(moves, "-exact")
    assert "a1-c1" in texts(position)
    assert position.play(position.parse("a1-c1")).monument.tops[0] == 0b111


def test_d4_exact_lintel_on_three_own_stones_is_refused() -> None:
    refusal = refused(after("a1 h8 b1 h7 c1 h6", "-exact"), "a1-c1")
    assert refusal.code == "druid.lintel-exact"
    assert "there are three" in refusal.text


def test_d4_exact_lintel_on_one_own_stone_is_refused() -> None:
    refusal = refused(after("a1 b1 h8 c1", "-exact"), "a1-c1")
    assert "there is only one" in refusal.text


def test_d4_exact_own_stone_below_the_bed_is_a_gap() -> None:
    position = after("a1 h8 b1 h7 c1 h6 a1 h5 c1 h4", "-exact")
    assert "a1-c1" in texts(position)


def test_d4_exact_gap_at_an_end_is_refused() -> None:
    assert refused(after("a1 h8 b1 h7", "-exact"), "a1-c1").code == "druid.lintel-ground"


def test_d4_exact_enemy_end_over_a_gap_is_refused() -> None:
    assert refused(after("a1 c1 h8 h1", "-exact"), "a1-c1").code == "druid.lintel-exact"


def test_exact_and_nogaps_together_want_one_enemy_stone_and_no_gap() -> None:
    both = "-exact -nogaps"
    assert refused(after("a1 h8 c1 h7", both), "a1-c1").code == "druid.lintel-gap"
    assert "a1-c1" in texts(after("b1 a1 c1 h8", both))


def test_chain_joins_stones_of_different_heights_but_not_over_corners() -> None:
    assert after("a1 c1 a1 c2 a2 c2 a3", "-size=3").outcome() is not None
    assert after("a1 c1 b2 c2 a3", "-size=3").outcome() is None


def test_v_wins_by_joining_bottom_and_top() -> None:
    outcome = after("a1 b1 a2 b2 a3", "-size=3").outcome()
    assert outcome is not None
    assert outcome.scores == (1, 0)
    assert outcome.reason == "V joined top and bottom."


def test_h_wins_by_joining_left_and_right() -> None:
    position = after("a1 a2 b1 b2 a3 c2", "-size=3")
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == (0, 1)
    assert position.effects() == ("H joins left and right and wins.",)


def test_top_row_of_v_and_left_column_of_h_win_nothing() -> None:
    assert after("a1 a2 b1 a3 c1", "-size=3").outcome() is None


def test_buried_stone_connects_nothing() -> None:
    # H cuts V's column at b2 and V joins nothing with b3 any more.
    position = after("b1 a2 b2 c2 a1 a2-c2 b3", "-size=4")
    assert position.outcome() is None
    assert after("b1 a2 b2 c2 a1 a4 b3 d4 b4", "-size=4").winner == 0


def test_finished_game_takes_no_move() -> None:
    position = after("a1 b1 a2 b2 a3", "-size=3")
    assert position.legal_moves() == ()
    for text in ("c3", "pass", "swap"):
        with pytest.raises(IllegalMove) as caught:
            position.parse(text)
        assert caught.value.code == "druid.game-over"


def test_d1_pass_is_refused_while_there_is_another_move() -> None:
    assert refused(GAME.start(), "pass").code == "druid.pass"
    assert refused(after("a1"), "pass").code == "druid.pass"


def test_d1_pass_is_the_only_move_when_every_square_is_the_enemys() -> None:
    won = GAME.read(ALL_V)
    assert won.winner == 0
    position = replace(won, winner=None)
    assert position.legal_moves() == (Word.PASS,)
    assert position.parse("pass") == Word.PASS
    passed = position.play(Word.PASS)
    assert passed.seat == 0
    assert passed.outcome() is None
    assert passed.effects() == ("H cannot place a stone and passes.",)
    with pytest.raises(IllegalMove, match="top stone on a1 is V's"):
        position.parse("a1")


def test_d1_two_passes_in_a_row_are_a_draw() -> None:
    position = replace(GAME.read(ALL_V), winner=None, passes=1).play(Word.PASS)
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == (0.5, 0.5)
    assert "a draw" in position.effects()[-1]


def test_d1_a_stone_between_two_passes_is_no_draw() -> None:
    passed = replace(GAME.read(ALL_V), winner=None).play(Word.PASS)
    assert passed.play(Sarsen(0)).passes == 0


def test_d2_heights_are_unlimited() -> None:
    position = after("a1 h8 " * 150)
    assert position.monument.heights[0] == 150
    assert {"a1", "b1"} <= texts(position)


def test_d5_game_of_ten_plies_a_square_is_a_draw() -> None:
    late = after("a1 c3 " * 44 + "a1", "-size=3")
    assert late.outcome() is None
    outcome = late.play(late.parse("c3")).outcome()
    assert outcome is not None
    assert outcome.scores == (0.5, 0.5)
    assert late.play(late.parse("c3")).effects() == ("Nobody has won within 90 moves: a draw.",)


def test_d5_swap_counts_as_a_ply() -> None:
    position = after("a1 swap " + "c3 a1 " * 44, "-size=3 -swap")
    assert position.ply == 90
    assert position.outcome() is not None


def test_d5_win_with_the_last_ply_is_a_win() -> None:
    position = after("a1 a2 a1 c2 " + "a1 a2 " * 42 + "a1 b2", "-size=3")
    outcome = position.outcome()
    assert position.ply == 90
    assert outcome is not None
    assert outcome.scores == (0, 1)


def test_swap_gives_v_and_its_stone_to_the_second_player() -> None:
    position = after("c1 swap", "-swap")
    assert position.sides == ("H", "V")
    assert position.seat == 0
    assert position.side == 1
    assert "c1" not in texts(position)
    assert len(texts(position)) == 63


def test_win_after_a_swap_counts_for_the_seat_that_plays_the_side() -> None:
    outcome = after("b1 swap a2 b3 c2 c1 a2-c2", "-size=3 -swap").outcome()
    assert outcome is not None
    assert outcome.scores == (1, 0)
    assert outcome.reason == "H joined left and right."


def test_after_a_swap_no_stone_is_bound_to_the_edge() -> None:
    assert {"d4", "e5"} <= texts(after("c1 swap", "-swap"))
    assert "e5" in texts(after("c1 swap d4", "-swap"))


def test_swap_is_offered_only_as_the_answer_to_the_first_stone() -> None:
    assert "swap" not in texts(GAME.start("-swap"))
    assert "swap" in texts(after("a1", "-swap"))
    assert "swap" not in texts(after("a1 b1", "-swap"))
    assert refused(GAME.start("-swap"), "swap").code == "druid.swap-time"
    assert refused(after("a1 swap", "-swap"), "swap").code == "druid.swap-time"
    assert refused(after("a1"), "swap").code == "druid.swap-not-agreed"


@pytest.mark.parametrize(
    "text", ["b2-b4", "B2-B4", " b2 - b4 ", "b4-b2", "b2b4", "b2 b4", "b2-b3-b4", "B 2 - B 4"]
)
def test_lintel_may_be_typed_in_many_ways(text: str) -> None:
    position = after("a1 h8 b2 h7 b4 h6")
    assert position.format(position.parse(text)) == "b2-b4"


@pytest.mark.parametrize("text", ["c3", "C3", " c 3 ", "c03"])
def test_sarsen_may_be_typed_in_many_ways(text: str) -> None:
    position = after("a1")
    assert position.format(position.parse(text)) == "c3"


@pytest.mark.parametrize("text", ["i1", "a9", "a0", "a1-a9", "z999"])
def test_square_off_the_site_is_refused_with_the_corners_named(text: str) -> None:
    refusal = refused(GAME.start(), text)
    assert refusal.code == "druid.off-board"
    assert "from a1 to h8" in refusal.text


@pytest.mark.parametrize("text", ["a1-b2", "a1-a2", "a1-a4", "a1-a1", "a1-c3", "a1-c2-a3", "h1-b2"])
def test_squares_no_lintel_can_span_are_refused_with_those_it_can(text: str) -> None:
    refusal = refused(after("a1 h8"), text)
    assert refusal.code == "druid.lintel-shape"
    assert "a lintel can reach" in refusal.text


@pytest.mark.parametrize(
    "text", ["", "castle", "a", "11", "a1-", "a1--a3", "-a1", "a1-x", "á1", "a١"]
)
def test_text_that_is_no_move_is_refused_with_its_part_quoted(text: str) -> None:
    with pytest.raises(UnreadableMove) as caught:
        GAME.start().parse(text)
    assert caught.value.code == "druid.unreadable-move"
    assert "'" in caught.value.text


@pytest.mark.parametrize("move", [Sarsen(9), Sarsen(200), Sarsen(-1), Lintel(6, EAST)])
def test_piece_of_a_larger_site_is_refused(move: Sarsen | Lintel) -> None:
    with pytest.raises(IllegalMove) as caught:
        after("a1").play(move)
    assert caught.value.code == "druid.off-board"


def test_play_judges_like_parse() -> None:
    with pytest.raises(IllegalMove) as caught:
        after("a1 h8").play(Lintel(0, EAST))
    assert caught.value.code == "druid.lintel-ground"


def test_hint_is_a_move_of_the_same_kind_nearby_where_there_is_one() -> None:
    position = after("a1 h8 a3 h6 c1 h4")
    assert refused(position, "a1-a3-x9").hint
    assert refused(position, "b1-d1").hint in ("For example: a1-a3", "For example: a1-c1")
    assert refused(after("d1"), "d1").hint in ("For example: c1", "For example: e1")


def test_lintel_from_the_middle_of_the_smallest_site_is_refused_with_the_rule() -> None:
    # D3: no square lies two away from b2 there, so that none can be named.
    with pytest.raises(IllegalMove) as refused:
        GAME.start("-size=3").parse("b2-b3")
    assert refused.value.code == "druid.lintel-shape"
    assert "No lintel ends at b2 here." in refused.value.text
