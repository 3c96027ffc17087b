"""Feeds by secret address: boards for a feed reader (Atom), deadlines for a calendar (iCal)."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import http_date
from django.views.decorators.http import require_safe
from icalendar import Calendar, Event

from sarsen.doors.web.site.errors import explains_refusals
from sarsen.services.events.feeds import (
    BoardEntry,
    Feed,
    InvitationEntry,
    boards_feed,
    deadlines_feed,
)

ATOM = "application/atom+xml; charset=utf-8"
CALENDAR = "text/calendar; charset=utf-8"
LASTS = timedelta(minutes=30)  # how much of a calendar's day a deadline fills


@dataclass(frozen=True)
class _Item:
    """One entry of a feed; its name is the same for ever and no other's."""

    title: str
    link: str
    summary: str
    name: str
    at: datetime


@require_safe
@explains_refusals
def send_boards(request: HttpRequest, key: str) -> HttpResponse:
    """Send the boards and invitations of a key's owner."""
    feed = boards_feed(key)
    return send_feed(request, _atom(feed, key), ATOM, feed.changed_at)


@require_safe
@explains_refusals
def send_deadlines(request: HttpRequest, key: str) -> HttpResponse:
    """Send the deadlines of a key's owner."""
    feed = deadlines_feed(key)
    # Not dated: a vacation moves a deadline although nothing happens at its board.
    return send_feed(request, _calendar(feed), CALENDAR, None)


def send_feed(
    request: HttpRequest, body: bytes, kind: str, changed_at: datetime | None
) -> HttpResponse:
    """Send a feed, or 304 to anyone who has this one.

    Args:
        changed_at: None where it says other things at other times, though nothing happened.
    """
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": "private, no-cache"}
    modified = int(changed_at.timestamp()) if changed_at else None
    if modified is not None:
        headers["Last-Modified"] = http_date(modified)
    response = HttpResponse(body, kind, headers=headers)
    return get_conditional_response(request, etag, modified, response) or response


def _atom(feed: Feed, key: str) -> bytes:
    atom = Atom1Feed(
        title=f"Boards of {feed.userid}",
        link=f"{settings.SARSEN_URL}/",
        description="",
        feed_url=f"{settings.SARSEN_URL}/feeds/{key}/boards.atom",
        feed_guid=f"tag:{settings.SARSEN_DOMAIN},2026:boards-of-{feed.userid.lower()}",
        language="en",
    )
    items = [*map(_board_item, feed.boards), *map(_invitation_item, feed.invitations)]
    for item in sorted(items, key=lambda item: item.at, reverse=True):
        atom.add_item(
            title=item.title,
            link=item.link,
            description=item.summary,
            unique_id=f"tag:{settings.SARSEN_DOMAIN},2026:{item.name}",
            pubdate=item.at,
            updateddate=item.at,
        )
    # Without a date of its own, an empty feed would carry the time of each request.
    atom.latest_post_date = lambda: feed.changed_at  # type: ignore[method-assign]
    return bytes(atom.writeString("utf-8").encode())


def _board_item(entry: BoardEntry) -> _Item:
    against = f" v {', '.join(entry.others)}" if entry.others else ""
    after = f"After {entry.ply} {'ply' if entry.ply == 1 else 'plies'}."
    if not entry.to_move:
        state, summary = "over", f"{entry.result} {after}"
    elif entry.is_mine:
        due = f" Move by {_utc(entry.due_at)}." if entry.due_at else ""
        state, summary = "your move", f"{after}{due}"
    else:
        state, summary = f"{entry.to_move} moves", after
    return _Item(
        title=f"{entry.title}{against}: {state}",
        link=f"{settings.SARSEN_URL}/boards/{entry.number}/",
        summary=summary,
        # A new entry for each event: readers show what they have not seen.
        name=f"board-{entry.number}-{entry.happened}",
        at=entry.at,
    )


def _invitation_item(entry: InvitationEntry) -> _Item:
    return _Item(
        title=f"{entry.title} Challenge {entry.number}: {entry.by or 'Somebody'} challenges you",
        link=f"{settings.SARSEN_URL}/",
        summary=f"To take it: accept {entry.number}",
        name=f"challenge-{entry.number}",
        at=entry.at,
    )


def _calendar(feed: Feed) -> bytes:
    calendar = Calendar()
    calendar.add("prodid", f"-//sarsen//{settings.SARSEN_DOMAIN}//EN")
    calendar.add("version", "2.0")
    calendar.add("x-wr-calname", f"Deadlines of {feed.userid}")
    for entry in feed.boards:
        if entry.due_at is None:
            continue
        event = Event()
        # The same turn is the same event: it moves when the deadline does.
        event.add("uid", f"board-{entry.number}-{entry.ply + 1}@{settings.SARSEN_DOMAIN}")
        event.add("dtstamp", entry.at)
        event.add("dtstart", entry.due_at - LASTS)
        event.add("dtend", entry.due_at)
        event.add("summary", f"Move by then: {entry.title} v {', '.join(entry.others)}")
        event.add("url", f"{settings.SARSEN_URL}/boards/{entry.number}/")
        event.add("transp", "TRANSPARENT")
        calendar.add_component(event)
    return bytes(calendar.to_ical())


def _utc(at: datetime) -> str:
    return f"{at:%Y-%m-%d %H:%M} UTC"
