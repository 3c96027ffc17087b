"""Lessons as programs read them: which there are, and their steps without what solves them."""

from __future__ import annotations

from sarsen.language.learning.lessons import LessonFacts, LessonLine, LessonList, StepFacts
from sarsen.learning.lessons import Lesson, Step, lesson_of, start_of, taught


def list_lessons() -> LessonList:
    """Return the games that have a lesson."""
    lessons = map(lesson_of, taught())
    lines = (
        LessonLine(lesson.info.name, lesson.info.title, len(lesson.steps)) for lesson in lessons
    )
    return LessonList(tuple(lines))


def view_lesson(game: str) -> LessonFacts:
    """Return the steps of a game's lesson.

    Raises:
        UserError: There is no such game, or it has no lesson.
    """
    lesson = lesson_of(game)
    steps = tuple(_facts(lesson, step) for step in lesson.steps)
    return LessonFacts(lesson.info.name, lesson.info.title, steps)


def _facts(lesson: Lesson, step: Step) -> StepFacts:
    position = start_of(lesson.info.name, step)
    return StepFacts(
        id=step.id,
        number=lesson.place_of(step),
        task=step.task,
        success=step.success,
        within=step.within,
        options=step.options,
        moves=step.moves,
        position=position.write(),
        side=position.sides[position.seat],
        marks=step.marks,
        arrows=step.arrows,
        tries=step.tries,
    )
