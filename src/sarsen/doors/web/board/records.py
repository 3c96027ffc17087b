"""Records to take along: of one board, of a game, of a player, of everything; and the keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_safe
from icalendar import Calendar, Event

from sarsen.doors.web.board.pictures import FOR_A_WHILE, PRIVATE
from sarsen.doors.web.players.feeds import ATOM, CALENDAR, LASTS, send_feed
from sarsen.doors.web.site.errors import explains_refusals
from sarsen.doors.web.site.visitors import speaker
from sarsen.services.boards.view import BoardView, view_board
from sarsen.services.records.collections import Selection, page
from sarsen.services.records.recording import RecordFile, view_record
from sarsen.services.records.signatures import public_keys

TEXT = "text/plain; charset=utf-8"
JSON_LINES = "application/jsonl"
SGF = "application/x-go-sgf; charset=utf-8"
_NUMBER = re.compile("[0-9]{1,9}")


@require_safe
@explains_refusals
def send_text(request: HttpRequest, board: int) -> HttpResponse:
    """Send the record of a finished game in the text form."""
    file = view_record(board, speaker(request))
    return _one(file, file.text, TEXT)


@require_safe
@explains_refusals
def send_json(request: HttpRequest, board: int) -> HttpResponse:
    """Send the record of a finished game in the JSON form."""
    file = view_record(board, speaker(request))
    return _one(file, file.json_line + "\n", "application/json")


@require_safe
@explains_refusals
def send_sgf(request: HttpRequest, board: int) -> HttpResponse:
    """Send the record of a finished game as SGF."""
    file = view_record(board, speaker(request))
    response = _one(file, file.sgf, SGF)
    name = f"{file.record.game}-{file.board}.sgf"
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
@explains_refusals
def send_collection(
    request: HttpRequest, *, form: str, name: str = "", userid: str = ""
) -> HttpResponse:
    """Send the finished public games of a game, of a player, or all, a page at a time."""
    after = request.GET.get("after", "")
    asked = int(after) if _NUMBER.fullmatch(after) else None
    found = page(Selection(game=name, userid=userid, after=asked))
    further = ""
    if found.further is not None:
        further = f"{settings.SARSEN_URL}{request.path}?after={found.further}"
    if form == "jsonl":
        lines = "".join(f"{file.json_line}\n" for file in found.files)
        response = HttpResponse(lines, JSON_LINES)
    else:
        records = [file.text for file in found.files]
        if further:
            records.append(f"# Further games: {further}\n")
        response = HttpResponse("\n".join(records) or "# No game yet.\n", TEXT)
    if further:
        response["Link"] = f'<{further}>; rel="next"'
    if form == "jsonl" or further:
        saved = "-".join(filter(None, ("records", name or userid, after and f"after-{asked}")))
        response["Content-Disposition"] = f'attachment; filename="{saved}.{form}"'
    response["Cache-Control"] = FOR_A_WHILE
    return response


@require_safe
@explains_refusals
def send_keys(request: HttpRequest) -> HttpResponse:
    """Send the public keys that records of this server are signed with, the present one first."""
    keys = [
        {"name": key.name, "kind": "Ed25519", "public": key.public}
        | {name: at for name, at in (("since", key.since), ("until", key.until)) if at}
        for key in public_keys()
    ]
    headers = {"Cache-Control": FOR_A_WHILE, "Access-Control-Allow-Origin": "*"}
    return JsonResponse({"sarsen-keys": 1, "keys": keys}, headers=headers)


def _one(file: RecordFile, content: str, kind: str) -> HttpResponse:
    keep = PRIVATE if file.is_private else FOR_A_WHILE
    return HttpResponse(content, kind, headers={"Cache-Control": keep})


MOST_MOVES = 50  # the newest; readers ask more often than so much happens


@require_safe
@explains_refusals
def send_moves(request: HttpRequest, board: int) -> HttpResponse:
    """Send the newest moves of a board, and how it ended."""
    # A reader of feeds is nobody: what only players see is no feed.
    view = view_board(board)
    return send_feed(request, _atom(view), ATOM, None)


@require_safe
@explains_refusals
def send_deadline(request: HttpRequest, board: int) -> HttpResponse:
    """Send until when the next move of a board must come; without a clock, nothing."""
    view = view_board(board)
    return send_feed(request, _calendar(view), CALENDAR, None)


def _atom(view: BoardView) -> bytes:
    page = f"{settings.SARSEN_URL}/boards/{view.number}/"
    atom = Atom1Feed(
        title=f"{view.title}: {' v '.join(view.players)}",
        link=page,
        description="",
        feed_url=f"{page}moves.atom",
        feed_guid=f"tag:{settings.SARSEN_DOMAIN},2026:board-{view.number}",
        language="en",
    )
    for title, link, name, at in _entries(view, page):
        atom.add_item(
            title=title,
            link=link,
            description="",
            unique_id=f"tag:{settings.SARSEN_DOMAIN},2026:board-{view.number}-{name}",
            pubdate=at,
            updateddate=at,
        )
    # Without a date of its own, an empty feed would carry the time of each request.
    atom.latest_post_date = lambda: view.moved_at  # type: ignore[method-assign]
    return bytes(atom.writeString("utf-8").encode())


def _entries(view: BoardView, page: str) -> Iterator[tuple[str, str, str, datetime]]:
    """Yield title, address, name and time of each entry, the newest first."""
    if view.result:
        ended_at = view.ending.at if view.ending else view.moved_at
        yield f"{view.title} is over: {view.result}", page, "over", ended_at
    for move in reversed(view.moves[-MOST_MOVES:]):
        title = f"{view.title}: {view.players[move.seat]} plays {move.text} as ply {move.ply}"
        # Named by its event: a move in place of one taken back is news.
        yield title, f"{page}{move.ply}/", str(move.event), move.at


def _calendar(view: BoardView) -> bytes:
    calendar = Calendar()
    calendar.add("prodid", f"-//sarsen//{settings.SARSEN_DOMAIN}//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", view.title)
    if view.clock is not None:
        event = Event()
        # The same turn is the same event: it moves when the deadline does.
        event.add("uid", f"board-{view.number}-{view.last_ply + 1}@{settings.SARSEN_DOMAIN}")
        event.add("dtstamp", view.moved_at)
        event.add("dtstart", view.clock.due_at - LASTS)
        event.add("dtend", view.clock.due_at)
        event.add("summary", f"{view.title}: {view.clock.userid} must move by then")
        event.add("url", f"{settings.SARSEN_URL}/boards/{view.number}/")
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    return bytes(calendar.to_ical())
