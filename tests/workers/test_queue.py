"""The worker runs what is ready, outlives its database, and is watched."""

from __future__ import annotations

import threading
from types import SimpleNamespace
from typing import Any

import pytest
from django.db import OperationalError, connection
from django_tasks_db.models import DBTaskResult

from sarsen.services import task_queue, wake_pipes
from sarsen.workers import queue

pytestmark = pytest.mark.postgres

Patch = pytest.MonkeyPatch


@pytest.fixture(autouse=True)
def _same_connection(monkeypatch: Patch) -> None:
    """Keep the connection of the test's transaction open, and wait for nothing."""
    monkeypatch.setattr(queue, "close_old_connections", lambda: None)
    monkeypatch.setattr(queue, "AWAY_SECONDS", 0.0)


def away(*_: object, **__: object) -> Any:
    raise OperationalError("server closed the connection")


def test_worker_outlives_a_database_that_is_away(monkeypatch: Patch) -> None:
    queue._run_one(SimpleNamespace(run=away))
    monkeypatch.setattr(queue, "connection", SimpleNamespace(cursor=away))
    assert not queue._ready_jobs()


@pytest.mark.django_db(transaction=True)  # the worker closes old connections
def test_worker_runs_one_job_after_another_until_none_is_ready() -> None:
    for job in (task_queue.TIDY, task_queue.RATE_GAMES, task_queue.LOOK_AFTER_CLOCKS):
        task_queue.wake(job)
    worker, left = queue._make_worker(), []
    with wake_pipes.listening(wake_pipes.WORKERS) as calls:
        while queue._run_ready(worker, calls):
            left.append(DBTaskResult.objects.ready().count())
    assert left == [2, 1, 0]
    assert DBTaskResult.objects.successful().count() == 3


@pytest.mark.parametrize(
    ("jobs", "waits"),
    [
        ([task_queue.SEND_MAIL], True),
        ([task_queue.SEND_MAIL, task_queue.ANSWER_MAIL], False),
        ([task_queue.ANSWER_MAIL], False),
    ],
)
@pytest.mark.django_db(transaction=True)
def test_letters_wait_for_others_unless_a_mail_waits_too(jobs: list[str], waits: bool) -> None:
    with wake_pipes.listening(wake_pipes.WORKERS) as calls:
        for job in jobs:
            task_queue.wake(job)
        assert queue._run_ready(queue._make_worker(), calls)
        # The calls of `wake` lie in the pipe: a worker that waits there reads them.
        assert wake_pipes.wait(calls, 0) != waits
    assert DBTaskResult.objects.successful().count() == 1


def test_worker_that_does_not_get_on_for_ten_minutes_is_ended(monkeypatch: Patch) -> None:
    watched: list[float] = []
    done = SimpleNamespace(configure_signals=lambda: None, running=False)
    monkeypatch.setattr(queue, "Worker", lambda **_: done)
    monkeypatch.setattr(queue, "take_over", lambda folder: None)
    monkeypatch.setattr(queue, "keep_waking", lambda stopped: None)
    monkeypatch.setattr(queue.faulthandler, "enable", lambda: None)
    # On PostgreSQL its thread would outlive this test.
    monkeypatch.setattr("sarsen.storage.calls.listen", lambda heard: None)
    monkeypatch.setattr(queue, "end_at_standstill", watched.append)
    queue.run_queue()
    assert watched == [600]


@pytest.mark.django_db(transaction=True)
def test_letters_that_another_worker_sent_meanwhile_are_no_work() -> None:
    looks = 0

    def run_the_job_after_the_first_look(execute: Any, sql: str, *given: Any) -> Any:
        nonlocal looks
        result = execute(sql, *given)
        if sql == queue._READY_JOBS:
            looks += 1
            if looks == 1:
                other.start()
                other.join()
        return result

    def work() -> None:
        try:
            queue._run_one(queue._make_worker())
        finally:
            connection.close()

    other = threading.Thread(target=work)
    with wake_pipes.listening(wake_pipes.WORKERS) as calls:
        task_queue.wake(task_queue.SEND_MAIL)
        with connection.execute_wrapper(run_the_job_after_the_first_look):
            assert not queue._run_ready(queue._make_worker(), calls)
    assert looks == 2
    assert DBTaskResult.objects.successful().count() == 1
