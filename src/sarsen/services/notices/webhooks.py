"""Webhooks: a player's own web address is told what the player is told, signed.

A call is a POST of JSON. Its headers are `X-Sarsen-Delivery` (the same number when a call
is tried again), `X-Sarsen-Timestamp` (seconds since 1970) and `X-Sarsen-Signature`:
`sha256=` and the HMAC-SHA256, in hexadecimal, of the timestamp, a full stop and the body,
under the key that `notices webhook ADDRESS` answered with. Any 2xx means taken.
"""

from __future__ import annotations

import hmac
import json
from collections.abc import Collection, Sequence
from datetime import datetime, timedelta
from hashlib import sha256
from time import monotonic
from typing import Any

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, F, Min, OuterRef

from sarsen.services import task_queue
from sarsen.services.mail import outgoing
from sarsen.services.notices.channels import Event
from sarsen.services.notices.outgoing_requests import PostResult, post
from sarsen.services.notices.turns import AT_ONCE, take_turns
from sarsen.storage.models import Player, WebhookCall

MAX_OF_ONE = 8  # calls of one player in a turn: others wait for the thread
TURN_SECONDS = 60.0  # after which a turn begins no call: it ends well before its claim does
# A sweep that dies leaves its calls to the next one after this time.
CLAIM_LASTS = timedelta(minutes=3)
# Before each further try: a program may be away over a weekend (decision 0010).
WAITS = tuple(timedelta(minutes=minutes) for minutes in (1, 5, 30, 120, 360, 720, 1440, 1440))
State = WebhookCall.State
Calls = Sequence[WebhookCall]  # of one player, in order


def is_any_due(now: datetime) -> bool:
    """Return whether a call waits to be made."""
    return WebhookCall.objects.filter(state=State.WAITING, due_at__lte=now).exists()


def sweep_webhooks(now: datetime) -> int:
    """Make the calls that are due, or become due meanwhile; return how many were taken."""
    return take_turns(_claim, _call_in_order, _record, now)


def signature(key: str, timestamp: str, body: bytes) -> str:
    """Sign a call."""
    return "sha256=" + hmac.digest(key.encode(), timestamp.encode() + b"." + body, sha256).hex()


def _claim(
    now: datetime, most: int = AT_ONCE, running: Collection[Calls] = ()
) -> list[list[WebhookCall]]:
    """Claim calls of so many players that are due, so that no other sweep makes them.

    The player whose calls have waited longest comes first. No call overtakes an older one of its
    player that is being made, or waits to be tried again.
    """
    not_yet = WebhookCall.objects.filter(state=State.WAITING, due_at__gt=now)
    older = not_yet.filter(player=OuterRef("player"), pk__lt=OuterRef("pk"))
    due = WebhookCall.objects.filter(~Exists(older), state=State.WAITING, due_at__lte=now)
    due = due.exclude(player__in=[calls[0].player_id for calls in running])
    by_player = due.order_by().values_list("player").annotate(first=Min("due_at"))
    ids = [player for player, _ in by_player.order_by("first", "player")[:most]]
    with transaction.atomic():
        # Calls are read once their players are held: another sweep may have claimed just before.
        players = Player.objects.select_for_update(skip_locked=True, no_key=True)
        held = {player.pk: player for player in players.filter(pk__in=ids)}
        claimed = [
            list(due.filter(player=held[pk]).select_related("player").order_by("pk")[:MAX_OF_ONE])
            for pk in ids
            if pk in held
        ]
        keys = [call.pk for calls in claimed for call in calls]
        WebhookCall.objects.filter(pk__in=keys).update(due_at=now + CLAIM_LASTS)
    return list(filter(None, claimed))


def _call_in_order(calls: Calls, now: datetime) -> list[PostResult]:
    """Call one player's address until it does not respond; events stay in their order."""
    began, answers = monotonic(), []
    for call in calls:
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


def _record(calls: Calls, answers: Sequence[PostResult], now: datetime) -> int:
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
    # 410: the program itself says that it wants no more (RFC 9110, 15.5.11).
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
                outgoing.NewLetter(
                    address.address, "webhook-off", facts, player=player, event=Event.ACCOUNT
                ),
                now,
            )
        task_queue.wake(task_queue.SEND_MAIL)
