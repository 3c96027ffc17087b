"""The one sentence about a clock, and time in words."""

from __future__ import annotations

from dataclasses import replace
from datetime import UTC, date, datetime, timedelta

import pytest

from sarsen.core.errors import UserError
from sarsen.language.clocks import (
    Away,
    ClockView,
    away_days,
    away_label,
    away_words,
    clock_sentence,
    reserve_words,
)
from sarsen.language.grammar.dates import day_words, moment, short_stretch, stretch
from sarsen.language.grammar.time_zones import read_zone, zone_called
from sarsen.language.translating import use_language

NOW = datetime(2026, 11, 20, 9, tzinfo=UTC)
DUE = datetime(2026, 11, 24, 17, tzinfo=UTC)
DAY = timedelta(days=1)
CLOCK = ClockView("Ann", "Europe/Berlin", DUE, None, (None, None), (), weekends_are_off=False)
BERLIN = "Europe/Berlin"


def test_the_sentence_tells_the_deadline_in_the_readers_time() -> None:
    clock = replace(CLOCK, reserve_after=4 * DAY)
    assert clock_sentence(clock, BERLIN, NOW) == (
        "Ann must move by Tue 24 Nov 18:00 your time; then 4 days of reserve are left."
    )


@pytest.mark.parametrize("zone", ["", "UTC", "Atlantis/Centre"])
def test_a_reader_without_a_zone_is_told_utc(zone: str) -> None:
    said = clock_sentence(CLOCK, zone, NOW)
    assert "Tue 24 Nov 17:00" in said
    assert ("UTC" in said) == (zone in ("", "UTC"))


def test_without_reserve_the_sentence_says_so() -> None:
    clock = replace(CLOCK, reserve_after=timedelta())
    assert clock_sentence(clock, "", NOW).endswith("17:00 UTC; after that, no reserve is left.")
    clock = replace(CLOCK, reserve_after=DAY)
    assert clock_sentence(clock, "", NOW).endswith("; then 1 day of reserve is left.")


def test_after_the_deadline_the_sentence_says_that_a_move_still_counts() -> None:
    said = clock_sentence(CLOCK, "", DUE)
    assert (
        said == "Ann should have moved by Tue 24 Nov 17:00 UTC; "
        "a move still counts until the game is ended."
    )


def test_a_clock_that_stands_still_says_why() -> None:
    away = Away("Ann", NOW - DAY, NOW + DAY, date(2026, 11, 21))
    clock = replace(CLOCK, away=(away,))
    assert clock_sentence(clock, "", NOW).endswith("The clock is stopped: vacation.")
    assert "still" not in clock_sentence(clock, "", NOW + DAY)
    assert away_words(clock, "Ann", NOW) == "(on vacation until Sat 21 Nov)"
    assert away_words(clock, "bob", NOW) == ""
    assert away_words(clock, "Ann", NOW + DAY) == ""
    # In Ann's zone these days begin at 23:00 UTC of the day before.
    begins = datetime(2026, 12, 23, 23, tzinfo=UTC)
    planned = Away("Ann", begins, begins + 10 * DAY, date(2027, 1, 2))
    one_day = Away("Ann", begins + 20 * DAY, begins + 21 * DAY, date(2027, 1, 13))
    clock = replace(CLOCK, away=(one_day, planned))
    assert away_words(clock, "Ann", NOW) == "(on vacation from Thu 24 Dec to Sat 2 Jan 2027)"
    assert away_words(replace(CLOCK, away=(one_day,)), "Ann", NOW) == (
        "(on vacation on Wed 13 Jan 2027)"
    )
    assert away_words(clock, "bob", NOW) == ""
    assert away_label(*away_days(clock, "Ann", NOW), NOW.date()) == "away 24 Dec to 2 Jan 2027"
    assert away_label(*away_days(clock, "bob", NOW), NOW.date()) == ""
    off = replace(CLOCK, weekends_are_off=True)
    # Friday 23:00 UTC is Saturday where Ann lives.
    friday = datetime(2026, 11, 20, 22, 30, tzinfo=UTC)
    assert "weekend" not in clock_sentence(off, "", friday)
    assert clock_sentence(off, "", friday + DAY / 24).endswith("is stopped: weekend.")


def test_reserves_are_said_by_seat() -> None:
    clock = replace(CLOCK, reserves=(12 * DAY, None))
    assert (reserve_words(clock, 0), reserve_words(clock, 1)) == ("(reserve: 12 days)", "")


@pytest.mark.parametrize(
    ("time", "words", "short"),
    [
        (4 * DAY, "4 days", "4 d"),
        (1.25 * DAY, "1 day 6 hours", "1 d 6 h"),
        (DAY / 24, "1 hour", "1 h"),
        (timedelta(minutes=90), "1 hour 30 minutes", "1 h 30 m"),
        (timedelta(minutes=1), "1 minute", "1 m"),
        (timedelta(seconds=59), "no time", "no time"),
        (10 * DAY + timedelta(minutes=5), "10 days", "10 d"),
    ],
)
def test_stretches_are_said_in_their_two_largest_units(
    time: timedelta, words: str, short: str
) -> None:
    assert (stretch(time), short_stretch(time)) == (words, short)


def test_a_day_of_another_year_has_its_year() -> None:
    assert day_words(date(2027, 1, 2), NOW.date()) == "Sat 2 Jan 2027"
    assert moment(datetime(2026, 12, 31, 23, 30, tzinfo=UTC), BERLIN, NOW) == (
        "Fri 1 Jan 2027 00:30 your time"
    )


@pytest.mark.parametrize(
    ("typed", "zone"),
    [
        ("Europe/Berlin", "Europe/Berlin"),
        ("europe/berlin", "Europe/Berlin"),
        ("america/new york", "America/New_York"),
        ("utc", "UTC"),
    ],
)
def test_zones_are_read_in_any_case(typed: str, zone: str) -> None:
    assert read_zone(typed) == zone


@pytest.mark.parametrize(
    ("typed", "near"),
    [
        ("Berlin", "Europe/Berlin"),
        ("new york", "America/New_York"),
        ("Europe/Berlim", "Europe/Berlin"),
        ("Europa/Berlin", "Europe/Berlin"),
        ("sidney", "Australia/Sydney"),
        ("India", "Asia/Kolkata"),
        ("Beijing", "Asia/Shanghai"),
        ("PST", "America/Los_Angeles"),
        ("cest", "Europe/Berlin"),
    ],
)
def test_an_unknown_zone_is_refused_with_the_nearest(typed: str, near: str) -> None:
    with pytest.raises(UserError) as refused:
        read_zone(typed)
    assert refused.value.hint == f"change timezone {near}"
    assert len(refused.value.text) < 200


@pytest.mark.parametrize(
    "typed",
    [
        *("GMT-5", "UTC+2", "+02:00", "-5", "utc +0530", "Z-3", "../../etc/passwd", "x" * 500),
        *("CST", "aes", "Narnia", "Narnia/Lantern"),
    ],
)
def test_no_zone_is_proposed_that_cannot_be_meant(typed: str) -> None:
    with pytest.raises(UserError) as refused:
        read_zone(typed)
    assert refused.value.hint == "Send `change timezone` with the name of a large city near you."
    is_offset = refused.value.code == "timezone-offset"
    assert is_offset == any(sign in typed for sign in "+-")
    assert len(refused.value.text) < 200


def test_a_zone_that_is_not_known_any_more_counts_as_utc() -> None:
    for name in ("Atlantis/Centre", "", "../x", "x\0y"):
        assert str(zone_called(name)) == "UTC"


def test_a_vacation_beside_a_name_is_short() -> None:
    today, first, last = NOW.date(), date(2026, 12, 1), date(2026, 12, 10)
    assert away_label(first, last, today) == "away 1 to 10 Dec"
    assert away_label(first, first, today) == "away on 1 Dec"
    assert away_label(first, date(2027, 1, 4), today) == "away 1 Dec to 4 Jan 2027"
    assert away_label(None, last, today) == away_label(first, last, first) == "away until 10 Dec"
    with use_language("de"):
        assert away_label(first, last, today) == "im Urlaub vom 1. bis 10. Dez"
