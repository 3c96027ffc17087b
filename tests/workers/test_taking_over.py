"""What ended a worker is counted before it is tried again, and given up at last."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.utils import timezone
from django_tasks_db.models import DBTaskResult

from doors.mail.conftest import SERVER, PostOffice
from sarsen.doors.mail import jobs
from sarsen.doors.mail.send import sending
from sarsen.services import crash_log, task_queue
from sarsen.services.board_cache import BoardCache
from sarsen.services.crash_log import CrashNote
from sarsen.services.mail import incoming, outgoing, settle
from sarsen.services.mail.incoming import Delivery
from sarsen.services.mail.settle import GivenUp
from sarsen.storage.models import CaughtMail, InboundMail, OutgoingMail
from sarsen.workers import ended_jobs, queue, standstill
from sarsen.workers import jobs as own

pytestmark = pytest.mark.postgres

ANN = "ann@ann.example"


class Killed(BaseException):
    """What no code of ours catches, as it would not survive its process."""


@pytest.fixture
def post(db: None) -> PostOffice:
    return PostOffice()


@pytest.fixture
def folder(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "workers"
    crash_log.end()


@pytest.fixture
def worker(folder: Path, post: PostOffice) -> Callable[..., CrashNote | None]:
    """Work as a worker does until it dies; then let the next one read what it was at."""

    def work(job: Any = jobs.answer_mail) -> CrashNote | None:
        let_die()
        ended_jobs.take_over(folder)
        crash_log.begin_job(job.module_path)
        try:
            job.call()
        except Killed:
            assert crash_log._slot is not None
            return crash_log._read(crash_log._slot.read(0))
        crash_log.end_job()
        let_die()
        return None

    return work


def let_die() -> None:
    """Leave of a worker what the system leaves: its file, and no lock."""
    if crash_log._slot is not None:
        crash_log._slot.page.close()
        os.close(crash_log._slot.handle)
        crash_log._slot = None


def bring(post: PostOffice, *lines: str) -> None:
    found = [
        Delivery(f"{line}@ann.example", SERVER, post.write(f"{line}@ann.example", line).as_bytes())
        for line in lines
    ]
    incoming.store(found, timezone.now())


def states() -> list[tuple[str, int]]:
    return list(InboundMail.objects.order_by("pk").values_list("state", "ends"))


@pytest.fixture
def deadly(monkeypatch: pytest.MonkeyPatch) -> None:
    """End the reader of a mail that says so at once; giving it up means reading nothing."""
    read = jobs.prepare

    def prepare(mail: Any, *given: Any) -> Any:
        prepared = read(mail, *given)
        if b"deadly" in mail.raw and not isinstance(prepared.settlement.outcome, GivenUp):
            raise Killed
        return prepared

    monkeypatch.setattr(jobs, "prepare", prepare)
    monkeypatch.setattr("sarsen.doors.mail.reply.answering.prepare", prepare)


@pytest.mark.usefixtures("deadly")
def test_mail_that_ends_its_worker_five_times_is_set_aside_and_the_others_are_answered(
    post: PostOffice, worker: Callable[..., CrashNote | None]
) -> None:
    bring(post, "help", "deadly", "list")
    number = InboundMail.objects.order_by("pk")[1].pk
    for ends in range(5):
        assert worker() == CrashNote("mail", (number,), task_queue.ANSWER_MAIL)
        # Counted when the next worker starts, before it tries anything. It keeps its place.
        assert states()[1:] == [("new", ends), ("new", 0)]
    assert worker() is None
    assert states() == [("answered", 0), ("failed", 5), ("answered", 0)]
    assert OutgoingMail.objects.filter(kind="sorry", address="deadly@ann.example").count() == 1


@pytest.mark.usefixtures("deadly")
def test_mail_that_takes_long_before_it_ends_its_worker_lets_the_others_go_first(
    post: PostOffice, worker: Callable[..., CrashNote | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(ended_jobs, "LONG_SECONDS", -1.0)
    bring(post, "help", "deadly", "list")
    number = InboundMail.objects.order_by("pk")[1].pk
    assert worker() == CrashNote("mail", (number,), task_queue.ANSWER_MAIL)
    assert worker() == CrashNote("mail", (number,), task_queue.ANSWER_MAIL)
    # The second time it waits, and all that is behind it goes first.
    assert worker() is None
    assert states() == [("answered", 0), ("new", 2), ("answered", 0)]
    for _ in range(3):
        InboundMail.objects.filter(pk=number).update(wait_until=None)
        assert worker() == CrashNote("mail", (number,), task_queue.ANSWER_MAIL)
        assert worker() is None
    assert states()[1] == ("new", 5)
    InboundMail.objects.filter(pk=number).update(wait_until=None)
    assert worker() is None
    assert states()[1] == ("failed", 5)
    assert OutgoingMail.objects.filter(kind="sorry", address="deadly@ann.example").count() == 1


def test_mails_of_one_group_are_tried_alone_once_one_of_them_has_ended_its_worker(
    post: PostOffice, worker: Callable[..., CrashNote | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def prejudge(boards: Any, commands: Any) -> None:
        if len(list(commands)) > 1:
            raise Killed

    bring(post, "help", "list")
    numbers = tuple(InboundMail.objects.order_by("pk").values_list("pk", flat=True))
    monkeypatch.setattr(jobs, "READ_FOR", 1e9)
    monkeypatch.setattr(BoardCache, "prejudge", prejudge)
    assert worker() == CrashNote("mail", numbers, task_queue.ANSWER_MAIL)
    assert worker() is None
    assert states() == [("answered", 1), ("answered", 1)]


def test_worker_that_ends_at_a_commit_counts_against_no_mail(
    post: PostOffice, worker: Callable[..., CrashNote | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    bring(post, "help")

    class Dying:
        def __init__(self, count: int, *_: object) -> None:
            raise Killed

    monkeypatch.setattr(settle, "BatchResult", Dying)
    for _ in range(4):
        assert worker() == CrashNote("job", (), task_queue.ANSWER_MAIL)
    # And the post never rests: whatever of it waits may run at once.
    let_die()
    task_queue.wake(task_queue.ANSWER_MAIL)
    assert DBTaskResult.objects.ready().filter(task_path=task_queue.ANSWER_MAIL).exists()


def test_letter_that_ends_three_workers_goes_out_in_plain_words(
    post: PostOffice, worker: Callable[..., CrashNote | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    write = sending.write_letter

    def dying(letter: Any) -> Any:
        if letter.address == ANN:
            raise Killed
        return write(letter)

    monkeypatch.setattr(sending, "write_letter", dying)
    now = timezone.now()
    outgoing.queue(outgoing.NewLetter(ANN, "sorry", {}), now)
    outgoing.queue(outgoing.NewLetter("bob@bob.example", "sorry", {}), now)
    number = OutgoingMail.objects.get(address=ANN).pk

    def claims_end() -> None:
        OutgoingMail.objects.filter(state="waiting").update(due_at=now)

    for _ in range(2):
        assert worker(jobs.send_mail) == CrashNote("letter", (number,), task_queue.SEND_MAIL)
        claims_end()
    assert worker(jobs.send_mail) is None  # the second time others go first
    assert not CaughtMail.objects.filter(address=ANN).exists()
    assert CaughtMail.objects.filter(address="bob@bob.example").exists()
    claims_end()
    assert worker(jobs.send_mail) == CrashNote("letter", (number,), task_queue.SEND_MAIL)
    claims_end()
    assert worker(jobs.send_mail) is None
    assert (
        "this mail could not be written" in bytes(CaughtMail.objects.get(address=ANN).raw).decode()
    )


def test_job_that_ends_three_workers_in_a_row_rests_and_the_others_go_on(
    post: PostOffice, worker: Callable[..., CrashNote | None], monkeypatch: pytest.MonkeyPatch
) -> None:
    def dying(*_: Any) -> int:
        raise Killed

    monkeypatch.setattr(own, "sweep", dying)
    # It would close the connection of the test's transaction.
    monkeypatch.setattr(queue, "close_old_connections", lambda: None)
    DBTaskResult.objects.all().delete()
    for _ in range(3):
        assert worker(own.look_after_clocks) == CrashNote("job", (), task_queue.LOOK_AFTER_CLOCKS)
    assert worker(jobs.send_mail) is None
    task_queue.wake(task_queue.LOOK_AFTER_CLOCKS)
    assert not queue._ready_jobs()
    assert not DBTaskResult.objects.ready().exists()
    task_queue.wake(task_queue.SEND_MAIL)
    assert queue._ready_jobs() == {task_queue.SEND_MAIL}
    assert [one.task_path for one in DBTaskResult.objects.ready()] == [task_queue.SEND_MAIL]
    # Later it is tried again.
    resting = DBTaskResult.objects.filter(task_path=task_queue.LOOK_AFTER_CLOCKS)
    assert resting.update(run_after=timezone.now() - timedelta(seconds=1)) == 1
    assert DBTaskResult.objects.ready().count() == 2


def test_job_that_was_hit_by_two_kills_and_then_succeeds_begins_anew(
    post: PostOffice, worker: Callable[..., CrashNote | None], folder: Path
) -> None:
    note = CrashNote("job", (), task_queue.TIDY)
    assert crash_log.begin(folder) is None
    crash_log.begin_job(task_queue.TIDY)
    assert [crash_log.count_end(task_queue.TIDY) for _ in range(2)] == [1, 2]
    crash_log.end_job()
    ended_jobs.count(note, timezone.now())
    assert not DBTaskResult.objects.filter(run_after__lt=timezone.now() + timedelta(days=1))
    assert crash_log.count_end(task_queue.TIDY) == 2


def test_worker_that_ends_in_good_order_leaves_nothing_to_count(folder: Path) -> None:
    assert crash_log.begin(folder) is None
    crash_log.begin_job(task_queue.TIDY)
    crash_log.note("mail", 7)
    crash_log.end()
    assert crash_log.begin(folder) is None


def test_two_workers_of_one_folder_keep_their_notes_apart(folder: Path) -> None:
    code = (
        "import sys; from pathlib import Path; from sarsen.services import crash_log;"
        "crash_log.begin(Path(sys.argv[1])); crash_log.note('mail', 8); input()"
    )
    assert crash_log.begin(folder) is None
    crash_log.note("mail", 7)
    other = [sys.executable, "-c", code, str(folder)]
    subprocess.run(other, input=b"\n", check=True)
    assert {path.name for path in folder.iterdir()} == {"at-0", "at-1"}
    mine = crash_log._slot
    assert mine is not None
    assert crash_log.begin(folder) == CrashNote("mail", (8,))
    assert crash_log._read(mine.read(0)) == CrashNote("mail", (7,))


@pytest.mark.parametrize("left", [b"", b"\0" * 4096, b"\xff" * 4096, b"mail  " + b"9" * 900])
def test_note_that_a_power_cut_has_left_half_written_is_no_note(folder: Path, left: bytes) -> None:
    folder.mkdir()
    (folder / "at-0").write_bytes(left)
    assert crash_log.begin(folder) is None


def test_worker_stands_still_only_while_a_job_does_not_get_on(
    folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    clock = [1000.0]
    monkeypatch.setattr(crash_log.time, "monotonic", lambda: clock[0])
    assert crash_log.seconds_without_progress() == 0
    crash_log.begin(folder)
    clock[0] += 99
    assert crash_log.seconds_without_progress() == 0  # idle
    crash_log.begin_job(task_queue.ANSWER_MAIL)
    clock[0] += 5
    assert crash_log.seconds_without_progress() == 5
    crash_log.note_progress()
    assert crash_log.seconds_without_progress() == 0
    crash_log.end_job()
    clock[0] += 99
    assert crash_log.seconds_without_progress() == 0


HOLDS_PYTHON = "import ctypes; ctypes.PyDLL(None).sleep(60)"
LETS_OTHERS_RUN = "import ctypes; ctypes.CDLL(None).sleep(60)"


@pytest.mark.slow
@pytest.mark.parametrize("call", [HOLDS_PYTHON, LETS_OTHERS_RUN])
def test_worker_whose_call_of_c_never_comes_back_is_ended(folder: Path, call: str) -> None:
    code = (
        "import django; django.setup();"
        "import sys; from pathlib import Path; from sarsen.services import crash_log;"
        "from sarsen.workers.standstill import end_at_standstill;"
        "crash_log.begin(Path(sys.argv[1])); crash_log.begin_job('a.job'); end_at_standstill(2.0);"
        f"crash_log.note('mail', 8); import time; {call}"
    )
    settings = {
        "DJANGO_SETTINGS_MODULE": "sarsen.server.settings",
        "SARSEN_DATA": str(folder.parent),
        "SARSEN_SECRET_KEY": "of a test of workers, long enough for it",
    }
    ended = subprocess.run(
        [sys.executable, "-c", code, str(folder)],
        env=os.environ | settings,
        capture_output=True,
        timeout=50,
        check=False,
    )
    assert ended.returncode in (1, standstill.STATUS), ended.stderr
    assert b"most recent call first" in ended.stderr
    assert crash_log.begin(folder) == CrashNote("mail", (8,), "a.job")
