"""What a monitor reads of the server, from the database: the same whichever process is asked.

Monitors ask four times a minute: each figure costs an index look-up, however much is stored.
Players and boards in play are too many to count for that: they are those last counted by
`events.statistics`.
"""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django.db import transaction
from django.db.models import Max, Min, Model
from django_tasks_db.models import DBTaskResult

from sarsen.core.errors import UserError
from sarsen.services import task_queue
from sarsen.services.clocks.turns import CLOCKS
from sarsen.services.events.statistics import figures
from sarsen.storage.models import (
    Heartbeat,
    InboundMail,
    Match,
    MatchEvent,
    OutgoingMail,
    Review,
    WebhookCall,
)

# Longer than any sweep waits. Monitoring is told that work is late.
LATE = timedelta(minutes=5)
A_DAY = timedelta(days=1)


@dataclass(frozen=True)
class Metrics:
    """How much there is, and how long the oldest of it has waited.

    Attributes:
        events, mails, letters: The highest number given to one, ever: they only grow, so that
            their growth is what happened.
        mails_waiting: Taken, and not answered.
        mails_set_aside: Given up in the last day, because we could not answer them.
        letters_waiting: Due now or later, those included that were refused for now.
        letters_refused: Of these, refused for now at least once.
        oldest_mail, oldest_letter: Seconds for which the oldest has been due; 0 for none.
        running_boards: As they were counted in the last minutes.
        clocks_age: Seconds since the clocks were looked at; None when they never were.
    """

    running_boards: int
    events: int
    mails: int
    letters: int
    mails_waiting: int
    mails_set_aside: int
    letters_waiting: int
    letters_refused: int
    oldest_mail: float
    oldest_letter: float
    clocks_age: float | None
    jobs_waiting: int
    jobs_running: int

    @property
    def ailments(self) -> tuple[str, ...]:
        """Return the names of what is late, on which programs can rely."""
        late = LATE.total_seconds()
        checks = {
            "clocks": self.clocks_age is None or self.clocks_age > late,
            "mail-in": self.oldest_mail > late,
            "mail-out": self.oldest_letter > late,
        }
        return tuple(name for name, is_late in checks.items() if is_late)


def measure(now: datetime) -> Metrics:
    """Count what there is."""
    new = InboundMail.objects.filter(state=InboundMail.State.NEW)
    set_aside = InboundMail.objects.filter(
        state=InboundMail.State.FAILED, received_at__gt=now - A_DAY
    )
    waiting = OutgoingMail.objects.filter(state=OutgoingMail.State.WAITING)
    # A letter that was refused waits on purpose: it says nothing of the sender's health.
    due = waiting.filter(attempts=0, due_at__lte=now).aggregate(at=Min("due_at"))["at"]
    heartbeat = Heartbeat.objects.filter(name=CLOCKS).values_list("at", flat=True).first()
    return Metrics(
        running_boards=figures(now).running,
        events=_highest(MatchEvent),
        mails=_highest(InboundMail),
        letters=_highest(OutgoingMail),
        mails_waiting=new.count(),
        mails_set_aside=set_aside.count(),
        letters_waiting=waiting.count(),
        letters_refused=waiting.filter(attempts__gt=0).count(),
        oldest_mail=_age(new.aggregate(at=Min("received_at"))["at"], now),
        oldest_letter=_age(due, now),
        clocks_age=None if heartbeat is None else _age(heartbeat, now),
        jobs_waiting=DBTaskResult.objects.ready().count(),
        jobs_running=DBTaskResult.objects.running().count(),
    )


def _highest(model: type[Model]) -> int:
    highest: int | None = model._default_manager.aggregate(highest=Max("pk"))["highest"]
    return highest or 0


def _age(at: datetime | None, now: datetime) -> float:
    return 0.0 if at is None else max(0.0, (now - at).total_seconds())


def check_store() -> None:
    """Query one row; whatever that raises means that the database cannot serve."""
    Match.objects.order_by("pk").values_list("pk", flat=True).first()


STUCK = timedelta(minutes=5)  # longer than any job takes, or waits
FULL = 0.9  # of the disk
MAX_STUCK = 20


@dataclass(frozen=True)
class StuckJob:
    """A job that runs or waits for too long; a sweep does its work anew."""

    name: str
    since: datetime


@dataclass(frozen=True)
class Overview:
    """How the server does, for the start page of its operators.

    Attributes:
        players, running: As they were counted in the last minutes.
        failing: Letters that were refused at least once and wait for the next attempt.
        given_up: Letters of the last day that nobody tries any more.
        late_mails: Mails that wait longer than they should.
        refused: Mails of the last day that were refused, ignored or set aside.
        set_aside: Of these, those that we could not answer: a defect of ours.
        clocks_seen: When the clocks were looked at last.
        free: Bytes of the data folder's disk.
    """

    players: int
    running: int
    waiting: int
    failing: int
    given_up: int
    late_mails: int
    stuck: tuple[StuckJob, ...]
    refused: int
    set_aside: int
    forfeits: int
    failing_calls: int
    failed_reviews: int
    clocks_seen: datetime | None
    is_clock_late: bool
    free: int
    size: int

    @property
    def is_disk_full(self) -> bool:
        return self.free < self.size * (1 - FULL)


def overview(now: datetime) -> Overview:
    """Count what there is."""
    day, stuck = now - A_DAY, now - STUCK
    letters = OutgoingMail.objects
    unsent = letters.filter(state=OutgoingMail.State.WAITING)
    mails = InboundMail.objects
    failed = letters.filter(state=OutgoingMail.State.FAILED, queued_at__gt=day)
    calls = WebhookCall.objects.filter(state=WebhookCall.State.WAITING, attempts__gt=0)
    new = mails.filter(state=InboundMail.State.NEW, received_at__lt=stuck)
    heartbeat = Heartbeat.objects.filter(name=CLOCKS).first()
    disk = shutil.disk_usage(settings.DATA)
    counted = figures(now)
    return Overview(
        players=counted.players,
        running=counted.running,
        waiting=unsent.count(),
        failing=unsent.filter(attempts__gt=0).count(),
        given_up=failed.count(),
        late_mails=new.count(),
        stuck=_stuck_jobs(stuck),
        refused=mails.filter(received_at__gt=day).exclude(note="").count(),
        set_aside=mails.filter(state=InboundMail.State.FAILED, received_at__gt=day).count(),
        forfeits=MatchEvent.objects.filter(kind=MatchEvent.Kind.FORFEIT, at__gt=day).count(),
        failing_calls=calls.count(),
        failed_reviews=Review.objects.filter(state=Review.State.FAILED, due_at__gt=day).count(),
        clocks_seen=heartbeat.at if heartbeat else None,
        is_clock_late=heartbeat is None or heartbeat.at < stuck,
        free=disk.free,
        size=disk.total,
    )


def _stuck_jobs(stuck: datetime) -> tuple[StuckJob, ...]:
    """Return jobs that run or wait for too long, each kind with the oldest."""
    running = DBTaskResult.objects.running().filter(started_at__lt=stuck)
    waiting = DBTaskResult.objects.ready().filter(enqueued_at__lt=stuck)
    rows = [
        *running.order_by("started_at").values_list("task_path", "started_at")[:MAX_STUCK],
        *waiting.order_by("enqueued_at").values_list("task_path", "enqueued_at")[:MAX_STUCK],
    ]
    jobs = [StuckJob(name.rpartition(".")[2], since) for name, since in rows if since]
    return tuple(jobs[:MAX_STUCK])


GIVEN_UP = "given up by an operator"


@transaction.atomic
def retry(letter: int, now: datetime) -> None:
    """Send a letter that waits or failed at once, with all its attempts before it again.

    Raises:
        UserError: It was sent already.
    """
    row = _locked_letter(letter)
    row.state = OutgoingMail.State.WAITING
    row.due_at = now
    row.attempts = 0
    row.save(update_fields=["state", "due_at", "attempts"])
    task_queue.wake(task_queue.SEND_MAIL)


@transaction.atomic
def give_up(letter: int) -> None:
    """Send a letter no more.

    Raises:
        UserError: It was sent or given up already.
    """
    row = _locked_letter(letter)
    if row.state != OutgoingMail.State.WAITING:
        raise UserError(f"Mail {letter} was already given up.", code="not-waiting")
    row.state = OutgoingMail.State.FAILED
    row.error = f"{GIVEN_UP}: {row.error}".rstrip(": ")[:300]
    row.save(update_fields=["state", "error"])


def raw_text(mail: int) -> str:
    """Return a mail as it came, while it is kept: until it is answered.

    Raises:
        UserError: It is answered, and not kept any more.
    """
    row = InboundMail.objects.get(pk=mail)
    if not row.raw:
        raise UserError(
            f"Mail {mail} is {row.state}; its text was deleted then, because it may contain a "
            "password.",
            code="mail-gone",
        )
    return bytes(row.raw).decode("utf-8", "replace")


def _locked_letter(letter: int) -> OutgoingMail:
    row = OutgoingMail.objects.select_for_update().get(pk=letter)
    if row.state == OutgoingMail.State.SENT:
        raise UserError(f"Mail {letter} was already sent.", code="not-waiting")
    return row
