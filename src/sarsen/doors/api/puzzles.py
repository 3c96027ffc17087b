"""Puzzles: which there are, one without what solves it, and tries at it."""

from __future__ import annotations

from typing import Annotated
from urllib.parse import urlencode

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Path, Query, Router
from pydantic import BaseModel, ConfigDict, Field

from sarsen.core.referee import MAX_MOVE
from sarsen.doors.api.authentication import open_to_all
from sarsen.doors.api.commands import perform_for
from sarsen.doors.api.replies import (
    Before,
    PageSize,
    ReplyShape,
    documented_answers,
    send,
)
from sarsen.language.learning.puzzles import MAX_MOVES, PuzzleFacts, PuzzleList, TakePuzzle
from sarsen.services.learning.puzzle_listing import list_puzzles, view_daily, view_puzzle

router = Router(tags=["puzzles"])
PuzzleName = Annotated[
    str, Path(pattern=r"^[A-Za-z0-9_-]{1,40}-[0-9]{1,6}$", examples=["druid-17"])
]
PuzzledGame = Annotated[str, Query(pattern=r"^[A-Za-z0-9_-]{1,40}$", examples=["druid"])]
WithSolutions = Annotated[bool, Query(description="give the right first moves")]
MoveText = Annotated[str, Field(max_length=MAX_MOVE, min_length=1)]


class PuzzleLineTried(BaseModel):
    """All own moves so far, the new one last; `show` in its place gives a solution."""

    model_config = ConfigDict(extra="forbid", strict=True)

    moves: list[MoveText] = Field(max_length=MAX_MOVES, min_length=1, examples=[["b3"]])


@router.get(
    "/puzzles",
    auth=open_to_all(),
    response=documented_answers(PuzzleList),
    operation_id="read-puzzles",
)
def show_puzzles(
    request: HttpRequest, game: PuzzledGame, before: Before = None, most: PageSize = 100
) -> HttpResponse:
    """List the puzzles of a game, the newest first, without what solves them.

    `further` is the value of `before` for the next page; the `Link` header has its URL.
    """
    found = list_puzzles(game, before=before, most=most)
    link = ""
    if found.further is not None:
        query = {"game": game, "most": most, "before": found.further}
        link = f"{request.path}?{urlencode(query)}"
    return send(request, found, further=link)


@router.get(
    "/puzzles/daily",
    auth=open_to_all(),
    response=documented_answers(PuzzleFacts),
    operation_id="read-daily-puzzle",
)
def show_daily(
    request: HttpRequest, game: PuzzledGame, solutions: WithSolutions = False
) -> HttpResponse:
    """Return the puzzle of the day, which changes at 00:00 UTC."""
    return send(request, view_daily(game, timezone.now().date(), with_solution=solutions))


@router.get(
    "/puzzles/{name}",
    auth=open_to_all(),
    response=documented_answers(PuzzleFacts),
    operation_id="read-puzzle",
)
def show_puzzle(
    request: HttpRequest, name: PuzzleName, solutions: WithSolutions = False
) -> HttpResponse:
    """Return a puzzle; `first`, its right first moves, is filled where they are asked for."""
    game, number = _parts(name)
    return send(request, view_puzzle(game, number, with_solution=solutions))


@router.post(
    "/puzzles/{name}/tries",
    auth=open_to_all(TakePuzzle.scope),
    response=documented_answers(ReplyShape),
    operation_id="try-puzzle",
    openapi_extra={"x-scope": str(TakePuzzle.scope), "x-query": False},
)
def try_puzzle(request: HttpRequest, name: PuzzleName, payload: PuzzleLineTried) -> HttpResponse:
    """Try a move at a puzzle; the same as the command `puzzle`.

    `result` of the reply is `right`, `solved`, `late` (a win, but later than asked for) or
    `not-proved`; `answer` is the move of the other side, `solution` is there once it is over.
    """
    game, number = _parts(name)
    return perform_for(request, TakePuzzle(game, number, tuple(payload.moves)))


def _parts(name: str) -> tuple[str, int]:
    game, _, number = name.lower().rpartition("-")
    return game, int(number)
