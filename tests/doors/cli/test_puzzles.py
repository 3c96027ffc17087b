"""`sarsen puzzle`: puzzles at a terminal, without a server."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest
from click.testing import CliRunner, Result

from puzzle_lines import puzzle_and_move, puzzle_with, right_line
from sarsen import drawing
from sarsen.learning.puzzles.shelf import puzzle_after, puzzle_of_day
from sarsen.learning.puzzles.tries import Verdict, judge_tries, solution
from sarsen.server.command import main


def sarsen(*words: str, typed: str = "", **environment: str) -> Result:
    return CliRunner(env=environment).invoke(main, ["puzzle", *words], input=typed)


def test_a_puzzle_is_solved_move_by_move() -> None:
    puzzle = puzzle_with(moves=2)
    first, second = right_line("druid", puzzle)
    printed = sarsen(f"druid-{puzzle.id}", typed=f"{first.upper()}\n{second}\n").stdout
    assert drawing.text(puzzle.position("druid")) in printed
    assert f"Druid {puzzle.id}. " in printed
    assert printed.index("Right. ") < printed.index("Solved.")
    assert printed.endswith(f"To go on: sarsen puzzle druid-{puzzle.id}\n")


def test_wrong_late_and_refused_moves_leave_the_position() -> None:
    puzzle, late = puzzle_and_move(Verdict.LATE)
    printed = sarsen(f"druid-{puzzle.id}", typed=f"{late}\nz99\nstop\n").stdout
    assert printed.index("Too late.") < printed.index("[druid.")
    assert printed.count(drawing.text(puzzle.position("druid"))) == 1
    puzzle, wrong = puzzle_and_move(Verdict.NOT_PROVED)
    printed = sarsen(f"druid-{puzzle.id}", typed=f"{wrong}\n").stdout
    assert "Not proven to win. Try again." in printed


def test_without_a_number_it_is_that_of_the_day_and_next_goes_on() -> None:
    today = datetime.now(UTC).date()
    puzzle = puzzle_of_day("druid", today)
    printed = sarsen("druid", typed="show\nnext\nstop\n").stdout
    line = " ".join(solution(judge_tries("druid", puzzle, ())))
    assert f"A solution: {line}." in printed
    assert f"Druid {puzzle_after('druid', puzzle.id, today).id}. " in printed


def test_one_answer_is_printed_for_a_program() -> None:
    puzzle = puzzle_with(moves=2)
    first = right_line("druid", puzzle)[0]
    facts = json.loads(sarsen("druid", str(puzzle.id), first, "--json").stdout)
    assert (facts["kind"], facts["result"], facts["own"]) == ("PuzzleShown", "right", [first])
    refused = sarsen("druid-999999", "--json")
    assert json.loads(refused.stdout)["code"] == "no-such-puzzle"
    assert refused.exit_code == 2


@pytest.mark.usefixtures("no_gyges")
def test_a_refusal_has_a_line_for_the_shell() -> None:
    refused = sarsen("chess")
    assert refused.exit_code == 2
    assert "sarsen puzzle druid" in refused.output


def test_it_is_in_the_language_of_the_terminal() -> None:
    puzzle = puzzle_with(moves=2)
    printed = sarsen(f"druid-{puzzle.id}", typed="stop\n", LC_ALL="de_AT.UTF-8").stdout
    assert f"Gewinne in höchstens {puzzle.within} Zügen." in printed
