"""Shipped puzzles by what tests need of them, and lines that solve or miss them.

Numbers of puzzles are never written in tests: which ones ship may change.
"""

from __future__ import annotations

from sarsen.learning.puzzles.puzzle import Puzzle, own_moves
from sarsen.learning.puzzles.shelf import playable
from sarsen.learning.puzzles.tries import Verdict, judge_tries, solution


def puzzle_with(game: str = "druid", task: str = "win", moves: int = 2) -> Puzzle:
    """Return the first puzzle with a task and a number of own moves."""
    return next(
        one for one in playable(game) if one.task == task and own_moves(one.answers) == moves
    )


def right_line(game: str, puzzle: Puzzle) -> tuple[str, ...]:
    """Return own moves that solve a puzzle."""
    return solution(judge_tries(game, puzzle, ()))[::2]


def legal_with(game: str, puzzle: Puzzle, verdict: Verdict) -> str:
    """Return a legal first move of a kind."""
    position = puzzle.position(game)
    texts = map(position.format, position.legal_moves())
    return next(one for one in texts if judge_tries(game, puzzle, (one,)).verdict is verdict)


def puzzle_and_move(verdict: Verdict, game: str = "druid") -> tuple[Puzzle, str]:
    """Return a puzzle of several moves, and a first move of a kind."""
    for puzzle in playable(game):
        position = puzzle.position(game)
        for text in map(position.format, position.legal_moves()):
            is_longer = own_moves(puzzle.answers) > 1
            judged = judge_tries(game, puzzle, (text,))
            if is_longer and judged.verdict is verdict:
                return puzzle, text
    raise AssertionError(f"no puzzle of {game} has a move that is {verdict}")
