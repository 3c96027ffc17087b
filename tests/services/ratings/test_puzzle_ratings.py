"""Ratings of puzzles and solvers: bounded, with floors, near the truth after some tries."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from simulation.puzzles import run_puzzles, simulate

from sarsen.services.ratings.glicko import NEWCOMER, Strength, rate_game
from sarsen.services.ratings.puzzles import new_puzzle, rate_try

strengths = st.builds(Strength, st.floats(400, 2600), st.floats(60, 350), st.floats(0.04, 0.1))


@given(strengths, strengths, st.booleans())
def test_no_try_changes_a_rating_by_more_than_40_points_or_makes_it_too_sure(
    solver: Strength, puzzle: Strength, is_solved: bool
) -> None:
    first, second = rate_try(solver, puzzle, is_solved=is_solved)
    assert abs(first.rating - solver.rating) <= 40 + 1e-9
    assert abs(second.rating - puzzle.rating) <= 40 + 1e-9
    assert first.deviation >= 75
    assert second.deviation >= 60
    assert (first.rating >= solver.rating) == is_solved
    assert (second.rating <= puzzle.rating) == is_solved


def test_within_the_bounds_it_is_a_game_of_glicko() -> None:
    solver, puzzle = Strength(1500, 90), Strength(1450, 80)
    expected = rate_game(solver, puzzle, 1.0)
    assert rate_try(solver, puzzle, is_solved=True) == expected


def test_a_newcomer_needs_some_tries_to_be_sure() -> None:
    strength = NEWCOMER
    for _ in range(10):
        strength, _ = rate_try(strength, new_puzzle(1500), is_solved=True)
    assert 1500 < strength.rating <= 1900
    assert strength.is_provisional


@pytest.mark.slow
def test_puzzles_are_near_the_truth_after_30_tries_and_do_not_drift() -> None:
    books = run_puzzles(500, 365, 2)
    print(books["figures"])
    assert books["faults"] == []


def test_a_short_year_of_few_solvers_is_near_the_truth() -> None:
    found = simulate(60, 40, 60, 3)
    count, mean, _ = found.puzzles[30]
    assert count >= 30
    assert mean <= 110
    assert found.solvers[30][1] < found.solvers[10][1]
