"""What is typed about contests: slips are refused with the mended line, what is meant is done."""

from __future__ import annotations

import pytest

from sarsen.core.errors import UserError
from sarsen.language.commands import (
    CloseContest,
    JoinContest,
    LeaveContest,
    MakeContest,
    ShowContest,
)
from sarsen.language.contests.ladders import ordinal
from sarsen.language.grammar.grammar import read_line
from sarsen.language.grammar.tokens import Context
from sarsen.language.translating import translated, use_language

CONTEXT = Context(games=("druid", "visavis"), speaker="ann")


@pytest.mark.parametrize(
    ("line", "code", "hint"),
    [
        ("contest join 2 onec", "unknown-part", "contest join 2 once"),
        ("contest join 2 wiat", "unknown-part", "contest join 2 wait"),
        ("contest join 5 blah", "unknown-part", "contest join 5"),
        ("contest leave 13 maybe", "unknown-part", "contest leave 13"),
        ("contest leave 13 yse", "unknown-part", "contest leave 13 yes"),
        ("contest start 5 blah", "unknown-part", "contest start 5"),
        ("contest join", "number-missing", "contests open"),
        ("contest leave", "number-missing", "contests"),
        ("contest withdraw", "number-missing", "contests"),
        ("contest correct", "number-missing", "contests"),
        ("contest druid", "number-missing", "contests druid"),
        ("league", "unknown-command", "contests"),
        ("match", "unknown-command", "contests"),
        ("druid league", "unknown-command", "contests druid"),
        ("ladder", "game-missing", "druid ladder"),
    ],
)
def test_slips_are_refused_with_a_line_that_mends_them(line: str, code: str, hint: str) -> None:
    with pytest.raises(UserError) as refused:
        read_line(line, CONTEXT)
    assert (refused.value.code, refused.value.hint) == (code, hint)


@pytest.mark.parametrize(
    ("line", "command"),
    [
        ("contest join 2 once", JoinContest(2, once=True)),
        ("contest join 2 Wait!", JoinContest(2, waits=True)),
        ("contest leave 13 yes", LeaveContest(13, confirmed=True)),
        ("contest leave 13 no", LeaveContest(13, stays=True)),
        ("contest decline 13", LeaveContest(13, declines=True)),
        ("contest decline 13 no", LeaveContest(13, stays=True)),
        (
            "contest decline 12 Sorry, no time",
            LeaveContest(12, declines=True, reason="Sorry, no time"),
        ),
        ("contest close 12", CloseContest(12)),
        ("contest close 12 yes", CloseContest(12, confirmed=True)),
        ("contest close 12 Yes, too quiet", CloseContest(12, "too quiet", confirmed=True)),
        ("contest close 12 no", CloseContest(12, stays=True)),
        ("contest close 12 no players", CloseContest(12, "no players")),
        ("contest law 5", ShowContest(5, "law")),
        ("contest boards 13", ShowContest(13, "boards")),
        ("contest table 5", ShowContest(5)),
        ("contest 5 table", ShowContest(5)),
        ("contest new round-robin druid", MakeContest("druid", "round-robin")),
        (
            "contest new druid round-robin --most 4 --games 2 Four Corners",
            MakeContest(
                "druid", "round-robin", terms=("--most=4", "--games=2"), name="Four Corners"
            ),
        ),
        (
            "contest new druid match --with bob --starts 2026-12-13 --totaltime 20",
            MakeContest(
                "druid",
                "match",
                terms=("--with=bob", "--starts=2026-12-13", "--totaltime=20"),
            ),
        ),
        (
            "contest new druid round-robin --bots fill --host 2 Friends",
            MakeContest("druid", "round-robin", terms=("--bots=fill", "--host"), name="2 Friends"),
        ),
    ],
)
def test_lines_are_understood_as_they_are_meant(line: str, command: object) -> None:
    assert read_line(line, CONTEXT).command == command


def test_a_missing_result_is_asked_for() -> None:
    with pytest.raises(UserError, match=r"^Which result\? There are: 1-0, 0-1, =, void\.$"):
        read_line("contest correct 13 3", CONTEXT)


@pytest.mark.parametrize(
    ("place", "english", "german"),
    [
        (1, "1st", "1."),
        (2, "2nd", "2."),
        (3, "3rd", "3."),
        (4, "4th", "4."),
        (11, "11th", "11."),
        (13, "13th", "13."),
        (21, "21st", "21."),
        (102, "102nd", "102."),
        (112, "112th", "112."),
    ],
)
def test_places_have_the_endings_of_each_language(place: int, english: str, german: str) -> None:
    assert ordinal(place) == english
    with use_language("de"):
        assert translated(ordinal(place)) == german
