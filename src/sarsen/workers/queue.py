"""Run queued jobs until told to stop."""

from __future__ import annotations

import os
import threading
import time

import structlog
from django.db import OperationalError, close_old_connections, connection, transaction
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from sarsen.services import background

POLL = 0.02  # seconds between looks at an empty queue
SWEEP = 5.0  # seconds between wake-ups of every sweep, whatever was lost
# Asked 50 times a second: through the ORM it took 15 % of a core, so it takes under 2.
_IS_ANY_READY = f"SELECT 1 FROM {DBTaskResult._meta.db_table} WHERE status = 'READY' LIMIT 1"  # noqa: S608
log = structlog.get_logger()


def run_queue() -> None:
    """Run jobs in this thread, and wake the sweeps from another, until SIGTERM."""
    worker = Worker(
        queue_names=["*"],
        interval=POLL,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=f"worker-{os.getpid()}",
        excluded_queue_names=[],
    )
    worker.configure_signals()
    stopped = threading.Event()
    waking = threading.Thread(target=_wake_sweeps, args=(stopped,), name="sweeps", daemon=True)
    waking.start()
    try:
        while worker.running:
            if _is_any_ready():
                worker.run()  # until no job is ready
            else:
                time.sleep(POLL)
    finally:
        stopped.set()
        waking.join(SWEEP)


def _is_any_ready() -> bool:
    try:
        close_old_connections()
        with connection.cursor() as cursor:
            cursor.execute(_IS_ANY_READY)
            return cursor.fetchone() is not None
    except OperationalError:
        # The database is away or locked; it is asked again, and less often.
        log.warning("the queue is out of reach")
        time.sleep(1.0)
        return False


def _wake_sweeps(stopped: threading.Event) -> None:
    while not stopped.is_set():
        try:
            close_old_connections()
            with transaction.atomic():
                for job in background.SWEEPS:
                    background.wake(job)
        except Exception:
            # This thread's outermost function: it goes on when the database is back.
            log.exception("sweeps could not be woken")
        stopped.wait(SWEEP)
