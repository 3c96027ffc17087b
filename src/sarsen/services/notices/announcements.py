"""Announcements: an event of which many players are notified, in batches."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from sarsen.services import crash_log, speakers, task_queue
from sarsen.services.notices import Event, notify_all
from sarsen.storage.models import Announcement, Match, Player, Subscription

BATCH = 500  # players of one transaction, for which other writers wait
MAX_BATCHES = 10  # of one run: other jobs get their turn
AT_ONCE = 50  # a smaller audience is told in the caller's transaction
Audience = Announcement.Audience


def announce(
    audience: Announcement.Audience,
    event: Event,
    kind: str,
    facts: dict[str, Any],
    now: datetime,
    *,
    author: Player | None = None,
    match: Match | None = None,
) -> None:
    """Notify an audience of an event: a small one at once, a larger one in batches."""
    announcement = Announcement(
        audience=audience,
        author=author,
        match=match,
        event=event,
        kind=kind,
        facts=facts,
        made_at=now,
    )
    if audience != Audience.ALL:
        keys = _next_keys(announcement, AT_ONCE + 1)
        if len(keys) <= AT_ONCE:
            _notify(announcement, keys, now)
            return
    announcement.save()
    task_queue.wake(task_queue.ANNOUNCE)


def sweep_announcements(now: datetime) -> int:
    """Notify the next players of every open announcement; return their number."""
    notified = 0
    for _ in range(MAX_BATCHES):
        crash_log.note_progress()
        count = _notify_batch(now)
        if count is None:
            return notified
        notified += count
    task_queue.wake(task_queue.ANNOUNCE)
    return notified


def _notify_batch(now: datetime) -> int | None:
    """Notify one batch of the oldest announcement; None when nothing is open."""
    with transaction.atomic():
        speakers.hold_everybody()
        announcement = (
            # Locked: another worker would notify the same players. What one has, others skip.
            Announcement.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("match", "author")
            .filter(is_done=False)
            .order_by("pk")
            .first()
        )
        if announcement is None:
            return None
        keys = _next_keys(announcement, BATCH)
        _notify(announcement, keys, now)
        if keys:
            announcement.reached = keys[-1]
        announcement.is_done = len(keys) < BATCH
        announcement.save(update_fields=["reached", "is_done"])
        if keys:
            task_queue.wake(task_queue.SEND_MAIL)
        return len(keys)


def _notify(announcement: Announcement, keys: Sequence[int], now: datetime) -> None:
    if not keys:
        return
    players = Player.objects.filter(pk__in=list(keys), is_active=True)
    author = announcement.author
    # An announcement by operators reaches also players who refuse one of them.
    refused = author.key if author and not announcement.facts.get("is_operator") else None
    accepting = [player for player in players if refused not in player.refuses]
    event = Event(announcement.event)
    match = announcement.match
    notify_all(
        accepting, event, announcement.kind, announcement.facts, now, match=match, priority=2
    )


def _next_keys(announcement: Announcement, most: int) -> list[int]:
    """Return the next players of the audience by their ids, ascending."""
    if announcement.audience == Audience.ALL:
        everyone = Player.objects.filter(pk__gt=announcement.reached, is_active=True)
        if announcement.author_id:
            everyone = everyone.exclude(pk=announcement.author_id)
        return list(everyone.order_by("pk").values_list("pk", flat=True)[:most])
    watching = _watching(announcement).filter(player_id__gt=announcement.reached)
    # The players there hear of it anyway.
    keys = watching.exclude(player__seats__match=announcement.match).order_by("player_id")
    return list(keys.values_list("player_id", flat=True).distinct()[:most])


def _watching(announcement: Announcement) -> QuerySet[Subscription]:
    match = announcement.match
    assert match is not None  # only everybody is told without a board
    watches = Q(match=match)
    if announcement.audience == Audience.FOLLOWERS:
        watches |= Q(watched__in=match.seats.values("player_id")) | Q(game=match.game)
    return Subscription.objects.filter(watches)
