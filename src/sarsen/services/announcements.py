"""What many players shall hear: told in pieces, so that nothing else has to wait.

A piece and how far it reached are written in one transaction; who is killed between
two pieces goes on where he was, and nobody is told twice.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import Q, QuerySet

from sarsen.services import background, underway
from sarsen.services.notices import Event, notify_all
from sarsen.storage.models import Announcement, Match, Player, Subscription

PIECE = 500  # players of one transaction
MOST_PIECES = 10  # of one run
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
    """Tell an audience of an event: a small one at once, a larger one by and by."""
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
            _tell(announcement, keys, now)
            return
    announcement.save()
    background.wake(background.ANNOUNCE)


def sweep_announcements(now: datetime) -> int:
    """Tell the next players of every open announcement; give how many were told."""
    told = 0
    for _ in range(MOST_PIECES):
        underway.move()
        count = _tell_piece(now)
        if count is None:
            return told
        told += count
    background.wake(background.ANNOUNCE)
    return told


def _tell_piece(now: datetime) -> int | None:
    """Tell one piece of the oldest announcement; None when nothing is open."""
    with transaction.atomic():
        announcement = (
            Announcement.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("match", "author")
            .filter(is_done=False)
            .order_by("pk")
            .first()
        )
        if announcement is None:
            return None
        keys = _next_keys(announcement, PIECE)
        _tell(announcement, keys, now)
        if keys:
            announcement.reached = keys[-1]
        announcement.is_done = len(keys) < PIECE
        announcement.save(update_fields=["reached", "is_done"])
        if keys:
            background.wake(background.SEND_MAIL)
        return len(keys)


def _tell(announcement: Announcement, keys: Sequence[int], now: datetime) -> None:
    if not keys:
        return
    players = Player.objects.filter(pk__in=list(keys), is_active=True)
    event = Event(announcement.event)
    match = announcement.match
    notify_all(players, event, announcement.kind, announcement.facts, now, match=match, haste=2)


def _next_keys(announcement: Announcement, most: int) -> list[int]:
    """Return the next players of the audience by their ids, ascending."""
    if announcement.audience == Audience.ALL:
        everyone = Player.objects.filter(pk__gt=announcement.reached, is_active=True)
        if announcement.author_id:
            everyone = everyone.exclude(pk=announcement.author_id)
        return list(everyone.order_by("pk").values_list("pk", flat=True)[:most])
    watching = _watching(announcement).filter(player_id__gt=announcement.reached)
    # Who plays there hears of it anyway.
    keys = watching.exclude(player__seats__match=announcement.match).order_by("player_id")
    return list(keys.values_list("player_id", flat=True).distinct()[:most])


def _watching(announcement: Announcement) -> QuerySet[Subscription]:
    match = announcement.match
    assert match is not None  # only everybody is told without a board
    watches = Q(match=match)
    if announcement.audience == Audience.FOLLOWERS:
        watches |= Q(watched__in=match.seats.values("player_id")) | Q(game=match.game)
    return Subscription.objects.filter(watches)
