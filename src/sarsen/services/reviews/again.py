"""One's own turning points of a reviewed game, tried again as puzzles.

Nothing is searched: a move is judged by what the review has proved, and by a prover of the game
that knows every position. Where neither says anything, nothing is called right or wrong.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace
from itertools import islice

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import MAX_MOVE, Ruling, judge
from sarsen.language.learning.mistakes import Better, MistakeResult, MistakeShown, is_show
from sarsen.language.reviews import ReviewedGame, ShowReview, TurningPoint
from sarsen.learning.puzzles.exact import exact_winner, fits_puzzles
from sarsen.services.request import Player
from sarsen.services.reviews.view import view_review

MIN_MOVES = 8  # legal ones, as in puzzles that games ship


@dataclass(frozen=True)
class Mistake:
    """A turning point to be tried again.

    Attributes:
        options: Of the board, as typed.
        number, count: Counted from 1, and how many there are for this reader.
        is_own: The reader played it, and sees the own ones alone.
    """

    review: ReviewedGame
    turn: TurningPoint
    position: AnyPosition
    options: str
    number: int
    count: int
    is_own: bool


def find_mistake(board: int, number: int, viewer: Player | None) -> Mistake:
    """Return a turning point of a reviewed game: of the viewer's own, or of both players'.

    Raises:
        UserError: No such board, review or turning point.
    """
    state = view_review(board, viewer)
    if state.review is None:
        raise UserError(
            "There is no review of board {board} yet.",
            code="no-review",
            hint=f"review {board}",
            board=board,
        )
    pairs = list(zip(state.review.turns, state.positions, strict=True))
    own = [pair for pair in pairs if viewer is not None and pair[0].player == viewer.userid]
    shown = own or pairs
    if not 1 <= number <= len(shown):
        raise UserError(
            "The review of board {board} has {count} moves to try again."
            if shown
            else "In the review of board {board} no single move cost much: there is nothing to try "
            "again.",
            code="no-such-line",
            hint=f"review {board} again" if shown else f"review {board}",
            board=board,
            count=len(shown),
        )
    turn, position = shown[number - 1]
    count, is_own = len(shown), bool(own)
    return Mistake(state.review, turn, position, state.options, number, count, is_own)


def try_mistake(mistake: Mistake, typed: str) -> MistakeShown:
    """Judge a move at a turning point.

    Args:
        typed: A move, a word that asks for the better one, or "" to see the task.

    Raises:
        UserError: The rules refuse the move.
    """
    shown = _shown(mistake)
    if not typed:
        return shown
    if is_show(typed):
        return replace(shown, turn=mistake.turn)
    ruling = judge(mistake.position, typed)
    is_best = _leads_to(mistake, mistake.turn.better, ruling)
    is_repeated = _leads_to(mistake, mistake.turn.played, ruling)
    result = judge_mistake(mistake.turn, ruling, is_best=is_best, is_repeated=is_repeated)
    is_over = result in (MistakeResult.RIGHT, MistakeResult.CHANCE)
    return replace(
        shown,
        result=result.value,
        tried=ruling.text,
        is_best=is_best,
        is_repeated=is_repeated,
        turn=mistake.turn if is_over else None,
    )


def require_short(move: str) -> None:
    """Refuse a text that is no move of any game, whatever the board.

    Raises:
        UserError: It has more characters than a move.
    """
    if len(move) > MAX_MOVE:
        raise UserError(
            "A move has at most {most} characters; this one has {count}.",
            code="move-too-long",
            hint="help review",
            most=MAX_MOVE,
            count=len(move),
        )


def mistake_refused(command: ShowReview, player: Player | None) -> MistakeShown | None:
    """Return the turning point at which a move was refused; None where there is no such one."""
    with suppress(UserError):
        return _shown(find_mistake(command.board, command.again, player))
    return None


def judge_mistake(
    turn: TurningPoint, ruling: Ruling, *, is_best: bool, is_repeated: bool
) -> MistakeResult:
    """Judge a move by what is proved.

    Args:
        is_best, is_repeated: It leads to the same position as the better one, or the one played.
    """
    outcome = ruling.position.outcome()
    worth = turn.before if turn.was_proved else 1.0  # what a right move keeps
    if outcome is not None:
        is_kept = outcome.scores[ruling.seat] >= worth
        return MistakeResult.RIGHT if is_kept else MistakeResult.WRONG
    if is_best and turn.was_proved:
        return MistakeResult.RIGHT
    if is_repeated and turn.is_proved and turn.after < worth:
        return MistakeResult.WRONG
    winner = exact_winner(ruling.position)
    if winner is not None:
        return MistakeResult.RIGHT if winner == ruling.seat else MistakeResult.WRONG
    return MistakeResult.NOT_PROVED if turn.was_proved else MistakeResult.CHANCE


def is_puzzle(mistake: Mistake) -> bool:
    """Return whether an own turning point is worth solving again, as puzzles of a game are.

    A proved win or draw; not by a move that wins at once; not won already two plies before, so
    that it follows a mistake; with enough moves to choose from; and not too large a board.
    """
    turn, review = mistake.turn, mistake.review
    if not (mistake.is_own and turn.was_proved) or turn.plies == 1:
        return False
    before = turn.ply - 1 - review.first - 2
    chance = 1.0 if mistake.position.seat == 0 else 0.0
    if before >= 0 and review.proved[before] and review.chances[before] == chance:
        return False
    legal = mistake.position.legal_moves()
    after = {mistake.position.play(move).write() for move in islice(legal, 2 * MIN_MOVES)}
    return len(after) >= MIN_MOVES and fits_puzzles(mistake.position)


def _leads_to(mistake: Mistake, text: str, ruling: Ruling) -> bool:
    """Return whether a move leads where another does, however either is written."""
    after = mistake.position.play(mistake.position.parse(text))
    return after.write() == ruling.position.write()


def _shown(mistake: Mistake) -> MistakeShown:
    turn, position, review = mistake.turn, mistake.position, mistake.review
    better = Better.CHANCE
    if turn.was_proved:
        better = Better.WIN if turn.before == 1.0 else Better.DRAW
    return MistakeShown(
        board=review.board,
        game=review.game,
        title=review.title,
        number=mistake.number,
        count=mistake.count,
        ply=turn.ply,
        player=turn.player,
        is_own=mistake.is_own,
        side=position.sides[position.seat],
        options=mistake.options,
        moves=review.moves[: turn.ply - 1],
        better=better.value,
    )
