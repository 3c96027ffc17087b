"""Contests: lists, tables, boards and logs. Commands about them are in `commands`."""

from __future__ import annotations

import csv
import io
from typing import Annotated, Literal

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.http import urlencode
from ninja import Query, Router

from sarsen.doors.api.authentication import caller, open_to_all
from sarsen.doors.api.replies import (
    Before,
    NamedGame,
    Number,
    PageSize,
    documented_answers,
    other_content_types,
    send,
    send_text,
)
from sarsen.games import load
from sarsen.language.contests.commands import ShowContest
from sarsen.language.contests.facts import ContestFacts, ContestList, ContestLog
from sarsen.language.ratings import table_text
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.contests.views.facts import view_contest, view_log, view_proof
from sarsen.services.contests.views.listing import MAX_LISTED, list_contests
from sarsen.services.contests.views.tables import show
from sarsen.services.players import find_any_player
from sarsen.services.request import Actor, Request

router = Router(tags=["contests"], auth=open_to_all())
CSV = "text/csv; charset=utf-8"
NamedPlayer = Annotated[str, Query(max_length=80)]
State = Literal["", "open", "running", "ended"]


@router.get("/contests", response=documented_answers(ContestList), operation_id="read-contests")
def show_contests(
    request: HttpRequest,
    game: NamedGame = "",
    player: NamedPlayer = "",
    state: State = "",
    before: Before = None,
    most: PageSize = MAX_LISTED,
) -> HttpResponse:
    """List contests, newest first; without a state, those that are open or running.

    Those that were closed are among the ended ones.

    `further` is the value of `before` for the next page; the `Link` header has its URL.
    """
    lines = list_contests(
        load(game).info.name if game else "",
        state,
        viewer=caller(request).player,
        player=find_any_player(player) if player else None,
        before=before or 0,
        most=most,
    )
    further = lines[-1].number if len(lines) == most else None
    link = ""
    if further is not None:
        asked = {"game": game, "player": player, "state": state}
        query: dict[str, str | int] = {name: value for name, value in asked.items() if value}
        link = f"{request.path}?{urlencode({**query, 'before': further, 'most': most})}"
    return send(request, ContestList(lines, further), further=link)


@router.get(
    "/contests/{number}", response=documented_answers(ContestFacts), operation_id="read-contest"
)
def show_contest(request: HttpRequest, number: Number) -> HttpResponse:
    """Return a contest with its boards and its table."""
    return send(request, view_contest(number))


@router.get(
    "/contests/{number}/log",
    response=documented_answers(ContestLog),
    operation_id="read-contest-log",
)
def show_log(request: HttpRequest, number: Number) -> HttpResponse:
    """Return all events of a contest; everything else about it follows from them."""
    return send(request, view_log(number))


@router.get(
    "/contests/{number}/table",
    response=documented_answers(dict[str, object]),
    operation_id="read-contest-table",
    openapi_extra=other_content_types("text/csv", "text/plain"),
)
def show_table(request: HttpRequest, number: Number) -> HttpResponse:
    """Return the table of a contest as CSV; as text with `Accept: text/plain`."""
    if request.get_preferred_type(["text/csv", "text/plain"]) == "text/plain":
        asked = Request(Actor(caller(request).player), timezone.now(), AFTER_EVENTS)
        return send_text(request, f"{table_text(show(ShowContest(number), asked))}\n")
    rows = view_contest(number).table
    written = io.StringIO()
    writer = csv.writer(written)
    writer.writerow(["place", "shared_to", "player", "points", "sb", "best", "worst", "tier"])
    for row in rows:
        figures = (row.points, row.sb, row.best, row.worst, row.tier)
        writer.writerow([row.place, row.shared_to, row.userid, *figures])
    return send_text(request, written.getvalue(), CSV)


@router.get(
    "/contests/{number}/proofs/{board}",
    response=documented_answers(dict[str, object]),
    operation_id="read-contest-proof",
    url_name="read-contest-proof",
    openapi_extra=other_content_types("text/plain"),
)
def show_proof(request: HttpRequest, number: Number, board: Number) -> HttpResponse:
    """Return the proof of a win at a board: answers, a line a position.

    The board ran at the end date, or was lost on time.
    """
    return send_text(request, f"{view_proof(number, board)}\n")
