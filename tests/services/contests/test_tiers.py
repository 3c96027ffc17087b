"""Tiers of leagues over many seasons, with results, ties, leaving and joining at random."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby
from random import Random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from sarsen.services.contests.formats.tiers import (
    MAX_TIER,
    MIN_TIER,
    Class,
    Finish,
    finishes,
    next_tiers,
    places_that_move,
    tier_sizes,
)
from sarsen.services.contests.state import Entrant
from sarsen.services.contests.table import Row

PROGRAMS = 3  # as many as fill a league


def rows_of(tiers: Iterable[Sequence[tuple[int, float]]]) -> list[Row]:
    """Return the table of tiers, from players and their points."""
    rows = []
    for tier, members in enumerate(tiers, 1):
        place = 1
        ranked = sorted(members, key=lambda one: -one[1])
        for points, tied in groupby(ranked, key=lambda one: one[1]):
            shared = [player for player, _ in tied]
            last = place + len(shared) - 1
            for player in shared:
                entrant = Entrant(player, player, tier=tier)
                rows.append(Row(entrant, place, last, points, 0.0, place, last))
            place = last + 1
    return rows


def strengths(players: Iterable[int]) -> dict[int, float]:
    return {player: 1300.0 + player % 7 * 50 for player in players}


def ended(*tiers: dict[int, float], programs: Iterable[int] = ()) -> dict[int, int]:
    """Return the wished tier of each player after a season with these points."""
    rows = rows_of([list(points.items()) for points in tiers])
    return {one.player: one.wish for one in finishes(rows, set(programs), set())}


@pytest.mark.parametrize(
    ("entrants", "sizes"),
    [(4, (4,)), (10, (10,)), (11, (5, 6)), (19, (9, 10)), (24, (8, 8, 8)), (25, (8, 8, 9))],
)
def test_e20_sizes_of_tiers(entrants: int, sizes: tuple[int, ...]) -> None:
    assert tier_sizes(entrants) == sizes


def test_e20_for_all_leagues_up_to_a_thousand() -> None:
    for entrants in range(4, 1001):
        sizes = tier_sizes(entrants)
        assert sum(sizes) == entrants
        assert MIN_TIER <= min(sizes) <= max(sizes) <= MAX_TIER
        assert max(sizes) - min(sizes) <= 1
        assert list(sizes) == sorted(sizes)
        assert len(sizes) == max(1, (entrants + 9) // 10, entrants // 8)


def test_e21_one_of_six_goes_up_and_one_down_of_seven_two() -> None:
    six = {player: 10.0 - player for player in range(1, 7)}
    seven = {player: 30.0 - player for player in range(11, 18)}
    assert ended(six, seven) == {
        **{1: 1, 2: 1, 3: 1, 4: 1, 5: 1, 6: 2},
        **{11: 1, 12: 1, 13: 2, 14: 2, 15: 2, 16: 2, 17: 2},
    }


def test_e21_a_tie_across_the_line_up_lifts_all_and_across_the_line_down_none_falls() -> None:
    above = {1: 5.0, 2: 4.0, 3: 3.0, 4: 1.0, 5: 1.0}
    below = {11: 4.0, 12: 4.0, 13: 4.0, 14: 1.0, 15: 0.0}
    moved = ended(above, below)
    assert [moved[player] for player in (4, 5)] == [1, 1]
    assert [moved[player] for player in (11, 12, 13)] == [1, 1, 1]


def test_e21_the_winner_of_every_game_rises_two() -> None:
    tiers = [[(10 * tier + one, 5.0 - one) for one in range(5)] for tier in range(1, 4)]
    wishes = {one.player: one.wish for one in finishes(rows_of(tiers), set(), {10, 20, 30})}
    assert (wishes[10], wishes[20], wishes[30]) == (1, 1, 1)


def test_e21_programs_never_go_up_and_take_nobodys_place() -> None:
    above = {1: 5.0, 2: 4.0, 3: 3.0, 4: 1.0}
    below = {11: 4.0, 12: 3.0, 13: 2.0, 14: 1.0}
    moved = ended(above, below, programs=[11])
    assert (moved[11], moved[12], moved[13]) == (2, 1, 2)


def test_e22_the_order_of_a_tier_is_down_stayed_up_new() -> None:
    above = [(player, 20.0 - player) for player in range(1, 9)]
    below = [(player, 40.0 - player) for player in range(11, 19)]
    before = finishes(rows_of([above, below]), set(), set())
    old = [player for player, _ in (*above, *below)]
    # 5 and 6 leave the upper tier, which has a gap then; 99 and 98 are new.
    players = [player for player in old if player not in (5, 13, 14)] + [99, 98]
    known = {**strengths(players), 98: 1700.0 - 2 * 50, 99: 1900.0 - 2 * 250}
    assert next_tiers(before, known) == (
        (1, 2, 3, 4, 6, 11, 12),
        (7, 8, 15, 16, 17, 18, 98, 99),
    )


def test_e22_a_gap_is_filled_by_who_would_have_come_down_the_best_first() -> None:
    above = [(player, 20.0 - player) for player in range(1, 9)]
    below = [(player, 40.0 - player) for player in range(11, 19)]
    before = finishes(rows_of([above, below]), set(), set())
    players = [player for player in range(1, 9) if player not in (1, 2, 3)]
    players += [player for player, _ in below]
    # Thirteen are cut into 6 and 7.
    assert next_tiers(before, strengths(players)) == (
        (4, 5, 6, 11, 12, 7),
        (8, 13, 14, 15, 16, 17, 18),
    )


def test_e22_a_full_tier_grows_to_ten_and_then_who_came_up_waits() -> None:
    above = [(player, 1.0 if player > 6 else 20.0 - player) for player in range(1, 10)]
    below = [(player, 40.0 - player) for player in range(11, 20)]
    before = finishes(rows_of([above, below]), set(), set())
    assert [one.kind for one in before if one.player in (7, 8, 9)] == [Class.STAYED] * 3
    first, second = next_tiers(before, strengths(one.player for one in before))
    assert first == (*range(1, 10), 11)
    assert second[0] == 12  # it waits, at the head of the tier below


def test_e22_with_one_more_than_a_tier_takes_the_last_tier_is_divided_by_place() -> None:
    ten = [(player, 20.0 - player) for player in range(1, 11)]
    before = finishes(rows_of([ten]), set(), set())
    tiers = next_tiers(before, strengths([*range(1, 11), 99]))
    assert tiers == ((1, 2, 3, 4, 5), (6, 7, 8, 9, 10, 99))


class History:
    """A league over several seasons.

    Attributes:
        exceptions: Seasons in which tiers below would have been too small.
    """

    def __init__(self, entrants: int, random: Random) -> None:
        self.random = random
        self.players = list(range(1, entrants + 1))
        self.programs = set(random.sample(self.players, random.randint(0, PROGRAMS)))
        self.newest = entrants
        self.tiers = next_tiers((), strengths(self.players))

    def season(self, leaving: float, joining: float) -> tuple[tuple[Finish, ...], list[int]]:
        """Play a season, let some leave and some join, and make the tiers of the next one."""
        levels = self.random.choice([1, 3, 20])  # one: everybody is level with everybody
        tiers = [
            [(player, float(self.random.randrange(levels))) for player in tier]
            for tier in self.tiers
        ]
        rows = rows_of(tiers)
        first = {row.entrant.player for row in rows if row.place == row.shared_to == 1}
        flawless = {player for player in first if self.random.random() < 0.3}
        before = finishes(rows, self.programs, flawless)
        # Whole tiers may go at once, too.
        share = [leaving * self.random.choice([0, 1, 2]) for _ in self.tiers]
        stay = {one.player for one in before if self.random.random() >= share[one.tier - 1]}
        self.players = [player for player in self.players if player in stay]
        new = max(int(joining * len(before)), MIN_TIER - len(self.players), 0)
        new = min(new, 1000 - len(self.players))
        self.players += range(self.newest + 1, self.newest + 1 + new)
        self.newest += new
        self.tiers = next_tiers(before, strengths(self.players))
        return before, self.players


shares = st.sampled_from((0.0, 0.05, 0.2, 0.5))


@given(
    st.one_of(st.integers(4, 60), st.integers(4, 1000)),
    st.lists(st.tuples(shares, shares), min_size=1, max_size=5),
    st.randoms(use_true_random=False),
)
@example(10, [(0.0, 0.1)], Random(1))
@settings(max_examples=100, deadline=None)
def test_e20_to_e22_over_many_seasons(
    entrants: int, seasons: list[tuple[float, float]], random: Random
) -> None:
    league = History(entrants, random)
    assert tuple(map(len, league.tiers)) == tier_sizes(entrants)
    for leaving, joining in seasons:
        before, players = league.season(leaving, joining)
        check(league.tiers, before, players)


def check(tiers: Sequence[Sequence[int]], before: Sequence[Finish], players: Sequence[int]) -> None:
    """Check what holds of the tiers of any season."""
    assert sorted(player for tier in tiers for player in tier) == sorted(players)
    assert all(MIN_TIER <= len(tier) <= MAX_TIER for tier in tiers)
    assert len(tiers) == len(tier_sizes(len(players)))
    tier_of = {player: at for at, tier in enumerate(tiers, 1) for player in tier}
    known = {one.player: one for one in before if one.player in tier_of}
    is_divided = any(is_too_small_below(at, tiers, known, tier_of) for at in range(1, len(tiers)))
    for one in known.values():
        tier = tier_of[one.player]
        lowest = min(one.wish if one.kind is Class.DOWN else one.tier, len(tiers))
        if not is_divided:
            assert tier <= lowest  # nobody who stayed comes down, who fell falls by one
        if one.kind is Class.UP and tier < one.wish:
            # Nobody moves twice, unless all others below are up already, or come up themselves.
            others = [tier_of[other.player] for other in known.values() if other.kind != Class.UP]
            assert all(other <= tier for other in others)
            assert all(tier_of[player] <= tier for player in players if player not in known)


def is_too_small_below(
    at: int, tiers: Sequence[Sequence[int]], known: dict[int, Finish], tier_of: dict[int, int]
) -> bool:
    """Return whether those who may not go below a tier leave too few to those below it."""
    below = len(tiers) - at
    may_go = [
        player
        for player, tier in tier_of.items()
        if tier >= at
        and not (
            player in known
            and (known[player].wish if known[player].kind is Class.DOWN else known[player].tier)
            <= at
        )
    ]
    return len(may_go) < MIN_TIER * below


def test_e21_places_that_move() -> None:
    assert [places_that_move(size) for size in range(4, 11)] == [1, 1, 1, 2, 2, 2, 2]
