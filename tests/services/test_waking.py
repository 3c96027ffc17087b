"""Jobs are queued as the queue's own door queues them."""

from __future__ import annotations

from typing import Any

import pytest
from django.utils.module_loading import import_string
from django_tasks_db.models import DBTaskResult

from sarsen.services import background

pytestmark = pytest.mark.django_db


def stored() -> dict[str, Any]:
    """Take the one job that waits, without what chance and the clock have made."""
    (job,) = DBTaskResult.objects.ready()
    facts = {field.attname: getattr(job, field.attname) for field in job._meta.concrete_fields}
    job.delete()
    return {name: value for name, value in facts.items() if name not in ("id", "enqueued_at")}


@pytest.mark.parametrize("job", background.SWEEPS)
def test_woken_job_waits_as_one_that_was_enqueued(job: str) -> None:
    background.wake(job)
    woken = stored()
    import_string(job).enqueue()
    assert woken == stored()


def test_job_that_waits_is_not_queued_twice() -> None:
    background.wake(background.SEND_MAIL)
    background.wake(background.SEND_MAIL)
    background.wake(background.TIDY)
    assert DBTaskResult.objects.ready().count() == 2
