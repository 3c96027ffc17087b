"""Wake background work: at most one waiting job of a kind, in the current transaction.

Jobs are sweeps that do whatever is due, so a lost or doubled job does no harm;
`workers` wakes each of them from time to time as well.

Processes of this machine are called by named pipes in the data folder: one that writes there
neither waits nor fails when nobody reads. Those of other machines are called by the database
(`storage.calls`). A call that is lost costs the time until the next look, no more.
"""

from __future__ import annotations

import contextlib
import errno
import os
import select
import stat
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from functools import partial
from pathlib import Path

from django.conf import settings
from django.db import connection, transaction
from django.utils import timezone
from django.utils.module_loading import import_string
from django_tasks import DEFAULT_TASK_BACKEND_ALIAS
from django_tasks_db.models import DBTaskResult, get_date_max

from sarsen.storage import calls, statements

# By name: services stand below the doors that these jobs belong to.
ANSWER_MAIL = "sarsen.doors.mail.jobs.answer_mail"
SEND_MAIL = "sarsen.doors.mail.jobs.send_mail"
TIDY = "sarsen.workers.jobs.tidy"
LOOK_AFTER_CLOCKS = "sarsen.workers.jobs.look_after_clocks"
RATE_GAMES = "sarsen.workers.jobs.rate_games"
COUNT_FIGURES = "sarsen.workers.jobs.count_figures"
STORE_OPENINGS = "sarsen.workers.jobs.store_openings"
SEND_DIGESTS = "sarsen.workers.notices.send_digests"
CALL_WEBHOOKS = "sarsen.workers.notices.call_webhooks"
SEND_PUSHES = "sarsen.workers.notices.send_pushes"
ANNOUNCE = "sarsen.workers.notices.announce"
SEND_WEEKLY = "sarsen.workers.notices.send_weekly"
# Woken by what makes them due, when their time comes, and besides from time to time: see
# `workers.sweeps`.
SWEEPS = (
    *(ANSWER_MAIL, SEND_MAIL, LOOK_AFTER_CLOCKS, CALL_WEBHOOKS, SEND_PUSHES, SEND_DIGESTS),
    *(TIDY, RATE_GAMES, STORE_OPENINGS, COUNT_FIGURES, ANNOUNCE, SEND_WEEKLY),
)


# Asked and done at every move: through the queue's own door it took twenty times as long.
_READY = (
    f"SELECT 1 FROM {DBTaskResult._meta.db_table} "  # noqa: S608
    "WHERE task_path = %s AND status = 'READY' LIMIT 1"
)


def wake(job: str) -> None:
    """Queue a job unless one of its kind is waiting already."""
    with connection.cursor() as cursor:
        cursor.execute(_READY, [job])
        is_waiting = cursor.fetchone() is not None
    if not is_waiting:
        statements.insert([_row_of(job)])
        call(WORKERS)


def postpone(job: str, until: datetime) -> None:
    """Postpone all jobs of a kind until then, however they are woken; the others go on."""
    with transaction.atomic():
        waiting = DBTaskResult.objects.filter(task_path=job, status="READY")
        if not waiting.update(run_after=until):
            import_string(job).using(run_after=until).enqueue()


# Pipes in the data folder at which workers and the thinker wait for calls.
WORKERS, THINKER = "work.pipe", "think.pipe"
_CHANNELS = {WORKERS: calls.WORK, THINKER: calls.THINK}
_MAX_READ = 4096  # bytes; each is one call, and one look serves them all


def call(name: str) -> None:
    """Wake the processes that wait at such a pipe, here and on other hosts, after the commit."""
    transaction.on_commit(partial(signal, name))
    calls.call(_CHANNELS[name])


def hear_others(*names: str) -> None:
    """Pass on the calls of other hosts to pipes of this one, from now on."""
    calls.listen({_CHANNELS[name]: partial(_pass_on, name) for name in names})


def signal(name: str) -> None:
    """Wake the processes of this machine that wait at a pipe."""
    with contextlib.suppress(OSError):  # nobody reads, or the pipe is full of calls
        pipe = os.open(settings.DATA / name, os.O_WRONLY | os.O_NONBLOCK)
        try:
            os.write(pipe, b"!")
        finally:
            os.close(pipe)


@contextmanager
def listening(name: str) -> Iterator[int]:
    """Yield the end of a pipe to wait at.

    Raises:
        FileExistsError: Something else has its name.
    """
    path: Path = settings.DATA / name
    with contextlib.suppress(FileExistsError):  # another process makes it, too, or has made it
        os.mkfifo(path, 0o600)
    # For both reading and writing: a pipe without writers would always be ready.
    pipe = os.open(path, os.O_RDWR | os.O_NONBLOCK)
    try:
        if not stat.S_ISFIFO(os.fstat(pipe).st_mode):  # always ready: waiting would be a busy loop
            problem = f"{path.name} is not a named pipe; remove it"
            raise FileExistsError(errno.EEXIST, problem, str(path))
        yield pipe
    finally:
        os.close(pipe)


def wait(pipe: int, seconds: float) -> bool:
    """Return whether a call came within so many seconds."""
    ready, _, _ = select.select([pipe], [], [], seconds)
    if ready:
        with contextlib.suppress(BlockingIOError):  # another process took them all
            os.read(pipe, _MAX_READ)
    return bool(ready)


def _pass_on(name: str, _told: str) -> None:
    signal(name)


def _row_of(job: str) -> DBTaskResult[..., object]:
    """Return what `enqueue` would store: nothing here listens to its signals."""
    return DBTaskResult(
        task_path=job,
        args_kwargs={"args": [], "kwargs": {}},
        backend_name=DEFAULT_TASK_BACKEND_ALIAS,
        enqueued_at=timezone.now(),
        run_after=get_date_max(),
    )
