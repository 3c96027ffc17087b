"""Judge the tries at a puzzle: by positions, and by what is known of them.

A puzzle is solved by a line of the solver's moves. Between them the other side answers as the
puzzle says, so the line of own moves is all there is to keep: pages, letters and programs send it
whole. Nothing is searched here: a puzzle lists every right move, as every legal one was asked
about when it was made (decision 0079).
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from typing import Any
from zlib import crc32

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.phrases import quoted
from sarsen.core.referee import judge
from sarsen.learning.puzzles.puzzle import Answers, Puzzle, puzzles_of, right_moves

# Numbers of lines stand in reply addresses, of 64 characters before the @ in all.
_LINES = 10**6


class Verdict(StrEnum):
    """The kinds of tries.

    Attributes:
        RIGHT: So far; more own moves are due.
        SOLVED: The task is done.
        LATE: It wins, but later than the task asks for: neither right nor wrong.
        NOT_PROVED: It does not do what the task asks for; the position comes back.
        REFUSED: By the rules; the position stays, no try is counted.
    """

    RIGHT = "right"
    SOLVED = "solved"
    LATE = "late"
    NOT_PROVED = "not-proved"
    REFUSED = "refused"


@dataclass(frozen=True)
class JudgedLine:
    """A line of own moves as judged.

    Attributes:
        verdict: Of the last move.
        own: The own moves that stand, as the puzzle writes them.
        line: The same with the answers in between: the moves from the puzzle's position on.
        position: After `line`.
        known: What is known of `position`; None where the line is over.
        tried: The move judged, in full form; as typed where it was refused.
        met: The line that meets a move that does not do it, where one is proved.
        refusal: What the rules said.
    """

    verdict: Verdict
    own: tuple[str, ...]
    line: tuple[str, ...]
    position: AnyPosition
    known: Answers | None
    tried: str = ""
    met: tuple[str, ...] = ()
    refusal: UserError | None = None

    @property
    def answer(self) -> str:
        """The answer of the other side to the last right move; "" where none comes."""
        return self.line[-1] if self.own and len(self.line) == 2 * len(self.own) else ""


def judge_tries(game: str, puzzle: Puzzle, moves: tuple[str, ...]) -> JudgedLine:
    """Judge a line of own moves, of which only the last may be wrong; an empty one begins it.

    Raises:
        UserError: A move before the last ends the line, so that nothing comes after it.
    """
    return _judged(game, puzzle.id, moves)


@lru_cache(maxsize=1000)
def _judged(game: str, number: int, moves: tuple[str, ...]) -> JudgedLine:
    """Judge a line by the number of its puzzle, which can be kept; see `judge_tries`."""
    puzzle = puzzles_of(game)[number]
    if not moves:
        return JudgedLine(Verdict.RIGHT, (), (), puzzle.position(game), puzzle.answers)
    so_far = _judged(game, number, moves[:-1])
    if so_far.verdict is not Verdict.RIGHT or so_far.known is None:
        raise UserError(
            "Nothing comes after {move} in this puzzle.",
            code="line-over",
            hint=" ".join(("puzzle", f"{game}-{number}", *so_far.own)),
            move=quoted(so_far.tried),
        )
    try:
        ruling = judge(so_far.position, moves[-1])
    except UserError as refusal:
        refused = refusal.with_traceback(None)  # which would keep all that was on the way
        return replace(so_far, verdict=Verdict.REFUSED, tried=moves[-1], refusal=refused)
    move = _listed(so_far.position, so_far.known, ruling.text, ruling.position)
    known = so_far.known.get(move, "")
    if isinstance(known, list):
        return _after_right(so_far, ruling.position, move, ruling.text, known)
    verdict = Verdict.LATE if known is None else Verdict.NOT_PROVED
    return replace(so_far, verdict=verdict, tried=ruling.text, met=tuple((known or "").split()))


def _after_right(
    so_far: JudgedLine, position: AnyPosition, move: str, typed: str, known: list[Any]
) -> JudgedLine:
    """Return what comes after a right move: the answer of the other side, and the next position."""
    line, following = (*so_far.line, move), known[1] if len(known) > 1 else None
    if known:
        answered = judge(position, known[0])
        line, position = (*line, answered.text), answered.position
    verdict = Verdict.SOLVED if following is None else Verdict.RIGHT
    own = (*so_far.own, move)
    return JudgedLine(verdict, own, line, position, following, typed)


def _listed(before: AnyPosition, known: Answers, text: str, after: AnyPosition) -> str:
    """Return the listed move that leads to the same position as one played; "" for none."""
    if text in known:
        return text
    written = after.write()
    same = (one for one in known if before.play(before.parse(one)).write() == written)
    return next(same, "")


def solution(reached: JudgedLine) -> tuple[str, ...]:
    """Return a line that does what the task asks for after one that is right so far, alternating.

    Where several moves do it, it has the one that is listed first.
    """
    line, known = [], reached.known
    while known:
        move = right_moves(known)[0]
        line.append(move)
        after = known[move]
        line += after[:1]
        known = after[1] if len(after) > 1 else None
    return tuple(line)


def lines_of(answers: Answers, before: tuple[str, ...] = ()) -> Iterator[tuple[str, ...]]:
    """Yield every right line of own moves that goes on, the empty one first."""
    yield before
    for move in right_moves(answers):
        known = answers[move]
        if len(known) > 1:
            yield from lines_of(known[1], (*before, move))


def line_number(own: tuple[str, ...]) -> int:
    """Return a number of a line of own moves, of six digits at most, 0 for none."""
    return crc32(" ".join(own).encode()) % _LINES


def numbered_line(puzzle: Puzzle, number: int) -> tuple[str, ...]:
    """Return the right line with a number; the empty one where no line has it."""
    return next((one for one in lines_of(puzzle.answers) if line_number(one) == number), ())
