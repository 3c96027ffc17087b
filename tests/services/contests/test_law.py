"""The clauses of the law of contests, each with the example of the specification."""

from __future__ import annotations

import random
from datetime import timedelta
from itertools import combinations, permutations, product

import pytest
from caissify_pairings.engines.round_robin import berger_schedule

from contest_log import AT, ROUND_ROBIN, Log
from sarsen.services.contests.formats.round_robin import all_pairings, berger_rounds
from sarsen.services.contests.state import Kind, Law, Logged, fold

ANN, BOB, CID, DORA = 1, 2, 3, 4


def test_e9_two_of_five_finished_are_annulled() -> None:
    log = Log(entrants=6)
    log.won(ANN, BOB)
    log.won(ANN, CID)
    log.won(DORA, BOB)
    log.without(ANN)
    rows = log.rows()
    assert rows[ANN][2] == 0
    assert rows[DORA][2] == 1
    assert all(game.is_closed for game in log.state.boards if ANN in game.numbers)


def test_e9_three_of_five_finished_leave_two_lost() -> None:
    log = Log(entrants=6)
    for other in (BOB, CID, DORA):
        log.won(ANN, other)
    log.without(ANN)
    rows = log.rows()
    assert rows[ANN][2] == 3
    assert [rows[other][2] for other in (5, 6)] == [1, 1]


def test_e12_between_two_who_are_out_nobody_has_a_point() -> None:
    log = Log(entrants=4)
    log.won(ANN, CID)
    log.won(ANN, DORA)
    log.won(BOB, CID)
    log.won(BOB, DORA)
    log.without(ANN)
    assert log.rows()[BOB][2] == 3
    log.without(BOB)
    assert log.rows()[ANN][2] == 2
    assert log.rows()[BOB][2] == 2


def test_e15_places_of_four_with_two_games_open() -> None:
    log = Log()
    log.drawn(ANN, CID)
    log.won(ANN, BOB)
    log.won(BOB, DORA)
    log.won(CID, DORA)
    assert {player: row[2] for player, row in log.rows().items()} == {1: 1.5, 3: 1.5, 2: 1, 4: 0}
    assert log.places() == {ANN: (1, 3), CID: (1, 3), BOB: (1, 4), DORA: (3, 4)}


def test_e15_places_are_sound_exact_and_never_wider_for_every_state_of_four() -> None:
    pairs = list(combinations((ANN, BOB, CID, DORA), 2))
    brute: dict[tuple[float | None, ...], dict[int, tuple[int, int]]] = {}

    def standing(outcome: tuple[float, ...]) -> dict[int, float]:
        points = dict.fromkeys((ANN, BOB, CID, DORA), 0.0)
        for (one, other), score in zip(pairs, outcome, strict=True):
            points[one] += score
            points[other] += 1 - score
        return points

    for known in product((None, 0.0, 0.5, 1.0), repeat=6):
        if None not in known:
            continue  # with all games over ties count: E17
        log = Log()
        for (one, other), score in zip(pairs, known, strict=True):
            if score is not None:
                log.won(one, other, score)
        found = dict.fromkeys((ANN, BOB, CID, DORA), (4, 1))
        choices = [(score,) if score is not None else (0.0, 0.5, 1.0) for score in known]
        for outcome in product(*choices):
            points = standing(outcome)
            for player, (best, worst) in found.items():
                above = sum(other > points[player] for other in points.values())
                level = sum(other >= points[player] for other in points.values())
                found[player] = (min(best, 1 + above), max(worst, level))
        brute[known] = found
        assert log.places() == found, known
    for known, found in brute.items():
        for at, score in enumerate(known):
            if score is not None:
                wider = brute[(*known[:at], None, *known[at + 1 :])]
                for player, (best, worst) in found.items():
                    assert wider[player][0] <= best
                    assert worst <= wider[player][1]


def test_e17_three_who_beat_each_other_share_the_first_places() -> None:
    log = Log()
    log.won(ANN, BOB)
    log.won(BOB, CID)
    log.won(CID, ANN)
    for other in (ANN, BOB, CID):
        log.won(other, DORA)
    assert log.rows() == {
        ANN: (1, 3, 2, 2),
        BOB: (1, 3, 2, 2),
        CID: (1, 3, 2, 2),
        DORA: (4, 4, 0, 0),
    }


def test_e17_the_game_between_two_comes_before_sonneborn_berger() -> None:
    log = Log()
    log.won(DORA, CID)
    log.won(CID, BOB)
    log.won(BOB, ANN)
    log.won(BOB, DORA)
    log.won(ANN, CID)
    log.won(ANN, DORA)
    rows = log.rows()
    assert rows[BOB][0] == 1  # two points as ann, whom bob beat
    assert rows[ANN][0] == 2
    assert rows[DORA][0] == 3  # beat cid, though cid beat the first


def test_e18_the_table_does_not_depend_on_the_order_of_results() -> None:
    pairs = list(combinations((ANN, BOB, CID, DORA), 2))
    chance = random.Random(18)
    for outcome in product((0.0, 0.5, 1.0), repeat=6):
        games = list(zip(pairs, outcome, strict=True))
        tables = []
        for _ in range(20):
            chance.shuffle(games)
            log = Log()
            for (one, other), score in games:
                log.won(one, other, score)
            tables.append(ROUND_ROBIN.table(log.state))
        assert all(table == tables[0] for table in tables)


def test_e19_running_games_count_nothing_so_far() -> None:
    log = Log()
    log.won(ANN, BOB)
    assert log.rows()[ANN][2] == 1
    assert log.rows()[CID][2] == 0


@pytest.mark.parametrize("entrants", range(2, 31))
def test_every_pair_meets_once_with_the_seats_within_one(entrants: int) -> None:
    rounds = list(berger_rounds(entrants))
    assert {frozenset(pair) for _, pair in rounds} == {
        frozenset(pair) for pair in combinations(range(1, entrants + 1), 2)
    }
    assert len(rounds) == entrants * (entrants - 1) // 2
    for number in range(1, entrants + 1):
        own = [pair for _, pair in rounds if number in pair]
        first = sum(pair[0] == number for pair in own)
        assert abs(first - (len(own) - first)) <= 1
    for one in {number for number, _ in rounds}:
        seated = [number for at, pair in rounds if at == one for number in pair]
        assert len(seated) == len(set(seated))


def test_four_meet_as_in_the_table_of_the_specification() -> None:
    tables = [[pair for at, pair in berger_rounds(4) if at == one] for one in (1, 2, 3)]
    assert [sorted(table) for table in tables] == [
        [(1, 4), (2, 3)],
        [(1, 2), (4, 3)],
        [(2, 4), (3, 1)],
    ]


@pytest.mark.parametrize("entrants", range(3, 17))
def test_rounds_are_those_of_the_tables_of_chess(entrants: int) -> None:
    """The tables that FIDE publishes, by another program; with an odd number the last is a bye."""
    theirs = {
        (number, pair)
        for number, pairs in enumerate(berger_schedule(entrants + entrants % 2), 1)
        for pair in pairs
        if max(pair) <= entrants
    }
    assert set(berger_rounds(entrants)) == theirs


def test_nobody_has_more_boards_than_the_law_allows() -> None:
    law = Law(most=16, least=3, games=1, boards=2, days=90)
    events = [
        *(Logged(at, Kind.ENTERED, AT, AT, {"player": at}) for at in range(1, 7)),
        Logged(7, Kind.STARTED, AT, AT, {"order": list(range(1, 7))}),
    ]
    started = ROUND_ROBIN.next_boards(fold(law, events, {}))
    assert len(started) == 6  # two each, of the first two rounds
    assert {pairing.round for pairing in started} == {1, 2}


def test_games_of_two_exchange_the_seats() -> None:
    numbers = [pairing.numbers for pairing in all_pairings((4,), 2)]
    assert sorted(numbers) == sorted(permutations(range(1, 5), 2))


def test_e16_less_time_decides_beyond_a_quarter_more() -> None:
    from sarsen.services.contests.course.deciding import quicker

    day, hour = timedelta(days=1), timedelta(hours=1)
    assert quicker((10 * day, 8 * day)) is None
    assert quicker((10 * day + hour, 8 * day)) == 1
    assert quicker((8 * day, 10 * day + hour)) == 0
    assert quicker((timedelta(), timedelta())) is None
