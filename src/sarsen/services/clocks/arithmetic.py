"""Counted time: what of a stretch of time counts, and when a budget of it is used up."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

from sarsen.storage import move_path
from sarsen.storage.models import Heartbeat, Match, Vacation

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


AWAY_AFTER = timedelta(minutes=10)  # without a look at the clocks: the server was away
CLOCKS = "clocks"  # the heartbeat of the sweep over the clocks


@dataclass(frozen=True)
class Pause:
    """A vacation of a player, or with None a time when the server was away."""

    player_id: int | None
    begin: datetime
    end: datetime
    last_day: date | None

    @property
    def span(self) -> Span:
        return Span(self.begin, self.end)


def pauses_at(match: Match, since: datetime) -> tuple[Pause, ...]:
    """Return what ends after an instant: vacations of all who sit there, downtimes."""
    downtimes = [Pause(None, begin, end, None) for begin, end in move_path.downtimes_since(since)]
    if not any(seat.has_vacations for seat in match.sitting):
        return tuple(downtimes)
    vacations = Vacation.objects.filter(player__seats__match=match, ends_at__gt=since).order_by()
    rows = vacations.values_list("player_id", "starts_at", "ends_at", "last_day").distinct()
    return (*(Pause(*row) for row in rows), *downtimes)


def pauses_of(players: Collection[int], since: datetime, now: datetime) -> tuple[Pause, ...]:
    """Return what ends after an instant: vacations of these players, and all downtimes.

    The silence of the server that lasts just now is among them, before the sweep has
    recorded it.
    """
    names = ("player_id", "starts_at", "ends_at", "last_day")
    vacations = Vacation.objects.filter(player_id__in=players, ends_at__gt=since)
    return (
        *(Pause(*row) for row in vacations.values_list(*names)),
        *(Pause(None, begin, end, None) for begin, end in move_path.downtimes_since(since)),
        *_silence(now),
    )


def vacations_of_mover(match: Match, now: datetime) -> tuple[Span, ...]:
    """Return the present and planned vacations of the player to move. One query."""
    found = Vacation.objects.filter(
        player__seats__match=match, player__seats__seat=match.seat_to_move, ends_at__gt=now
    )
    return tuple(Span(*row) for row in found.order_by().values_list("starts_at", "ends_at"))


def of_player(pauses: tuple[Pause, ...], player_id: int) -> tuple[Span, ...]:
    """Return what stops the clock of one player."""
    return tuple(pause.span for pause in pauses if pause.player_id in (None, player_id))


def _silence(now: datetime) -> tuple[Pause, ...]:
    beat = Heartbeat.objects.filter(name=CLOCKS).values_list("at", flat=True).first()
    if beat is None or now - beat <= AWAY_AFTER:
        return ()
    return (Pause(None, beat, now, None),)
