"""Think about one board, and do what was thought."""

from __future__ import annotations

import random

import structlog
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.search import pure
from sarsen.search.bots import load
from sarsen.search.thought import Stop, Thought
from sarsen.services.bots.playing import Duty, carry_out, is_still_due, take_up
from sarsen.workers.thinking.desk import MOST_ATTEMPTS, Desk, Task

log = structlog.get_logger()


def think_about(task: Task, desk: Desk) -> bool:
    """Think about a board and do what was thought; tell whether nothing is left to do there."""
    duty = take_up(task.due)
    if duty is None:
        return True
    if task.attempt > MOST_ATTEMPTS:
        log.error("a search fails: pure Python moves", board=duty.board, level=duty.level)
        return finish(task, duty, think_in_python(duty))
    if desk.searches.is_ready(duty.game):
        bot = load(duty.game, duty.level)
        thought = bot.think(duty.position, seed=duty.seed, stop=task.stop)
    else:
        thought = think_in_python(duty, task.stop)
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


def think_in_python(duty: Duty, stop: Stop | None = None) -> Thought:
    """Find a move without a compiled search, in a second or two.

    A level above those that are played so plays as the strongest of them.
    """
    try:
        return pure.think(duty.position, duty.level, seed=duty.seed, stop=stop)
    except Exception:
        # Better than a game that stands still for ever.
        log.exception("a program plays any legal move", board=duty.board, level=duty.level)
        return Thought(random.Random(duty.seed).choice(duty.position.legal_moves()), 0.5)
