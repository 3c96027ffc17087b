"""Lessons on pages: the games that have one, and each step on a live board.

The address of a page holds the own moves of its step, so that no page changes anything. A try is
posted, judged and kept, and answered by the page of its line; a wrong or refused one at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_http_methods, require_safe

from sarsen.core.errors import UserError
from sarsen.core.game import GameInfo
from sarsen.core.referee import judge
from sarsen.doors.web.board.moves import moves_answer, reason_answer, refuses_in_json
from sarsen.doors.web.frame.answers import perform_posted
from sarsen.doors.web.frame.errors import status_of, with_refusal_pages
from sarsen.doors.web.frame.parameters import takes
from sarsen.doors.web.frame.posted_forms import read_post
from sarsen.doors.web.frame.visitors import (
    REVALIDATED,
    budget_of,
    local_path,
    speaker,
)
from sarsen.doors.web.learning.kept_progress import all_progress, keep_progress, progress_in
from sarsen.doors.web.learning.live_board import MAX_TYPED, read_moves
from sarsen.doors.web.learning.step_page import Asked, step_address, step_facts
from sarsen.language.commands import TakeLesson
from sarsen.language.learning.lessons import MAX_MOVES, LessonWord
from sarsen.language.replies import Refusal
from sarsen.learning.lessons import Lesson, Step, Success, lesson_of, step_of, taught
from sarsen.learning.puzzles.shelf import has_puzzles
from sarsen.learning.tries import Try, Verdict, judge_line
from sarsen.services.bots.accounts import list_programs
from sarsen.services.learning.offers import running_first_game
from sarsen.services.learning.progress import Progress


@dataclass(frozen=True)
class LessonRow:
    """A game with a lesson, and how many of its steps somebody has done."""

    game: GameInfo
    count: int
    done: int

    @property
    def is_done(self) -> bool:
        """Whether no step is left."""
        return self.done == self.count


@require_safe
def show_lessons(request: HttpRequest) -> HttpResponse:
    """Show the games that have a lesson, and how far the visitor is in each."""
    progress = all_progress(request)
    rows = [
        LessonRow(lesson.info, len(lesson.steps), progress.get(name, Progress()).count_in(lesson))
        for name in taught()
        if (lesson := lesson_of(name))
    ]
    response = render(request, "web/learning/lessons.html", {"rows": rows})
    response["Cache-Control"] = REVALIDATED
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@with_refusal_pages
def go_to_step(request: HttpRequest, name: str) -> HttpResponse:
    """Send a visitor to the first step that is not done; a POST declines the lesson."""
    lesson = lesson_of(name)
    if request.method == "POST":
        return _decline(request, lesson)
    step = progress_in(request, lesson.info.name).current_in(lesson)
    return redirect(step_address(lesson, step))


def _decline(request: HttpRequest, lesson: Lesson) -> HttpResponse:
    """Keep that a lesson is not offered again, and go back to where it was."""
    game = lesson.info.name
    response = redirect(local_path(request.POST.get("back", "")) or "lessons")
    if speaker(request) is None:
        progress = replace(progress_in(request, game), is_declined=True)
        keep_progress(request, response, game, progress)
    else:
        _perform(request, game, "", (LessonWord.NO_THANKS,))
    return response


@require_http_methods(["GET", "HEAD", "POST"])
@takes({"ask": (LessonWord.HINT, LessonWord.SHOW)})
@with_refusal_pages
def show_step(request: HttpRequest, name: str, step: str) -> HttpResponse:
    """Show a step after the own moves of an address; a POST tries one more move."""
    lesson, asked_for = _read_step(name, step)
    if (name, step) != (lesson.info.name, asked_for.id):
        return redirect(step_address(lesson, asked_for))
    if request.method == "POST":
        return _take_try(request, lesson, asked_for)
    progress = progress_in(request, lesson.info.name)
    found = _judge(request, lesson, asked_for, _moves(request.GET.getlist("moves")))
    return _show(request, lesson, asked_for, found, progress, refusal=_unmeant(found))


@require_safe
@refuses_in_json
def send_moves(request: HttpRequest, name: str, step: str) -> HttpResponse:
    """Send the taps of every legal move of a step, and of the one that is to be refused."""
    lesson, asked_for = _read_step(name, step)
    found = _judge(request, lesson, asked_for, _moves(request.GET.getlist("moves")))
    also = asked_for.shown if asked_for.success is Success.REFUSED else ""
    return moves_answer(request, found.position, also)


@require_safe
@refuses_in_json
def send_reason(request: HttpRequest, name: str, step: str) -> HttpResponse:
    """Send the rule that refuses the move tapped, or the move where a refusal is asked for."""
    lesson, asked_for = _read_step(name, step)
    moves = _moves(request.GET.getlist("moves"))
    found = _judge(request, lesson, asked_for, moves)
    tried = request.GET.get("try", "")[:MAX_TYPED]
    if asked_for.success is Success.REFUSED:
        is_meant = judge_line(lesson.info.name, asked_for, (*moves, tried)).refusal
        if is_meant is not None and is_meant.code == asked_for.code:
            return JsonResponse({"move": tried})
    return reason_answer(lambda: judge(found.position, tried))


def _read_step(name: str, step: str) -> tuple[Lesson, Step]:
    lesson = lesson_of(name)
    return lesson, step_of(lesson.info.name, step)


def _moves(words: Sequence[str]) -> tuple[str, ...]:
    return read_moves(words, MAX_MOVES)


def _judge(request: HttpRequest, lesson: Lesson, step: Step, moves: tuple[str, ...]) -> Try:
    """Judge a line, move by move, within the processor time of the request.

    Raises:
        UserError: Moves follow one that ends the line, or the time is used up.
    """
    budget = budget_of(request)
    for count in range(1, len(moves)):
        if budget:
            budget.check()
        judge_line(lesson.info.name, step, moves[:count])
    if budget:
        budget.check()
    return judge_line(lesson.info.name, step, moves)


def _unmeant(found: Try) -> UserError | None:
    return found.refusal if found.verdict is Verdict.REFUSED else None


def _take_try(request: HttpRequest, lesson: Lesson, step: Step) -> HttpResponse:
    """Judge a posted line, keep what came of it, and show it."""
    game, moves = lesson.info.name, _moves(request.POST.getlist("moves"))
    before = progress_in(request, game)
    if speaker(request) is not None:
        refusal = _perform(request, game, step.id, moves)
        if refusal is not None:
            found = judge_line(game, step, moves[:-1])
            found = replace(found, verdict=Verdict.REFUSED, tried=moves[-1] if moves else "")
            return _show(request, lesson, step, found, before, refusal=refusal)
    found = _judge(request, lesson, step, moves)
    after = _after(before, step, found)
    if found.verdict in (Verdict.WRONG, Verdict.REFUSED):
        response = _show(request, lesson, step, found, after, refusal=_unmeant(found))
    else:
        line = (*found.own, found.tried) if found.refusal else found.own
        response = redirect(step_address(lesson, step, line))
    if speaker(request) is None and after != before:
        keep_progress(request, response, game, after)
    return response


def _perform(
    request: HttpRequest, game: str, step: str, moves: tuple[str, ...]
) -> UserError | None:
    """Have what a player sent judged and stored, once for one form; return why it was refused."""
    fields = {"game": [game], "step": [step], "moves": list(moves)}
    posted = replace(read_post(request), command=TakeLesson, fields=fields)
    reply = perform_posted(request, posted).reply
    if isinstance(reply, Refusal):
        return UserError(reply.text, code=reply.code, hint=reply.hint)
    return None


def _after(progress: Progress, step: Step, found: Try) -> Progress:
    """Return how far somebody is after a try."""
    match found.verdict:
        case Verdict.WRONG:
            return replace(progress, step=step.id, tries=progress.tries_at(step) + 1)
        case Verdict.SOLVED if step.id not in progress.done:
            return replace(progress, done=(*progress.done, step.id), tries=0)
        case Verdict.SOLVED | Verdict.RIGHT:
            return replace(progress, tries=0)
    return progress


def _show(
    request: HttpRequest,
    lesson: Lesson,
    step: Step,
    found: Try,
    progress: Progress,
    *,
    refusal: UserError | None = None,
) -> HttpResponse:
    """Show the page of a step."""
    if found.verdict is Verdict.SOLVED:
        progress = _after(progress, step, found)
    ask = request.GET.get("ask", "")
    asked = Asked(
        has_hint=ask == LessonWord.HINT,
        is_shown=ask == LessonWord.SHOW or progress.tries_at(step) >= step.tries,
    )
    facts = step_facts(lesson, step, found, progress, asked, refusal)
    if facts["is_finished"]:
        facts["has_puzzles"] = has_puzzles(lesson.info.name)
        facts["programs"] = list_programs() if len(lesson.info.seats) == 2 else ()
        player = speaker(request)
        facts["running"] = running_first_game(player, lesson.info.name) if player else None
    status = 200
    if refusal is not None:
        status = status_of(refusal) if status_of(refusal) != 404 else 422
    elif found.verdict is Verdict.WRONG and request.method == "POST":
        status = 422
    response = render(request, "web/learning/step.html", facts, status=status)
    response["Cache-Control"] = REVALIDATED
    if request.GET:
        response["X-Robots-Tag"] = "noindex, nofollow"  # their number is unbounded
    return response
