"""Run queued jobs until told to stop."""

from __future__ import annotations

import faulthandler
import os
import threading
import time
from datetime import UTC, datetime

import structlog
from django.conf import settings
from django.db import OperationalError, close_old_connections, connection
from django.utils import timezone
from django_tasks import TaskResult
from django_tasks.signals import task_finished, task_started
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from sarsen.isolation.allowance import Allowance, plugins_within
from sarsen.services import crash_log, task_queue, wake_pipes
from sarsen.services.store_failures import leave_if_broken
from sarsen.storage import calls as database_calls
from sarsen.workers.ended_jobs import take_over
from sarsen.workers.outages import Outage
from sarsen.workers.standstill import end_at_standstill
from sarsen.workers.sweeps import LOOK_SECONDS, keep_waking

# After which a worker that does not get on is ended: no mail, letter or sweep takes as long.
STANDSTILL_SECONDS = 600.0
# Seconds between looks at an empty queue: those who fill it call the worker, and what was put off
# may wait. With several hosts each look is one more transaction of the database they share.
POLL, POLL_TOGETHER = 1.0, 10.0
AWAY_SECONDS = 1.0  # between looks while the database is out of reach: one is a failed connection
# Letters of moves by the API and on pages wait so long for others: a run of the job costs a worker
# twice as much as the wording of one letter. Mails are answered, and their letters sent, at once.
GATHER_SECONDS = 0.2
# Asked after each job: through the ORM it took 15 % of a core at 50 times a second.
_READY_JOBS = (
    f"SELECT DISTINCT task_path FROM {DBTaskResult._meta.db_table} "  # noqa: S608
    "WHERE status = 'READY' AND (run_after <= %s OR run_after >= %s)"
)
_NO_DATE = datetime(9000, 1, 1, tzinfo=UTC)  # the queue says so of what may run at once
_outage = Outage("the queue could not be read")
log = structlog.get_logger()


def run_queue() -> None:
    """Run jobs in this thread, and wake the sweeps from another, until SIGTERM."""
    worker = _make_worker()
    worker.configure_signals()
    faulthandler.enable()  # a fault in a library of C says where it was
    take_over(settings.DATA / "workers")
    task_started.connect(_note_job)
    task_finished.connect(_note_end)
    end_at_standstill(STANDSTILL_SECONDS)
    stopped = threading.Event()
    waking = threading.Thread(target=keep_waking, args=(stopped,), name="sweeps", daemon=True)
    waking.start()
    try:
        with wake_pipes.listening(wake_pipes.WORKERS) as calls:
            # Of both kinds: the thinker of this host runs only while there is something to do.
            wake_pipes.hear_others(wake_pipes.WORKERS, wake_pipes.THINKER)
            poll = POLL_TOGETHER if database_calls.is_heard() else POLL
            while worker.running:
                if not _run_ready(worker, calls):
                    wake_pipes.wait(calls, poll)
    finally:
        crash_log.end()
        stopped.set()
        waking.join(LOOK_SECONDS)


def _note_job(task_result: TaskResult[object], **_: object) -> None:
    crash_log.begin_job(task_result.task.module_path)


def _note_end(**_: object) -> None:
    crash_log.end_job()


def _make_worker() -> Worker:
    return Worker(
        queue_names=["*"],
        interval=POLL,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=1,  # a run: whether more are ready is asked without a transaction
        worker_id=f"worker-{os.getpid()}",
        excluded_queue_names=[],
    )


def _run_ready(worker: Worker, calls: int) -> bool:
    """Run a job that is ready; return False when there was none.

    Args:
        calls: The pipe at which another job ends the wait for more letters.
    """
    ready = _ready_jobs()
    if ready == {task_queue.SEND_MAIL}:
        wake_pipes.wait(calls, GATHER_SECONDS)
        ready = _ready_jobs()  # another worker may have sent them
    if ready:
        _run_one(worker)
    return bool(ready)


def _run_one(worker: Worker) -> None:
    """Run a job, unless another worker has taken it."""
    try:
        with plugins_within(Allowance()):
            worker.run()
    except OperationalError as error:
        # What was begun is found again by what is due.
        leave_if_broken(error)
        _outage.note(error)
        time.sleep(AWAY_SECONDS)  # a job that fails at once would be begun at once


def _ready_jobs() -> set[str]:
    """Return the kinds of jobs that may run now."""
    try:
        close_old_connections()
        now = timezone.now()
        with connection.cursor() as cursor:
            times = [connection.ops.adapt_datetimefield_value(at) for at in (now, _NO_DATE)]
            cursor.execute(_READY_JOBS, times)
            jobs = {job for (job,) in cursor.fetchall()}
        _outage.end()
        return jobs
    except OperationalError as error:
        # The database is away or locked; it is asked again, and less often.
        leave_if_broken(error)
        _outage.note(error)
        time.sleep(AWAY_SECONDS)  # a database that restarts is not asked in a tight loop
        return set()
