"""Elo of pairs and the sequential test, against published figures and by hand."""

from __future__ import annotations

import math
import random

import pytest

from sarsen.lab.elo import POINTS, Sprt, elo_of, estimate, mean_score, score_of

# Elo with 95 % interval as the tests of other match runners (sprt calculators of Rust and
# C++ chess projects) list them for counts of pairs with 0, 1/2, 1, 3/2 and 2 points.
PUBLISHED_ELO = [
    ((485, 1923, 2942, 1937, 594), (1.21, 5.11, 9.02)),
    ((261, 739, 2683, 737, 253), (-5.00, -0.67, 3.66)),
    ((63, 252, 385, 250, 74), (-7.38, 3.39, 14.17)),
    ((527, 1007, 1932, 933, 511), (-9.16, -3.75, 1.66)),
    ((175, 305, 694, 291, 157), (-14.57, -5.36, 3.85)),
]
# Log-likelihood ratios that the test server of Stockfish shows for its tests; their bounds
# are in normalised Elo, that is in standard deviations of a game.
PUBLISHED_RATIOS = [
    ((19, 4020, 10316, 4215, 24), (-1.75, 0.25), 2.94),
    ((103, 3851, 8316, 3728, 98), (0, 2), -2.03),
    ((291, 10353, 21899, 10175, 306), (0, 2), -3.08),
    ((99, 3323, 8399, 3606, 109), (0, 2), 2.98),
    ((326, 12015, 26044, 12357, 362), (0, 2), 2.93),
    ((45, 8506, 25934, 8883, 57), (0.5, 2.5), 2.94),
    ((105, 19880, 51075, 20005, 108), (0.5, 2.5), -2.94),
]


def plain_elo(normalised: float, pairs: tuple[int, ...]) -> float:
    mean = mean_score(pairs)
    variance = sum(
        count * (point - mean) ** 2 for count, point in zip(pairs, POINTS, strict=True)
    ) / sum(pairs)
    return elo_of(0.5 + normalised * math.log(10) / 800 * math.sqrt(2 * variance))


@pytest.mark.parametrize(("pairs", "published"), PUBLISHED_ELO)
def test_elo_and_interval_of_pairs_are_the_published_ones(
    pairs: tuple[int, ...], published: tuple[float, float, float]
) -> None:
    found = estimate(pairs)
    assert (found.low, found.elo, found.high) == pytest.approx(published, abs=0.015)


@pytest.mark.parametrize(("pairs", "bounds", "published"), PUBLISHED_RATIOS)
def test_ratio_of_a_sequential_test_is_the_published_one(
    pairs: tuple[int, ...], bounds: tuple[float, float], published: float
) -> None:
    test = Sprt(*(plain_elo(bound, pairs) for bound in bounds))
    assert test.ratio(pairs) == pytest.approx(published, abs=0.01)


def test_bounds_of_a_test_are_walds() -> None:
    assert Sprt(0, 20).bounds == pytest.approx((-2.944, 2.944), abs=0.001)
    assert Sprt(0, 20, alpha=0.05, beta=0.10).bounds == pytest.approx((-2.251, 2.890), abs=0.001)


def test_ratio_of_pairs_won_or_lost_is_that_of_coins() -> None:
    # Only 0 and 2 points: the pairs are coins with chance `score`, all by hand.
    won, lost = 14, 6
    s0, s1 = score_of(0), score_of(100)
    by_hand = won * math.log(s1 / s0) + lost * math.log((1 - s1) / (1 - s0))
    assert Sprt(0, 100).ratio((lost, 0, 0, 0, won)) == pytest.approx(by_hand, abs=0.01)


def test_score_and_elo_are_a_pair() -> None:
    for elo in (-1200, -100, 0, 3.5, 400):
        assert elo_of(score_of(elo)) == pytest.approx(elo)
    assert score_of(400) == pytest.approx(10 / 11)


def test_nothing_played_says_nothing() -> None:
    found = estimate((0, 0, 0, 0, 0))
    assert (found.elo, found.low, found.high) == (0, -math.inf, math.inf)
    assert Sprt(0, 20).accepts((0, 0, 0, 0, 0)) is None


def test_all_won_is_infinite_with_a_finite_lower_end() -> None:
    found = estimate((0, 0, 0, 0, 20))
    assert found.elo == found.high == math.inf
    # 95 % two-sided: a score s with s ** 20 = exp(-1.92).
    assert found.low == pytest.approx(elo_of(math.exp(-1.9207 / 20)), abs=2)
    lost = estimate((20, 0, 0, 0, 0))
    assert lost.high == pytest.approx(-found.low)


def test_interval_turns_round_with_the_players() -> None:
    found, turned = estimate((3, 1, 7, 4, 9)), estimate((9, 4, 7, 1, 3))
    assert (turned.elo, turned.low) == pytest.approx((-found.elo, -found.high))


@pytest.mark.slow
def test_interval_holds_the_truth_about_19_times_in_20() -> None:
    chance = random.Random(11)
    held = 0
    for _ in range(160):
        pairs = [0] * 5
        for _ in range(40):
            # Pairs whose games resemble each other: an opening is easy or hard for both.
            bias = chance.choice((-0.2, 0.2))
            points = (chance.random() < 0.6 + bias) + (chance.random() < 0.6 - bias)
            pairs[2 * points] += 1
        found = estimate(pairs)
        held += found.low <= elo_of(0.6) <= found.high
    assert 0.90 <= held / 160 <= 0.99


def test_test_errs_about_as_often_as_it_may() -> None:
    test = Sprt(0, 100)
    chance = random.Random(5)
    wrong = 0
    for _ in range(80):
        pairs = [0] * 5
        while test.accepts(pairs) is None:
            points = (chance.random() < 0.5) + (chance.random() < 0.5)
            pairs[2 * points] += 1
        wrong += test.accepts(pairs) == 100
    assert wrong / 80 <= 0.1
