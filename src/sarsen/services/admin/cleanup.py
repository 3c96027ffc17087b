"""Delete what has served its time, a bounded piece at a time."""

from __future__ import annotations

from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import QuerySet
from django_tasks_db.models import DBTaskResult

from sarsen.services import crash_log
from sarsen.services.accounts import bounces, guests
from sarsen.services.accounts.signups import SIGNUP_LASTS
from sarsen.services.notices import streams
from sarsen.storage.models import (
    Announcement,
    AnsweredRequest,
    Attempt,
    Bounce,
    Challenge,
    Deed,
    Downtime,
    InboundMail,
    OutgoingMail,
    Push,
    Signup,
    StrangerHelped,
    StreamItem,
    Token,
    WebhookCall,
    WebSession,
)

# A repeat of a mail or a request is recognised for this long.
REPEATS_KNOWN = timedelta(days=60)
LETTERS_KEPT = timedelta(days=30)
# Challenges that wait for their player's yes, as the letter's other questions do.
ASKED_KEPT = timedelta(days=14)
DEEDS_KEPT = timedelta(days=2)  # they are counted by the day
JOBS_KEPT = timedelta(minutes=10)
# A job whose worker was killed says for ever that it runs; none lasts so long.
JOBS_RUN = timedelta(days=1)
# Longer than any clock can run, so that no turn misses one.
PAUSES_KEPT = timedelta(days=800)
MOST = 5000  # rows of a kind in one run


def tidy_up(now: datetime) -> dict[str, int]:
    """Delete old rows; return how many of each kind."""
    inbound = InboundMail.objects.exclude(state=InboundMail.State.NEW)
    sent = OutgoingMail.objects.exclude(state=OutgoingMail.State.WAITING)
    calls = WebhookCall.objects.exclude(state=WebhookCall.State.WAITING)
    pushes = Push.objects.exclude(state=Push.State.WAITING)
    announcements = Announcement.objects.filter(is_done=True)
    running = DBTaskResult.objects.running()
    old = {
        "signups": Signup.objects.filter(asked_at__lt=now - SIGNUP_LASTS),
        "asked": Challenge.objects.filter(
            state=Challenge.State.ASKED, made_at__lt=now - ASKED_KEPT
        ),
        "strangers": StrangerHelped.objects.filter(at__lt=now - timedelta(days=2)),
        "inbound": _before(inbound, "received_at", now - REPEATS_KNOWN),
        "letters": _before(sent, "queued_at", now - LETTERS_KEPT),
        "deeds": Deed.objects.filter(at__lt=now - DEEDS_KEPT),
        "attempts": Attempt.objects.filter(at__lt=now - DEEDS_KEPT),
        "bounces": Bounce.objects.filter(at__lt=now - bounces.WITHIN),
        "calls": calls.filter(queued_at__lt=now - LETTERS_KEPT),
        "pushes": pushes.filter(queued_at__lt=now - LETTERS_KEPT),
        "announcements": announcements.filter(made_at__lt=now - LETTERS_KEPT),
        "sessions": WebSession.objects.filter(expire_date__lt=now),
        "tokens": Token.objects.filter(ends_at__lt=now),
        "stream": StreamItem.objects.filter(at__lt=now - streams.KEPT),
        "requests": AnsweredRequest.objects.filter(at__lt=now - REPEATS_KNOWN),
        "downtimes": Downtime.objects.filter(ends_at__lt=now - PAUSES_KEPT),
        "jobs": DBTaskResult.objects.finished().filter(finished_at__lt=now - JOBS_KEPT),
        "dead_jobs": running.filter(started_at__lt=now - JOBS_RUN),
    }
    deleted = {name: _delete(rows) for name, rows in old.items()}
    return deleted | {"guests": guests.expire(now)}


def _before(rows: QuerySet, column: str, at: datetime) -> QuerySet:  # type: ignore[type-arg]
    """Return the rows from before an instant; none while the row stored first is younger.

    Mails are stored as they come: while the first is young, all are, and none is looked at.
    """
    first = rows.order_by("pk").values_list(column, flat=True).first()
    return rows.filter(**{f"{column}__lt": at}) if first and first < at else rows.none()


def _delete(rows: QuerySet) -> int:  # type: ignore[type-arg]
    crash_log.note_progress()
    with transaction.atomic():
        keys = list(rows.order_by().values_list("pk", flat=True)[:MOST])
        if not keys:
            return 0
        count: int = rows.model._default_manager.filter(pk__in=keys).delete()[0]
        return count
