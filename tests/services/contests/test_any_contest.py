"""Properties that hold in every contest, whatever its players do."""

from __future__ import annotations

from itertools import combinations

from hypothesis import given, settings
from hypothesis import strategies as st

from contest_log import ROUND_ROBIN, Log
from sarsen.services.contests.state import Kind
from sarsen.services.contests.table import Row

Act = tuple[str, int, int, float]


@st.composite
def contests(draw: st.DrawFn) -> tuple[int, list[Act]]:
    """Draw a number of entrants, and what happens: results in any order, people who go."""
    entrants = draw(st.integers(3, 7))
    pairs = draw(st.permutations(list(combinations(range(1, entrants + 1), 2))))
    scores = st.sampled_from((0.0, 0.5, 1.0))
    acts: list[Act] = [("result", one, other, draw(scores)) for one, other in pairs]
    for gone in draw(st.lists(st.integers(1, entrants), max_size=3, unique=True)):
        acts.insert(draw(st.integers(0, len(acts))), ("out", gone, gone, 0.0))
    return entrants, acts


def perform(log: Log, act: Act) -> None:
    """Let a result come in, unless one of the two is out; or take somebody out."""
    kind, one, other, score = act
    out = {entrant.player for entrant in log.state.entrants if entrant.is_out}
    if kind == "out":
        log.without(one)
    elif not out & {one, other}:
        log.won(one, other, score)


def reach(log: Log) -> dict[int, tuple[int, int]]:
    return {row.entrant.player: (row.best, row.worst) for row in ROUND_ROBIN.table(log.state)}


@given(contests())
def test_places_are_sound_and_only_people_who_go_widen_them(
    drawn: tuple[int, list[Act]],
) -> None:
    entrants, acts = drawn
    log = Log(entrants)
    before = reach(log)
    since_somebody_went = [before]
    for act in acts:
        perform(log, act)
        now = reach(log)
        if act[0] == "out":
            since_somebody_went = [now]
        elif any(game.is_running for game in log.state.boards):
            for player, (best, worst) in now.items():
                assert before[player][0] <= best <= worst <= before[player][1]
            since_somebody_went.append(now)
        before = now
    final = {row.entrant.player: row for row in ROUND_ROBIN.table(log.state)}
    for promised in since_somebody_went:
        for player, (best, worst) in promised.items():
            assert best <= final[player].place
            assert final[player].shared_to <= worst


@given(contests())
def test_every_place_is_taken_and_every_point_comes_from_a_game(
    drawn: tuple[int, list[Act]],
) -> None:
    entrants, acts = drawn
    log = Log(entrants)
    for act in acts:
        perform(log, act)
        rows = ROUND_ROBIN.table(log.state)
        assert [place for row in rows for place in _own_places(rows, row)] == list(
            range(1, entrants + 1)
        )
        played = [game.scores for game in log.state.boards if game.scores is not None]
        assert sum(row.points for row in rows) == sum(map(sum, played))


def _own_places(rows: tuple[Row, ...], row: Row) -> list[int]:
    """Return the places of those who share one, at the first of them."""
    shared = [one for one in rows if (one.place, one.shared_to) == (row.place, row.shared_to)]
    return list(range(row.place, row.shared_to + 1)) if row is shared[0] else []


@given(contests())
@settings(max_examples=50)
def test_the_table_does_not_depend_on_the_order_of_results(
    drawn: tuple[int, list[Act]],
) -> None:
    entrants, acts = drawn
    results = [act for act in acts if act[0] == "result"]
    tables = []
    for order in (results, results[::-1], sorted(results)):
        log = Log(entrants)
        for act in order:
            perform(log, act)
        tables.append(ROUND_ROBIN.table(log.state))
    assert tables[0] == tables[1] == tables[2]


@given(st.integers(3, 7), st.lists(st.integers(1, 7), max_size=5))
def test_e7_however_seats_change_hands_each_pair_has_one_board_that_counts(
    entrants: int, changes: list[int]
) -> None:
    log = Log(entrants)
    before = {game.key: game.numbers for game in log.state.boards}
    for newcomer, number in enumerate(changes, 100):
        if number > entrants:
            continue
        log.add(Kind.ENTERED, player=newcomer, waits=True)
        assert log.state.waiting == (newcomer,)
        gone = log.state.by_number[number].player
        boards = [game.key for game in log.state.boards if number in game.numbers]
        log.add(Kind.SUBSTITUTED, player=gone, substitute=newcomer, boards=boards)
        assert log.state.waiting == ()
        assert log.state.by_number[number].player == newcomer
        starting = ROUND_ROBIN.next_boards(log.state)
        assert sorted(one.key for one in starting) == sorted(f"{key}s" for key in boards)
        for board, pairing in enumerate(starting, 1000 * newcomer):
            numbers = list(pairing.numbers)
            log.add(Kind.BOARD, key=pairing.key, numbers=numbers, board=board)
    after = {game.key.rstrip("s"): game.numbers for game in log.state.boards}
    assert after == before
    keys = [game.key for game in (*log.state.boards, *log.state.replaced)]
    assert len(keys) == len(set(keys))
    assert len(log.rows()) == entrants
