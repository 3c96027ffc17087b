"""Load when the clocks of a board stand still."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import date, datetime, timedelta

from django.conf import settings

from sarsen.services.clocks.arithmetic import Span
from sarsen.storage.kept import Given, KeptQuery
from sarsen.storage.models import Downtime, Heartbeat, Match, Vacation

CLOCKS = "clocks"  # the heartbeat of the sweep over the clocks


_VACATIONS = KeptQuery(
    lambda: (
        Vacation.objects.filter(player__seats__match=Given("match"), ends_at__gt=Given("since"))
        .order_by()
        .values_list("player_id", "starts_at", "ends_at", "last_day")
    )
)
_DOWNTIMES = KeptQuery(
    lambda: (
        Downtime.objects.filter(ends_at__gt=Given("since"))
        .order_by()
        .values_list("starts_at", "ends_at")
    )
)


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
    downtimes = [Pause(None, begin, end, None) for begin, end in _DOWNTIMES.all(since=since)]
    if not any(seat.has_vacations for seat in match.sitting):
        return tuple(downtimes)
    vacations = _VACATIONS.all(match=match.pk, since=since)
    return (*(Pause(*row) for row in dict.fromkeys(vacations)), *downtimes)


def pauses_of(players: Collection[int], since: datetime, now: datetime) -> tuple[Pause, ...]:
    """Return what ends after an instant: vacations of these players, and all downtimes.

    The silence of the server that lasts just now is among them, before the sweep has
    recorded it.
    """
    names = ("player_id", "starts_at", "ends_at", "last_day")
    vacations = Vacation.objects.filter(player_id__in=players, ends_at__gt=since)
    downtimes = Downtime.objects.filter(ends_at__gt=since).values_list("starts_at", "ends_at")
    return (
        *(Pause(*row) for row in vacations.values_list(*names)),
        *(Pause(None, begin, end, None) for begin, end in downtimes),
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


def away_after() -> timedelta:
    """Return how long the sweep may be silent before that counts as downtime."""
    return timedelta(minutes=settings.SARSEN_AWAY_AFTER)


def _silence(now: datetime) -> tuple[Pause, ...]:
    beat = Heartbeat.objects.filter(name=CLOCKS).values_list("at", flat=True).first()
    if beat is None or now - beat <= away_after():
        return ()
    return (Pause(None, beat, now, None),)
