"""Puzzles are compared with the rules alone, and printed as their file has them."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest
from click.testing import CliRunner

from sarsen.games import load, text_file
from sarsen.lab.puzzles.by_rules import BruteForce, RulesChecker
from sarsen.lab.puzzles.command import puzzles_command
from sarsen.learning.puzzles.puzzle import Puzzle, Task, puzzles_of

LEAST = 12  # of each game: all of them are looked at by the command


def some(game: str, task: Task, within: int = 0) -> list[Puzzle]:
    found = [one for one in puzzles_of(game).values() if one.task is task]
    return [one for one in found if within in (0, one.within)]


@pytest.mark.parametrize(("game", "task"), [("druid", Task.WIN), ("visavis", Task.KEEP)])
def test_shipped_puzzles_agree_with_the_rules(game: str, task: Task) -> None:
    checker = RulesChecker(game)
    assert [checker.do(one) for one in some(game, task)[:LEAST]] == [""] * LEAST


def test_those_to_save_a_game_agree_with_the_rules() -> None:
    saving = some("druid", Task.SAVE)[:3]
    assert saving
    assert not any(map(RulesChecker("druid").do, saving))


def test_a_right_move_that_is_left_out_and_a_wrong_one_are_found() -> None:
    checker = RulesChecker("druid")
    puzzle = next(one for one in some("druid", Task.WIN, 2) if len(one.first) > 1)
    left_out = {move: known for move, known in puzzle.answers.items() if move != puzzle.first[0]}
    assert f"right by the rules alone: ['{puzzle.first[0]}']" in checker.do(
        replace(puzzle, answers=left_out)
    )
    position = puzzle.position("druid")
    legal = {position.format(move) for move in position.legal_moves()} - set(puzzle.first)
    added = puzzle.answers | {min(legal): []}
    assert f"not right by them: ['{min(legal)}']" in checker.do(replace(puzzle, answers=added))
    assert "is won within 2, not 3" in checker.do(replace(puzzle, within=3))


def test_a_win_that_is_kept_is_compared_with_wins_and_losses_in_sight() -> None:
    checker = RulesChecker("visavis")
    for puzzle in some("visavis", Task.KEEP):
        position = puzzle.position("visavis")
        other = BruteForce(1 - position.seat)
        losing = [
            position.format(move)
            for move in position.legal_moves()
            if other.forces(position.play(move), 2)
        ]
        if losing:
            added = puzzle.answers | {losing[0]: []}
            assert checker.do(replace(puzzle, answers=added)) == f"{losing[0]} loses"
            return
    raise AssertionError("no puzzle has a move that loses in sight")


def test_the_command_compares_one_puzzle_and_prints_all() -> None:
    run = CliRunner()
    found = run.invoke(puzzles_command, ["druid", "--check", "--by-rules", "--number", "20"])
    assert found.output.endswith("1 puzzles compared with the rules alone: 0 differ.\n")
    again = run.invoke(puzzles_command, ["druid", "--check", "--number", "24", "--json"])
    assert (json.loads(again.output)["puzzles"], again.exit_code) == (1, 0)
    missing = run.invoke(puzzles_command, ["druid", "--check", "--number", "9999"])
    assert "There is no puzzle 9999 of Druid." in str(missing.exception)
    printed = run.invoke(puzzles_command, ["druid", "--export"])
    assert printed.output == text_file(load("druid").info.name, "puzzles.jsonl")
