"""Jobs that belong to no door."""

from __future__ import annotations

from django.utils import timezone
from django_tasks import task

from sarsen.services import task_queue
from sarsen.services.admin.cleanup import MAX_ROWS, tidy_up
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.clocks.running import sweep
from sarsen.services.contests.acts import own as own_contests
from sarsen.services.contests.course import running as contests
from sarsen.services.events.statistics import sweep_figures
from sarsen.services.matches import openings
from sarsen.services.ratings import rating
from sarsen.workers.proving import prove


@task()
def tidy() -> dict[str, int]:
    """Delete what has served its time, a bounded piece in one run."""
    deleted = tidy_up(timezone.now())
    if max(deleted.values()) >= MAX_ROWS:
        task_queue.wake(task_queue.TIDY)
    return deleted


@task()
def look_after_clocks() -> int:
    """Remind, warn, and end the games whose time is used up."""
    return sweep(timezone.now(), AFTER_EVENTS)


@task()
def run_contests() -> int:
    """Open, start and end contests and their boards."""
    now = timezone.now()
    own_contests.open_missing(now)
    return contests.sweep(now, AFTER_EVENTS, prove)


@task()
def rate_games() -> int:
    """Rate the results that wait for it."""
    return rating.sweep()


@task()
def store_openings() -> int:
    """Store the first moves of games that are over."""
    return openings.store_some()


@task()
def count_figures() -> bool:
    """Count the figures of the server every ten minutes."""
    return sweep_figures(timezone.now())


# Release 0.4 may have queued it under this name.
close_rating_periods = rate_games
