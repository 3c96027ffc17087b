"""Answers to lines at puzzles: what is shown of a puzzle, a try at it, or its solution.

Nothing here knows the solver, and nothing is stored.
"""

from __future__ import annotations

from dataclasses import replace

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.games import load
from sarsen.language.learning.puzzles import MAX_MOVES, WORDS, PuzzleShown
from sarsen.learning.puzzles.puzzle import Puzzle
from sarsen.learning.puzzles.tries import JudgedLine, Verdict, judge_tries, solution


def is_try(moves: tuple[str, ...]) -> bool:
    """Return whether a line ends with a move; it may be empty, or end with a word."""
    return bool(moves) and moves[-1] not in WORDS


def require_short(moves: tuple[str, ...]) -> None:
    """Refuse a line that no puzzle needs; each move of one is judged.

    Raises:
        UserError: It has more than `MAX_MOVES`.
    """
    if len(moves) > MAX_MOVES:
        raise UserError(
            "A puzzle takes at most {most} moves; this line has {count}.",
            code="puzzle-line",
            hint="help puzzle",
            most=MAX_MOVES,
            count=len(moves),
        )


def answer(game: str, puzzle: Puzzle, moves: tuple[str, ...]) -> PuzzleShown:
    """Judge a line at a puzzle, and return what is shown then.

    Args:
        moves: Own moves, then the new one or a `PuzzleWord`; none to see the puzzle.

    Raises:
        UserError: The rules refuse the move, or the line goes on after its end.
    """
    require_short(moves)
    if not is_try(moves):
        judged = judge_tries(game, puzzle, moves[:-1])
        facts = shown(game, puzzle, judged)
        if not moves:
            return facts
        return replace(facts, solution=(*judged.line, *solution(judged)), is_finished=True)
    judged = judge_tries(game, puzzle, moves)
    if judged.verdict is Verdict.REFUSED:
        assert judged.refusal is not None
        raise judged.refusal.again()
    is_solved = judged.verdict is Verdict.SOLVED
    return replace(
        shown(game, puzzle, judged),
        result=judged.verdict.value,
        tried=judged.tried,
        answer=judged.answer if judged.verdict in (Verdict.RIGHT, Verdict.SOLVED) else "",
        met=judged.met,
        solution=judged.line if is_solved else (),
        is_finished=is_solved,
    )


def shown(game: str, puzzle: Puzzle, reached: JudgedLine) -> PuzzleShown:
    """Return a puzzle with the position that a line has reached."""
    start = judge_tries(game, puzzle, ()).position
    return PuzzleShown(
        game=game,
        title=load(game).info.title,
        puzzle=puzzle.id,
        task=puzzle.task.value,
        within=puzzle.within,
        side=start.sides[start.seat],
        options=puzzle.options,
        moves=(*puzzle.line, *reached.line),
        rating=puzzle.rating,
        own=reached.own,
        retired=puzzle.retired,
    )


def puzzle_title(title: str, number: int) -> Phrase:
    """Return `Druid, puzzle 17`."""
    return Phrase("{title}, puzzle {number}", title=title, number=number)
