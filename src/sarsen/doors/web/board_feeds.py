"""Feeds of one board that everybody may see: its moves (Atom), its deadline (iCal)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.feedgenerator import Atom1Feed
from django.views.decorators.http import require_safe
from icalendar import Calendar, Event

from sarsen.doors.web.feeds import ATOM, CALENDAR, LASTS, send_feed
from sarsen.doors.web.refusals import explains_refusals
from sarsen.services.viewing import BoardView, view_board

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
