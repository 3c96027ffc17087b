"""Options: read from a text or a mapping, written back, refused with what would do."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sarsen.core.errors import BadOption
from sarsen.core.options import Choice, Days, Flag, Number, Options, read_options, usages

SIZE = Number("size", "squares a side", low=4, high=12, default=8, step=2, why="sides are even.")
NOGAPS = Flag("nogaps", "no gaps")
DECLARED = (SIZE, NOGAPS)


def refusal(given: str | dict[str, object]) -> BadOption:
    with pytest.raises(BadOption) as refused:
        read_options(DECLARED, given)
    return refused.value


def test_options_not_named_have_their_defaults() -> None:
    assert read_options(DECLARED).as_dict() == {"size": 8, "nogaps": False}


def test_text_and_mapping_read_alike_in_any_order_and_case() -> None:
    from_text = read_options(DECLARED, "-NOGAPS  -Size=4")
    assert from_text == read_options(DECLARED, {"size": 4, "nogaps": True})
    assert from_text.number("size") == 4
    assert from_text.flag("nogaps") is True


def test_a_mapping_may_give_a_number_as_digits_and_a_flag_as_off() -> None:
    read = read_options(DECLARED, {"-size": "6", "nogaps": False})
    assert read.as_dict() == {"size": 6, "nogaps": False}


@given(size=st.sampled_from(range(4, 13, 2)), nogaps=st.booleans())
def test_written_options_read_back(size: int, nogaps: bool) -> None:
    options = Options(DECLARED, (size, nogaps))
    assert read_options(DECLARED, options.write()) == options
    assert read_options(DECLARED, options.as_dict()) == options


def test_defaults_are_not_written() -> None:
    assert read_options(DECLARED, "-size=8").write() == ""
    assert read_options(DECLARED, "-nogaps -size=4").write() == "-size=4 -nogaps"


@pytest.mark.parametrize(
    ("given", "code"),
    [
        ("-colour", "unknown-option"),
        ("-size=4 -size=6", "repeated-option"),
        ("-nogaps -nogaps", "repeated-option"),
        ("size=4", "unreadable-option"),
        ("-size", "unreadable-option"),
        ("-size=", "unreadable-option"),
        ("-size=four", "unreadable-option"),
        ("-size=-4", "unreadable-option"),
        ("-size=4.0", "unreadable-option"),
        ("-size=٤", "unreadable-option"),
        ("-size=" + "9" * 5000, "unreadable-option"),
        ("-nogaps=yes", "unreadable-option"),
        ("-size=2", "option-range"),
        ("-size=14", "option-range"),
        ("-size=5", "option-step"),
        ({"size": True}, "unreadable-option"),
        ({"size": None}, "unreadable-option"),
        ({"size": [4]}, "unreadable-option"),
        ({"nogaps": 1}, "unreadable-option"),
        ({"size": 10**30}, "option-range"),
        ({3: 4}, "unknown-option"),
        ({"size": 4, "-SIZE": 6}, "repeated-option"),
    ],
)
def test_bad_options_are_refused_with_a_code(given: str | dict[str, object], code: str) -> None:
    assert refusal(given).code == code


@pytest.mark.parametrize(
    "given", ["size=4", "-size", "-nogaps=1", "-size=2", "-size=99", "-size=5"]
)
def test_hint_of_a_refused_option_is_one_that_works(given: str) -> None:
    assert read_options(DECLARED, refusal(given).hint)


def test_unknown_option_lists_those_there_are() -> None:
    assert refusal("-colour").hint == "This game has these options: -size=N -nogaps."


def test_refused_step_says_why() -> None:
    assert "sides are even." in refusal("-size=5").text


def test_both_ends_of_a_range_belong_to_it() -> None:
    assert read_options(DECLARED, "-size=4").number("size") == 4
    assert read_options(DECLARED, "-size=12").number("size") == 12


def test_a_value_of_an_undeclared_option_is_a_defect() -> None:
    with pytest.raises(KeyError):
        read_options(DECLARED)["colour"]


NAG = Days("nag", "a reminder", low=0.25, high=30, default=7.0)
TOTAL = Days("total", "the reserve", low=1, high=100)
PACE = Choice("pace", "how fast", ("slow", "quick"), "slow")
RATED = Flag("unrated", "does not count", opposite="rated")
KINDS = (NAG, TOTAL, PACE, RATED)


def test_days_choices_and_opposites_are_read_and_written_back() -> None:
    read = read_options(KINDS, "-nag=0,5 -total=30 -pace=QUICK -rated")
    assert read.as_dict() == {"nag": 0.5, "total": 30.0, "pace": "quick", "unrated": False}
    assert (read.days("nag"), read.choice("pace"), read.flag("unrated")) == (0.5, "quick", False)
    assert read.write() == "-nag=0.5 -total=30 -pace=quick"
    assert read_options(KINDS, read.as_dict()) == read
    assert read_options(KINDS, "-total=none").days("total") is None
    assert read_options(KINDS, {"total": None}).write() == ""


@given(nag=st.decimals(min_value="0.25", max_value=30, places=4))
def test_days_are_written_with_every_digit_that_was_typed(nag: object) -> None:
    read = read_options(KINDS, f"-nag={nag}")
    assert read_options(KINDS, read.write()) == read
    assert read.days("nag") == float(str(nag))


@pytest.mark.parametrize(
    ("given", "code", "hint"),
    [
        ("-nag", "unreadable-option", "-nag=7"),
        ("-nag=soon", "unreadable-option", "-nag=7"),
        ("-nag=none", "unreadable-option", "-nag=7"),
        ("-nag=1e9", "unreadable-option", "-nag=7"),
        ("-nag=0.1", "option-range", "-nag=0.25"),
        ("-total", "unreadable-option", "-total=1"),
        ("-pace=fast", "unreadable-option", "-pace=slow"),
        ("-rated=1", "unreadable-option", "-rated"),
    ],
)
def test_bad_days_and_choices_are_refused_with_one_that_works(
    given: str, code: str, hint: str
) -> None:
    with pytest.raises(BadOption) as refused:
        read_options(KINDS, given)
    assert (refused.value.code, refused.value.hint) == (code, hint)
    assert refused.value.word == given.partition("=")[0]
    assert read_options(KINDS, hint)


def test_a_flag_and_its_opposite_are_one_option_given_twice() -> None:
    with pytest.raises(BadOption) as refused:
        read_options(KINDS, "-rated -unrated")
    assert refused.value.code == "repeated-option"


def test_options_are_listed_with_their_usage() -> None:
    assert usages(KINDS) == "-nag=DAYS -total=DAYS -pace=slow|quick -unrated|-rated"
    assert usages(()) == "no options"
