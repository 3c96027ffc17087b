"""One turn's clock: what is due, and that nobody loses without having been warned in time."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sarsen.services.clocks.turns import (
    Act,
    ClockTurn,
    Pauses,
    Span,
    counted_time,
    deadline,
    decide,
    reserve_after,
)
from sarsen.services.matches.terms import PlayingTime, playing_time

pytestmark = pytest.mark.postgres

DAY = timedelta(days=1)
HOUR = timedelta(hours=1)
BEGAN = datetime(2026, 11, 23, tzinfo=UTC)
USUAL = playing_time({})


def turn(reserve: timedelta | None = None, time: PlayingTime = USUAL, *spans: Span) -> ClockTurn:
    return ClockTurn(BEGAN, time, reserve, Pauses(spans))


def days(first: float, last: float) -> Span:
    return Span(BEGAN + first * DAY, BEGAN + last * DAY)


def run(
    turn: ClockTurn, *, step: timedelta, silent: Span | None = None
) -> list[tuple[Act, timedelta]]:
    """Let a sweep look at a turn again and again; give its acts with the times since the turn."""
    acts: list[tuple[Act, timedelta]] = []
    now = look_at = turn.began_at
    while True:
        now += step
        if silent and silent.begin <= now < silent.end:
            continue
        if silent and now >= silent.end:
            turn = replace(turn, pauses=Pauses((*turn.pauses.spans, silent)))
            silent = None
        if now < look_at:
            continue
        decision = decide(turn, now)
        look_at = decision.look_at
        if decision.act is not Act.WAIT:
            acts.append((decision.act, now - turn.began_at))
        if decision.act is Act.NAG:
            turn = replace(turn, was_nagged=True)
        if decision.act is Act.WARN:
            turn = replace(turn, was_nagged=True, warned_at=now)
        if decision.act is Act.FORFEIT:
            return acts


def test_usual_turn_is_reminded_after_a_week_and_warned_a_day_before_it_is_lost() -> None:
    acts = run(turn(), step=HOUR)
    assert acts == [(Act.NAG, 7 * DAY), (Act.WARN, 20 * DAY), (Act.FORFEIT, 21 * DAY)]


def test_the_warning_of_a_short_budget_comes_when_a_quarter_is_left() -> None:
    short = replace(USUAL, nag=DAY / 2, forfeit=2 * DAY)
    acts = run(turn(None, short), step=HOUR)
    assert acts == [(Act.NAG, DAY / 2), (Act.WARN, 1.5 * DAY), (Act.FORFEIT, 2 * DAY)]


def test_a_reserve_smaller_than_the_forfeittime_is_the_deadline() -> None:
    acts = run(turn(4 * DAY), step=HOUR)
    assert acts == [(Act.WARN, 3 * DAY), (Act.FORFEIT, 4 * DAY)]
    assert deadline(turn(40 * DAY)) == BEGAN + 21 * DAY


def test_a_reminder_that_would_come_with_the_warning_or_after_it_is_left_out() -> None:
    late = replace(USUAL, nag=20 * DAY)
    assert [act for act, _ in run(turn(None, late), step=HOUR)] == [Act.WARN, Act.FORFEIT]


@pytest.mark.parametrize("reserve", [timedelta(), timedelta(seconds=1), -HOUR])
def test_without_any_reserve_there_is_still_a_quarter_of_an_hour_after_the_warning(
    reserve: timedelta,
) -> None:
    assert deadline(turn(reserve)) == BEGAN + timedelta(minutes=15)
    acts = run(turn(reserve), step=timedelta(minutes=1))
    assert acts == [(Act.WARN, timedelta(minutes=1)), (Act.FORFEIT, timedelta(minutes=16))]


def test_after_five_days_of_silence_over_the_deadline_all_goes_on_as_if_they_had_not_been() -> None:
    acts = run(turn(), step=HOUR, silent=days(19, 24))
    assert acts == [(Act.NAG, 7 * DAY), (Act.WARN, 25 * DAY), (Act.FORFEIT, 26 * DAY)]


def test_after_a_silence_that_began_before_the_reminder_there_is_one_reminder_not_ten() -> None:
    acts = run(turn(), step=HOUR, silent=days(6, 90))
    assert acts == [(Act.NAG, 91 * DAY), (Act.WARN, 104 * DAY), (Act.FORFEIT, 105 * DAY)]


def test_who_looks_too_late_warns_first_and_gives_the_time_that_was_promised() -> None:
    late = BEGAN + 30 * DAY
    decision = decide(turn(), late)
    assert (decision.act, decision.due_at, decision.look_at) == (Act.WARN, late + DAY, late + DAY)
    warned = replace(turn(), warned_at=late)
    assert decide(warned, late + DAY - HOUR).act is Act.WAIT
    assert decide(warned, late + DAY).act is Act.FORFEIT


def test_a_vacation_between_warning_and_deadline_moves_the_deadline() -> None:
    warned = replace(turn(None, USUAL, days(20.5, 27.5)), warned_at=BEGAN + 20 * DAY)
    assert deadline(warned) == BEGAN + 28 * DAY


spans = st.builds(
    lambda first, length: days(first, first + length), st.floats(0, 60), st.floats(0, 20)
)
times = st.builds(
    lambda forfeit, part: replace(USUAL, forfeit=forfeit * DAY, nag=forfeit * part * DAY),
    st.floats(0.04, 30),
    st.floats(0.1, 0.99),
)
reserves = st.none() | st.timedeltas(timedelta(), timedelta(days=40))
turns = st.builds(
    lambda time, reserve, paused: turn(reserve, time, *paused), times, reserves, st.lists(spans)
)


@given(turn=turns, looks=st.lists(st.floats(0.001, 15), min_size=1, max_size=60))
def test_nobody_loses_without_a_warning_and_the_time_that_belongs_to_it(
    turn: ClockTurn, looks: list[float]
) -> None:
    now, nags = turn.began_at, 0
    for pause in looks:
        now += pause * DAY
        decision = decide(turn, now)
        if decision.act is Act.NAG:
            nags += 1
            turn = replace(turn, was_nagged=True)
        elif decision.act is Act.WARN:
            assert turn.warned_at is None
            turn = replace(turn, was_nagged=True, warned_at=now)
        elif decision.act is Act.FORFEIT:
            assert turn.warned_at is not None
            assert counted_time(turn.warned_at, now, turn.pauses) >= turn.notice
            assert counted_time(turn.began_at, now, turn.pauses) >= turn.budget
            break
        else:
            assert decision.look_at > now
    assert nags <= 1


def test_used_time_is_charged_and_the_increment_added() -> None:
    time = replace(USUAL, increment=DAY)
    assert reserve_after(turn(10 * DAY, time), BEGAN + 4 * DAY) == 7 * DAY
    assert reserve_after(turn(10 * DAY, time, days(1, 3)), BEGAN + 4 * DAY) == 9 * DAY
    assert reserve_after(turn(10 * DAY, time), BEGAN + 12 * DAY) == DAY
    assert reserve_after(turn(None, time), BEGAN + 4 * DAY) is None
