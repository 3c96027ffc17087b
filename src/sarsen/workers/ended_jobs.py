"""Count what ended a worker, and put it off when it does so again."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import structlog
from django.utils import timezone

from sarsen.services import crash_log, task_queue
from sarsen.services.crash_log import CrashNote
from sarsen.services.mail import outgoing, waiting

# A kill may hit any job once, and by bad luck twice.
MAX_ENDS = 3
MAIL_JOBS = (task_queue.ANSWER_MAIL, task_queue.SEND_MAIL)
PAUSE = timedelta(minutes=5)  # of such a job: what ends workers is rarely over at once
# What took a worker longer than this before it ended lets others go first when it is tried again.
LONG_SECONDS = 60.0
log = structlog.get_logger()


def take_over(folder: Path) -> None:
    """Keep notes in a folder, and count what the last process there did not survive.

    Raises:
        OperationalError: The database is away; nothing is forgotten.
    """
    note = crash_log.begin(folder)
    if note is not None:
        count(note, timezone.now())
        crash_log.note_done()


def count(note: CrashNote, now: datetime) -> None:
    """Count an attempt that ended its process, before anything is tried again."""
    log.error(
        "a worker ended while processing this", kind=note.kind, numbers=note.numbers, job=note.job
    )
    if note.kind == "mail":
        waiting.count_ends(note.numbers, now, is_long=note.lasted > LONG_SECONDS)
    elif note.kind == "letter":
        outgoing.count_end(note.numbers, now)
    elif note.job in MAIL_JOBS:
        pass  # it never rests: a mail or a letter of it that ends workers is counted by itself
    elif note.job and crash_log.count_end(note.job) >= MAX_ENDS:
        log.error("a job is paused, because it ended its workers", job=note.job)
        task_queue.postpone(note.job, now + PAUSE)
