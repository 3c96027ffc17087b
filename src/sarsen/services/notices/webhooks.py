"""Webhooks: a player's own web address is told what the player is told, signed.

A call is a POST of JSON. Its headers are `X-Sarsen-Delivery` (the same number when a call
is tried again), `X-Sarsen-Timestamp` (seconds since 1970) and `X-Sarsen-Signature`:
`sha256=` and the HMAC-SHA256, in hexadecimal, of the timestamp, a full stop and the body,
under the key that `notices webhook ADDRESS` answered with. Any 2xx means taken.
"""

from __future__ import annotations

import hmac
import json
from collections import defaultdict
from collections.abc import Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from datetime import datetime, timedelta
from hashlib import sha256
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, Min, OuterRef

from sarsen.services import task_queue
from sarsen.services.mail import outgoing
from sarsen.services.notices.notify import Event
from sarsen.services.notices.outgoing_requests import PostResult, post
from sarsen.storage.models import Player, WebhookCall

MOST_OF_ONE = 8  # calls of one player in a turn
TURN_SECONDS = 60.0  # after which a turn begins no call: it ends well before its claim does
# Players called at the same time. Threads that wait for slow addresses cost little; there are more
# of them than one person is likely to have accounts.
AT_ONCE = 64
LOOK_SECONDS = 1.0  # between looks at what has become due, while addresses are slow
# A sweep that dies leaves its calls to the next one after this time.
CLAIM_LASTS = timedelta(minutes=3)
WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360, 720, 1440, 1440))
State = WebhookCall.State


def is_any_due(now: datetime) -> bool:
    """Return whether a call waits to be made."""
    return WebhookCall.objects.filter(state=State.WAITING, due_at__lte=now).exists()


def sweep_webhooks(now: datetime) -> int:
    """Make the calls that are due, or become due meanwhile; return how many were taken.

    Each player's turn is recorded, and its thread free, as soon as it ends: a slow address delays
    only its own calls.
    """
    began, at, taken = monotonic(), now, 0
    turns: dict[Future[list[PostResult]], tuple[list[WebhookCall], datetime]] = {}
    # The threads speak to the network only; what came of it is written here.
    with ThreadPoolExecutor(AT_ONCE) as pool:
        while True:
            for calls in _claim_by_player(at, AT_ONCE - len(turns)):
                turns[pool.submit(_call_in_order, calls, at)] = calls, at
            if not turns:
                return taken
            done, _ = wait(turns, LOOK_SECONDS, FIRST_COMPLETED)
            for turn in done:
                calls, begun = turns.pop(turn)
                taken += _record(calls, turn.result(), begun)
            at = now + timedelta(seconds=monotonic() - began)


def signature(key: str, timestamp: str, body: bytes) -> str:
    """Sign a call."""
    return "sha256=" + hmac.digest(key.encode(), timestamp.encode() + b"." + body, sha256).hex()


def _claim_by_player(now: datetime, most: int) -> list[list[WebhookCall]]:
    """Claim calls of so many players at most."""
    by_player: dict[int, list[WebhookCall]] = defaultdict(list)
    while most > len(by_player) and (calls := _claim(now, most - len(by_player))):
        for call in calls:
            by_player[call.player_id].append(call)
    return list(by_player.values())


def _claim(now: datetime, most: int = AT_ONCE) -> list[WebhookCall]:
    """Claim calls that are due, oldest first, so that no other sweep makes them.

    No call overtakes an older one of its player that is being made, or waits to be tried
    again.
    """
    not_yet = WebhookCall.objects.filter(state=State.WAITING, due_at__gt=now)
    older = not_yet.filter(player=OuterRef("player"), pk__lt=OuterRef("pk"))
    with transaction.atomic():
        # The player, too: another sweep must not take what comes after these.
        due = WebhookCall.objects.select_for_update(
            skip_locked=True, of=("self", "player"), no_key=True
        )
        calls = list(
            due.select_related("player")
            .filter(~Exists(older), state=State.WAITING, due_at__lte=now)
            .order_by("pk")[:most]
        )
        # Looked at again now that the players are held: a sweep may have claimed just before.
        postponed = not_yet.filter(player__in={call.player_id for call in calls})
        first = dict(postponed.values_list("player").annotate(Min("pk")))
        calls = [call for call in calls if call.pk < first.get(call.player_id, call.pk + 1)]
        WebhookCall.objects.filter(pk__in=[call.pk for call in calls]).update(
            due_at=now + CLAIM_LASTS
        )
    return calls


def _call_in_order(calls: Sequence[WebhookCall], now: datetime) -> list[PostResult]:
    """Call one player's address until it does not respond; events stay in their order."""
    began, answers = monotonic(), []
    for call in calls[:MOST_OF_ONE]:
        answers.append(_call(call, now))
        if not answers[-1].is_taken or monotonic() - began > TURN_SECONDS:
            break
    return answers


def _call(call: WebhookCall, now: datetime) -> PostResult:
    if not call.player.webhook:
        return PostResult(0, "the webhook was switched off")
    body = json.dumps(_facts(call), separators=(",", ":")).encode()
    timestamp = str(int(now.timestamp()))
    headers = {
        "Content-Type": "application/json",
        "User-Agent": f"sarsen ({settings.SARSEN_URL})",
        "X-Sarsen-Event": call.event,
        "X-Sarsen-Delivery": str(call.pk),
        "X-Sarsen-Timestamp": timestamp,
        "X-Sarsen-Signature": signature(call.player.webhook_key, timestamp, body),
    }
    return post(call.player.webhook, body, headers)


def _facts(call: WebhookCall) -> dict[str, Any]:
    board = call.facts.get("board")
    return {
        "delivery": call.pk,
        "event": call.event,
        "at": call.queued_at.isoformat(),
        "player": call.player.userid,
        "url": f"{settings.SARSEN_URL}/boards/{board}/" if board else settings.SARSEN_URL + "/",
        **{name: value for name, value in call.facts.items() if name not in ("event", "player")},
    }


def _record(calls: Sequence[WebhookCall], answers: Sequence[PostResult], now: datetime) -> int:
    """Write down how one player's calls went; return how many were taken."""
    taken = [call.pk for call, answer in zip(calls, answers, strict=False) if answer.is_taken]
    with transaction.atomic():
        WebhookCall.objects.filter(pk__in=taken).update(
            state=State.SENT, sent_at=now, error="", attempts=F("attempts") + 1
        )
        untried = [call.pk for call in calls[len(answers) :]]
        WebhookCall.objects.filter(pk__in=untried).update(due_at=now)
        if answers and not answers[-1].is_taken:
            _record_failure(calls[len(answers) - 1], answers[-1], now)
    return len(taken)


def _record_failure(call: WebhookCall, answer: PostResult, now: datetime) -> None:
    """Postpone all calls of a player; after days switch the webhook off."""
    waiting = WebhookCall.objects.filter(player=call.player, state=State.WAITING)
    if answer.status == 410 or call.attempts >= len(WAITS) or not call.player.webhook:
        WebhookCall.objects.filter(pk=call.pk).update(attempts=F("attempts") + 1)
        waiting.update(state=State.FAILED, error=answer.error[:300])
        _give_up(call.player, answer, now)
        return
    later = now + WAITS[call.attempts]
    WebhookCall.objects.filter(pk=call.pk).update(
        attempts=F("attempts") + 1, due_at=later, error=answer.error[:300]
    )
    # None overtakes another, and a dead address is asked once and not for each event.
    waiting.filter(due_at__lt=later).update(due_at=later)


def _give_up(player: Player, answer: PostResult, now: datetime) -> None:
    """Switch an address off that does not answer, and tell its player by mail."""
    switched = Player.objects.filter(pk=player.pk, webhook=player.webhook).exclude(webhook="")
    if switched.update(webhook=""):
        facts = {"address": player.webhook, "error": answer.error}
        for address in player.addresses.order_by("pk"):
            outgoing.queue(
                address.address, "webhook-off", facts, now, player=player, event=Event.ACCOUNT
            )
        task_queue.wake(task_queue.SEND_MAIL)
