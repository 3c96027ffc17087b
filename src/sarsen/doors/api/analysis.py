"""The analysis board: what is proven of a position, or its likely best moves."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse
from ninja import Router
from pydantic import BaseModel, ConfigDict, Field

from sarsen.core.referee import MAX_MOVE
from sarsen.doors.api.authentication import open_to_all
from sarsen.doors.api.commands import perform_for
from sarsen.doors.api.replies import ReplyShape, documented_answers
from sarsen.language.learning.analysis import MAX_MOVES, Analyse

router = Router(tags=["analysis"])
MAX_OPTIONS = 200  # characters
MoveText = Annotated[str, Field(max_length=MAX_MOVE, min_length=1)]


class AnalysedLine(BaseModel):
    """A game, its options, and the moves to the position that is asked about."""

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str = Field(pattern=r"^[A-Za-z0-9_-]{1,40}$", examples=["druid"])
    options: str = Field(default="", max_length=MAX_OPTIONS, examples=["-size=5"])
    moves: list[MoveText] = Field(default=[], max_length=MAX_MOVES, examples=[["c1", "b2"]])


@router.post(
    "/analysis",
    auth=open_to_all(Analyse.scope),
    response=documented_answers(ReplyShape),
    operation_id="analyse-position",
    openapi_extra={"x-scope": str(Analyse.scope), "x-query": Analyse.is_query},
)
def analyse_position(request: HttpRequest, payload: AnalysedLine) -> HttpResponse:
    """Ask about a position; the same as the command `analyse`.

    While `is_waiting` is true the position is being searched: ask the same again, which is free,
    once a second. A caller has one question at a time; another one waits for it. `left` are the
    seconds of search that the caller has left in this hour; 429 says when there is more.
    """
    command = Analyse(payload.game.lower(), payload.options, tuple(payload.moves))
    return perform_for(request, command)
