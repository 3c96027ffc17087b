"""Lessons: which there are, their steps, and tries at them."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Path, Router
from pydantic import BaseModel, ConfigDict, Field

from sarsen.core.errors import UserError
from sarsen.core.referee import MAX_MOVE
from sarsen.doors.api.authentication import open_to_all
from sarsen.doors.api.commands import perform_for
from sarsen.doors.api.replies import GameName, ReplyShape, documented_answers, send
from sarsen.language.learning.lessons import (
    MAX_MOVES,
    MAX_TRIES,
    LessonFacts,
    LessonList,
    TakeLesson,
)
from sarsen.services.learning.listing import list_lessons, view_lesson

router = Router(tags=["lessons"])
StepName = Annotated[str, Path(pattern=r"^[A-Za-z0-9-]{1,40}$")]
MoveText = Annotated[str, Field(max_length=MAX_MOVE, min_length=1)]


class LessonTry(BaseModel):
    """A move at a step, or all own moves of it so far with the new one last.

    Without a token `tries` is what the last answer said, so that the move is shown after some.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    move: MoveText | None = Field(default=None, examples=["b4"])
    moves: list[MoveText] | None = Field(
        default=None, max_length=MAX_MOVES, min_length=1, examples=[["a3", "a1-a3"]]
    )
    tries: int = Field(default=0, ge=0, le=MAX_TRIES)


@router.get(
    "/lessons",
    auth=open_to_all(),
    response=documented_answers(LessonList),
    operation_id="read-lessons",
)
def show_lessons(request: HttpRequest) -> HttpResponse:
    """List the games that have a lesson."""
    return send(request, list_lessons())


@router.get(
    "/lessons/{name}",
    auth=open_to_all(),
    response=documented_answers(LessonFacts),
    operation_id="read-lesson",
)
def show_lesson(request: HttpRequest, name: GameName) -> HttpResponse:
    """Return the steps of a lesson, without what solves them."""
    return send(request, view_lesson(name))


@router.post(
    "/lessons/{name}/steps/{step}",
    auth=open_to_all(TakeLesson.scope),
    response=documented_answers(ReplyShape),
    operation_id="try-lesson",
    openapi_extra={"x-scope": str(TakeLesson.scope), "x-query": False},
)
def try_step(
    request: HttpRequest, name: GameName, step: StepName, payload: LessonTry
) -> HttpResponse:
    """Try a move at a step, by its id or number; the same as the command `lesson`.

    A step of several moves takes the whole line: the answers in between are always the same. The
    words `hint`, `show`, `skip`, `back` and `stop` may stand in the place of a move.
    """
    if (payload.move is None) == (payload.moves is None):
        raise UserError("Send either `move` or `moves`.", code="lesson-try", hint='{"move": "b4"}')
    moves = (payload.move,) if payload.move is not None else tuple(payload.moves or ())
    return perform_for(request, TakeLesson(name.lower(), step.lower(), moves, payload.tries))
