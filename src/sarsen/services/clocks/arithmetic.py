"""Counted time: what of a stretch of time counts, and when a budget of it is used up."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

SATURDAY = 5
WEEK = timedelta(days=7)


@dataclass(frozen=True)
class Span:
    """A stretch of time from an instant to another, which does not belong to it."""

    begin: datetime
    end: datetime


@dataclass(frozen=True)
class Pauses:
    """When a clock stands still.

    Attributes:
        spans: In any order; they may overlap, touch, or lie in each other.
        weekends: The zone in which Saturdays and Sundays do not count; None if they do.
    """

    spans: tuple[Span, ...] = ()
    weekends: ZoneInfo | None = None


def counted(begin: datetime, end: datetime, pauses: Pauses) -> timedelta:
    """Return how much of the time from one instant to another counts; nothing backwards."""
    if end <= begin:
        return timedelta()
    total = end - begin
    for stop in _stops(pauses, begin):
        if stop.begin >= end:
            break
        total -= min(stop.end, end) - max(stop.begin, begin)
    return total


def reached(begin: datetime, budget: timedelta, pauses: Pauses) -> datetime:
    """Return when a budget that runs from an instant is used up. The pair of `counted`.

    Where that falls on the beginning of a pause it is the end of it: a clock never
    runs out while it stands still.
    """
    running_since, left = begin, budget
    for stop in _stops(pauses, begin):
        runs = stop.begin - running_since
        if left < runs:
            break
        left -= max(runs, timedelta())
        running_since = stop.end
    return running_since + left


def pause_at(moment: datetime, pauses: Pauses) -> Span | None:
    """Return the pause an instant lies in, to the end of the last one that touches it, or None."""
    first = next(_stops(pauses, moment), None)
    return first if first and first.begin <= moment else None


def _stops(pauses: Pauses, since: datetime) -> Iterator[Span]:
    """Yield the pauses that end after an instant, in order, joined where they touch."""
    weekends = _weekends(pauses.weekends, since) if pauses.weekends else iter(())
    spans = sorted(pauses.spans, key=_begin)
    joined: Span | None = None
    for span in heapq.merge(spans, weekends, key=_begin):
        if span.end <= max(since, span.begin):
            continue
        if joined is None:
            joined = span
        elif span.begin <= joined.end:
            joined = Span(joined.begin, max(joined.end, span.end))
        else:
            yield joined
            joined = span
    if joined:
        yield joined


def _weekends(zone: ZoneInfo, since: datetime) -> Iterator[Span]:
    """Yield the weekends from the one at or before an instant, until the calendar ends."""
    today = since.astimezone(zone).date()
    saturday = today - timedelta(days=(today.weekday() - SATURDAY) % 7)
    while saturday.year < date.max.year:
        yield Span(midnight(saturday, zone), midnight(saturday + timedelta(days=2), zone))
        saturday += WEEK


def midnight(day: date, zone: ZoneInfo) -> datetime:
    """Return the instant a day begins in a zone; where clocks skip midnight, that of the skip."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


def _begin(span: Span) -> datetime:
    return span.begin
