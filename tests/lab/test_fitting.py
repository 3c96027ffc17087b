"""The fit of many players, against simulated ones and by hand."""

from __future__ import annotations

import random

import pytest

from sarsen.lab.elo import PRIOR, elo_of, fit, score_of

TRUE = (0, 150, 290, 460, 600)


def simulated(seed: int, games: int, draws: float = 0.1) -> dict[tuple[int, int], list[int]]:
    chance = random.Random(seed)
    results = {}
    for one in range(len(TRUE)):
        for other in (one - 1, one - 2):
            if other < 0:
                continue
            counts = [0, 0, 0]
            for _ in range(games):
                won = chance.random() < score_of(TRUE[one] - TRUE[other])
                counts[1 if chance.random() < draws else 0 if won else 2] += 1
            results[one, other] = counts
    return results


def test_two_players_are_fitted_as_by_hand() -> None:
    wins, draws, losses = 30, 4, 10
    games = wins + draws + losses + PRIOR
    by_hand = elo_of((wins + (draws + PRIOR) / 2) / games)
    assert fit(2, {(1, 0): (wins, draws, losses)}).ratings[1] == pytest.approx(by_hand)


def test_order_of_the_two_in_a_pairing_does_not_matter() -> None:
    one = fit(2, {(1, 0): (30, 4, 10)})
    assert fit(2, {(0, 1): (10, 4, 30)}).ratings == pytest.approx(one.ratings)


def test_simulated_players_are_found_again() -> None:
    found = fit(len(TRUE), simulated(3, 4000, draws=0)).ratings
    assert found == pytest.approx(TRUE, abs=25)


def test_error_bars_hold_the_truth_about_19_times_in_20() -> None:
    held = steps = 0
    for seed in range(100):
        fitted = fit(len(TRUE), simulated(seed, 60, draws=0))
        for place in range(1, len(TRUE)):
            step = fitted.above(place, place - 1)
            steps += 1
            held += abs(step.elo - (TRUE[place] - TRUE[place - 1])) <= step.error
    assert 0.91 <= held / steps <= 0.985


def test_four_times_the_games_halve_the_error() -> None:
    few, many = fit(5, simulated(1, 100)), fit(5, simulated(1, 400))
    ratio = few.above(4, 0).error / many.above(4, 0).error
    assert 1.8 < ratio < 2.2


def test_who_never_lost_is_strong_and_not_infinite() -> None:
    fitted = fit(3, {(1, 0): (40, 0, 0), (2, 1): (0, 0, 40)})
    assert 500 < fitted.ratings[1] < 1000
    assert fitted.ratings[2] == pytest.approx(0, abs=1e-6)
    assert fitted.above(1, 0).error > 300
