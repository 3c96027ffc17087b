"""What becomes of the work at which the process before this one ended."""

from __future__ import annotations

from datetime import datetime, timedelta
from pathlib import Path

import structlog
from django.utils import timezone

from sarsen.services import background, intake, outbox, underway
from sarsen.services.underway import Note

# A kill may hit any job once, and by bad luck twice.
MOST_ENDS = 3
POST = (background.ANSWER_MAIL, background.SEND_MAIL)
REST = timedelta(minutes=5)
# What took a worker longer than this before it ended lets others go first when it is tried again.
LONG = 60.0  # seconds
log = structlog.get_logger()


def take_over(folder: Path) -> None:
    """Keep notes in a folder, and count what the last process there did not survive.

    Raises:
        OperationalError: The database is away; nothing is forgotten.
    """
    left = underway.begin(folder)
    if left is not None:
        count(left, timezone.now())
        underway.done()


def count(left: Note, now: datetime) -> None:
    """Count an attempt that ended its process, before anything is tried again."""
    log.error("a worker ended at this", kind=left.kind, numbers=left.numbers, job=left.job)
    if left.kind == "mail":
        intake.count_ends(left.numbers, now, is_long=left.lasted > LONG)
    elif left.kind == "letter":
        outbox.count_end(left.numbers, now)
    elif left.job in POST:
        pass  # it never rests: a mail or a letter of it that ends workers is counted by itself
    elif left.job and underway.count_end(left.job) >= MOST_ENDS:
        log.error("a job rests, because it ends whoever runs it", job=left.job)
        background.rest(left.job, now + REST)
