"""The rulings G1 to G7, set-ups, and what a move causes."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from sarsen.core.errors import IllegalMove, UnreadableMove
from sarsen.core.referee import judge, perft, replayed
from sarsen.games.gyges import GAME
from sarsen.games.gyges.board import EMPTY, NAMES, PLACES, RingMove, SetUp
from sarsen.games.gyges.position_line import write_rings
from sarsen.games.gyges.routes import arrivals
from sarsen.games.gyges.rules import GygesPosition

Stand = Callable[..., GygesPosition]

# South can only move 34, North cannot move at all.
STALEMATE = """
. 3 . 3 . 3
1 1 2 2 3 2
. . . 1 . 2
. . . 1 . .
. . . . . .
. . . . . .
"""

# A double fenced in at 11 beside a free single: the shore is row 1.
FENCED = """
3 2 3 2 3 3
1 . . . . .
. . . . . .
. . . . . .
2 . . . . .
2 1 . . 1 1
"""

# Four singles in a square.
ROUNDABOUT = """
3 3 3 3 . .
2 2 2 . . .
. 1 1 . . .
. 1 1 . . .
. . . . . .
. 2 . . . .
"""

TWO_SHORES = """
. . . . . .
3 2 1 1 2 3
. . . . . .
. . . . . .
2 3 1 1 2 3
. . . . . .
"""


def refused(position: GygesPosition, text: str) -> str:
    """Return the code of a refusal that hints at a move that works."""
    with pytest.raises(IllegalMove) as refusal:
        position.parse(text)
    example = refusal.value.hint.removeprefix("For example: ")
    assert position.parse(example)
    return refusal.value.code


def reach(value: int, slot: str) -> set[str]:
    """Return where a lone ring of South's can end."""
    rings = bytearray(EMPTY)
    rings[PLACES[slot]] = value
    return {NAMES[stops[-1]] for stops in arrivals(bytes(rings), PLACES[slot], 0)}


def moves(position: GygesPosition) -> set[str]:
    return {position.format(move) for move in position.legal_moves()}


def test_each_player_sets_up_ninety_ways() -> None:
    assert perft(GAME.start(), 2) == 90 * 90


def test_set_up_takes_two_of_each_value() -> None:
    with pytest.raises(IllegalMove) as refusal:
        GAME.start().parse("112223")
    assert refusal.value.code == "gyges.set-up-rings"


def test_set_up_stands_in_columns_1_to_6_for_both_players() -> None:
    position = replayed(GAME.start(), ["112233", "322311"])
    assert write_rings(position.rings) == "112233/f/f/f/f/322311"
    assert position.seat == 0


def test_rings_move_after_both_set_ups_and_no_set_up_comes_later(ready: GygesPosition) -> None:
    with pytest.raises(IllegalMove) as refusal:
        GAME.start().parse("16-35")
    assert refusal.value.code == "gyges.set-up-first"
    with pytest.raises(IllegalMove) as refusal:
        ready.parse("112233")
    assert refusal.value.code == "gyges.set-up"


def test_counts_of_the_rules_after_the_sample_set_ups(ready: GygesPosition) -> None:
    assert perft(ready, 1) == 336


@pytest.mark.parametrize(
    ("value", "ends"),
    [
        (1, "24 33 35 44"),
        (2, "14 23 25 32 36 43 45 54"),
        (3, "13 15 22 24 26 31 33 35 42 44 46 53 55 64"),
    ],
)
def test_ring_makes_exactly_as_many_connections_as_its_value(value: int, ends: str) -> None:
    assert reach(value, "34") == set(ends.split())


def test_slots_between_must_be_empty(stand: Stand) -> None:
    position = stand("S", FENCED)
    assert refused(position, "11-13") == "gyges.route"
    assert refused(position, "12-14") == "gyges.route"


def test_g1_only_rings_of_the_shore_move(stand: Stand) -> None:
    position = stand("S", FENCED)
    assert refused(position, "21-22") == "gyges.shore"
    assert {move[:2] for move in moves(position)} == {"12", "15", "16"}


def test_g1_a_shore_that_is_stuck_frees_no_other_row(stand: Stand) -> None:
    position = stand("S", STALEMATE)
    assert not any(move.startswith("5") for move in moves(position))
    # North's shore is stuck in row 6; rings in row 5 could move, but it is South's turn again.
    assert judge(position, "34-44-43").position.seat == 0


def test_g2_no_connection_serves_twice_back_and_forth(stand: Stand) -> None:
    # The single at 24 would go back over the connection that the single of 23 came by.
    assert refused(stand("S", TWO_SHORES), "23-24-23") == "gyges.connection-twice"


def test_g2_a_ring_may_be_bounced_on_again_over_other_connections(stand: Stand) -> None:
    position = stand("S", ROUNDABOUT)
    text = "12-32-33-43-42-32-31"
    assert position.format(position.parse(text)) == text
    assert position.play(position.parse(text)).rings[PLACES["31"]] == 2
    assert refused(position, text + "-32-22") == "gyges.empty-bounce"
    assert refused(position, "12-32-33-43-42-32-33-34") == "gyges.connection-twice"


def test_g3_own_goal_is_never_a_stop(ready: GygesPosition) -> None:
    assert refused(ready, "11-S") == "gyges.own-goal"
    assert refused(ready, "13-S-14") == "gyges.own-goal"


def test_g3_goal_is_only_the_last_stop(ready: GygesPosition) -> None:
    assert refused(ready, "16-N-65") == "gyges.goal-last"
    assert refused(ready, "N-16") == "gyges.origin"


def test_g4_relocates_to_the_origin_and_to_rows_up_to_the_opponents_shore(stand: Stand) -> None:
    position = stand("S", TWO_SHORES)
    relocated = {move.relocation for move in position.legal_moves() if move.stops == ("22", "23")}
    assert "22" in relocated
    assert {slot[0] for slot in relocated} == {"1", "2", "3", "4"}
    # Row 5, North's shore, is full; with a gap in it that gap is free as well.
    gap = judge(stand("N", TWO_SHORES), "53-43").position
    assert "22x23=53" in moves(gap)


def test_g4_does_not_relocate_beyond_the_opponents_shore(stand: Stand) -> None:
    position = stand("S", TWO_SHORES)
    assert refused(position, "23x24=61") == "gyges.relocation-shore"
    assert position.parse("23x24=11")


def test_g4_relocates_beyond_the_own_shore(stand: Stand) -> None:
    after = judge(stand("S", TWO_SHORES), "22x24=13").position
    assert after.effects() == (
        "The single of 24 is relocated to 13.",
        "South's shore is now row 1.",
    )


def test_g4_relocates_to_an_empty_slot_and_never_to_a_goal(stand: Stand) -> None:
    position = stand("S", TWO_SHORES)
    assert refused(position, "22x24=25") == "gyges.relocation-taken"
    assert refused(position, "22x24=24") == "gyges.relocation-taken"
    assert refused(position, "22x24=N") == "gyges.relocation-goal"


def test_relocation_needs_a_ring_to_relocate(stand: Stand) -> None:
    position = stand("S", TWO_SHORES)
    assert refused(position, "23x33=13") == "gyges.nothing-to-relocate"
    assert refused(position, "23-24") == "gyges.taken-end"


def test_g5_renop_refuses_what_leaves_everything_as_it_is(stand: Stand) -> None:
    position = stand("S", TWO_SHORES)
    assert refused(position, "23x24=23") == "gyges.renop"
    assert "23x24=23" not in moves(position)


def test_g5_renop_refuses_an_arrangement_that_stood_with_either_side_to_move(stand: Stand) -> None:
    position = stand("S", TWO_SHORES)
    after = position.play(position.parse("23-13"))
    after = after.play(after.parse("53-63"))
    after = after.play(after.parse("13-23"))
    assert refused(after, "63-53") == "gyges.renop"
    assert "63-53" not in moves(after)


def test_g5_renop_reaches_back_to_the_set_ups(ready: GygesPosition) -> None:
    position = replayed(ready, ["13-23", "63-53"])
    position = replayed(position, ["14-24", "64-54"])
    assert ready.rings in position.stood
    assert len(position.stood) == 5


def test_g5_renop_knows_what_stood_after_write_and_read(stand: Stand) -> None:
    position = replayed(stand("S", TWO_SHORES), ["23-13", "53-63", "13-23"])
    assert refused(GAME.read(position.write()), "63-53") == "gyges.renop"


def test_g6_stalemated_player_is_skipped(stand: Stand) -> None:
    after = judge(stand("S", STALEMATE), "34-44-43").position
    assert after.seat == 0
    assert after.outcome() is None
    assert after.effects() == (
        "South's shore is now row 4.",
        "North cannot move, so South moves again.",
    )


def test_g6_turn_passes_once_the_stalemated_player_can_move(stand: Stand) -> None:
    after = judge(stand("S", STALEMATE), "34x44=65").position
    assert after.seat == 1
    assert len(after.legal_moves()) == 23


def test_g6_renop_alone_can_stalemate(stand: Stand) -> None:
    after = judge(stand("S", STALEMATE), "34x44=65").position
    stood = [write_rings(after.play(move).rings) for move in after.legal_moves()]
    after = judge(stand("S", STALEMATE, *stood), "34x44=65").position
    assert after.seat == 0
    assert after.outcome() is None


def test_g6_several_moves_need_a_stalemated_opponent_between(stand: Stand) -> None:
    with pytest.raises(IllegalMove) as refusal:
        stand("S", TWO_SHORES).parse("23-33; 24-34")
    assert refusal.value.code == "gyges.several-moves"


def test_g6_nothing_follows_the_winning_move(stand: Stand) -> None:
    with pytest.raises(IllegalMove) as refusal:
        stand("S", STALEMATE).parse("34-44-43; 43-53-N; 44-45")
    assert refusal.value.code == "gyges.game-over"


def test_g6_moves_in_a_row_are_one_move_that_reads_back(stand: Stand) -> None:
    position = stand("S", STALEMATE)
    move = position.parse(" 34-44-43 ;43-53-n")
    assert move == RingMove(("34", "44", "43"), then=RingMove(("43", "53", "N")))
    assert position.format(move) == "34-44-43; 43-53-N"
    assert position.parse(position.format(move)) == move


def test_g6_moves_in_a_row_are_not_listed(stand: Stand) -> None:
    assert all(move.then is None for move in stand("S", STALEMATE).legal_moves())


def test_g6_neither_can_move_is_a_draw(stand: Stand) -> None:
    after = judge(stand("S", STALEMATE), "34x44=11").position
    assert moves(after) == {"11-12", "11-21"}
    # Both of these stood before, so Renop leaves South nothing, and North is stalemated.
    stood = [write_rings(after.play(move).rings) for move in after.legal_moves()]
    position = judge(stand("S", STALEMATE, *stood), "34x44=11").position
    outcome = position.outcome()
    assert outcome is not None
    assert outcome.scores == (0.5, 0.5)
    assert position.effects()[-1] == "Neither South nor North can move."
    assert GAME.read(position.write()).outcome() == outcome
    with pytest.raises(IllegalMove) as refusal:
        position.parse("11-12")
    assert refusal.value.code == "gyges.game-over"


def test_g7_stops_may_be_left_out(stand: Stand) -> None:
    position = stand("S", TWO_SHORES)
    assert position.format(position.parse("23-12")) == "23-22-21-12"
    assert position.format(position.parse("24-21-12")) == "24-23-22-21-12"
    assert position.format(position.parse("24x52=11")) == "24-23-22x52=11"


def test_g7_stops_named_are_kept(stand: Stand) -> None:
    position = stand("S", TWO_SHORES)
    named = position.parse("23-24-25-45")
    assert named.stops == ("23", "24", "25", "45")
    assert position.parse("23-22-21-41").stops == ("23", "22", "21", "41")
    assert position.parse("23-41").stops == ("23", "22", "41")


def test_g7_completion_has_the_fewest_stops_and_then_the_smallest(stand: Stand) -> None:
    position = stand("S", TWO_SHORES)
    # Over 22 or over 24, one bounce each.
    assert position.parse("23-34").stops == ("23", "22", "34")
    for move in position.legal_moves():
        join, tail = ("x", f"={move.relocation}") if move.relocation else ("-", "")
        assert position.parse(f"{move.stops[0]}{join}{move.stops[-1]}{tail}") == move


def test_g7_brackets_name_the_slots_passed_and_are_not_kept(stand: Stand) -> None:
    position = stand("S", TWO_SHORES)
    assert position.parse("22-(32-42-)43") == RingMove(("22", "43"))
    assert position.parse("22-(32-33)-43") == RingMove(("22", "43"))
    assert refused(position, "22-(12-13-)43") == "gyges.route"


def test_g7_brackets_leave_nothing_to_add_between_two_stops(stand: Stand) -> None:
    position = stand("S", TWO_SHORES)
    assert position.parse("23-34").stops == ("23", "22", "34")
    assert refused(position, "23-(33-)34") == "gyges.route"


def test_play_refuses_stops_that_are_no_way(ready: GygesPosition) -> None:
    with pytest.raises(IllegalMove):
        ready.play(RingMove(("16", "55")))
    with pytest.raises(IllegalMove):
        ready.play(SetUp("112233"))
    with pytest.raises(UnreadableMove):
        ready.play(RingMove(("16", "99")))
    with pytest.raises(UnreadableMove):
        ready.play(RingMove(()))


def test_every_way_to_win_is_one_result(stand: Stand) -> None:
    position = stand("S", TWO_SHORES)
    texts = ["22-52-N", "23-22-52-N", "26-56-N"]
    won = [judge(position, text).position for text in texts]
    assert {after.write() for after in won} == {position.write().replace("S ", "S+ ", 1)}
    assert len({after.shown for after in won}) == 3
    listed = [move for move in position.legal_moves() if move.stops[-1] == "N"]
    assert [position.format(move) for move in listed] == ["22-52-N"]


def test_moves_are_found_once_however_often_they_are_asked_for(ready: GygesPosition) -> None:
    listed = ready.legal_moves()
    assert ready.legal_moves() is listed
    after = ready.play(listed[0])
    assert set(after.legal_moves()) != set(listed)
