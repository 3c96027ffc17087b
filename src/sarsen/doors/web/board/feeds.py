"""Feeds of news (Atom) and calendars (iCal), as pages of several rooms send them."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Any

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.utils.cache import get_conditional_response
from django.utils.feedgenerator import Atom1Feed
from django.utils.http import http_date

from sarsen.doors.web.frame.visitors import REVALIDATED
from sarsen.language.translating import LANGUAGES, current_language

ATOM = "application/atom+xml; charset=utf-8"
CALENDAR = "text/calendar; charset=utf-8"
REFRESHED_EVERY = timedelta(hours=1)  # deadlines are days away
DEADLINE_LASTS = timedelta(minutes=30)  # how much of a calendar's day a deadline fills


@dataclass(frozen=True)
class FeedItem:
    """One entry of a feed; its name is unique and never changes."""

    title: str
    link: str
    name: str
    at: datetime
    summary: str = ""


@dataclass(frozen=True)
class Deadline:
    """One entry of a calendar: until when something must be done.

    Attributes:
        name: Unique; the same deadline keeps it when it moves.
        page: The path of its page.
        is_start: Something begins then; else it must be done before.
    """

    name: str
    summary: str
    changed_at: datetime
    due_at: datetime
    page: str
    is_start: bool = False


def feed_language(request: HttpRequest) -> str:
    """Return the language of a public feed: the address names it, as readers have none."""
    language = request.GET.get("language", "")
    return language if language in LANGUAGES else current_language()


def send_feed(
    request: HttpRequest, body: bytes, kind: str, changed_at: datetime | None
) -> HttpResponse:
    """Send a feed, or 304 where the reader has this one already.

    Args:
        changed_at: None where its text changes with the time alone.
    """
    etag = f'"{sha256(body).hexdigest()[:32]}"'
    headers = {"ETag": etag, "Cache-Control": REVALIDATED}
    modified = int(changed_at.timestamp()) if changed_at else None
    if modified is not None:
        headers["Last-Modified"] = http_date(modified)
    response = HttpResponse(body, kind, headers=headers)
    return get_conditional_response(request, etag, modified, response) or response


class _Feed(Atom1Feed):
    """A feed that tells its readers how often to ask."""

    def root_attributes(self) -> dict[str, str]:
        """Add the namespace of the module for syndication of RSS 1.0, which readers know."""
        return {
            **super().root_attributes(),
            "xmlns:sy": "http://purl.org/rss/1.0/modules/syndication/",
        }

    def add_root_elements(self, handler: Any) -> None:
        """Add the hint: once an hour."""
        super().add_root_elements(handler)
        handler.addQuickElement("sy:updatePeriod", "hourly")
        handler.addQuickElement("sy:updateFrequency", "1")


def atom(
    title: str, page: str, path: str, name: str, items: Iterable[FeedItem], changed_at: datetime
) -> bytes:
    """Return a feed.

    Args:
        page: The path of what it is about; `path` is its own.
        name: Unique, and never changes.
    """
    tag = f"tag:{settings.SARSEN_DOMAIN},2026:"
    feed = _Feed(
        title=title,
        link=f"{settings.SARSEN_URL}{page}",
        description="",
        feed_url=f"{settings.SARSEN_URL}{path}",
        feed_guid=f"{tag}{name}",
        language=current_language(),
        author_name="sarsen",  # RFC 4287, 4.1.1: a feed needs one
    )
    for item in items:
        feed.add_item(
            title=item.title,
            link=item.link,
            description=item.summary,
            unique_id=f"{tag}{item.name}",
            pubdate=item.at,
            updateddate=item.at,
        )
    # Without a date of its own, an empty feed would carry the time of each request.
    feed.latest_post_date = lambda: changed_at  # type: ignore[method-assign]
    return bytes(feed.writeString("utf-8").encode())


def calendar(title: str, deadlines: Iterable[Deadline]) -> bytes:
    """Return a calendar of deadlines."""
    # 94 modules, 2.5 MB of every server, for what few players ask for.
    from icalendar import Calendar, Event

    made = Calendar()
    made.add("prodid", f"-//sarsen//{settings.SARSEN_DOMAIN}//EN")
    made.add("version", "2.0")
    made.add("x-wr-calname", title)
    # How often to ask: RFC 7986, 5.7, and what calendars knew before it.
    made.add("refresh-interval", REFRESHED_EVERY, {"value": "DURATION"})
    made.add("x-published-ttl", "PT1H")
    for deadline in deadlines:
        begins = deadline.due_at if deadline.is_start else deadline.due_at - DEADLINE_LASTS
        event = Event()
        event.add("uid", f"{deadline.name}@{settings.SARSEN_DOMAIN}")
        event.add("dtstamp", deadline.changed_at)
        event.add("dtstart", begins)
        event.add("dtend", begins + DEADLINE_LASTS)
        event.add("summary", deadline.summary)
        event.add("url", f"{settings.SARSEN_URL}{deadline.page}")
        event.add("transp", "TRANSPARENT")
        made.add_component(event)
    return bytes(made.to_ical())
