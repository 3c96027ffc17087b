"""Run queued jobs until told to stop."""

from __future__ import annotations

import os
import threading

import structlog
from django.db import close_old_connections, transaction
from django_tasks_db.management.commands.db_worker import Worker

from sarsen.services import background

POLL = 0.02  # seconds between looks at an empty queue
SWEEP = 5.0  # seconds between wake-ups of every sweep, whatever was lost
log = structlog.get_logger()


def run_queue() -> None:
    """Run jobs in this thread, and wake the sweeps from another, until SIGTERM."""
    worker = Worker(
        queue_names=["*"],
        interval=POLL,
        batch=False,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=f"worker-{os.getpid()}",
        excluded_queue_names=[],
    )
    worker.configure_signals()
    threading.Thread(target=_wake_sweeps, daemon=True).start()
    worker.run()


def _wake_sweeps() -> None:
    stopped = threading.Event()
    while True:
        try:
            close_old_connections()
            with transaction.atomic():
                for job in background.SWEEPS:
                    background.wake(job)
        except Exception:
            # This thread's outermost function: it goes on when the database is back.
            log.exception("sweeps could not be woken")
        stopped.wait(SWEEP)
