"""Answer tries at lessons, and keep how far a player is; visitors are answered the same way."""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace

from sarsen.core.errors import UserError
from sarsen.language.learning.lessons import MAX_MOVES, PLAY, LessonShown, LessonWord, TakeLesson
from sarsen.learning.answers import Answer, answer, is_try, reached_by, shown
from sarsen.learning.lessons import Lesson, first_game, lesson_of, step_of
from sarsen.learning.tries import judge_line
from sarsen.services.learning.offers import running_first_game
from sarsen.services.limits import daily
from sarsen.services.request import Player, Request
from sarsen.storage.models import LessonProgress


def take(command: TakeLesson, request: Request) -> LessonShown:
    """Show a step, or judge a try at it, and store what the speaker has done."""
    player = request.actor.player
    _require_short(command.moves)
    lesson = lesson_of(command.game)
    row = progress_of(player, lesson.info.name)
    if command.step == PLAY:
        raise _other_way_to_play(lesson, player)
    step = step_of(lesson.info.name, command.step or _current(lesson, row))
    tries = command.tries if player is None else row.tries if row and row.step == step.id else 0
    answered = answer(lesson, step, command.moves, tries)
    if player is None:
        return answered.shown
    if is_try(command.moves):
        daily.check(player, "lesson", request.now)
    _store(player, lesson, answered, command.moves, request)
    return answered.shown


def _other_way_to_play(lesson: Lesson, player: Player | None) -> UserError:
    """Return the refusal of `lesson druid play`, with a line that works for the speaker."""
    title, line = lesson.info.title, first_game(lesson.info)
    if player is None:
        return UserError(
            "To play, join first, or reply to one of your mails from here. On the web you can "
            "play at once, without an account.",
            code="lesson-play",
            hint="signup USERID",
        )
    if (board := running_first_game(player, lesson.info.name)) is not None:
        return UserError(
            "Your game of {title} with a beginner is still running.",
            code="lesson-play",
            hint=f"show {board}",
            title=title,
        )
    return UserError(
        "A game of {title} begins with a challenge.",
        code="lesson-play",
        hint=line,
        title=title,
    )


def prejudge(command: TakeLesson) -> None:
    """Judge a try before the transaction: its parts are remembered, and found in it.

    A whole game as a task, and the best answer among hundreds, take up to a second once.
    """
    _require_short(command.moves)
    lesson = lesson_of(command.game)
    if is_try(command.moves):
        judge_line(lesson.info.name, step_of(lesson.info.name, command.step), command.moves)


def _require_short(moves: Sequence[str]) -> None:
    """Refuse a line that no step needs; each move of one is judged.

    Raises:
        UserError: It has more than `MAX_MOVES`.
    """
    if len(moves) > MAX_MOVES:
        raise UserError(
            "A step of a lesson takes at most {most} moves; this line has {count}.",
            code="lesson-line",
            hint="help lesson",
            most=MAX_MOVES,
            count=len(moves),
        )


def step_refused(command: TakeLesson) -> LessonShown | None:
    """Return the step at which a line was refused, as it stands before its last move.

    None where there is no such step, or it is over.
    """
    with suppress(UserError):
        _require_short(command.moves)
        lesson = lesson_of(command.game)
        step = step_of(lesson.info.name, command.step)
        facts = shown(lesson, step, reached_by(lesson, step, command.moves[:-1]))
        return replace(facts, tries=command.tries)
    return None


def progress_of(player: Player | None, game: str) -> LessonProgress | None:
    """Return how far a player is in a game's lesson; None before the first step, and for nobody."""
    return LessonProgress.objects.filter(player=player, game=game).first() if player else None


def _current(lesson: Lesson, row: LessonProgress | None) -> str:
    """Return the id of the step that comes now: where the player was, else the first not done."""
    if row is not None and lesson.step(row.step) and row.step not in row.done:
        return row.step
    done = set(row.done) if row else set()
    return next((step.id for step in lesson.steps if step.id not in done), lesson.steps[0].id)


def _store(
    player: Player, lesson: Lesson, answered: Answer, moves: Sequence[str], request: Request
) -> None:
    """Store where a player is, in the caller's transaction."""
    row, _ = LessonProgress.objects.select_for_update().get_or_create(
        player=player,
        game=lesson.info.name,
        defaults={"step": answered.shown.step, "at": request.now},
    )
    facts = answered.shown
    row.tries = facts.tries
    if answered.solved and answered.solved not in row.done:
        row.done = [*row.done, answered.solved]
    row.step, row.line, row.at = facts.step, " ".join(facts.own), request.now
    row.is_declined |= bool(moves) and moves[-1] == LessonWord.NO_THANKS
    row.save()
