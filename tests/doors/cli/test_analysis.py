"""`sarsen analyse`: a question in a terminal, without a server."""

from __future__ import annotations

import json

import pytest
from click.testing import CliRunner

from sarsen.core.errors import UserError
from sarsen.doors.cli.local_analysis import analyse_command
from sarsen.learning.analysis import read_question


def run(*words: str) -> str:
    result = CliRunner().invoke(analyse_command, words, catch_exceptions=False)
    assert result.exit_code == 0, result.output
    return result.output


def test_a_proof_is_printed_with_its_line() -> None:
    output = run("visavis", "-size=9", "--seconds", "2")
    assert "Proven: O wins" in output
    assert "The line: " in output


def test_a_program_gets_the_answer_as_json_and_its_line_can_be_played() -> None:
    facts = json.loads(run("vasco", "-size=7", "--json"))
    assert (facts["kind"], facts["proved"], facts["left"]) == ("AnalysisShown", "draw", None)
    line = read_question("vasco", "-size=7", facts["line"])
    outcome = line.position.outcome()
    assert outcome is not None
    assert outcome.scores[0] == 0.5


def test_likely_moves_are_printed_below_the_board() -> None:
    output = run("druid", "-size=5", "c1", "--seconds", "0.3")
    assert "Nothing is proven. Likely best for H, with the chance to win: " in output


def test_a_refusal_names_a_line_for_the_shell() -> None:
    with pytest.raises(UserError) as refused:
        run("druid", "c3")
    assert refused.value.code == "druid.opening"
    assert "c1" in refused.value.hint


@pytest.mark.parametrize(
    ("words", "code", "hint"),
    [
        # With its position in quotes, since `;` ends a command of the shell.
        ("druid from xx", "druid.unreadable-position", "sarsen analyse druid from ';0;;'"),
        ("druid -size=99 a1 b2", "option-range", "sarsen analyse druid -size=12 a1 b2"),
        ("druid -size=4 -bogus a1 z9", "unknown-option", "sarsen analyse druid -size=4 a1"),
        # Only a server has boards.
        ("123#14", "analysis-board", "sarsen do analyse 123#14"),
        ("6#x", "board-missing", "sarsen do analyse 123#14"),
    ],
)
def test_hint_can_be_typed_in_a_shell_and_means_the_same(words: str, code: str, hint: str) -> None:
    with pytest.raises(UserError) as refused:
        run(*words.split())
    assert (refused.value.code, refused.value.hint) == (code, hint)


def test_hint_for_a_refused_option_takes_no_more_time_than_its_line_may() -> None:
    left = iter(range(2))

    def check() -> None:
        if next(left, None) is None:
            raise UserError("Your time is used up.", code="too-much")

    with pytest.raises(UserError) as refused:
        read_question("druid", "-size=99", ["a1", "b2", "c3", "d4"], check)
    assert refused.value.hint == "analyse druid -size=12 a1 b2"
