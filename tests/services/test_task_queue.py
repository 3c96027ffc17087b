"""Jobs are queued as the queue's own door queues them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
from django.db import transaction
from django.utils.module_loading import import_string
from django_tasks.base import Task
from django_tasks_db.models import DBTaskResult

from sarsen.doors.mail import jobs as mail_jobs
from sarsen.services import task_queue, wake_pipes
from sarsen.workers import claims, jobs, notices

pytestmark = [pytest.mark.django_db, pytest.mark.postgres]


def stored() -> dict[str, Any]:
    """Take the one job that waits, without what chance and the clock have made."""
    (job,) = DBTaskResult.objects.ready()
    facts = {field.attname: getattr(job, field.attname) for field in job._meta.concrete_fields}
    job.delete()
    return {name: value for name, value in facts.items() if name not in ("id", "enqueued_at")}


@pytest.mark.parametrize("job", task_queue.SWEEPS)
def test_woken_job_waits_as_one_that_was_enqueued(job: str) -> None:
    task_queue.wake(job)
    woken = stored()
    import_string(job).enqueue()
    assert woken == stored()


def test_every_job_there_is_does_what_is_due_and_is_woken_as_a_sweep() -> None:
    found = {
        value.module_path
        for module in (mail_jobs, jobs, notices, claims)
        for value in vars(module).values()
        if isinstance(value, Task)
    }
    assert set(task_queue.SWEEPS) == found


@pytest.mark.django_db(transaction=True)
def test_workers_are_called_when_a_job_is_committed() -> None:
    with wake_pipes.listening(wake_pipes.WORKERS) as calls:
        with transaction.atomic():
            task_queue.wake(task_queue.SEND_MAIL)
            assert not wake_pipes.wait(calls, 0)
        assert wake_pipes.wait(calls, 0)
        assert not wake_pipes.wait(calls, 0)


def test_file_with_the_name_of_a_pipe_is_refused(settings: Any, tmp_path: Path) -> None:
    settings.DATA = tmp_path
    (tmp_path / wake_pipes.WORKERS).write_bytes(b"")
    refused = pytest.raises(FileExistsError, match=r"work\.pipe is not a named pipe; remove it")
    with refused, wake_pipes.listening(wake_pipes.WORKERS):
        pass


def test_job_that_waits_is_not_queued_twice() -> None:
    task_queue.wake(task_queue.SEND_MAIL)
    task_queue.wake(task_queue.SEND_MAIL)
    task_queue.wake(task_queue.TIDY)
    assert DBTaskResult.objects.ready().count() == 2
