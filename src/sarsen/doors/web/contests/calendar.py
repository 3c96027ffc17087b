"""Contests for calendars and feed readers: their dates, and what happens in each."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import UTC, datetime, time

from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_safe

from sarsen.doors.web.board.feeds import (
    ATOM,
    CALENDAR,
    Deadline,
    FeedItem,
    atom,
    calendar,
    feed_language,
    send_feed,
)
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.visitors import speaker, zone_of
from sarsen.language.grammar.dates import day_words, moment
from sarsen.language.grammar.time_zones import UTC_NAME
from sarsen.language.translating import _, current_language, translated, use_language
from sarsen.services.contests import log as contest_log
from sarsen.services.contests.views.calendar import ContestDate, DateKind, dates_of_contests
from sarsen.services.contests.views.happenings import NEWS, Happening, happenings
from sarsen.services.contests.views.wording import last_day, title_of
from sarsen.services.events.feeds import contests_feed

MAX_NEWS = 50  # of a feed, the newest


@require_safe
def show_calendar(request: HttpRequest) -> HttpResponse:
    """Show when contests start and end, in the visitor's time zone."""
    now, zone = timezone.now(), zone_of(request)
    shown = [(date, _moment(date.at, zone, now)) for date in dates_of_contests(speaker(request))]
    facts = {
        "coming": [(date, at) for date, at in shown if date.at > now],
        "past": [(date, at) for date, at in shown if date.at <= now],
    }
    return render(request, "web/contests/calendar.html", facts)


def _moment(at: datetime, zone: str, now: datetime) -> str:
    """Return an instant as the visitor's clock shows it; days of UTC end at 24:00 (E4)."""
    if zone == UTC_NAME and at.astimezone(UTC).time() == time():
        return f"{day_words(last_day(at), now.date())} 24:00 {UTC_NAME}"
    return moment(at, zone, now)


@require_safe
def send_dates(request: HttpRequest) -> HttpResponse:
    """Send the dates of all contests, as a calendar."""
    with use_language(feed_language(request)):
        body = calendar(_("Contests of sarsen"), _deadlines(dates_of_contests(None)))
    return send_feed(request, body, CALENDAR, None)


@require_safe
@with_refusal_pages
def send_own_dates(request: HttpRequest, key: str) -> HttpResponse:
    """Send the dates of the contests of a key's owner, as a calendar."""
    feed = contests_feed(key)
    with use_language(feed.language or current_language()):
        title = _("Contests of {player}").format(player=feed.userid)
        body = calendar(title, _deadlines(feed.dates))
    return send_feed(request, body, CALENDAR, None)


def _deadlines(dates: Iterable[ContestDate]) -> list[Deadline]:
    words = {
        DateKind.ENTRY_ENDS: _("Entry ends: {contest} ({what})"),
        DateKind.STARTED: _("Start: {contest} ({what})"),
        DateKind.ENDS: _("End: {contest} ({what})"),
    }
    return [
        Deadline(
            f"contest-{date.number}-{date.kind}",
            words[date.kind].format(contest=translated(date.name), what=translated(date.what)),
            date.changed_at,
            date.at,
            reverse("contest", args=[date.number]),
            is_start=date.kind is DateKind.STARTED,
        )
        for date in dates
    ]


@require_safe
@with_refusal_pages
def send_news(request: HttpRequest, number: int) -> HttpResponse:
    """Send what happened in a contest, as a feed."""
    held = contest_log.read(contest_log.find(number))
    news, page = happenings(held, timezone.now(), MAX_NEWS, NEWS), f"/contests/{number}/"
    changed_at = max((happening.at for happening in news), default=held.contest.made_at)
    with use_language(feed_language(request)):
        name = translated(title_of(held.contest))
        title = _("Contest {number}, {name}").format(number=number, name=name)
        items = [_item(number, happening) for happening in news]
        body = atom(title, page, request.get_full_path(), f"contest-{number}", items, changed_at)
    return send_feed(request, body, ATOM, None)


def _item(number: int, happening: Happening) -> FeedItem:
    page = f"/boards/{happening.board}/" if happening.board else f"/contests/{number}/"
    return FeedItem(
        title=translated(happening.words),
        link=f"{settings.SARSEN_URL}{page}",
        name=f"contest-{number}-{happening.name}",
        at=happening.at,
    )
