"""Wake the sweeps: each that has something to do, and all of them from time to time.

On an idle server this costs a transaction every few seconds, in which nothing is written.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping
from datetime import datetime, timedelta

from django.db import close_old_connections, transaction
from django.utils import timezone

from sarsen.services import task_queue
from sarsen.services.analysis import searching
from sarsen.services.bots import due_boards
from sarsen.services.clocks import running
from sarsen.services.contests.course import running as contests
from sarsen.services.events import statistics
from sarsen.services.learning import daily_puzzles
from sarsen.services.mail import outgoing, waiting
from sarsen.services.matches import claims, openings
from sarsen.services.notices import digests, push, webhooks
from sarsen.services.reviews import making
from sarsen.services.store_failures import leave_if_broken
from sarsen.storage.models import Heartbeat
from sarsen.workers.outages import Outage

LOOK_SECONDS = 5.0  # between looks at what is due, whatever call was lost
# In which one of all hosts wakes all sweeps, also those whose time nobody computes.
ROUND = timedelta(minutes=10)
ROUNDS = "sweeps"  # the name of the heartbeat
# Whether a sweep would find something to do; the others are woken by what makes them due.
IS_DUE: Mapping[str, Callable[[datetime], bool]] = {
    task_queue.ANSWER_MAIL: waiting.is_any_due,
    task_queue.SEND_MAIL: outgoing.is_any_due,
    task_queue.LOOK_AFTER_CLOCKS: running.is_any_due,
    task_queue.RUN_CONTESTS: contests.is_any_due,
    task_queue.CALL_WEBHOOKS: webhooks.is_any_due,
    task_queue.SEND_PUSHES: push.is_any_due,
    task_queue.SEND_DIGESTS: digests.is_any_due,
    task_queue.SEND_PUZZLES: daily_puzzles.is_any_due,
    task_queue.STORE_OPENINGS: openings.is_any_due,
    task_queue.COUNT_FIGURES: statistics.is_due,
    task_queue.ANSWER_CLAIMS: claims.is_any_due,
}


def keep_waking(stopped: threading.Event) -> None:
    """Wake sweeps until told to stop; a thread's outermost function."""
    outage, is_first = Outage("sweeps could not be woken"), True
    while not stopped.is_set():
        try:
            close_old_connections()
            wake_due(timezone.now(), is_first=is_first)
            is_first = False
            outage.end()
        except Exception as error:
            # Whatever it is, a thread that ended here would leave the sweeps for ever.
            leave_if_broken(error)
            outage.note(error)
        stopped.wait(LOOK_SECONDS)


def wake_due(now: datetime, *, is_first: bool) -> None:
    """Wake the sweeps that have something to do, and the thinker of this host.

    Args:
        is_first: This process has just begun: all are woken.
    """
    with transaction.atomic():  # one for all questions; alone, each would be one
        is_round = _begin_round(now) or is_first
        for job in task_queue.SWEEPS:
            if is_round or (job in IS_DUE and IS_DUE[job](now)):
                task_queue.wake(job)
        is_asked = making.is_any_waiting(now) or searching.is_any_waiting()
        has_thoughts_due = due_boards.is_any_due() or is_asked
    if has_thoughts_due:
        due_boards.wake()


def _begin_round(now: datetime) -> bool:
    """Return whether it is time to wake all sweeps, and note that this host does it.

    Two hosts that ask at the same moment may both do it, which does no harm.
    """
    last = Heartbeat.objects.filter(name=ROUNDS).values_list("at", flat=True).first()
    if last is not None and now - ROUND < last <= now:
        return False
    Heartbeat.objects.update_or_create(name=ROUNDS, defaults={"at": now})
    return True
