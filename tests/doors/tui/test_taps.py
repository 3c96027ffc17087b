"""From taps to a move, and from a record to a position."""

from __future__ import annotations

import pytest

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge, replayed
from sarsen.doors.tui.board_state import RecordCursor, Taps, record_cursor, taps_of
from sarsen.games import load


def tapped(position: AnyPosition, *spots: str) -> Taps:
    taps = taps_of(position)
    for spot in spots:
        assert spot in taps.next_spots
        taps = taps.tap(spot)
    return taps


def meant(taps: Taps) -> str:
    assert taps.chosen_move is not None
    return taps.position.format(taps.chosen_move.move)


def test_a_move_of_one_spot_is_meant_at_once() -> None:
    taps = tapped(load("visavis").start("-size=9"), "C3")
    assert meant(taps) == "C3"
    assert taps.next_spots == ()


def test_a_druid_square_is_a_sarsen_until_a_second_one_makes_it_a_lintel() -> None:
    position = replayed(load("druid").start(), ["c1", "a3", "b1", "a5", "d1", "h8"])
    taps = tapped(position, "b1")
    assert meant(taps) == "b1"
    assert "d1" in taps.next_spots
    assert meant(taps.tap("d1")) == "b1-d1"
    assert meant(taps.tap("d1").without_last_tap()) == "b1"


def test_a_gyges_ring_and_its_end_make_a_move_and_the_ring_alone_none() -> None:
    position = replayed(load("gyges").start(), ["123321", "332211"])
    taps = tapped(position, "11")
    assert taps.chosen_move is None
    assert meant(taps.tap("21")).startswith("11")


def test_another_spot_changes_nothing() -> None:
    taps = tapped(load("gyges").start())
    assert taps.tap("64") == taps


def test_beside_a_vasco_tile_lie_its_other_rotations() -> None:
    position = load("vasco").start()
    taps = tapped(position, "1", taps_of(position).tap("1").next_spots[0])
    rotations = taps_of(position).tap("1").next_spots
    seen = [meant(taps)]
    for _ in rotations[1:]:
        taps = taps.next_alternative(1)
        seen.append(meant(taps))
    assert seen == [f"{rotation}1" for rotation in rotations]
    assert meant(taps.next_alternative(1)) == seen[0]


def test_a_move_without_spots_can_be_chosen_outright_and_taken_back() -> None:
    position = replayed(load("druid").start(), ["c1", "a3"])
    taps = taps_of(position)
    move = (
        position.parse("pass")
        if "pass" in map(position.format, position.legal_moves())
        else (position.legal_moves()[0])
    )
    chosen = taps.choose(move)
    assert meant(chosen) == position.format(move)
    assert chosen.next_spots == ()
    assert chosen.without_last_tap().chosen_move is None


@pytest.fixture
def walk() -> RecordCursor:
    return record_cursor(load("druid").start("-size=5"), ("c1", "b2", "d4"))


def test_one_steps_through_a_record_and_no_further_than_it_goes(walk: RecordCursor) -> None:
    assert walk.is_at_end
    assert walk.text == "d4"
    assert walk.at_ply(-5).at == 0
    assert walk.at_ply(1).position == walk.positions[1]
    assert walk.at_ply(99).at == 3


def test_tried_moves_leave_the_record_as_it_is(walk: RecordCursor) -> None:
    trying = walk.at_ply(1).explore()
    for text in ("e5", "a1"):
        trying = trying.play(judge(trying.position, text))
    assert trying.tried_texts == ("e5", "a1")
    assert trying.last == 3
    other = trying.at_ply(2)
    other = other.play(judge(other.position, "a2"))
    assert other.tried_texts == ("e5", "a2")
    assert other.without_tried_moves().texts == walk.texts
    assert other.without_tried_moves().at == 1


def test_news_bring_who_looks_at_the_end_along_and_nobody_else(walk: RecordCursor) -> None:
    start, longer = walk.positions[0], (*walk.texts, "a5")
    assert record_cursor(start, longer, walk).at == 4
    assert record_cursor(start, longer, walk.at_ply(1)).at == 1
    trying = walk.at_ply(1).explore()
    assert record_cursor(start, longer, trying).is_exploring
    # A move that was taken back takes what was tried after it along.
    assert not record_cursor(start, (), trying).is_exploring


def test_a_record_of_other_rules_is_refused_in_words() -> None:
    with pytest.raises(UserError, match="Move 2"):
        record_cursor(load("druid").start("-size=5"), ("c1", "c1x"))
