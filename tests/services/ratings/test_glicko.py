"""The arithmetic of ratings: the paper's example, the paper's formulas, and a library."""

from __future__ import annotations

import math
from datetime import UTC, datetime, timedelta

import pytest
from glicko2 import Player as LibraryPlayer
from hypothesis import example, given
from hypothesis import strategies as st

from drawn_examples import examples
from sarsen.services.ratings.glicko import (
    NEWCOMER,
    PERIOD,
    RatedGame,
    Strength,
    after_games,
    certain_until,
    first_strength,
    rate_game,
    strength_after_pause,
)

NOW = datetime(2026, 11, 22, tzinfo=UTC)
EXAMPLE = [
    RatedGame(Strength(1400, 30), 1.0),
    RatedGame(Strength(1550, 100), 0.0),
    RatedGame(Strength(1700, 300), 0.0),
]


def from_the_paper(
    rating: float, deviation: float, volatility: float, games: list[RatedGame], periods: float = 1.0
) -> tuple[float, float, float]:
    """Work out the steps of the paper anew, from its text, with plain bisection in step 5."""
    tau = 0.5
    mu, phi = (rating - 1500) / 173.7178, deviation / 173.7178
    theirs = [
        ((g.opponent.rating - 1500) / 173.7178, g.opponent.deviation / 173.7178, g.score)
        for g in games
    ]

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
    phi_star = math.sqrt(phi**2 + periods * new_volatility**2)
    new_phi = 1 / math.sqrt(1 / phi_star**2 + 1 / v)
    return 173.7178 * (mu + new_phi**2 * total) + 1500, 173.7178 * new_phi, new_volatility


def test_the_papers_worked_example_comes_out() -> None:
    after = after_games(Strength(1500, 200, 0.06), EXAMPLE, periods=1.0)
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
scores = st.sampled_from([0.0, 0.5, 1.0])
games = st.lists(st.builds(RatedGame, strengths, scores), min_size=1, max_size=20)


@examples(300)
@given(before=strengths, played=games, periods=st.sampled_from([0.0, 0.25, 1.0, 3.5]))
@example(
    before=Strength(2065, 350, 0.0625), played=[RatedGame(Strength(600, 25), 0.0)], periods=1.0
)
def test_any_games_agree_with_the_papers_formulas(
    before: Strength, played: list[RatedGame], periods: float
) -> None:
    after = after_games(before, played, periods)
    rating, deviation, volatility = from_the_paper(
        before.rating, before.deviation, before.volatility, played, periods
    )
    assert after.rating == pytest.approx(rating, abs=0.01)
    assert after.deviation == pytest.approx(min(deviation, 350.0), abs=0.01)
    assert after.volatility == pytest.approx(volatility, rel=1e-5)


class CorrectedPlayer(LibraryPlayer):  # type: ignore[misc]
    """The library's player; its step 5 has the rating where the paper has the deviation."""

    def _f(self, x: float, delta: float, v: float, a: float) -> float:
        spread, ex = (self.rd / 173.7178) ** 2, math.exp(x)
        top = ex * (delta**2 - spread - v - ex)
        return top / (2 * (spread + v + ex) ** 2) - (x - a) / self._tau**2


@examples(200)
@given(before=strengths, played=games)
def test_any_period_agrees_with_the_library_where_its_step_5_is_corrected(
    before: Strength, played: list[RatedGame]
) -> None:
    theirs = CorrectedPlayer(before.rating, before.deviation, before.volatility)
    theirs.update_player(
        [game.opponent.rating for game in played],
        [game.opponent.deviation for game in played],
        [game.score for game in played],
    )
    after = after_games(before, played, periods=1.0)
    assert after.rating == pytest.approx(theirs.rating, abs=1e-6)
    assert after.deviation == pytest.approx(min(theirs.rd, 350.0), abs=1e-6)
    assert after.volatility == pytest.approx(theirs.vol, rel=1e-9)


def test_volatility_does_not_depend_on_how_strong_both_players_are() -> None:
    weak = after_games(Strength(1000, 80), [RatedGame(Strength(1000, 80), 1.0)] * 5)
    strong = after_games(Strength(2400, 80), [RatedGame(Strength(2400, 80), 1.0)] * 5)
    assert weak.volatility == pytest.approx(strong.volatility, rel=1e-9)


def test_deviation_grows_by_the_papers_step_6_in_a_whole_period() -> None:
    after = strength_after_pause(Strength(1700, 60, 0.06), NOW, NOW + PERIOD)
    assert after.deviation == pytest.approx(173.7178 * math.sqrt((60 / 173.7178) ** 2 + 0.06**2))
    assert (after.rating, after.volatility) == (1700, 0.06)


@given(parts=st.lists(st.timedeltas(timedelta(), timedelta(days=200)), min_size=1, max_size=8))
def test_deviation_grows_the_same_in_parts_or_at_once(parts: list[timedelta]) -> None:
    by_parts, at = Strength(1700, 60, 0.06), NOW
    for part in parts:
        by_parts, at = strength_after_pause(by_parts, at, at + part), at + part
    assert by_parts.deviation == pytest.approx(
        strength_after_pause(Strength(1700, 60, 0.06), NOW, at).deviation
    )


def test_deviation_never_grows_above_350_nor_before_the_first_game() -> None:
    later = NOW + timedelta(days=365 * 400)
    assert strength_after_pause(Strength(1700, 60, 0.06), NOW, later).deviation == 350.0
    assert strength_after_pause(NEWCOMER, NOW, later).deviation == 350.0
    assert strength_after_pause(first_strength(3), None, later) == first_strength(3)


def test_rating_becomes_provisional_when_its_deviation_has_grown_beyond_110() -> None:
    strength = Strength(1700, 60, 0.06)
    until = certain_until(strength, NOW)
    assert until is not None
    assert not strength_after_pause(strength, NOW, until - timedelta(hours=1)).is_provisional
    assert strength_after_pause(strength, NOW, until + timedelta(hours=1)).is_provisional
    assert certain_until(NEWCOMER, NOW) is None


def test_both_players_of_a_game_are_judged_by_what_they_were_before() -> None:
    ann, bob = rate_game(NEWCOMER, NEWCOMER, 1.0)
    assert ann.rating - 1500 == pytest.approx(1500 - bob.rating)
    assert ann.rating == pytest.approx(1662.2, abs=0.1)
    expected = from_the_paper(1500, 350, 0.06, [RatedGame(NEWCOMER, 1.0)], periods=0.0)
    assert (ann.rating, ann.deviation) == pytest.approx(expected[:2], abs=0.01)


@given(first=strengths, second=strengths, score=scores)
def test_a_game_makes_no_player_less_certain(
    first: Strength, second: Strength, score: float
) -> None:
    for before, after in zip((first, second), rate_game(first, second, score), strict=True):
        assert after.deviation < before.deviation


def test_programs_begin_where_their_level_belongs() -> None:
    assert [first_strength(level).rating for level in (1, 2, 8)] == [1000, 1150, 2050]
    assert first_strength(None) == NEWCOMER
