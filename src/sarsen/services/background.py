"""Wake background work: at most one waiting job of a kind, in the current transaction.

Jobs are sweeps that do whatever is due, so a lost or doubled job does no harm;
`workers` wakes each of them from time to time as well.
"""

from __future__ import annotations

from django.utils.module_loading import import_string
from django_tasks_db.models import DBTaskResult

# By name: services stand below the doors that these jobs belong to.
ANSWER_MAIL = "sarsen.doors.mail.jobs.answer_mail"
SEND_MAIL = "sarsen.doors.mail.jobs.send_mail"
TIDY = "sarsen.workers.jobs.tidy"
LOOK_AFTER_CLOCKS = "sarsen.workers.jobs.look_after_clocks"
CLOSE_RATING_PERIODS = "sarsen.workers.jobs.close_rating_periods"
SEND_DIGESTS = "sarsen.workers.notices.send_digests"
CALL_WEBHOOKS = "sarsen.workers.notices.call_webhooks"
SEND_PUSHES = "sarsen.workers.notices.send_pushes"
ANNOUNCE = "sarsen.workers.notices.announce"
SEND_WEEKLY = "sarsen.workers.notices.send_weekly"
NOTICES = (SEND_DIGESTS, CALL_WEBHOOKS, SEND_PUSHES, ANNOUNCE, SEND_WEEKLY)
SWEEPS = (ANSWER_MAIL, SEND_MAIL, TIDY, LOOK_AFTER_CLOCKS, CLOSE_RATING_PERIODS, *NOTICES)


def wake(job: str) -> None:
    """Queue a job unless one of its kind is waiting already."""
    if not DBTaskResult.objects.ready().filter(task_path=job).exists():
        import_string(job).enqueue()
