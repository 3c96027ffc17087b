"""Prepare a database that was just put back for a server to start on it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django_tasks_db.models import DBTaskResult

from sarsen.services.clocks.turns import CLOCKS
from sarsen.services.mail.outgoing import CLAIM_LASTS
from sarsen.storage.models import (
    Announcement,
    DigestItem,
    Downtime,
    Heartbeat,
    InboundMail,
    OutgoingMail,
    Player,
    Push,
    PuzzleSubscription,
    Subscription,
    WebhookCall,
    WebSession,
)

HELD = "held: waiting when the backup was made, so it may already have been sent"


@dataclass(frozen=True)
class RestoreReport:
    """The counts of what was held back or deleted.

    Attributes:
        letters: How many are held, by kind.
        calls, pushes, digests, announcements: How many of them will not be sent.
        mails: Mails in that wait for an answer; they are answered now.
        sessions: Browsers that have to log in again.
    """

    letters: Mapping[str, int]
    calls: int = 0
    pushes: int = 0
    digests: int = 0
    announcements: int = 0
    mails: int = 0
    sessions: int = 0


@transaction.atomic
def settle(made_at: datetime, now: datetime, *, sends_waiting: bool = False) -> RestoreReport:
    """Prepare a database that was just put back for a server to start on it.

    Mails in that had no answer yet are left: the moves in them are not in the database.

    Args:
        made_at: The moment the database is of.
        sends_waiting: Hold nothing: the server stopped before it could send.
    """
    _record_downtime(made_at, now)
    # Jobs are sweeps, woken every few seconds; one that was running would run for ever.
    DBTaskResult.objects.all().delete()
    # Players who have logged out since, or were logged out, would be in again.
    sessions = WebSession.objects.count()
    WebSession.objects.all().delete()
    mails = InboundMail.objects.filter(state=InboundMail.State.NEW).count()
    if sends_waiting:
        return RestoreReport({}, mails=mails, sessions=sessions)
    # The process that had it held it for so long.
    due = {"due_at__lte": now + CLAIM_LASTS}
    digests = Player.objects.filter(digest_due_at__lte=now)
    items = DigestItem.objects.filter(player__in=digests)
    report = RestoreReport(
        letters=_hold_letters(due),
        calls=WebhookCall.objects.filter(state=WebhookCall.State.WAITING, **due).update(
            state=WebhookCall.State.FAILED, error=HELD
        ),
        pushes=Push.objects.filter(state=Push.State.WAITING, **due).update(
            state=Push.State.FAILED, error=HELD
        ),
        digests=items.order_by().values("player").distinct().count(),
        announcements=Announcement.objects.filter(is_done=False).update(is_done=True),
        mails=mails,
        sessions=sessions,
    )
    items.delete()
    digests.update(digest_due_at=None)
    Subscription.objects.filter(is_weekly=True).update(last_sent_at=now)
    PuzzleSubscription.objects.update(sent_on=now.date())
    return report


@transaction.atomic
def send_held(now: datetime) -> int:
    """Release the letters and calls that `settle` held; return how many."""
    waiting = {"due_at": now, "error": ""}
    letters = OutgoingMail.objects.filter(state=OutgoingMail.State.FAILED, error=HELD)
    calls = WebhookCall.objects.filter(state=WebhookCall.State.FAILED, error=HELD)
    return letters.update(state=OutgoingMail.State.WAITING, **waiting) + calls.update(
        state=WebhookCall.State.WAITING, **waiting
    )


def _hold_letters(due: Mapping[str, object]) -> dict[str, int]:
    letters = OutgoingMail.objects.filter(state=OutgoingMail.State.WAITING, **due)
    kinds = Counter(letters.values_list("kind", flat=True))
    letters.update(state=OutgoingMail.State.FAILED, error=HELD)
    return dict(sorted(kinds.items()))


def _record_downtime(made_at: datetime, now: datetime) -> None:
    """Record a downtime since the server was last there, until now, so that no clock ran."""
    heartbeat = Heartbeat.objects.filter(name=CLOCKS).first()
    since = min(heartbeat.at, made_at) if heartbeat else made_at
    if since < now:
        Downtime.objects.create(starts_at=since, ends_at=now)
    Heartbeat.objects.filter(name=CLOCKS).update(at=now)
