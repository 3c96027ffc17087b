"""Judge the tries at a step of a lesson: what happened on the board, never how it was written.

A step is solved by a line of the learner's moves. Between them the other side answers, always in
the same way, so the line of own moves is all there is to keep: pages, letters and programs send it
whole.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from enum import StrEnum
from functools import lru_cache
from math import inf

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.phrases import quoted
from sarsen.core.referee import judge
from sarsen.learning.lessons import LessonFault, Step, Success, shown_move, start_of

# Moves of the other side that are looked through for the best answer, each played and answered:
# anybody may ask.
MAX_REPLIES = 400
MAX_POSITIONS = 20_000  # of a whole game as a task: some seconds; Visavis on 5 x 5 needs 1,000


class Verdict(StrEnum):
    """The kinds of tries.

    Attributes:
        SOLVED: The step is done.
        RIGHT: So far; more own moves are due.
        WRONG: Legal and not what the task asks for; the position comes back.
        REFUSED: By the rules, where that was not asked for; the position stays, no try is counted.
    """

    SOLVED = "solved"
    RIGHT = "right"
    WRONG = "wrong"
    REFUSED = "refused"


@dataclass(frozen=True)
class Try:
    """A line of own moves as judged.

    Attributes:
        verdict: Of the last move.
        own: The own moves that stand, in full form: without a wrong or refused one.
        line: The same with the answers in between: the moves from the step's position on.
        position: After `line`.
        tried: The move judged, in full form; as typed where it was refused.
        answer: A wrong move is met with this move of the other side; "" where none is shown.
        refusal: What the rules said, also where it was meant.
    """

    verdict: Verdict
    own: tuple[str, ...]
    line: tuple[str, ...]
    position: AnyPosition
    tried: str = ""
    answer: str = ""
    refusal: UserError | None = None


@lru_cache(maxsize=1000)
def judge_line(game: str, step: Step, moves: tuple[str, ...]) -> Try:
    """Judge a line of own moves, of which only the last may be wrong; an empty one begins a step.

    It is remembered: the best answer among hundreds takes up to a second to find, and each move
    of a line comes with all before it.

    Raises:
        UserError: A move before the last ends the line, so that nothing comes after it.
    """
    if not moves:
        return Try(Verdict.RIGHT, (), (), start_of(game, step))
    so_far = judge_line(game, step, moves[:-1])
    if so_far.verdict is not Verdict.RIGHT:
        raise UserError(
            "Nothing comes after {move} in this step.",
            code="line-over",
            hint=" ".join(("lesson", game, step.id, *so_far.own)),
            move=quoted(so_far.tried),
        )
    before, own = so_far.position, len(so_far.own)
    try:
        ruling = judge(before, moves[-1])
    except UserError as refusal:
        is_meant = step.success is Success.REFUSED and refusal.code == step.code
        verdict = Verdict.SOLVED if is_meant else Verdict.REFUSED
        refused = refusal.with_traceback(None)  # which would keep all that was on the way
        return replace(so_far, verdict=verdict, tried=moves[-1], refusal=refused)
    if not is_right(game, step, before, ruling.position, own):
        answer = _punish(game, step, ruling.position, own)
        return replace(so_far, verdict=Verdict.WRONG, tried=ruling.text, answer=answer)
    line, position = (*so_far.line, ruling.text), ruling.position
    if position.outcome() is not None or own + 1 == step.own_moves:
        return Try(Verdict.SOLVED, (*so_far.own, ruling.text), line, position, ruling.text)
    met = judge(position, _reply(game, step, position, own + 1))
    return Try(
        Verdict.RIGHT, (*so_far.own, ruling.text), (*line, met.text), met.position, ruling.text
    )


def move_to_show(game: str, step: Step, reached: Try) -> str:
    """Return a move that does what the task asks for after a line; "" where none does."""
    own, before = len(reached.own), reached.position
    if listed := shown_move(step, own):
        return listed
    legal = before.legal_moves() if before.outcome() is None else ()
    found = (move for move in legal if is_right(game, step, before, before.play(move), own))
    return next(map(before.format, found), "")


def is_right(game: str, step: Step, before: AnyPosition, after: AnyPosition, own: int) -> bool:
    """Return whether a legal move does what the task asks for.

    Args:
        before, after: The positions before and after the move.
        own: How many own moves were played before it.
    """
    match step.success:
        case Success.REFUSED:
            return False
        case Success.PLAY:
            return whole_game(game, step).is_won(after)
        case Success.WIN if own:
            return _wins_within(before.seat, after, step.within - own)
        case _:
            return after.write() in _accepted(before, step.accept[own])


def _accepted(position: AnyPosition, moves: tuple[str, ...]) -> frozenset[str]:
    """Return the positions after some moves, as they are written."""
    return frozenset(position.play(position.parse(move)).write() for move in moves)


def _wins_within(seat: int, after: AnyPosition, left: int) -> bool:
    """Return whether a seat that has just moved wins, whatever the other side does.

    Args:
        left: Own moves it has for it, the one just played among them.
    """
    outcome = after.outcome()
    if outcome is not None:
        return outcome.winner == seat
    if left <= 1:
        return False
    return all(_can_win(seat, after.play(reply), left - 1) for reply in after.legal_moves())


def _can_win(seat: int, position: AnyPosition, within: int) -> bool:
    """Return whether a seat that is to move wins with so many own moves."""
    outcome = position.outcome()
    if outcome is not None:
        return outcome.winner == seat
    return any(_wins_within(seat, position.play(move), within) for move in position.legal_moves())


def winning_moves(position: AnyPosition) -> Iterator[str]:
    """Yield the moves that win at once."""
    for move in position.legal_moves():
        outcome = position.play(move).outcome()
        if outcome is not None and outcome.winner == position.seat:
            yield position.format(move)


def _punish(game: str, step: Step, after: AnyPosition, own: int) -> str:
    """Return how the other side meets a wrong move; "" where there is nothing to show.

    It wins at once, or else takes away what the learner would have needed next.
    """
    if after.outcome() is not None or step.success is Success.REFUSED:
        return ""
    win = next(winning_moves(after), "")
    if win or step.success not in (Success.WIN, Success.PLAY) or own + 1 == step.own_moves:
        return win
    return _hardest(game, step, after, own + 1)


def _reply(game: str, step: Step, position: AnyPosition, own: int) -> str:
    """Return the answer of the other side to a right move, after so many own moves."""
    if own <= len(step.replies):
        return step.replies[own - 1]
    return _hardest(game, step, position, own)


def _hardest(game: str, step: Step, position: AnyPosition, own: int) -> str:
    """Return the answer that leaves fewest right moves, and does not end the game."""
    best, fewest = "", inf
    for reply in position.legal_moves()[:MAX_REPLIES]:
        met = position.play(reply)
        if met.outcome() is not None:
            continue
        right = 0
        for move in met.legal_moves():
            right += is_right(game, step, met, met.play(move), own)
            if right >= fewest:
                break
        if right < fewest:
            best, fewest = position.format(reply), right
        if not fewest:
            break
    return best or position.format(position.legal_moves()[0])


class WholeGame:
    """The certain results of a game that is a task, found by the rules alone.

    A position is played out to the end of the game when it is first asked for, which is the proof.
    So a whole game is a task on a board so small that this takes a moment.
    """

    def __init__(self, learner: int) -> None:
        self._learner = learner
        self._known: dict[str, bool] = {}

    def is_won(self, position: AnyPosition) -> bool:
        """Return whether the learner wins by force.

        Raises:
            LessonFault: More than `MAX_POSITIONS` positions were played out.
        """
        outcome = position.outcome()
        if outcome is not None:
            return outcome.winner == self._learner
        key = position.write()
        if key not in self._known:
            if len(self._known) >= MAX_POSITIONS:
                raise LessonFault(f"more than {MAX_POSITIONS} positions come up in its game")
            decides = any if position.seat == self._learner else all
            following = (position.play(move) for move in position.legal_moves())
            self._known[key] = decides(map(self.is_won, following))
        return self._known[key]


@lru_cache(maxsize=8)
def whole_game(game: str, step: Step) -> WholeGame:
    """Return the results of the game that a step asks for; what is found is kept in it."""
    return WholeGame(start_of(game, step).seat)
