"""What a killed worker leaves (F22), and what a process of another release finds (F24)."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta

import pytest
from click.testing import CliRunner
from django.db.migrations.recorder import MigrationRecorder
from django.utils import timezone
from django_tasks_db.management.commands.db_worker import Worker
from django_tasks_db.models import DBTaskResult

from faults.one_effect.killing import Moment, living_until
from sarsen.core.errors import UserError
from sarsen.server import releases
from sarsen.server.command import main
from sarsen.services import task_queue
from sarsen.services.admin.cleanup import JOBS_RUN, tidy_up
from sarsen.services.mail import outgoing
from sarsen.storage.models import InboundMail, OutgoingMail

pytestmark = pytest.mark.django_db(transaction=True)


def take_a_job(worker: str) -> DBTaskResult:
    """Begin a job as a worker does, and be killed before it is done."""
    job = DBTaskResult.objects.ready().first()
    assert job is not None
    job.claim(worker)
    return job


def test_f22_job_of_a_killed_worker_is_done_by_the_next_one_though_it_says_that_it_runs() -> None:
    outgoing.queue(outgoing.NewLetter("ann@ann.example", "sorry", {}), timezone.now())
    task_queue.wake(task_queue.SEND_MAIL)
    dead = take_a_job("killed")
    with living_until(Moment(3)) as life:
        Worker.run_task(_worker("killed"), dead)
    assert life.is_over
    assert OutgoingMail.objects.get().state == "waiting"
    task_queue.wake(task_queue.SEND_MAIL)  # as every few seconds, by what is due
    OutgoingMail.objects.update(due_at=timezone.now())  # the claim of the dead one is over
    _worker("next").run()
    assert OutgoingMail.objects.get().state == "sent"
    dead.refresh_from_db()
    assert dead.status == "RUNNING"


def test_f22_jobs_that_say_for_ever_that_they_run_are_tidied_and_younger_ones_left() -> None:
    now = timezone.now()
    for worker in ("dead", "living"):
        task_queue.wake(task_queue.SEND_MAIL)
        take_a_job(worker)
    dead, living = DBTaskResult.objects.order_by("started_at")
    DBTaskResult.objects.filter(pk=dead.pk).update(started_at=now - JOBS_RUN - timedelta(hours=1))
    assert tidy_up(now)["dead_jobs"] == 1
    assert DBTaskResult.objects.get().pk == living.pk


def test_f22_dead_jobs_do_not_pile_up_however_often_workers_are_killed() -> None:
    now = timezone.now()
    for minute in range(20):
        task_queue.wake(task_queue.ANSWER_MAIL)
        job = take_a_job("killed")
        at = now - timedelta(days=2) + timedelta(minutes=minute)
        DBTaskResult.objects.filter(pk=job.pk).update(started_at=at)
    tidy_up(now)
    assert not DBTaskResult.objects.exists()


@pytest.fixture
def newer() -> Iterator[None]:
    """A database that a release yet to come has brought up to date."""
    MigrationRecorder.Migration.objects.create(app="storage", name="9999_yet_to_come")
    yield
    MigrationRecorder.Migration.objects.filter(name="9999_yet_to_come").delete()


@pytest.fixture
def older() -> Iterator[str]:
    """A database as the release before left it."""
    rows = MigrationRecorder.Migration.objects.filter(app="storage")
    name = max(rows.values_list("name", flat=True))
    rows.filter(name=name).delete()
    yield name
    MigrationRecorder.Migration.objects.create(app="storage", name=name)


PROCESSES = (["work"], ["listen", "127.0.0.1:1", "127.0.0.1:2"], ["think"], ["web", "127.0.0.1:1"])


@pytest.mark.parametrize("command", [*PROCESSES, ["migrate"]], ids=lambda words: words[0])
def test_f24_process_refuses_the_tables_of_a_newer_release_in_two_lines(
    newer: None, command: list[str]
) -> None:
    refused = CliRunner().invoke(main, command)
    assert refused.exit_code == 2
    first, second = refused.stderr.strip().splitlines()
    assert "newer release" in first
    assert "9999_yet_to_come" in first
    assert "Install the newer release" in second


@pytest.mark.parametrize("command", PROCESSES, ids=lambda words: words[0])
def test_f24_process_refuses_the_tables_of_an_older_release_in_two_lines(
    older: str, command: list[str]
) -> None:
    refused = CliRunner().invoke(main, command)
    assert refused.exit_code == 2
    first, second = refused.stderr.strip().splitlines()
    assert "older release" in first
    assert older in first
    assert "sarsen migrate" in second


def test_f24_migration_that_stood_for_others_in_an_earlier_release_is_no_newer_table() -> None:
    rows = MigrationRecorder.Migration.objects.filter(app="storage", name__contains="_squashed_")
    rows.update(name="0001_squashed_0019_login_wishes")  # in 0.5-dev
    releases.require_own_tables()
    assert CliRunner().invoke(main, ["migrate"]).exit_code == 0
    rows.all().delete()  # each release before 0.5 has none
    releases.require_own_tables()


TYPED = (
    ["do", "--local", "list"],
    ["mail", "deliver", "sarsen@sarsen.localhost"],
    ["verify"],
)


@pytest.mark.parametrize("command", TYPED, ids=lambda words: words[0])
@pytest.mark.parametrize("left", ["newer", "older"])
def test_f24_command_at_the_server_s_terminal_refuses_them_too(
    request: pytest.FixtureRequest, command: list[str], left: str
) -> None:
    request.getfixturevalue(left)
    refused = CliRunner().invoke(main, command, input="Subject: help\n\n")
    # A mail server keeps the mail, and brings it again.
    assert refused.exit_code == (75 if command[0] == "mail" else 2)
    first, second = refused.stderr.strip().splitlines()
    assert f"{left} release" in first
    assert ("sarsen migrate" if left == "older" else "Install the newer release") in second
    assert not InboundMail.objects.exists()


def test_f24_web_refuses_both_and_a_database_of_its_own_release_is_served(newer: None) -> None:
    with pytest.raises(UserError) as refused:
        releases.require_own_tables()
    assert refused.value.code == "newer-data"
    MigrationRecorder.Migration.objects.filter(name="9999_yet_to_come").delete()
    releases.require_own_tables()


def _worker(name: str) -> Worker:
    return Worker(
        queue_names=["*"],
        interval=0,
        batch=True,
        backend_name="default",
        startup_delay=False,
        max_tasks=None,
        worker_id=name,
        excluded_queue_names=[],
    )
