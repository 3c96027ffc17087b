"""Jobs that belong to no door."""

from __future__ import annotations

import time

from django.utils import timezone
from django_tasks import task

from sarsen.services.admin.cleanup import tidy_up
from sarsen.services.after_events import AFTER_EVENTS
from sarsen.services.clocks.running import sweep
from sarsen.services.events.statistics import sweep_figures
from sarsen.services.matches import openings
from sarsen.services.ratings import rating

TIDY_EVERY = 60.0  # seconds; it is woken with the other sweeps, more often than needed
_tidied_at = -TIDY_EVERY


@task()
def tidy() -> dict[str, int]:
    """Delete what has served its time, at most once a minute in this process."""
    global _tidied_at  # noqa: PLW0603 (of this process, and lost with it)
    if time.monotonic() - _tidied_at < TIDY_EVERY:
        return {}
    _tidied_at = time.monotonic()
    return tidy_up(timezone.now())


@task()
def look_after_clocks() -> int:
    """Remind, warn, and end the games whose time is used up."""
    return sweep(timezone.now(), AFTER_EVENTS)


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
