"""The arithmetic of ratings, against the paper's example and the paper's formulas."""

from __future__ import annotations

import math

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sarsen.services.ratings.glicko import NEWCOMER, Game, Strength, after_games, after_idle
from sarsen.services.ratings.periods import rate_period, rate_periods

EXAMPLE = [
    Game(Strength(1400, 30), 1.0),
    Game(Strength(1550, 100), 0.0),
    Game(Strength(1700, 300), 0.0),
]


def from_the_paper(
    rating: float, deviation: float, volatility: float, games: list[Game]
) -> tuple[float, float, float]:
    """Work out the steps of the paper anew, from its text, with plain bisection in step 5."""
    tau = 0.5
    mu, phi = (rating - 1500) / 173.7178, deviation / 173.7178
    theirs = [
        ((g.opponent.rating - 1500) / 173.7178, g.opponent.deviation / 173.7178, g.score)
        for g in games
    ]
    if not theirs:
        return rating, 173.7178 * math.sqrt(phi**2 + volatility**2), volatility

    def g_of(phi_j: float) -> float:
        return 1 / math.sqrt(1 + 3 * phi_j**2 / math.pi**2)

    def e_of(mu_j: float, phi_j: float) -> float:
        return 1 / (1 + math.exp(-g_of(phi_j) * (mu - mu_j)))

    v = 1 / sum(g_of(p) ** 2 * e_of(m, p) * (1 - e_of(m, p)) for m, p, _ in theirs)
    total = sum(g_of(p) * (s - e_of(m, p)) for m, p, s in theirs)
    delta = v * total

    def f(x: float) -> float:
        surprise = math.exp(x) * (delta**2 - phi**2 - v - math.exp(x))
        return (
            surprise / (2 * (phi**2 + v + math.exp(x)) ** 2)
            - (x - math.log(volatility**2)) / tau**2
        )

    low, high = -40.0, 40.0  # f falls, from positive to negative
    for _ in range(200):
        middle = (low + high) / 2
        low, high = (middle, high) if f(middle) > 0 else (low, middle)
    new_volatility = math.exp(low / 2)
    phi_star = math.sqrt(phi**2 + new_volatility**2)
    new_phi = 1 / math.sqrt(1 / phi_star**2 + 1 / v)
    return 173.7178 * (mu + new_phi**2 * total) + 1500, 173.7178 * new_phi, new_volatility


def test_the_papers_worked_example_comes_out() -> None:
    after = after_games(Strength(1500, 200, 0.06), EXAMPLE)
    assert after.rating == pytest.approx(1464.06, abs=0.01)
    assert after.deviation == pytest.approx(151.52, abs=0.01)
    assert after.volatility == pytest.approx(0.05999, abs=0.00001)


def test_the_formulas_of_these_tests_give_the_papers_example_too() -> None:
    assert from_the_paper(1500, 200, 0.06, EXAMPLE) == pytest.approx(
        (1464.06, 151.52, 0.05999), abs=0.01
    )


strengths = st.builds(
    Strength,
    rating=st.floats(600, 2800),
    deviation=st.floats(25, 350),
    volatility=st.floats(0.03, 0.12),
)
games = st.lists(st.builds(Game, strengths, st.sampled_from([0.0, 0.5, 1.0])), max_size=20)


@settings(max_examples=300, deadline=None)
@given(before=strengths, played=games)
@example(before=Strength(2065, 350, 0.0625), played=[Game(Strength(600, 25), 0.0)])
def test_any_period_agrees_with_the_papers_formulas(before: Strength, played: list[Game]) -> None:
    after = after_games(before, played)
    rating, deviation, volatility = from_the_paper(
        before.rating, before.deviation, before.volatility, played
    )
    assert after.rating == pytest.approx(rating, abs=0.01)
    assert after.deviation == pytest.approx(min(deviation, 350.0), abs=0.01)
    assert after.volatility == pytest.approx(volatility, rel=1e-5)


def test_volatility_does_not_depend_on_how_strong_both_players_are() -> None:
    weak = after_games(Strength(1000, 80), [Game(Strength(1000, 80), 1.0)] * 5)
    strong = after_games(Strength(2400, 80), [Game(Strength(2400, 80), 1.0)] * 5)
    assert weak.volatility == pytest.approx(strong.volatility, rel=1e-9)


def test_idle_periods_add_up_one_by_one_or_at_once() -> None:
    one_by_one = Strength(1700, 60, 0.06)
    for _ in range(7):
        one_by_one = after_idle(one_by_one)
    assert after_idle(Strength(1700, 60, 0.06), 7).deviation == pytest.approx(one_by_one.deviation)


def test_deviation_of_who_never_plays_stays_at_350() -> None:
    assert after_idle(Strength(1700, 60, 0.06), 100_000).deviation == 350.0
    assert after_idle(NEWCOMER).deviation == 350.0


def test_order_of_games_in_a_period_does_not_matter() -> None:
    results = [("ann", "bob", 1.0), ("bob", "cat", 0.5), ("cat", "ann", 1.0)]
    there, back = rate_period({}, results), rate_period({}, results[::-1])
    for name in ("ann", "bob", "cat"):
        assert there[name].rating == pytest.approx(back[name].rating, abs=1e-9)


def test_both_players_of_a_game_are_judged_by_what_they_were_before() -> None:
    after = rate_period({}, [("ann", "bob", 1.0)])
    assert after["ann"].rating - 1500 == pytest.approx(1500 - after["bob"].rating)
    assert after["ann"].rating == pytest.approx(1662.3, abs=0.1)


def test_who_does_not_play_in_a_period_grows_less_certain_only() -> None:
    once = rate_periods([[("ann", "bob", 1.0)]])
    later = rate_periods([[("ann", "bob", 1.0)], []])
    assert later["ann"].rating == once["ann"].rating
    assert later["ann"].deviation > once["ann"].deviation
