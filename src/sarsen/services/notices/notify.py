"""Tell players of an event: a letter, a line of the next digest, a call of a webhook.

All is written in the caller's transaction; sweeps carry it out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime
from itertools import chain
from typing import Any

from django.db.models import DateTimeField, Value
from django.db.models.functions import Coalesce

from sarsen.services import task_queue
from sarsen.services.mail import outgoing
from sarsen.services.notices import push, streams
from sarsen.services.notices.events import Channel, Event, channel_of, digest_time, not_before
from sarsen.storage import move_path, statements
from sarsen.storage.models import DigestItem, Match, OutgoingMail, Player, WebhookCall

# What a stream tells beside what happens at boards.
_STREAMED = (Event.INVITATION, Event.CHALLENGE)


def notify(
    player: Player,
    event: Event,
    kind: str,
    facts: dict[str, Any],
    now: datetime,
    *,
    match: Match | None = None,
    haste: int = 1,
) -> None:
    """Notify a player of an event.

    Args:
        kind: Which letter says it.
        facts: What that letter needs.
        haste: Of the letter: 0 goes first, 2 last.
    """
    notify_all([player], event, kind, facts, now, match=match, haste=haste)


def notify_all(
    players: Iterable[Player],
    event: Event,
    kind: str,
    facts: dict[str, Any],
    now: datetime,
    *,
    match: Match | None = None,
    haste: int = 1,
) -> None:
    """Notify several players of the same event, in a constant number of queries."""
    by_channel: dict[Channel, list[Player]] = defaultdict(list)
    for player in players:
        if player.is_active:
            by_channel[channel_of(player, event)].append(player)
    _queue_letters(by_channel[Channel.MAIL], event, kind, facts, now, match, haste)
    _keep_for_digests(by_channel[Channel.DIGEST], event, kind, facts, now, match)
    if event in _STREAMED:
        # Whatever is mailed: who opens a stream wants to hear of it.
        streams.tell(chain.from_iterable(by_channel.values()), event, facts, now)
    push.queue(chain.from_iterable(by_channel.values()), event, now, match)
    told = [*by_channel[Channel.MAIL], *by_channel[Channel.DIGEST]]
    _queue_calls(told, event, facts, now)


def _queue_letters(
    players: Sequence[Player],
    event: Event,
    kind: str,
    facts: dict[str, Any],
    now: datetime,
    match: Match | None,
    haste: int,
) -> None:
    if not players:
        return
    due = {player.pk: not_before(player, event, now, match) for player in players}
    joined: set[str] = set()
    if kind == "board" and match is not None and match.bots:
        at_once = [player for player, at in due.items() if at == now]
        joined = outgoing.join(match, at_once, facts, now)
    statements.insert(
        [
            OutgoingMail(
                kind=kind,
                event=event,
                facts=facts,
                address=one.address,
                player_id=one.player_id,
                match=match,
                queued_at=now,
                due_at=due[one.player_id],
                haste=haste,
            )
            for one in move_path.addresses_of(due)
            if one.suspended_at is None and one.address.lower() not in joined
        ]
    )


def _keep_for_digests(
    players: Sequence[Player],
    event: Event,
    kind: str,
    facts: dict[str, Any],
    now: datetime,
    match: Match | None,
) -> None:
    if not players:
        return
    kept = {"kind": kind, "facts": facts}
    DigestItem.objects.bulk_create(
        DigestItem(player=player, event=event, facts=kept, match=match, at=now)
        for player in players
    )
    by_time: dict[datetime, list[int]] = defaultdict(list)
    for player in players:
        by_time[digest_time(player, now)].append(player.pk)
    if len(players) > 1:
        # In one order, whatever zones they live in: so two audiences never lock each other up.
        keys = [player.pk for player in players]
        held = Player.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk")
        list(held.values_list("pk"))
    for time, keys in by_time.items():
        # Written even when it stays the same: the lock keeps a sweep that is just making
        # this digest from taking the time away without having seen the item.
        due = Coalesce("digest_due_at", Value(time, output_field=DateTimeField()))
        Player.objects.filter(pk__in=keys).update(digest_due_at=due)


def _queue_calls(
    players: Sequence[Player], event: Event, facts: dict[str, Any], now: datetime
) -> None:
    if event is Event.ACCOUNT:
        return
    calls = [
        WebhookCall(player=player, event=event, facts=facts, queued_at=now, due_at=now)
        for player in players
        if player.webhook
    ]
    if calls:
        WebhookCall.objects.bulk_create(calls)
        task_queue.wake(task_queue.CALL_WEBHOOKS)
