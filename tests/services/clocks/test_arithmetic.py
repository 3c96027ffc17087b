"""Counted time: `counted_time` and `end_of_budget` are a pair, whatever pauses there are."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sarsen.services.clocks.turns import Pauses, Span, _stops, counted_time, end_of_budget, midnight

pytestmark = pytest.mark.postgres

HOUR = timedelta(hours=1)
DAY = timedelta(days=1)
MONDAY = datetime(2026, 11, 23, tzinfo=UTC)
BERLIN = ZoneInfo("Europe/Berlin")
ZONES = ("UTC", "Europe/Berlin", "America/Sao_Paulo", "Australia/Lord_Howe", "Pacific/Apia")

# Around both changes of clocks in several zones, and a day that one of them never had.
instants = st.datetimes(
    min_value=datetime(2011, 9, 1),
    max_value=datetime(2012, 11, 30),
    timezones=st.just(UTC),
)
lengths = st.timedeltas(min_value=timedelta(), max_value=timedelta(days=40))
spans = st.builds(lambda begin, length: Span(begin, begin + length), instants, lengths)
zones = st.none() | st.sampled_from(ZONES).map(ZoneInfo)
pauses = st.builds(Pauses, st.lists(spans, max_size=6).map(tuple), zones)


def days(first: float, last: float) -> Span:
    return Span(MONDAY + first * DAY, MONDAY + last * DAY)


def pause_at(moment: datetime, pauses: Pauses) -> Span | None:
    """Return the pause an instant lies in, to the end of the last one that touches it, or None."""
    first = next(_stops(pauses, moment), None)
    return first if first and first.begin <= moment else None


@given(begin=instants, budget=lengths, pauses=pauses)
def test_what_counts_until_a_deadline_is_the_budget(
    begin: datetime, budget: timedelta, pauses: Pauses
) -> None:
    assert counted_time(begin, end_of_budget(begin, budget, pauses), pauses) == budget


@given(begin=instants, length=lengths, pauses=pauses)
def test_deadline_of_the_time_counted_is_that_instant_or_the_end_of_its_pause(
    begin: datetime, length: timedelta, pauses: Pauses
) -> None:
    end = begin + length
    pause = pause_at(end, pauses)
    assert end_of_budget(begin, counted_time(begin, end, pauses), pauses) == (
        pause.end if pause else end
    )


@given(begin=instants, budget=lengths, pauses=pauses)
def test_a_deadline_never_falls_into_a_pause(
    begin: datetime, budget: timedelta, pauses: Pauses
) -> None:
    due = end_of_budget(begin, budget, pauses)
    assert due >= begin + budget
    assert pause_at(due, pauses) is None


@given(begin=instants, first=lengths, second=lengths, pauses=pauses)
def test_counted_time_adds_up(
    begin: datetime, first: timedelta, second: timedelta, pauses: Pauses
) -> None:
    between, end = begin + first, begin + first + second
    parts = counted_time(begin, between, pauses) + counted_time(between, end, pauses)
    assert counted_time(begin, end, pauses) == parts


@given(begin=instants, length=lengths, pauses=pauses, more=spans)
def test_one_pause_more_never_counts_more_and_never_brings_a_deadline_forward(
    begin: datetime, length: timedelta, pauses: Pauses, more: Span
) -> None:
    wider = Pauses((*pauses.spans, more), pauses.weekends)
    assert counted_time(begin, begin + length, wider) <= counted_time(begin, begin + length, pauses)
    assert end_of_budget(begin, length, wider) >= end_of_budget(begin, length, pauses)


@pytest.mark.parametrize(
    ("spans", "due"),
    [
        ((), 3),
        ((days(1, 2),), 4),
        ((days(1, 2), days(2, 4)), 6),
        ((days(1, 3), days(2, 4)), 6),
        ((days(1, 5), days(2, 3)), 7),
        ((days(2, 3), days(1, 5)), 7),
        ((days(-4, 1),), 4),
        ((days(-4, 0),), 3),
        ((days(3, 5),), 5),
        ((days(4, 5),), 3),
        ((days(2, 1),), 3),
        ((days(1, 1),), 3),
    ],
    ids=[
        *("none", "one", "touching", "overlapping", "nested", "nested, unordered"),
        *("begun before", "over before", "at the deadline", "after it", "backwards", "empty"),
    ],
)
def test_three_days_with_pauses_end_when_they_should(spans: tuple[Span, ...], due: float) -> None:
    assert end_of_budget(MONDAY, 3 * DAY, Pauses(spans)) == MONDAY + due * DAY


def test_nothing_counts_backwards() -> None:
    assert counted_time(MONDAY, MONDAY - DAY, Pauses((days(-3, 3),))) == timedelta()


def test_a_weekend_lasts_from_saturday_to_monday_where_the_player_lives() -> None:
    friday = MONDAY + 4 * DAY
    # Saturday begins at 23:00 UTC in Berlin, in winter.
    assert (
        end_of_budget(friday, 23 * HOUR - timedelta(minutes=1), Pauses((), BERLIN)) < friday + DAY
    )
    assert end_of_budget(friday, DAY, Pauses((), BERLIN)) == friday + 3 * DAY
    assert end_of_budget(friday, DAY, Pauses((), ZoneInfo("UTC"))) == friday + 3 * DAY
    honolulu = ZoneInfo("Pacific/Honolulu")
    assert (
        end_of_budget(friday, DAY + 11 * HOUR, Pauses((), honolulu)) == friday + 3 * DAY + 11 * HOUR
    )


def test_a_vacation_that_reaches_into_a_weekend_is_one_pause() -> None:
    pauses = Pauses((days(3, 5.5),), ZoneInfo("UTC"))
    assert pause_at(MONDAY + 4 * DAY, pauses) == days(3, 7)
    assert end_of_budget(MONDAY, 4 * DAY, pauses) == MONDAY + 8 * DAY


@pytest.mark.parametrize(
    ("saturday", "hours"),
    [(datetime(2026, 3, 28, tzinfo=UTC), 47), (datetime(2026, 10, 24, tzinfo=UTC), 49)],
    ids=["clocks go forward", "clocks go back"],
)
def test_a_weekend_in_which_clocks_change_is_an_hour_shorter_or_longer(
    saturday: datetime, hours: int
) -> None:
    noon = saturday + DAY / 2
    weekend = pause_at(noon, Pauses((), BERLIN))
    assert weekend is not None
    assert weekend.end - weekend.begin == hours * HOUR
    week = counted_time(saturday - 3 * DAY, saturday + 4 * DAY, Pauses((), BERLIN))
    assert week == 7 * DAY - hours * HOUR


def test_a_day_without_midnight_begins_where_the_clocks_skip_it() -> None:
    # Clocks in São Paulo went from 23:59 to 1:00 on this day.
    zone = ZoneInfo("America/Sao_Paulo")
    day = datetime(2018, 11, 4, tzinfo=UTC).date()
    assert midnight(day, zone) == datetime(2018, 11, 4, 3, tzinfo=UTC)
