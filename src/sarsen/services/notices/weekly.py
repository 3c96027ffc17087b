"""The weekly letter: the games that ended in a week."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import partial
from typing import Any

from django.db import transaction

from sarsen.services import crash_log, speakers, task_queue
from sarsen.services.notices import Event, notify_all
from sarsen.storage.models import (
    Match,
    Player,
    Subscription,
)
from sarsen.storage.models.matches import PUBLIC

WEEK = timedelta(days=7)
BATCH = 500  # players of one transaction, for which other writers wait
MAX_BATCHES = 10  # of one run: other jobs get their turn
MAX_SHOWN = 8  # games with their final boards, as one scrolls through in a mail
MAX_LISTED = 40  # games in one line each; the page of past games has all


@dataclass(frozen=True)
class Week:
    """The games that ended in a week.

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
    """Write the letters of the last whole week that are not written; return how many."""
    ends = monday(now)
    if not _due(ends).exists():
        return 0
    return in_batches(partial(_write_weekly_batch, finished_in(ends - WEEK), ends, now))


def in_batches(write: Callable[[], int | None]) -> int:
    """Write batches of weekly letters, some now and the rest in the next run; return how many.

    Args:
        write: Writes one, and returns how many letters these are; None where none is due.
    """
    written = 0
    for _ in range(MAX_BATCHES):
        crash_log.note_progress()
        count = write()
        if count is None:
            return written
        written += count
    task_queue.wake(task_queue.SEND_WEEKLY)
    return written


def finished_in(begins: datetime) -> Week:
    """Find the public games that ended in the week from an instant on."""
    ended = {"ended_at__gte": begins, "ended_at__lt": begins + WEEK}
    games = Match.objects.filter(PUBLIC, is_imported=False, **ended)
    played = games.filter(ply__gt=0)
    longest = set(played.order_by("-ply", "pk").values_list("pk", flat=True)[:MAX_SHOWN])
    in_order = list(played.order_by("ended_at", "pk").values_list("pk", flat=True)[:MAX_LISTED])
    shown = list(
        Match.objects.filter(pk__in=longest).order_by("ended_at", "pk").values_list("pk", flat=True)
    )
    listed = tuple(board for board in in_order if board not in longest)
    return Week(begins, tuple(shown), listed, played.count())


def monday(now: datetime) -> datetime:
    """Return the last Monday, midnight UTC."""
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday())


def _write_weekly_batch(week: Week, ends: datetime, now: datetime) -> int | None:
    """Write some letters, and mark them written in the same transaction: never two."""
    with transaction.atomic():
        speakers.hold_everybody()
        # Players whom another worker has are left to it.
        locked = _due(ends).select_for_update(skip_locked=True, of=("self",))
        due = list(locked.order_by("pk")[:BATCH])
        if not due:
            return None
        if week.ended:
            players = Player.objects.filter(pk__in=[subscription.player_id for subscription in due])
            notify_all(players, Event.WEEKLY, "weekly", week.as_facts(), now, priority=2)
            task_queue.wake(task_queue.SEND_MAIL)
        Subscription.objects.filter(pk__in=[subscription.pk for subscription in due]).update(
            last_sent_at=now
        )
        return len(due) if week.ended else 0


def _due(ends: datetime) -> Any:
    return Subscription.objects.filter(is_weekly=True, last_sent_at__lt=ends)
