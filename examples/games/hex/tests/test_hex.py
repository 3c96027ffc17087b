"""What is special about the rules of Hex."""

from sarsen.core.referee import replayed
from sarsen.games import load


def test_second_player_who_swaps_wins_with_the_first_stone() -> None:
    moves = ["b2", "swap", "c2", "b1", "c1", "b3"]
    ended = replayed(load("hex").start("-size=3 -swap"), moves).outcome()
    assert ended is not None
    assert ended.winner == 1
