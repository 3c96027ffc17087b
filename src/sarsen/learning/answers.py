"""Answers to lines at the steps of lessons: the words, and the step that comes next.

Nothing here knows the learner, and nothing is stored.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from sarsen.core.errors import UserError
from sarsen.core.phrases import quoted
from sarsen.language.learning.lessons import MAX_TRIES, WORDS, LessonShown, LessonWord
from sarsen.learning.lessons import Lesson, Step, first_game
from sarsen.learning.tries import Try, Verdict, judge_line, move_to_show


@dataclass(frozen=True)
class Answer:
    """The answer to a line at a step of a lesson.

    Attributes:
        at: The step that the line was about.
        found: The try; None where the line was a word or only asked for the step.
        shown: What the learner is told and shown next.
        solved: The id of the step that is done now; "" for none.
    """

    at: Step
    found: Try | None
    shown: LessonShown
    solved: str = ""


def is_try(moves: Sequence[str]) -> bool:
    """Return whether a line ends with a move; it may be empty, or end with a word."""
    return bool(moves) and moves[-1] not in WORDS


def answer(lesson: Lesson, step: Step, moves: tuple[str, ...], tries: int) -> Answer:
    """Judge a line at a step, and say what comes next.

    Args:
        moves: Own moves, then the new one or a `LessonWord`; none to see the step.
        tries: Wrong ones that were made there before.

    Raises:
        UserError: The rules refuse the move, which was not asked for: no try is used up. Or the
            line goes on after the last move of the step, or after a word.
    """
    game = lesson.info.name
    _require_last_word(lesson, step, moves)
    if not is_try(moves):
        reached = reached_by(lesson, step, moves[:-1])
        facts = replace(shown(lesson, step, reached), tries=tries)
        if not moves:
            return Answer(step, None, facts)
        return _answer_word(lesson, step, reached, facts, LessonWord(moves[-1]))
    reached_by(lesson, step, moves[:-1])
    found = judge_line(game, step, moves)
    if found.verdict is Verdict.REFUSED:
        assert found.refusal is not None
        raise found.refusal.again()
    if found.verdict is Verdict.SOLVED:
        return _solved(lesson, step, found)
    facts = shown(lesson, step, found)
    if found.verdict is Verdict.RIGHT:
        answer_played = found.line[-1]
        return Answer(step, found, replace(facts, verdict="right", answer=answer_played))
    is_shown = tries + 1 >= step.tries
    return Answer(
        step,
        found,
        replace(
            facts,
            verdict="wrong",
            said=step.wrong,
            tried=found.tried,
            answer=found.answer,
            shown=move_to_show(game, step, found) if is_shown else "",
            tries=min(tries + 1, MAX_TRIES),
        ),
    )


def _require_last_word(lesson: Lesson, step: Step, moves: Sequence[str]) -> None:
    """Refuse a line that goes on after a word.

    Raises:
        UserError: It does; the hint is the line up to its first word.
    """
    at = next((at for at, move in enumerate(moves) if move in WORDS), len(moves))
    if at + 1 < len(moves):
        line = ("lesson", lesson.info.name, str(lesson.place_of(step)), *moves[: at + 1])
        raise UserError(
            "`{typed}` comes last on its line; send {rest} by itself.",
            code="lesson-word",
            hint=" ".join(line),
            typed=moves[at],
            rest=quoted(" ".join(moves[at + 1 :])),
        )


def _solved(lesson: Lesson, step: Step, found: Try) -> Answer:
    """Go on to the next step."""
    following = _following(lesson, step)
    game = lesson.info.name
    facts = shown(
        lesson, following or step, judge_line(game, following, ()) if following else found
    )
    refusal = found.refusal.text if found.refusal else ""
    facts = replace(
        facts,
        verdict="solved",
        refusal=refusal,
        said=step.right,
    )
    facts = facts if following else _finished(lesson, facts)
    return Answer(step, found, facts, solved=step.id)


def reached_by(lesson: Lesson, step: Step, moves: tuple[str, ...]) -> Try:
    """Return what a line has reached, after which the step goes on.

    Raises:
        UserError: Its last move solves the step already, or ends the line in another way.
    """
    reached = judge_line(lesson.info.name, step, moves)
    if reached.verdict is Verdict.SOLVED and (following := _following(lesson, step)):
        raise UserError(
            "This step is done. The next one waits for you.",
            code="step-done",
            hint=f"lesson {lesson.info.name} {lesson.place_of(following)}",
        )
    if reached.verdict is Verdict.SOLVED:
        raise UserError(
            "You have finished this lesson. You can start it again.",
            code="lesson-finished",
            hint=f"lesson {lesson.info.name} 1",
        )
    return reached


def _answer_word(
    lesson: Lesson, step: Step, reached: Try, facts: LessonShown, word: LessonWord
) -> Answer:
    game = lesson.info.name
    at = lesson.steps.index(step)
    match word:
        case LessonWord.HINT:
            facts = replace(facts, hint=step.hint)
        case LessonWord.SHOW:
            facts = replace(facts, shown=move_to_show(game, step, reached))
        case LessonWord.STOP | LessonWord.NO_THANKS:
            facts = replace(facts, is_stopped=True)
        case LessonWord.SKIP if at + 1 == len(lesson.steps):
            facts = _finished(lesson, facts)
        case LessonWord.SKIP:
            facts = shown(lesson, lesson.steps[at + 1], judge_line(game, lesson.steps[at + 1], ()))
        case LessonWord.BACK:
            before = lesson.steps[max(at - 1, 0)]
            facts = shown(lesson, before, judge_line(game, before, ()))
    return Answer(step, None, facts)


def _finished(lesson: Lesson, facts: LessonShown) -> LessonShown:
    return replace(facts, is_finished=True, play=first_game(lesson.info))


def _following(lesson: Lesson, step: Step) -> Step | None:
    at = lesson.steps.index(step) + 1
    return lesson.steps[at] if at < len(lesson.steps) else None


def shown(lesson: Lesson, step: Step, reached: Try) -> LessonShown:
    """Return a step with the position that a line has reached."""
    return LessonShown(
        game=lesson.info.name,
        title=lesson.info.title,
        step=step.id,
        at=lesson.place_of(step),
        count=len(lesson.steps),
        task=step.task,
        options=step.options,
        moves=(*step.moves, *reached.line),
        own=reached.own,
        marks=step.marks if not reached.own else (),
        arrows=step.arrows if not reached.own else (),
    )
