"""A puzzle as a line: written and read back, and what is wrong with a line is named."""

from __future__ import annotations

import json
from dataclasses import replace

import pytest

from sarsen.learning.puzzles.puzzle import (
    Puzzle,
    PuzzleFault,
    Task,
    digest_of,
    own_moves,
    proof_lines,
    read_puzzle,
    read_puzzles,
    right_moves,
    write_puzzle,
)

ANSWERS = {"b3": ["c4", {"d5": [], "e5": [], "a1": None}], "a2": "b2 c2", "c1": None}
PUZZLE = Puzzle(
    id=17,
    options="-size=5",
    moves="a3 b5",
    task=Task.WIN,
    within=2,
    first=("b3",),
    legal=23,
    answers=ANSWERS,
    proof=digest_of(ANSWERS),
    source="bot3-bot4, seed 17, ply 2",
    level=4,
    rating=1400,
    made="0.5.0",
)


@pytest.mark.parametrize("puzzle", [PUZZLE, replace(PUZZLE, retired="A right move was refused.")])
def test_a_line_is_read_as_it_was_written(puzzle: Puzzle) -> None:
    line = write_puzzle(puzzle)
    assert "\n" not in line
    assert read_puzzle(line) == puzzle


def test_the_position_is_that_after_the_moves() -> None:
    position = PUZZLE.position("druid")
    assert position.seat == 0
    assert PUZZLE.line == ("a3", "b5")


def test_the_proof_is_a_line_for_each_position_of_the_solver() -> None:
    assert right_moves(ANSWERS) == ("b3",)
    assert own_moves(ANSWERS) == 2
    assert sorted(proof_lines(ANSWERS)) == ["-> b3", "b3 c4 -> d5 e5"]
    # What meets a wrong move, and which win is late, is no part of what was asked.
    assert digest_of({"b3": ANSWERS["b3"]}) == PUZZLE.proof
    assert digest_of({"b3": ["c4", {"d5": []}]}) != PUZZLE.proof


def changed(**fields: object) -> str:
    facts = json.loads(write_puzzle(PUZZLE)) | fields
    return json.dumps({name: value for name, value in facts.items() if value is not ...})


@pytest.mark.parametrize(
    ("line", "named"),
    [
        ("{", "no JSON"),
        ("[]", "no object"),
        (changed(options=...), "options is missing"),
        (changed(level="4"), "level is no number"),
        (changed(first="b3"), "first is no list"),
        (changed(first=["a2"]), "first holds other moves"),
        (changed(first=[]), "first holds other moves"),
        (changed(answers=[]), "answers is no object"),
        (changed(task="draw"), "task is none of win, keep, save"),
        (changed(colour="red"), "'colour' is no field"),
    ],
)
def test_what_is_wrong_with_a_line_is_named(line: str, named: str) -> None:
    with pytest.raises(PuzzleFault, match=named):
        read_puzzle(line)


def test_a_wrong_line_costs_that_puzzle_alone() -> None:
    lines = [write_puzzle(replace(PUZZLE, id=number)) for number in (1, 2, 2, 5)]
    puzzles, faults = read_puzzles("\n".join([lines[0], "{", *lines[1:]]))
    assert [puzzle.id for puzzle in puzzles] == [1, 2, 5]
    assert [str(fault)[:16] for fault in faults] == ["puzzles.jsonl:2:", "puzzles.jsonl:4:"]
    assert "does not count up" in str(faults[1])
