"""The weekly letter about contests: one a week for a player, however many these are."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection
from datetime import datetime
from functools import partial

from django.db import transaction
from django.db.models import Q, QuerySet

from sarsen.language.contests.law import LADDER
from sarsen.services import speakers, task_queue
from sarsen.services.contests.state import Phase
from sarsen.services.notices import Event, notify_all
from sarsen.services.notices.channels import Channel, channel_of
from sarsen.services.notices.weekly import BATCH, WEEK, in_batches, monday
from sarsen.storage.models import ContestBoard, ContestEntry, Player, Subscription
from sarsen.storage.transactions import await_turn

WEEKLY = "contest-week"  # the letter


def sweep(now: datetime) -> int:
    """Write the letters of the last whole week that are not written; return how many.

    Those who get the weekly letter of the server have it there.
    """
    ends = monday(now)
    if not _due(ends).exists():
        return 0
    return in_batches(partial(_write_batch, _tiers_with_news(ends - WEEK), ends, now))


def numbers_of(player: Player, begins: datetime) -> list[int]:
    """Return the running contests of a player in which a game of their tier ended in a week."""
    entries = _playing(begins + WEEK).filter(player=player).order_by("contest")
    rows = list(entries.values_list("contest", "tier"))
    news = _tiers_with_news(begins) if rows else ()
    return [contest for contest, tier in rows if (contest, tier) in news]


def _write_batch(news: Collection[tuple[int, int]], ends: datetime, now: datetime) -> int | None:
    """Write some letters, and mark them written in the same transaction: never two."""
    with transaction.atomic():
        speakers.hold_everybody()
        await_turn("weekly letters about contests")
        due = _due(ends)
        keys = list(due.order_by("player").values_list("player", flat=True).distinct()[:BATCH])
        if not keys:
            return None
        entries = due.filter(player__in=keys)
        contests: dict[int, list[int]] = defaultdict(list)
        for player, contest, tier in entries.order_by("contest").values_list(
            "player", "contest", "tier"
        ):
            if (contest, tier) in news:
                contests[player].append(contest)
        written = _write(contests, ends, now)
        ContestEntry.objects.filter(pk__in=entries.values("pk")).update(told_at=now)
        return written


def _write(contests: dict[int, list[int]], ends: datetime, now: datetime) -> int:
    """Write to players about their contests; return to how many."""
    subscribed = Subscription.objects.filter(is_weekly=True, player__in=contests)
    readers = set(subscribed.values_list("player", flat=True))
    together: dict[tuple[int, ...], list[Player]] = defaultdict(list)
    for player in Player.objects.filter(pk__in=contests, level=None).order_by("pk"):
        if player.pk in readers and channel_of(player, Event.WEEKLY) is not Channel.NONE:
            continue  # it stands in the weekly letter
        together[tuple(contests[player.pk])].append(player)
    begins = (ends - WEEK).date().isoformat()
    for numbers, players in together.items():
        facts = {"contests": list(numbers), "begins": begins}
        notify_all(players, Event.CONTEST, WEEKLY, facts, now, priority=2)
    if together:
        task_queue.wake(task_queue.SEND_MAIL)
    return sum(map(len, together.values()))


def _due(ends: datetime) -> QuerySet[ContestEntry]:
    return _playing(ends).filter(Q(told_at=None) | Q(told_at__lt=ends))


def _playing(ends: datetime) -> QuerySet[ContestEntry]:
    """Return the entries of contests that run, and began before the end of a week.

    A ladder settles nothing, week by week; whoever is concerned by a climb has a letter of it.
    """
    return ContestEntry.objects.filter(
        contest__state=Phase.RUNNING, contest__starts_at__lt=ends, is_out=False, is_waiting=False
    ).exclude(contest__format=LADDER)


def _tiers_with_news(begins: datetime) -> Collection[tuple[int, int]]:
    """Return the contests, and in them the tiers, in which a game ended in a week."""
    ended = {"match__ended_at__gte": begins, "match__ended_at__lt": begins + WEEK}
    boards = ContestBoard.objects.filter(**ended, contest__state=Phase.RUNNING).exclude(
        contest__format=LADDER
    )
    return {
        (contest, int(key.partition(".")[0].removeprefix("t")))
        for contest, key in boards.values_list("contest", "key")
    }
