"""Days as people type them."""

from __future__ import annotations

from datetime import date

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sarsen.core.errors import UserError
from sarsen.language.commands import TakeVacation
from sarsen.language.grammar.dates import read_day, split_days
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context

TODAY = date(2026, 11, 23)


@pytest.mark.parametrize(
    ("typed", "day"),
    [
        ("2026-12-24", date(2026, 12, 24)),
        ("2026-1-4", date(2026, 1, 4)),
        ("24.12.2026", date(2026, 12, 24)),
        ("24.12.", date(2026, 12, 24)),
        ("4.1.", date(2027, 1, 4)),
        ("24 Dec", date(2026, 12, 24)),
        ("24. december 2027", date(2027, 12, 24)),
        ("Dec 24", date(2026, 12, 24)),
        ("23 nov", date(2026, 11, 23)),
        ("22 nov", date(2027, 11, 22)),
        ("today", date(2026, 11, 23)),
        ("Tomorrow", date(2026, 11, 24)),
    ],
)
def test_days_are_read(typed: str, day: date) -> None:
    assert read_day(typed, TODAY) == day


def test_a_last_day_without_year_is_the_next_after_the_first() -> None:
    assert read_day("2 Jan", TODAY, date(2026, 12, 24)) == date(2027, 1, 2)


@pytest.mark.parametrize(
    "typed",
    ["", "soon", "24", "31.2.2026", "29 Feb", "12/24/2026", "0000-00-00", "24 Foo", "٢٤ Dec"],
)
def test_what_is_no_day_is_refused(typed: str) -> None:
    with pytest.raises(UserError) as refused:
        read_day(typed, TODAY)
    assert refused.value.code == "unreadable-day"


@given(st.text(max_size=30))
def test_any_text_is_a_day_or_refused(text: str) -> None:
    try:
        assert read_day(text, TODAY)
    except UserError as refused:
        assert refused.hint


@pytest.mark.parametrize(
    ("line", "days"),
    [
        ("vacation 2026-12-24 2027-01-02", ("2026-12-24", "2027-01-02")),
        ("vacation from 24 Dec to 2 Jan", ("24 Dec", "2 Jan")),
        ("vacation 24 Dec 2026 2 Jan 2027", ("24 Dec 2026", "2 Jan 2027")),
        ("vacation Dec 24 - Jan 2", ("Dec 24", "Jan 2")),
        ("vacation today until 2 Jan.", ("today", "2 Jan.")),
        ("vacation 24. Dec 2. Jan", ("24. Dec", "2. Jan")),
        ("holiday tomorrow 24.12.2026", ("tomorrow", "24.12.2026")),
        ("vacation ann today tomorrow", None),
    ],
)
def test_two_days_are_told_apart(line: str, days: tuple[str, str] | None) -> None:
    context = Context(speaker="bob")
    if days is None:
        with pytest.raises(UserError):
            read_line(line, context)
    else:
        assert read_line(line, context).command == TakeVacation(*days)


def test_userid_and_password_stand_before_the_days() -> None:
    parsed = read_line("vacation ann secret 24 Dec 2 Jan", Context())
    assert parsed.command == TakeVacation("24 Dec", "2 Jan")
    assert parsed.credentials is not None
    assert parsed.credentials.userid == "ann"


def test_words_of_days_are_joined() -> None:
    assert split_days(("today", "24", "Dec", "2026")) == ("today", "24 Dec 2026")
