"""Notify players of events, by the channels that they have chosen.

An event becomes a letter, a line of the next digest, a notice on devices or a call of a webhook.
All is written in the caller's transaction; sweeps carry it out.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta, tzinfo
from itertools import chain
from typing import Any

from django.conf import settings
from django.db.models import DateTimeField, Value
from django.db.models.functions import Coalesce

from sarsen.language.grammar.time_zones import zone_called
from sarsen.services import task_queue
from sarsen.services.mail import outgoing
from sarsen.services.notices import streams
from sarsen.services.notices.channels import Channel, Event, channel_of, wanted_on_devices
from sarsen.services.notices.newcomers import without_newcomers
from sarsen.storage import move_path, statements
from sarsen.storage.models import Device, DigestItem, Match, OutgoingMail, Player, Push, WebhookCall

# What a stream tells beside what happens at boards.
_STREAMED = (Event.INVITATION, Event.CHALLENGE)
# A reminder waits for the end of the quiet hours only while more than this is left then.
LEFT_AFTER_QUIET = timedelta(hours=24)


def next_hour(zone: tzinfo, hour: int, now: datetime) -> datetime:
    """Return the next time at which it is `hour` o'clock in a zone, after now."""
    local = now.astimezone(zone)
    at = local.replace(hour=hour, minute=0, second=0, microsecond=0, fold=0)
    if at.astimezone(UTC) <= now:
        # By the calendar, not by 24 hours: clocks are put forward and back.
        at = datetime.combine(local.date() + timedelta(days=1), at.timetz())
    return at.astimezone(UTC)


def digest_time(player: Player, now: datetime) -> datetime:
    """Return the time of a player's next digest."""
    return next_hour(zone_called(player.timezone), player.digest_hour, now)


def quiet_end(player: Player, now: datetime) -> datetime | None:
    """Return the end of the quiet hours that reign now; None when there are none."""
    begins, ends = player.quiet_from, player.quiet_until
    if begins is None or ends is None or begins == ends:
        return None
    hour = now.astimezone(zone_called(player.timezone)).hour
    is_quiet = begins <= hour < ends if begins < ends else hour >= begins or hour < ends
    return next_hour(zone_called(player.timezone), ends, now) if is_quiet else None


def not_before(player: Player, event: Event, now: datetime, match: Match | None) -> datetime:
    """Return the time before which a letter of an event does not go."""
    end = quiet_end(player, now)
    if end is None or event is Event.ACCOUNT:
        return now
    if event is Event.REMINDER:
        due = match.due_at if match is not None else None
        if due is None or due - end < LEFT_AFTER_QUIET:
            return now
    return end


def notify(
    player: Player,
    event: Event,
    kind: str,
    facts: dict[str, Any],
    now: datetime,
    *,
    match: Match | None = None,
) -> None:
    """Notify a player of an event; `kind` is the letter that says it, `facts` what it needs."""
    notify_all([player], event, kind, facts, now, match=match)


def notify_all(
    players: Iterable[Player],
    event: Event,
    kind: str,
    facts: dict[str, Any],
    now: datetime,
    *,
    match: Match | None = None,
    priority: int = 1,
) -> None:
    """Notify several players of the same event, in a constant number of queries.

    Args:
        priority: Of the letter: 0 goes first, 2 last.
    """
    by_channel: dict[Channel, list[Player]] = defaultdict(list)
    for player in players:
        if player.is_active:
            by_channel[channel_of(player, event)].append(player)
    mailed = without_newcomers(by_channel[Channel.MAIL], event, kind)
    _queue_letters(mailed, event, kind, facts, now, match, priority)
    _store_for_digests(by_channel[Channel.DIGEST], event, kind, facts, now, match)
    if event in _STREAMED:
        # Whatever is mailed: a player who opens a stream wants these events.
        streams.record_for_players(chain.from_iterable(by_channel.values()), event, facts, now)
    _queue_pushes(chain.from_iterable(by_channel.values()), event, now, match)
    notified = [*by_channel[Channel.MAIL], *by_channel[Channel.DIGEST]]
    _queue_calls(notified, event, facts, now)


def _queue_letters(
    players: Sequence[Player],
    event: Event,
    kind: str,
    facts: dict[str, Any],
    now: datetime,
    match: Match | None,
    priority: int,
) -> None:
    if not players:
        return
    due = {player.pk: not_before(player, event, now, match) for player in players}
    joined: set[str] = set()
    if kind == "board" and match is not None and match.bots:
        at_once = [player for player, at in due.items() if at == now]
        joined = outgoing.add_to_held_answers(match, at_once, facts, now)
    statements.insert(
        [
            OutgoingMail(
                kind=kind,
                event=event,
                facts=facts,
                address=address.address,
                player_id=address.player_id,
                match=match,
                queued_at=now,
                due_at=due[address.player_id],
                priority=priority,
            )
            for address in move_path.addresses_of(due)
            if address.suspended_at is None and address.address.lower() not in joined
        ]
    )


def _store_for_digests(
    players: Sequence[Player],
    event: Event,
    kind: str,
    facts: dict[str, Any],
    now: datetime,
    match: Match | None,
) -> None:
    if not players:
        return
    item_facts = {"kind": kind, "facts": facts}
    DigestItem.objects.bulk_create(
        DigestItem(player=player, event=event, facts=item_facts, match=match, at=now)
        for player in players
    )
    by_time: dict[datetime, list[int]] = defaultdict(list)
    for player in players:
        by_time[digest_time(player, now)].append(player.pk)
    if len(players) > 1:
        # In one order, whatever zones they live in, so that two audiences never deadlock.
        keys = [player.pk for player in players]
        locked = Player.objects.select_for_update(no_key=True).filter(pk__in=keys).order_by("pk")
        list(locked.values_list("pk"))
    for time, keys in by_time.items():
        # Written even when it stays the same: the lock keeps a sweep that is just making
        # this digest from taking the time away without having seen the item.
        due = Coalesce("digest_due_at", Value(time, output_field=DateTimeField()))
        Player.objects.filter(pk__in=keys).update(digest_due_at=due)


def _queue_pushes(
    players: Iterable[Player], event: Event, now: datetime, match: Match | None
) -> None:
    """Queue a notice for the devices of those players who want it there."""
    if not settings.SARSEN_PUSH_KEY:
        return
    due = {
        player.pk: not_before(player, event, now, match)
        for player in players
        if event in wanted_on_devices(player)
    }
    devices = Device.objects.filter(player_id__in=list(due)) if due else ()
    pushes = [
        Push(device=device, event=event, match=match, queued_at=now, due_at=due[device.player_id])
        for device in devices
    ]
    if pushes:
        Push.objects.bulk_create(pushes)
        task_queue.wake(task_queue.SEND_PUSHES)


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
