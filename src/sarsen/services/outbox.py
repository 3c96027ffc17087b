"""Letters that are due: claimed for a while, then marked sent, or tried again later."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction

from sarsen.storage.models import CaughtMail, OutgoingMail, Player

# A sender that dies leaves its letters to the next one after this time. The second
# copy carries the same Message-ID.
CLAIM_LASTS = timedelta(minutes=1)
WAITS = tuple(
    timedelta(minutes=minutes) for minutes in (1, 5, 15, 60, 180, 360, 720, 1440, 1440, 1440)
)


@dataclass(frozen=True)
class DueLetter:
    """A letter to word and send.

    Attributes:
        player: Whom it is for, when that was proved; None for a stranger.
    """

    id: int
    kind: str
    facts: dict[str, Any]
    address: str
    player: Player | None
    in_reply_to: str
    queued_at: datetime
    attempts: int


def claim_due(now: datetime, most: int) -> list[DueLetter]:
    """Take the letters that are due, oldest first, so that no other sender takes them."""
    with transaction.atomic():
        found = list(
            OutgoingMail.objects.select_for_update(skip_locked=True, of=("self",))
            .select_related("player")
            .filter(state=OutgoingMail.State.WAITING, due_at__lte=now)
            .order_by("haste", "due_at", "pk")[:most]
        )
        OutgoingMail.objects.filter(pk__in=[letter.pk for letter in found]).update(
            due_at=now + CLAIM_LASTS
        )
    return [
        DueLetter(
            id=letter.pk,
            kind=letter.kind,
            facts=letter.facts,
            address=letter.address,
            player=letter.player,
            in_reply_to=letter.in_reply_to,
            queued_at=letter.queued_at,
            attempts=letter.attempts,
        )
        for letter in found
    ]


def mark_sent(ids: list[int], now: datetime) -> None:
    """Record that the relay has accepted letters."""
    OutgoingMail.objects.filter(pk__in=ids).update(
        state=OutgoingMail.State.SENT, sent_at=now, error=""
    )


def mark_refused(letter: DueLetter, error: str, now: datetime, *, for_good: bool) -> None:
    """Record a failed attempt; the letter waits longer each time, and at last stays."""
    gives_up = for_good or letter.attempts >= len(WAITS)
    wait = WAITS[min(letter.attempts, len(WAITS) - 1)]
    OutgoingMail.objects.filter(pk=letter.id).update(
        state=OutgoingMail.State.FAILED if gives_up else OutgoingMail.State.WAITING,
        attempts=letter.attempts + 1,
        due_at=now + wait,
        error=error[:300],
    )


def put_back(letters: list[DueLetter], now: datetime) -> None:
    """Give claimed letters back that were not tried, so that they keep their order."""
    OutgoingMail.objects.filter(pk__in=[letter.id for letter in letters]).update(due_at=now)


def catch(caught: list[tuple[DueLetter, str, bytes]], now: datetime) -> None:
    """Keep worded letters, with their subjects, for the page of caught mail."""
    with transaction.atomic():
        CaughtMail.objects.bulk_create(
            (
                CaughtMail(
                    letter_id=letter.id,
                    address=letter.address,
                    subject=subject[:300],
                    raw=raw,
                    caught_at=now,
                )
                for letter, subject, raw in caught
            ),
            ignore_conflicts=True,
        )
        mark_sent([letter.id for letter, _, _ in caught], now)
