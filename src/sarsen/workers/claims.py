"""Search claims in a thread beside the jobs, and answer them by a job when they are due."""

from __future__ import annotations

import threading

import structlog
from django.db import close_old_connections, connections
from django.utils import timezone
from django_tasks import task

from sarsen.services import task_queue
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.matches import claims
from sarsen.services.matches.claims import ClaimProver
from sarsen.services.store_failures import leave_if_broken
from sarsen.workers.proving import prove_claim

_one_thread = threading.Lock()  # of a worker: the searches come one after the other
log = structlog.get_logger()


@task()
def answer_claims() -> int:
    """Answer what is due, and begin to search what waits; this job waits for no search."""
    now = timezone.now()
    answered = claims.answer_due(now, AFTER_EVENTS)
    if claims.is_any_to_search(now):
        threading.Thread(target=_search_beside, name="claims", daemon=True).start()
    return answered


def _search_beside() -> None:
    """Search claims until none waits; a thread's outermost function."""
    if not _one_thread.acquire(blocking=False):
        return  # the thread that runs finds the new one
    try:
        while search_one(prove_claim):
            pass
    except Exception as error:
        # After any defect the claim is taken up again, or answered, when the sweeps look.
        leave_if_broken(error)
        log.exception("a claim could not be searched")
    finally:
        _one_thread.release()
        connections.close_all()


def search_one(prove: ClaimProver) -> bool:
    """Search a claim, and see to it that its answer is woken in time; False where none waits."""
    close_old_connections()
    row = claims.search_next(timezone.now(), prove)
    if row is None:
        return False
    left = (row.due_at - timezone.now()).total_seconds()
    waking = threading.Timer(max(left, 0.0), _wake)
    waking.daemon = True
    waking.start()
    return True


def _wake() -> None:
    try:
        task_queue.wake(task_queue.ANSWER_CLAIMS)
    finally:
        connections.close_all()
