"""First moves are told apart only where their intervals are."""

from __future__ import annotations

import random
from collections.abc import Callable
from pathlib import Path
from types import SimpleNamespace

import pytest

from sarsen.lab.checking.loading import load_game
from sarsen.lab.reporting.measures import ReportGames
from sarsen.lab.reporting.openings import alike, best, most_balanced, openings, student
from sarsen.lab.reporting.page import opening_lines
from sarsen.lab.reporting.plan import OPENING, GameRecord, ReportSetup, Task

ROOT = Path(__file__).parents[2]
CONTROL = ROOT / "examples" / "control_set"


def valued(means: list[float], seed: int, spread: float = 0.08) -> ReportGames:
    chance, games = random.Random(seed), ReportGames(ReportSetup("x", "", 1, 3))
    for index, value in enumerate(means):
        values = tuple(chance.gauss(value, spread) for _ in range(4))
        games.add(Task(OPENING, index, opening=(f"m{index}",)), GameRecord(values=values))
    return games


@pytest.mark.parametrize("count", [4, 40])
def test_equal_first_moves_are_not_told_apart(count: int) -> None:
    means = [0.5] * count
    right = same = 0
    for seed in range(60):
        found = openings(valued(means, seed))
        right += all(one.low <= 0.5 <= one.high for one in found)
        same += len(best(found)) == len(most_balanced(found)) == count
    assert min(right, same) >= 54  # 95 % of 60 are 57


def test_first_moves_are_named_where_intervals_separate_them() -> None:
    found = openings(valued([0.9, 0.88, 0.52, 0.2], 1, spread=0.02))
    assert [one.text for one in best(found)] == ["m0", "m1"]
    assert [one.text for one in most_balanced(found)] == ["m2"]
    assert list(opening_lines(found)) == [
        "The best first moves, which it cannot tell apart: m0, m1.",
        "The most balanced first move: m2.",
    ]
    equal = openings(valued([0.5, 0.5, 0.5], 1))
    assert next(opening_lines(equal)).startswith("The search cannot tell which first moves are")


def test_the_quantile_of_student_is_that_of_the_tables() -> None:
    # Abramowitz and Stegun (1964), table 26.10.
    for freedom, quantile in ((4, 2.776), (6, 2.447), (12, 2.179), (120, 1.980)):
        assert student(0.975, freedom) == pytest.approx(quantile, rel=0.005)


def test_a_first_move_valued_once_by_an_earlier_version_has_no_interval() -> None:
    games = valued([0.5, 0.9], 1, spread=0.0)
    games.add(Task(OPENING, 2, opening=("old",)), GameRecord(values=(0.1,)))
    by_text = {one.text: one for one in openings(games)}
    assert (by_text["old"].low, by_text["old"].high) == (0.0, 1.0)


@pytest.mark.parametrize(
    ("name", "mapped"),
    [
        ("another board", lambda move: chr(ord("h") + ord("a") - ord(move[0])) + move[1]),
        ("not a symmetry", lambda move: move.translate(str.maketrans("ab", "ba"))),
    ],
)
def test_a_symmetry_that_does_not_hold_is_not_used(name: str, mapped: Callable[[str], str]) -> None:
    start = load_game(str(CONTROL / "tic_tac_toe.py")).start("")
    found = alike(SimpleNamespace(symmetries={name: mapped}), start)
    assert found == dict.fromkeys(start.legal_moves(), ())
