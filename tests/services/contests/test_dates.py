"""The end date, its forecast, and what is settled before it: E13 and E14."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from itertools import combinations, product

import pytest
from hypothesis import given
from hypothesis import strategies as st

from contest_log import ROUND_ROBIN, Log
from contest_world import DAY, ContestWorld
from sarsen.services.admin.verify import verify
from sarsen.services.admin.verify_boards import VerifyReport
from sarsen.services.contests.course.forecast import Figures, RunningBoard, forecast, paces_of
from sarsen.services.contests.settled import deciding_games, is_settled
from sarsen.storage.models import Contest, ContestEvent, Downtime, Heartbeat

NOW = datetime(2027, 1, 10, tzinfo=UTC)
END = NOW + 60 * DAY
FAR = NOW + 1000 * DAY


def figures(
    *running: RunningBoard,
    to_come: tuple[tuple[int, int], ...] = (),
    paces: dict[int, timedelta] | None = None,
    ends_at: datetime = FAR,
    boards: int = 9,
) -> Figures:
    return Figures(running, to_come, paces or {}, 40, boards, ends_at)


def test_e13_the_forecast_is_when_the_slowest_board_has_its_usual_plies() -> None:
    begun = RunningBoard((1, 2), plies=10, seat=0, since=NOW - DAY)
    fresh = RunningBoard((1, 3), plies=0, seat=0, since=NOW)
    paces = {1: DAY, 2: timedelta(hours=12)}
    # 15 moves of a day and 15 of half a day from yesterday on: 22.5 days.
    assert forecast(figures(begun, paces=paces), NOW) == NOW + timedelta(days=21.5)
    # Entrant 3 has not moved for 90 days: two days a move. 20 days and 40.
    assert forecast(figures(begun, fresh, paces=paces), NOW) == NOW + 60 * DAY
    assert forecast(figures(begun, fresh, paces=paces, ends_at=END - DAY), NOW) == END - DAY


def test_e13_a_long_game_has_one_more_turn_of_each() -> None:
    long = RunningBoard((1, 2), plies=91, seat=1, since=NOW)
    assert forecast(figures(long, paces={1: DAY, 2: 3 * DAY}), NOW) == NOW + 4 * DAY


def test_e13_boards_that_have_not_begun_wait_for_a_free_place() -> None:
    begun = RunningBoard((1, 2), plies=30, seat=0, since=NOW)
    one_each = figures(begun, to_come=((3, 1), (3, 2)), boards=1)
    # Two days a move: 20 days, then 80, then 80 more.
    assert forecast(one_each, NOW) == NOW + 180 * DAY
    assert forecast(figures(begun, to_come=((3, 1), (3, 2)), boards=2), NOW) == NOW + 80 * DAY


@given(
    st.lists(st.tuples(st.integers(0, 60), st.integers(0, 1), st.integers(0, 30)), max_size=6),
    st.integers(1, 100),
)
def test_e13_it_is_never_in_the_past_nor_after_the_end_date(
    drawn: list[tuple[int, int, int]], hours: int
) -> None:
    boards = [RunningBoard((1, 2), plies, seat, NOW - days * DAY) for plies, seat, days in drawn]
    paces = {1: timedelta(hours=hours)}
    found = forecast(figures(*boards, paces=paces, ends_at=END), NOW)
    assert NOW <= found <= END
    slower = {1: timedelta(hours=hours + 1)}
    assert found <= forecast(figures(*boards, paces=slower, ends_at=END), NOW)


@pytest.mark.django_db
def test_e13_the_pace_is_the_median_time_a_move_at_all_boards() -> None:
    world = ContestWorld(NOW)
    world.make("ann", "bob", "cid", game="druid", options="-size=8")
    board = world.board("ann", "bob").pk
    for hours in (5, 1, 2, 30, 9, 4):  # the first seat, the second, and so on
        world.now += timedelta(hours=hours)
        world.move(board)
    players = [row.player_id for row in world.board("ann", "bob").seat_rows]
    # The first move has none before it. Second seat: 1, 30, 4; first seat: 2, 9.
    assert paces_of(players, world.now) == {
        players[0]: timedelta(hours=5.5),
        players[1]: timedelta(hours=4),
    }
    assert paces_of(players, world.now + 91 * DAY) == {}


@pytest.mark.django_db
def test_e13_a_contest_shows_its_forecast_and_makes_it_anew_each_day() -> None:
    world = ContestWorld(NOW)
    world.make("ann", "bob", "cid", game="druid", options="-size=8")
    # Nobody has moved: 40 plies of two days each.
    assert world.view().forecast == NOW + 80 * DAY
    world.wait(timedelta(hours=12), timedelta(hours=12))
    assert Contest.objects.get().forecast_made_at == NOW
    world.wait(timedelta(hours=13), timedelta(hours=13))
    assert Contest.objects.get().forecast_made_at == world.now
    for one, other in (("ann", "bob"), ("bob", "cid"), ("ann", "cid")):
        world.win(one, other)
    assert world.view().forecast is None


def moved(world: ContestWorld) -> list[tuple[datetime, int]]:
    events = ContestEvent.objects.filter(contest=world.number, kind="opened")
    return [(one.due, one.facts["days"]) for one in events if "days" in one.facts]


@pytest.mark.django_db
@pytest.mark.parametrize(("hours", "days"), [(24, 0), (25, 2), (48, 2), (49, 3)])
def test_e13_a_downtime_over_a_day_moves_the_end_date_by_whole_days(hours: int, days: int) -> None:
    world = ContestWorld(NOW)
    world.make("ann", "bob", "cid", game="druid", options="-size=8")
    ends_at = Contest.objects.get().ends_at
    assert ends_at is not None
    began, ended = NOW + DAY, NOW + DAY + timedelta(hours=hours)
    Downtime.objects.create(starts_at=began, ends_at=ended)
    world.now = ended + DAY
    world.sweep()
    assert moved(world) == ([(ended, days)] if days else [])
    assert world.view().ends_at == ends_at + days * DAY
    world.wait(3 * DAY)
    assert len(moved(world)) == bool(days)
    found = verify(VerifyReport(), lambda: None)
    assert [one.what for one in found] == []


@pytest.mark.django_db
def test_e13_a_server_that_is_away_over_the_end_date_does_not_end_the_contest() -> None:
    world = ContestWorld(NOW)
    world.make(
        *("ann", "bob", "cid"), game="druid", options="-size=8", terms=("--forfeittime=200",)
    )
    ends_at = Contest.objects.get().ends_at
    assert ends_at is not None
    Heartbeat.objects.update_or_create(name="clocks", defaults={"at": ends_at - DAY})
    world.now = ends_at + DAY
    world.sweep()
    assert world.view().state == "running"
    assert moved(world) == [(ends_at, 2)]


ANN, BOB, CID, DORA, EVA = 1, 2, 3, 4, 5


def settled(log: Log) -> bool:
    return is_settled(ROUND_ROBIN, log.state, ROUND_ROBIN.table(log.state))


def test_e14_places_are_settled_when_no_open_game_can_change_them() -> None:
    log = Log()
    for winner, loser in ((ANN, BOB), (ANN, CID), (ANN, DORA), (BOB, CID), (BOB, DORA)):
        assert not settled(log)
        log.won(winner, loser)
    # cid and dora still play for the third place.
    assert not settled(log)
    log.drawn(CID, DORA)
    assert settled(log)


def test_e14_who_is_fourth_and_fifth_does_not_matter() -> None:
    log = Log(entrants=5)
    for winner, loser in combinations((ANN, BOB, CID, DORA, EVA), 2):
        if (winner, loser) != (DORA, EVA):
            log.won(winner, loser)
    assert settled(log)


@given(
    st.permutations(list(combinations((ANN, BOB, CID, DORA), 2))),
    st.lists(st.sampled_from((0.0, 0.5, 1.0)), min_size=6, max_size=6),
)
def test_e14_no_result_opens_again_what_is_settled(
    pairs: list[tuple[int, int]], scores: list[float]
) -> None:
    log = Log()
    was_settled = False
    for (one, other), score in zip(pairs, scores, strict=True):
        log.won(one, other, score)
        assert settled(log) >= was_settled
        was_settled = settled(log)
    assert was_settled


def test_e14_the_game_that_decides_is_named() -> None:
    log = Log()
    for winner, loser in ((ANN, BOB), (ANN, CID), (ANN, DORA), (BOB, CID)):
        log.won(winner, loser)
    # bob-dora alone settles nothing while cid-dora is open, nor the other way round: dora and cid
    # may pass each other.
    assert deciding_games(ROUND_ROBIN, log.state, 1) == ()
    log.won(BOB, DORA)
    assert [game.numbers for game in deciding_games(ROUND_ROBIN, log.state, 1)] in (
        [(CID, DORA)],
        [(DORA, CID)],
    )
    log.drawn(CID, DORA)
    assert deciding_games(ROUND_ROBIN, log.state, 1) == ()


@given(st.permutations(list(combinations((ANN, BOB, CID, DORA), 2))), st.data())
def test_e14_settled_means_that_the_first_places_are_the_same_after_every_outcome(
    pairs: list[tuple[int, int]], data: st.DataObject
) -> None:
    played = data.draw(st.integers(2, 6))
    known = [(pair, data.draw(st.sampled_from((0.0, 0.5, 1.0)))) for pair in pairs[:played]]
    log = Log()
    for (one, other), score in known:
        log.won(one, other, score)
    if played == len(pairs):
        assert settled(log)
        return
    firsts = set()
    for outcome in product((0.0, 0.5, 1.0), repeat=len(pairs) - played):
        points = dict.fromkeys((ANN, BOB, CID, DORA), 0.0)
        open_ones = list(zip(pairs[played:], outcome, strict=True))
        for (one, other), score in [*known, *open_ones]:
            points[one] += score
            points[other] += 1 - score
        order = sorted(points.values(), reverse=True)
        ties = tuple(order[at] == order[at + 1] for at in range(3))
        firsts.add((ties, tuple(sorted(points, key=lambda who: -points[who]))))
    same = len(firsts) == 1 and not any(next(iter(firsts))[0])
    assert settled(log) == same
