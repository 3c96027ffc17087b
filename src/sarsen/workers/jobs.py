"""Jobs that belong to no door."""

from __future__ import annotations

from django.utils import timezone
from django_tasks import task

from sarsen.services.tidying import tidy_up


@task()
def tidy() -> dict[str, int]:
    """Delete what has served its time."""
    return tidy_up(timezone.now())
