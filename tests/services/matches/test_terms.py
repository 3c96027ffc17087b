"""Terms of a challenge: read, written back, and mended where they are refused."""

from __future__ import annotations

from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sarsen.core.errors import BadOption
from sarsen.games import load, names
from sarsen.language.commands import MakeChallenge
from sarsen.language.terms import TERMS, terms_page
from sarsen.services.matches.terms import (
    agree,
    playing_time,
    read_terms,
    with_weekends,
    write_terms,
)

DAY = timedelta(days=1)


def test_usual_terms_are_a_week_and_three_without_reserve() -> None:
    time = playing_time(read_terms(()).as_dict())
    assert (time.nag, time.forfeit, time.total) == (7 * DAY, 21 * DAY, None)
    assert not time.weekends_are_off
    assert time == playing_time({})


def test_a_short_forfeittime_is_reminded_at_a_third_of_it() -> None:
    assert playing_time(read_terms(("--forfeittime=1.5",)).as_dict()).nag == DAY / 2
    assert playing_time(read_terms(("--forfeittime=60",)).as_dict()).nag == 7 * DAY


def test_terms_written_are_those_that_differ_and_read_back() -> None:
    typed = ("--UNRATED", "--nagtime=0,5", "--totaltime=30", "--weekends=OFF", "--increment=0.25")
    terms = read_terms(typed)
    written = write_terms(terms.as_dict())
    assert written == "--unrated --nagtime=0.5 --totaltime=30 --increment=0.25 --weekends=off"
    assert read_terms(tuple(written.split())) == terms
    assert write_terms(read_terms(("--rated", "--totaltime=none")).as_dict()) == ""
    # A match from a release that knew fewer terms.
    assert write_terms({"unrated": True}) == "--unrated"


def test_weekends_are_off_where_everybody_wants_that_or_the_challenge_says_so() -> None:
    terms = read_terms(()).as_dict()
    assert playing_time(with_weekends(terms, everybody_wants=True)).weekends_are_off
    off = read_terms(("--weekends=off",)).as_dict()
    assert playing_time(with_weekends(off, everybody_wants=False)).weekends_are_off


@pytest.mark.parametrize(
    ("words", "code"),
    [
        (("--nagtime=21",), "option-range"),
        (("--forfeittime=5", "--nagtime=5"), "option-range"),
        (("--forfeittime=0.01",), "option-range"),
        (("--forfeittime=366",), "option-range"),
        (("--forfeittime=1e5",), "unreadable-option"),
        (("--forfeittime=-1",), "unreadable-option"),
        (("--forfeittime=nan",), "unreadable-option"),
        (("--forfeittime=none",), "unreadable-option"),
        (("--totaltime",), "unreadable-option"),
        (("--totaltime=٣",), "unreadable-option"),
        (("--increment=1",), "option-range"),
        (("--weekends",), "unreadable-option"),
        (("--rated", "--unrated"), "repeated-option"),
        (("--colour",), "unknown-option"),
        (("--", "---"), "unknown-option"),
    ],
)
def test_bad_terms_are_refused(words: tuple[str, ...], code: str) -> None:
    with pytest.raises(BadOption) as refused:
        read_terms(words)
    assert refused.value.code == code
    assert "--" in refused.value.text


_NAMES = [*(term.name for term in TERMS), "size", "nogaps", "swap", "rated", "colour", ""]
_VALUES = ["", "=", "=4", "=0.5", "=99999", "=off", "=none", "=x", "=-1", "=="]
_words = st.lists(
    st.builds("".join, st.tuples(st.sampled_from(_NAMES), st.sampled_from(_VALUES))),
    max_size=6,
)


@given(game=st.sampled_from(names()), options=_words, terms=_words)
def test_the_line_offered_instead_of_any_refused_one_works(
    game: str, options: list[str], terms: list[str]
) -> None:
    typed = " ".join(f"-{word}" for word in options)
    command = MakeChallenge(game, typed, tuple(f"--{word}" for word in terms), ("ann", "bob"))
    try:
        agree(load(game), command)
    except BadOption as refused:
        words = refused.hint.split()
        assert (words[:2], words[-2:]) == ([game, "challenge"], ["ann", "bob"])
        mended = MakeChallenge(
            game,
            " ".join(word for word in words[2:-2] if not word.startswith("--")),
            tuple(word for word in words[2:-2] if word.startswith("--")),
            ("ann", "bob"),
        )
        agree(load(game), mended)


def test_what_was_right_stays_in_the_line_offered() -> None:
    terms = ("--unrated", "--nagtime=40", "--weekends=off")
    command = MakeChallenge("druid", "-nogaps -size=99", terms, ("ann", "bob"))
    with pytest.raises(BadOption) as refused:
        agree(load("druid"), command)
    assert refused.value.hint == (
        "druid challenge -nogaps -size=12 --unrated --nagtime=10.5 --weekends=off ann bob"
    )
    assert "There are: -size=N" in refused.value.text


def test_the_help_page_lists_every_term_with_its_values() -> None:
    page = terms_page()
    assert all(f"--{term.name}" in page for term in TERMS)
    assert "`--unrated|--rated`" in page
    assert "default: 7, or a third of a shorter forfeittime)" in page
