"""Think about one board, and do what was thought."""

from __future__ import annotations

import random

import structlog
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.search.bots import load
from sarsen.search.thought import Thought
from sarsen.services.bots.playing import Duty, carry_out, is_still_due, take_up
from sarsen.workers.thinking.desk import MOST_ATTEMPTS, Desk, Task

log = structlog.get_logger()


def think_about(task: Task, desk: Desk) -> bool:
    """Think about a board and do what was thought; tell whether nothing is left to do there."""
    duty = take_up(task.due)
    if duty is None:
        return True
    if task.attempt > MOST_ATTEMPTS:
        return finish(task, duty, any_move(duty))
    bot = load(duty.game, duty.level)
    thought = bot.think(duty.position, seed=duty.seed, stop=task.stop)
    # Hurried by the end of this process? The next one thinks again.
    return not desk.is_closed and finish(task, duty, thought)


def finish(task: Task, duty: Duty, thought: Thought) -> bool:
    """Do what was thought; False when the rules refuse it."""
    try:
        carry_out(duty, thought, timezone.now())
    except UserError as refusal:
        if is_still_due(task.due):
            log.error("a program's move is refused", board=duty.board, code=refusal.code)
            return False
    return True


def any_move(duty: Duty) -> Thought:
    """Give any legal move: better than a game that stands still."""
    log.error("a program plays any move", board=duty.board, level=duty.level)
    return Thought(random.Random(duty.seed).choice(duty.position.legal_moves()), 0.5)
