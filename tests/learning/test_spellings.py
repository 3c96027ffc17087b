"""No right move is refused for how it is written: positions are compared, never texts."""

from __future__ import annotations

import pytest

from right_moves import right_moves, start
from sarsen.core.errors import UserError
from sarsen.learning.lessons import Success, lesson_of, taught
from sarsen.learning.tries import Verdict, judge_line
from spellings import spellings

QUICK, WHOLE = 400, 34_000  # spellings of the right moves of a game that are tried


def _count_refused(game: str, most: int) -> tuple[int, int]:
    """Return how many spellings were right by the rules, and how many of them were not taken."""
    tried = refused = 0
    found = {
        step: right_moves(game, step)
        for step in lesson_of(game).steps
        # The second has hundreds of replies to each move; its kind is tried elsewhere.
        if step.success is not Success.REFUSED and (game, step.id) != ("vasco", "two-loops")
    }
    most //= sum(map(len, found.values()))
    for step, moves in found.items():
        position = start(game, step)
        right = {position.play(move).write() for move in moves}
        for text in spellings(game, position, list(map(position.format, moves)), most):
            try:
                is_right = position.play(position.parse(text)).write() in right
            except UserError:
                continue
            verdict = judge_line(game, step, (text,)).verdict
            tried += is_right
            refused += is_right != (verdict in (Verdict.SOLVED, Verdict.RIGHT))
    return tried, refused


@pytest.mark.parametrize("game", taught())
def test_every_spelling_that_the_game_reads_counts(game: str) -> None:
    tried, refused = _count_refused(game, QUICK)
    assert refused == 0
    assert tried >= 100


@pytest.mark.slow
@pytest.mark.parametrize("game", taught())
def test_no_right_move_is_refused_in_a_large_corpus(game: str) -> None:
    tried, refused = _count_refused(game, WHOLE)
    print(f"{game}: {tried} right moves in other spellings, {refused} not taken")
    assert refused == 0
    assert tried >= 10_000


def test_small_and_capital_letters_are_one() -> None:
    for game, id_, texts in (
        ("druid", "lintel", ("a1-a3", "A3-A1", "a3a1", "A1-a2-A3", " a1 - a3 ")),
        ("vasco", "win", ("d4", "D4", "4d", "4 D")),
        ("visavis", "win", ("B4", "b4", "a4-c4", "C4A4")),
        ("gyges", "replace", ("13x14=44", "13X14=44", "13 × 14 = 44")),
        ("gyges", "win", ("14-44-N", "14-44-n")),
    ):
        step = lesson_of(game).step(id_)
        assert step is not None
        for text in texts:
            assert judge_line(game, step, (text,)).verdict is Verdict.SOLVED, (game, text)
