"""What the start page of the operators shows: late work, failures, space of the disk."""

from __future__ import annotations

import shutil
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.conf import settings
from django_tasks_db.models import DBTaskResult

from sarsen.services.admin.monitoring import A_DAY
from sarsen.services.clocks.turns import CLOCKS
from sarsen.services.contests.course.running import late_ones
from sarsen.services.events.statistics import figures
from sarsen.storage.models import (
    AbuseReport,
    Heartbeat,
    InboundMail,
    MatchEvent,
    OutgoingMail,
    PuzzleReport,
    Review,
    WebhookCall,
)

STUCK = timedelta(minutes=5)  # longer than any job takes, or waits
FULL = 0.9  # of the disk
MAX_STUCK = 20  # lines of a page; the first ones show what is wrong


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
        reports: Of abuse, that no operator has settled.
        puzzle_reports: Of moves at puzzles that were refused, likewise.
        late_contests: That should have been carried on an hour ago.
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
    reports: int
    puzzle_reports: int
    late_contests: int
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
        reports=AbuseReport.objects.filter(settled_at=None).count(),
        puzzle_reports=PuzzleReport.objects.filter(settled_at=None).count(),
        late_contests=len(late_ones(now)),
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
