"""The facts on the page of a step: its board with marks, the words, and the ways on."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.urls import reverse

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.core.referee import judge
from sarsen.doors.web.learning.live_board import board_facts, line_address
from sarsen.drawing.pointing import pointing_at
from sarsen.language.translating import _, translated
from sarsen.learning.lessons import Lesson, Step
from sarsen.learning.tries import Try, Verdict, move_to_show
from sarsen.services.learning.progress import Progress


@dataclass(frozen=True)
class Asked:
    """The help that is asked for at a step.

    Attributes:
        has_hint: Where to look.
        is_shown: The move itself, also after too many tries.
    """

    has_hint: bool = False
    is_shown: bool = False


@dataclass(frozen=True)
class Dot:
    """A step among all of its lesson: `done`, `here` or `left`; steps that are done may be both."""

    at: int
    address: str
    is_here: bool
    is_done: bool


def step_address(lesson: Lesson, step: Step, moves: Sequence[str] = (), **query: str) -> str:
    """Return the page of a step after some own moves."""
    return line_address(reverse("lesson-step", args=[lesson.info.name, step.id]), moves, **query)


def step_facts(
    lesson: Lesson,
    step: Step,
    found: Try,
    progress: Progress,
    asked: Asked,
    refusal: UserError | None = None,
) -> dict[str, object]:
    """Return what the page of a step shows after a try, or before one.

    Args:
        found: The line as judged; of a refused move, the line before it.
        refusal: What the rules said to a move that nobody asked for.
    """
    is_wrong, is_solved = found.verdict is Verdict.WRONG, found.verdict is Verdict.SOLVED
    is_shown = asked.is_shown and not is_solved
    move = move_to_show(lesson.info.name, step, found) if is_shown else ""
    marks = step.marks if not found.own and not found.tried else ()
    arrows = step.arrows if not found.own and not found.tried else ()
    position = found.position
    if is_wrong:
        position = _answered(found)
    elif move:
        marks, arrows = pointing_at(position, move)
    is_open = not is_wrong and not is_solved
    place = lesson.place_of(step)
    following = lesson.steps[place] if place < len(lesson.steps) else None
    return {
        "lesson": lesson,
        "game": lesson.info,
        "step": step,
        "at": place,
        "count": len(lesson.steps),
        "dots": _dots(lesson, step, progress),
        **board_facts(position, is_open=is_open, marks=marks, arrows=arrows),
        "action": step_address(lesson, step),
        "marked": marks_in_words(marks, arrows),
        "own": found.own,
        "is_wrong": is_wrong,
        "is_solved": is_solved,
        "is_finished": is_solved and following is None,
        "verdict": _verdict(found),
        "said": _said(step, found, move, asked),
        "refusal": refusal,
        "typed": found.tried if refusal else "",
        "script": {
            "moves": _script_address("lesson-moves", lesson, step, found),
            "reason": _script_address("lesson-reason", lesson, step, found),
        },
        "again": step_address(lesson, step, found.own),
        "hint": step_address(lesson, step, found.own, ask="hint"),
        "show": step_address(lesson, step, found.own, ask="show"),
        "next": step_address(lesson, following) if following else "",
        "back": step_address(lesson, lesson.steps[place - 2]) if place > 1 else "",
    }


def _answered(found: Try) -> AnyPosition:
    """Return the position after a wrong move and its answer: a copy, which nobody keeps."""
    position = judge(found.position, found.tried).position
    return judge(position, found.answer).position if found.answer else position


def _dots(lesson: Lesson, here: Step, progress: Progress) -> list[Dot]:
    return [
        Dot(at, step_address(lesson, step), step == here, step.id in progress.done)
        for at, step in enumerate(lesson.steps, start=1)
    ]


def _script_address(name: str, lesson: Lesson, step: Step, found: Try) -> str:
    return line_address(reverse(name, args=[lesson.info.name, step.id]), found.own)


def _verdict(found: Try) -> str:
    """Return the first words of the answer to a try, the same as in letters."""
    if found.verdict is Verdict.WRONG:
        return _("Not yet.")
    if found.verdict is Verdict.SOLVED and found.refusal:
        return _("Refused, as meant.")
    return _("Right.") if found.tried and found.verdict is not Verdict.REFUSED else ""


def _said(step: Step, found: Try, move: str, asked: Asked) -> list[str]:
    """Return the sentences that follow, in the language in force."""
    said = []
    match found.verdict:
        case Verdict.SOLVED:
            said += [
                translated(found.refusal.text) if found.refusal else "",
                translated(step.right),
            ]
        case Verdict.RIGHT if found.tried:
            said.append(_("{move} is played.").format(move=found.line[-1]))
        # Not where the step's own sentence names it.
        case Verdict.WRONG if found.answer and found.answer not in step.wrong:
            words = _("After {move} comes {answer}.")
            said.append(words.format(move=found.tried, answer=found.answer))
    if found.verdict is Verdict.WRONG:
        said.append(translated(step.wrong))
    elif asked.has_hint and not move:
        said.append(translated(step.hint))
    if move:
        said.append(_("The move is {move}: play it and see.").format(move=move))
    return [sentence for sentence in said if sentence]


def marks_in_words(marks: Sequence[str], arrows: Sequence[str]) -> str:
    """Return which places of a picture are marked, and where its arrows lead; "" for none."""
    parts = []
    if marks:
        parts.append(_("Marked on the board: {places}.").format(places=", ".join(marks)))
    for way in arrows:
        start, *over, end = way.split("-")
        template = (
            _("An arrow leads from {start} over {over} to {end}.")
            if over
            else _("An arrow leads from {start} to {end}.")
        )
        parts.append(template.format(start=start, over=", ".join(over), end=end))
    return " ".join(parts)
