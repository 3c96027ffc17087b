"""Ask about a position: refused, answered by what is kept, or left to the thinker.

An asker has one question at a time, which stands in its row with what is reserved for it. Another
one waits until it is answered or cancelled; the same one again changes nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime

from sarsen.core.errors import UserError
from sarsen.language.learning.analysis import Analyse, AnalysisShown
from sarsen.learning.analysis import Question, read_question, require_open, shown, waiting
from sarsen.services import wake_pipes
from sarsen.services.analysis import ban, budget, results
from sarsen.services.analysis.budget import allowance_of, left_of
from sarsen.services.boards.view import view_board
from sarsen.services.bots import due_boards
from sarsen.services.request import Actor, Request
from sarsen.services.reviews.making import are_made
from sarsen.storage import calls
from sarsen.storage.models import Analyst
from sarsen.storage.transactions import in_transaction

OPEN = (Analyst.State.WAITING, Analyst.State.RUNNING)


@dataclass(frozen=True)
class Progress:
    """How far a question is.

    Attributes:
        shown: The answer, or that it is still searched.
        number: Of the question in the asker's row; 0 while another one is in its place, and
            for one that is answered.
    """

    shown: AnalysisShown
    number: int = 0


def analyse(command: Analyse, request: Request) -> AnalysisShown:
    """Answer a question, or have it searched."""
    question = question_of(command, request.actor)
    return ask(question, request.actor, request.now).shown


def question_of(command: Analyse, actor: Actor) -> Question:
    """Read the line of a command.

    Raises:
        UserError: The rules refuse a move, the game is over at its end, or it takes too long.
    """
    command = _with_moves_of_board(command, actor) if command.board else command
    question = read_question(
        command.game, command.options, command.moves, _go_on(actor), setup=command.position
    )
    require_open(question)
    return question


def _with_moves_of_board(command: Analyse, actor: Actor) -> Analyse:
    """Return a question with the game, the options and the moves of its board."""
    ply = command.due - 1 if command.due else None
    view = view_board(command.board, ply, game=command.game, viewer=actor.player)
    ban.check_board(command.board, actor)
    if command.options:
        raise UserError(
            "Board {board} has its own options; name the game to ask about other ones.",
            code="analysis-options",
            hint=f"analyse {view.game.name} {command.options}",
            board=command.board,
        )
    moves = tuple(move.text for move in view.moves)
    if command.due:
        moves = moves[: command.due - 1]
    elif not command.moves and view.position.outcome() is not None:
        moves = moves[:-1]  # where a move is left to find
    return Analyse(view.game.name, view.options, (*moves, *command.moves))


def look(question: Question, actor: Actor, now: datetime) -> AnalysisShown | None:
    """Return what is kept about a position, and is as good as a new search; None for nothing.

    Raises:
        UserError: The question is about a running game of the asker's.
    """
    ban.check(question, actor, _go_on(actor))
    row = Analyst.objects.filter(key=budget.key_of(actor)).first()
    allowance = allowance_of(actor)
    left = left_of(row, allowance, now)
    stored = results.find(results.key_of(question.position), now)
    may_search = min(allowance.position, left) if left >= budget.LEAST_SECONDS else 0.0
    if stored is None or not results.is_final(stored, may_search):
        return None
    return shown(question, results.answer_to(question, stored, _go_on(actor)), left)


def ask(question: Question, actor: Actor, now: datetime) -> Progress:
    """Return what is kept about a position, or have it searched.

    Raises:
        UserError: The question is about a running game of the asker's, nothing is left of the
            hour, no search can be made here, or this one failed.
    """
    if kept := look(question, actor, now):
        return Progress(kept)
    if not are_made() or question.game in due_boards.noted_games()[1]:
        raise UserError(
            "This server analyses nothing.", code="analysis-off", hint="sarsen analyse druid"
        )
    key = results.key_of(question.position)
    row = in_transaction(lambda: _reserve(question, key, actor, now))
    is_ours = row.result == key and row.state in OPEN
    left = left_of(row, allowance_of(actor), now)
    return Progress(waiting(question, left), row.number if is_ours else 0)


def row_of(actor: Actor, now: datetime) -> Analyst:
    """Return the row of an asker, which is made when there is none.

    Raises:
        UserError: Too many visitors have one.
    """
    key = budget.key_of(actor)
    row = Analyst.objects.filter(key=key).first()
    if row is None:
        if actor.player is None:
            budget.check_room(now)
        facts = {"player": actor.player, "hour_began_at": now}
        row, _ = Analyst.objects.get_or_create(key=key, defaults=facts)
    return row


def cancel(row: int, number: int, now: datetime) -> None:
    """End a question that nobody waits for; what it has used so far is charged."""
    in_transaction(lambda: _cancel(row, number, now))


def _reserve(question: Question, key: str, actor: Actor, now: datetime) -> Analyst:
    row = Analyst.objects.select_for_update(no_key=True).get(pk=row_of(actor, now).pk)
    if row.state in OPEN:  # the same one, which asks nothing new, or another one, which goes first
        return row
    if row.state == Analyst.State.FAILED and row.result == key:
        raise UserError(
            "The search for this position failed. Try another position.",
            code="analysis-failed",
            hint="help analyse",
        )
    budget.begin_hour(row, now)
    row.reserved = budget.check_left(row, allowance_of(actor), now)
    row.number += 1
    row.state, row.attempts = Analyst.State.WAITING, 0
    row.game, row.position, row.result = question.game, question.position.write(), key
    row.asked_at = row.due_at = now
    row.began_at = None
    row.save()
    wake_pipes.call(wake_pipes.THINKER)
    return row


def _cancel(pk: int, number: int, now: datetime) -> None:
    row = Analyst.objects.select_for_update(no_key=True).filter(pk=pk).first()
    if row is None or row.number != number or row.state not in OPEN:
        return
    if row.began_at is not None:
        # Of the clock, so no less than of the processor.
        used = max((now - row.began_at).total_seconds(), budget.LEAST_SECONDS)
        row.spent += min(used, row.reserved)
    row.state, row.reserved = Analyst.State.NONE, 0.0
    row.save(update_fields=["spent", "state", "reserved"])
    wake_pipes.call(wake_pipes.THINKER)
    calls.call(calls.NEWS)


def _go_on(actor: Actor) -> Callable[[], None]:
    """Return what refuses to go on when the processor time of the request is used up."""
    return actor.budget.check if actor.budget else lambda: None
