"""What is special about the rules of Tryout."""

from sarsen.core.referee import replayed
from sarsen.games import load
from sarsen.testing import check_game


def test_three_stones_in_a_row_win() -> None:
    ended = replayed(load("tryout").start(), ["a1", "d1", "b2", "d2", "c3"]).outcome()
    assert ended is not None
    assert ended.winner == 0


def test_two_stones_and_one_apart_do_not_win() -> None:
    assert replayed(load("tryout").start(), ["a1", "d1", "b2", "d2", "d4"]).outcome() is None


def test_the_game_obeys_the_laws_of_every_game() -> None:
    check_game("tryout", seconds=5)
