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
from sarsen.language.learning.analysis import MAX_MOVES, MAX_POSITION, Analyse

router = Router(tags=["analysis"])
MAX_OPTIONS = 200  # characters
MoveText = Annotated[str, Field(max_length=MAX_MOVE, min_length=1)]


class AnalysedLine(BaseModel):
    """A game, its options or a first position, and the moves to the position that is asked about.

    A position is written as the game does: `S 231123/f/f/f/f/321123`. In place of a game, `board`
    begins with the moves of a board, before the one that is due as ply `due`.
    """

    model_config = ConfigDict(extra="forbid", strict=True)

    game: str = Field(default="", pattern=r"^[A-Za-z0-9_-]{0,40}$", examples=["druid"])
    options: str = Field(default="", max_length=MAX_OPTIONS, examples=["-size=5"])
    moves: list[MoveText] = Field(default=[], max_length=MAX_MOVES, examples=[["c1", "b2"]])
    position: str = Field(default="", max_length=MAX_POSITION, examples=[""])
    board: int = Field(default=0, ge=0, le=999_999_999, examples=[0])
    due: int = Field(default=0, ge=0, le=999_999, examples=[0])


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
    command = Analyse(
        payload.game.lower(),
        payload.options,
        tuple(payload.moves),
        payload.position,
        payload.board,
        payload.due,
    )
    return perform_for(request, command)
