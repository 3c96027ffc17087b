"""The weekly letter: the games that ended in a week, to those who asked for it.

A week goes from Monday to Monday, UTC. Who was away when a week ended gets the letter
of the last whole week, and of that week only, whenever the server is back.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from typing import Any

from django.db import transaction

from sarsen.services import background, underway
from sarsen.services.lobby import PUBLIC
from sarsen.services.notices import Event, notify_all
from sarsen.storage.models import Match, Player, Subscription

WEEK = timedelta(days=7)
BATCH = 500
MOST_BATCHES = 10
MOST_SHOWN = 8  # games with their final boards
MOST_LISTED = 40  # games in one line each


@dataclass(frozen=True)
class Week:
    """What ended in a week.

    Attributes:
        shown: Boards to draw; the longest games, in order of their end.
        listed: Boards to name.
        ended: How many there were in all.
    """

    begins: datetime
    shown: tuple[int, ...]
    listed: tuple[int, ...]
    ended: int

    def as_facts(self) -> dict[str, Any]:
        return {
            "begins": self.begins.date().isoformat(),
            "shown": list(self.shown),
            "listed": list(self.listed),
            "ended": self.ended,
        }


def sweep_weekly(now: datetime) -> int:
    """Write the letters of the last whole week that are not written; give how many."""
    ends = _monday(now)
    if not _due(ends).exists():
        return 0
    week = finished_in(ends - WEEK)
    written = 0
    for _ in range(MOST_BATCHES):
        underway.move()
        count = _write_batch(week, ends, now)
        if count is None:
            return written
        written += count
    background.wake(background.SEND_WEEKLY)
    return written


def finished_in(begins: datetime) -> Week:
    """Find the public games that ended in the week from an instant on."""
    ended = {"ended_at__gte": begins, "ended_at__lt": begins + WEEK}
    found = Match.objects.filter(PUBLIC, is_imported=False, **ended)
    played = found.filter(ply__gt=0)
    longest = set(played.order_by("-ply", "pk").values_list("pk", flat=True)[:MOST_SHOWN])
    in_order = list(played.order_by("ended_at", "pk").values_list("pk", flat=True)[:MOST_LISTED])
    shown = list(
        Match.objects.filter(pk__in=longest).order_by("ended_at", "pk").values_list("pk", flat=True)
    )
    listed = tuple(board for board in in_order if board not in longest)
    return Week(begins, tuple(shown), listed, played.count())


def _write_batch(week: Week, ends: datetime, now: datetime) -> int | None:
    """Write some letters, and mark them written in the same transaction: never two."""
    with transaction.atomic():
        locked = _due(ends).select_for_update(skip_locked=True, of=("self",))
        due = list(locked.order_by("pk")[:BATCH])
        if not due:
            return None
        if week.ended:
            players = Player.objects.filter(pk__in=[one.player_id for one in due])
            notify_all(players, Event.WEEKLY, "weekly", week.as_facts(), now, haste=2)
            background.wake(background.SEND_MAIL)
        Subscription.objects.filter(pk__in=[one.pk for one in due]).update(last_sent_at=now)
        return len(due) if week.ended else 0


def _due(ends: datetime) -> Any:
    return Subscription.objects.filter(is_weekly=True, last_sent_at__lt=ends)


def _monday(now: datetime) -> datetime:
    """Return the last Monday, midnight UTC."""
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday())
