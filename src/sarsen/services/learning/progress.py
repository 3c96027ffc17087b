"""How far somebody is in lessons: a player by stored rows, a visitor by what a browser keeps."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from sarsen.learning.lessons import Lesson, Step, lesson_of, taught
from sarsen.services.learning.lessons import progress_of
from sarsen.services.request import Player
from sarsen.storage import transactions
from sarsen.storage.models import LessonProgress


@dataclass(frozen=True)
class Progress:
    """How far somebody is in the lesson of one game.

    Attributes:
        done: Ids of steps.
        step, tries: The id of the step tried last, and how many wrong tries it had.
        is_declined: The lesson is not offered again.
    """

    done: tuple[str, ...] = ()
    step: str = ""
    tries: int = 0
    is_declined: bool = False

    def tries_at(self, step: Step) -> int:
        """Return how many wrong tries a step has had."""
        return self.tries if self.step == step.id else 0

    def count_in(self, lesson: Lesson) -> int:
        """Return how many steps of a lesson are done; ids that it has no more do not count."""
        return sum(step.id in self.done for step in lesson.steps)

    def current_in(self, lesson: Lesson) -> Step:
        """Return the first step that is not done; the first of all when all are."""
        return next((step for step in lesson.steps if step.id not in self.done), lesson.steps[0])


def stored_progress(player: Player, game: str) -> Progress:
    """Return how far a player is in the lesson of a game."""
    row = progress_of(player, game)
    return _read(row) if row else Progress()


def all_stored_progress(player: Player) -> dict[str, Progress]:
    """Return how far a player is in every lesson that was begun, by game."""
    return {row.game: _read(row) for row in LessonProgress.objects.filter(player=player)}


def _read(row: LessonProgress) -> Progress:
    return Progress(tuple(row.done), row.step, row.tries, row.is_declined)


def carry_over(player: Player, kept: Mapping[str, Progress], now: datetime) -> None:
    """Add to a player's progress what a visitor did before, in a transaction of its own.

    The same again changes nothing.
    """
    known = {game: kept[game] for game in taught() if game in kept}
    if known:
        transactions.in_transaction(lambda: _merge(player, known, now))


def _merge(player: Player, kept: Mapping[str, Progress], now: datetime) -> None:
    for game, progress in kept.items():
        lesson = lesson_of(game)
        row, _ = LessonProgress.objects.select_for_update().get_or_create(
            player=player,
            game=game,
            defaults={"step": progress.current_in(lesson).id, "at": now},
        )
        known = {step.id for step in lesson.steps}
        row.done = [*row.done, *_new(progress.done, row.done, known)]
        row.is_declined |= progress.is_declined
        row.save()


def _new(ids: Iterable[str], done: Sequence[str], known: set[str]) -> list[str]:
    return [id_ for id_ in ids if id_ in known and id_ not in done]
