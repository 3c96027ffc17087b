"""Perft counts sequences of moves, and those of finished games end early."""

from sarsen.core.referee import perft, replayed
from sarsen.games import load


def test_depth_nought_is_one_sequence() -> None:
    assert perft(load("druid").start("-size=3"), 0) == 1


def test_finished_games_count_nothing_below_their_end() -> None:
    end = replayed(load("druid").start("-size=3"), ["b1", "a2", "b2", "c2", "b3"])
    assert [perft(end, depth) for depth in (1, 2)] == [0, 0]


def test_depths_agree_with_counting_move_by_move() -> None:
    start = load("druid").start("-size=3")
    below = [len(start.play(move).legal_moves()) for move in start.legal_moves()]
    assert perft(start, 1) == len(below)
    assert perft(start, 2) == sum(below)
