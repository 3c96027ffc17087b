"""`sarsen check GAME --moves "…"` checks one line, and the findings are told in a good order."""

from __future__ import annotations

import json

import pytest

from lab.planted_faults import EXAMPLES, repeated
from sarsen.games import load
from sarsen.lab.checking.command import _text, _verdict
from sarsen.lab.checking.random_games import SHORT, short_game
from sarsen.lab.checking.report import CheckReport
from sarsen.lab.checking.walks import Finding, Walk, walk

HEX = EXAMPLES / "hex"


@pytest.mark.parametrize(
    ("line", "status", "said"),
    [
        ('-size=4 --moves "b2 c2 b3"', 0, []),
        # What was accepted wrongly is refused when it is mended.
        ('-size=4 --moves "b2 b2"', 0, ["Move 2, b2, is refused: There is a stone on b2 already."]),
        ("-size=4", 0, []),
    ],
)
def test_right_line_has_no_fault(line: str, status: int, said: list[str]) -> None:
    again = repeated(f"sarsen check {HEX} {line}")
    assert again.returncode == status
    assert [one["text"] for one in json.loads(again.stdout)["findings"]] == said


@pytest.mark.parametrize(
    ("line", "code"),
    [
        ('-size=4 --moves "b2 b2 c2"', "move-refused"),
        ('-sise=4 --moves "b2"', "unknown-option"),
    ],
)
def test_line_that_the_rules_refuse_is_no_answer(line: str, code: str) -> None:
    again = repeated(f"sarsen check {HEX} {line}")
    assert again.returncode == 2
    assert f"[{code}]" in again.stderr


def test_fault_of_a_long_game_is_shown_by_a_short_one() -> None:
    *_, long = walk(load("visavis"), "", seed=3)
    assert len(long.moves) > 2 * SHORT

    def shows(found: Walk) -> bool:
        """Few moves can be left out where each needs the one before it."""
        return len(found.position.legal_moves()) < 20 and found.moves[:9] == long.moves[:9]

    def shows_anywhere(found: Walk) -> bool:
        return len(found.moves) > 4 and not len(found.moves) % 2

    assert shows(short_game(long, shows)) or not shows(long)
    assert len(short_game(long, shows_anywhere).moves) == 6


def test_cause_is_told_before_what_follows_from_it() -> None:
    report = CheckReport("hex", "Hex", "./my hex")
    for code in ("never-reached", "crash", "clicks", "refused-itself", "hidden-state"):
        report.add(Finding(code, "Said.", "sarsen show hex -size=4", code != "never-reached"))
    told = report.findings
    assert [one.code for one in told] == [
        "hidden-state",
        "crash",
        "clicks",
        "refused-itself",
        "never-reached",
    ]
    text = _text(report)
    assert text.count("    Mend hidden-state first: the faults below may follow from it.") == 1
    assert text.index("Mend hidden-state first") < text.index("FAULT  crash")
    assert {one.line for one in told} == {"sarsen check './my hex' -size=4 --moves \"\""}


@pytest.mark.parametrize("is_sure", [True, False])
def test_what_a_drawing_leaves_out_is_told_once(is_sure: bool) -> None:
    report = CheckReport("hex", "Hex", "hex")
    report.add(Finding("undrawn-move", "Said.", is_error=is_sure))
    assert [one.code for one in report.findings] == ["undrawn-move"]
    report.add(Finding("picture-drops", "Said."))
    assert len(report.findings) == 1 + is_sure


def test_board_is_what_shows_a_wrong_example() -> None:
    report = CheckReport("hex", "Hex", "hex")
    report.add(Finding("example-winner", "Said.", 'sarsen show hex --moves "b2"'))
    assert report.findings[0].line == 'sarsen show hex --moves "b2"'


def test_verdict_does_not_say_that_a_game_ends_which_may_not() -> None:
    report = CheckReport("hex", "Hex", "hex")
    assert _verdict(report) == "No fault found."
    report.add(Finding("may-not-end", "Said.", is_error=False))
    assert _verdict(report).startswith("No fault found, but nothing shows that every game ends")
    report.add(Finding("crash", "Said."))
    assert _verdict(report) == "1 fault"
