"""Delete what has served its time, a bounded piece at a time."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import Model, Q, QuerySet
from django_tasks.base import TaskResultStatus
from django_tasks_db.models import DBTaskResult

from sarsen.services import crash_log
from sarsen.services.accounts import attempts, bounces, guests, mail_invitations
from sarsen.services.accounts.signups import SIGNUP_LASTS
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.notices import streams
from sarsen.storage.models import (
    AbuseReport,
    Analyst,
    Announcement,
    AnsweredRequest,
    Attempt,
    AuditEntry,
    Bounce,
    Challenge,
    Downtime,
    HelpReplySent,
    InboundMail,
    LoginLetterRequest,
    MailInvitation,
    OutgoingMail,
    Push,
    PuzzleReport,
    Signup,
    StreamItem,
    Token,
    WebhookCall,
    WebSession,
)

# A repeat of a mail or a request is recognised for this long.
REPEATS_KNOWN = timedelta(days=60)
# A bounce names its letter, and players list what was sent (`mail.deliveries`).
LETTERS_KEPT = timedelta(days=30)
# Challenges that wait for their player's yes, as the letter's other questions do.
ASKED_KEPT = timedelta(days=14)
# After they are settled, so that a report sent again is recognised.
REPORTS_KEPT = timedelta(days=60)
COUNTS_KEPT = timedelta(days=2)  # they are counted by the day: after two of them none counts
JOBS_KEPT = timedelta(minutes=10)  # nothing reads what has run; many jobs run each second
# A job whose worker was killed says for ever that it runs; none lasts so long.
JOBS_RUN = timedelta(days=1)
# Longer than any clock can run, so that no turn misses one.
PAUSES_KEPT = timedelta(days=800)
# Of a kind in one run: the rows are deleted in one statement, for which others wait.
MAX_ROWS = 5000
EVERY = Q()
NOW = timedelta()  # of rows whose column says when they end


@dataclass(frozen=True)
class Retention:
    """How long the rows of a table are kept; `docs/what-is-kept.md` tells it, by a test.

    Attributes:
        name: What the rows are called in the log.
        column: When a row was made, or when it ends.
        kept: How long after that.
        only: Which rows; those that still wait are kept.
        in_order: Whether rows are stored in the order of `column`.
    """

    name: str
    model: type[Model]
    column: str
    kept: timedelta
    only: Q = EVERY
    in_order: bool = False

    def old_rows(self, now: datetime) -> QuerySet:  # type: ignore[type-arg]
        """Return the rows that have served their time."""
        rows = self.model._default_manager.filter(self.only)
        before = now - self.kept
        if self.in_order:
            # While the row stored first is younger, all are, and none is looked at.
            first = rows.order_by("pk").values_list(self.column, flat=True).first()
            if first is None or first >= before:
                return rows.none()
        return rows.filter(**{f"{self.column}__lt": before})


_IS_SETTLED = ~Q(state=InboundMail.State.NEW)
_IS_SENT = ~Q(state=OutgoingMail.State.WAITING)
_HAS_RUN = Q(status__in=(TaskResultStatus.SUCCESSFUL, TaskResultStatus.FAILED))
RETENTIONS = (
    Retention("signups", Signup, "asked_at", SIGNUP_LASTS),
    Retention("asked", Challenge, "made_at", ASKED_KEPT, Q(state=Challenge.State.ASKED)),
    Retention("invitations", MailInvitation, "sent_at", mail_invitations.LASTS),
    Retention("strangers", HelpReplySent, "at", COUNTS_KEPT),
    Retention("inbound", InboundMail, "received_at", REPEATS_KNOWN, _IS_SETTLED, in_order=True),
    Retention("letters", OutgoingMail, "queued_at", LETTERS_KEPT, _IS_SENT, in_order=True),
    Retention("audit_entries", AuditEntry, "at", COUNTS_KEPT),
    Retention("attempts", Attempt, "at", COUNTS_KEPT, ~Q(kind="known")),
    Retention("known_places", Attempt, "at", attempts.KNOWN_FOR, Q(kind="known")),
    Retention("login_letter_requests", LoginLetterRequest, "at", COUNTS_KEPT),
    Retention("bounces", Bounce, "at", bounces.WITHIN),
    Retention("calls", WebhookCall, "queued_at", LETTERS_KEPT, _IS_SENT),
    Retention("pushes", Push, "queued_at", LETTERS_KEPT, _IS_SENT),
    Retention("announcements", Announcement, "made_at", LETTERS_KEPT, Q(is_done=True)),
    Retention("reports", AbuseReport, "settled_at", REPORTS_KEPT),
    Retention("puzzle_reports", PuzzleReport, "settled_at", REPORTS_KEPT),
    Retention("sessions", WebSession, "expire_date", NOW),
    Retention("tokens", Token, "ends_at", NOW),
    Retention("stream", StreamItem, "at", streams.KEPT),
    Retention("requests", AnsweredRequest, "at", REPEATS_KNOWN),
    Retention("analysts", Analyst, "hour_began_at", COUNTS_KEPT),
    Retention("downtimes", Downtime, "ends_at", PAUSES_KEPT),
    Retention("jobs", DBTaskResult, "finished_at", JOBS_KEPT, _HAS_RUN),
    Retention(
        "dead_jobs", DBTaskResult, "started_at", JOBS_RUN, Q(status=TaskResultStatus.RUNNING)
    ),
)


def tidy_up(now: datetime) -> dict[str, int]:
    """Delete old rows; return how many of each kind."""
    deleted = {kind.name: _delete(kind.old_rows(now)) for kind in RETENTIONS}
    return deleted | {"guests": guests.expire(now, AFTER_EVENTS)}


def _delete(rows: QuerySet) -> int:  # type: ignore[type-arg]
    crash_log.note_progress()
    with transaction.atomic():
        keys = list(rows.order_by().values_list("pk", flat=True)[:MAX_ROWS])
        if not keys:
            return 0
        count: int = rows.model._default_manager.filter(pk__in=keys).delete()[0]
        return count
