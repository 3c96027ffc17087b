"""Wake background work: at most one waiting job of a kind, in the current transaction.

Jobs are sweeps that do whatever is due, so a lost or doubled job does no harm;
`workers` wakes each of them from time to time as well.

A worker that waits is called by its pipe (`wake_pipes`).
"""

from __future__ import annotations

from datetime import datetime

from django.db import transaction
from django.utils import timezone
from django.utils.module_loading import import_string
from django_tasks import DEFAULT_TASK_BACKEND_ALIAS
from django_tasks_db.models import DBTaskResult, get_date_max

from sarsen.services.wake_pipes import WORKERS, call
from sarsen.storage import move_path, statements

# By name: services stand below the doors that these jobs belong to.
ANSWER_MAIL = "sarsen.doors.mail.jobs.answer_mail"
SEND_MAIL = "sarsen.doors.mail.jobs.send_mail"
TIDY = "sarsen.workers.jobs.tidy"
LOOK_AFTER_CLOCKS = "sarsen.workers.jobs.look_after_clocks"
RUN_CONTESTS = "sarsen.workers.jobs.run_contests"
RATE_GAMES = "sarsen.workers.jobs.rate_games"
COUNT_FIGURES = "sarsen.workers.jobs.count_figures"
STORE_OPENINGS = "sarsen.workers.jobs.store_openings"
SEND_DIGESTS = "sarsen.workers.notices.send_digests"
CALL_WEBHOOKS = "sarsen.workers.notices.call_webhooks"
SEND_PUSHES = "sarsen.workers.notices.send_pushes"
ANNOUNCE = "sarsen.workers.notices.announce"
SEND_WEEKLY = "sarsen.workers.notices.send_weekly"
SEND_PUZZLES = "sarsen.workers.notices.send_puzzles"
ANSWER_CLAIMS = "sarsen.workers.claims.answer_claims"
# Woken by what makes them due, when their time comes, and besides from time to time: see
# `workers.sweeps`.
SWEEPS = (
    *(ANSWER_MAIL, SEND_MAIL, LOOK_AFTER_CLOCKS, CALL_WEBHOOKS, SEND_PUSHES, SEND_DIGESTS),
    *(RUN_CONTESTS, TIDY, RATE_GAMES, STORE_OPENINGS, COUNT_FIGURES, ANNOUNCE, SEND_WEEKLY),
    *(SEND_PUZZLES, ANSWER_CLAIMS),
)


def wake(job: str) -> None:
    """Queue a job unless one of its kind is waiting already."""
    if not move_path.is_job_waiting(job):
        statements.insert([_row_of(job)])
        call(WORKERS)


def postpone(job: str, until: datetime) -> None:
    """Postpone all jobs of a kind until then, however they are woken; the others go on."""
    with transaction.atomic():
        waiting = DBTaskResult.objects.filter(task_path=job, status="READY")
        if not waiting.update(run_after=until):
            import_string(job).using(run_after=until).enqueue()


def _row_of(job: str) -> DBTaskResult[..., object]:
    """Return what `enqueue` would store: nothing here listens to its signals."""
    return DBTaskResult(
        task_path=job,
        args_kwargs={"args": [], "kwargs": {}},
        backend_name=DEFAULT_TASK_BACKEND_ALIAS,
        enqueued_at=timezone.now(),
        run_after=get_date_max(),
    )
