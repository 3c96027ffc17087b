"""The mail door's background work: sweeps over what waits."""

from __future__ import annotations

from django.utils import timezone
from django_tasks import task

from sarsen.doors.mail.reply import batches
from sarsen.doors.mail.send import sending
from sarsen.services import task_queue
from sarsen.services.board_cache import BoardCache
from sarsen.services.mail import waiting

BATCH = 50
LETTERS = 3 * BATCH  # a move sends two, and both are worded from one view of their board
MOST_BATCHES = 20  # a run: other jobs get their turn


@task()
def answer_mail() -> int:
    """Answer every stored message that waits, oldest first, and send what that caused."""
    answered = 0
    for _ in range(MOST_BATCHES):
        boards = BoardCache()
        with waiting.taken(BATCH) as mails:
            settled = batches.answer_mails(mails, timezone.now(), boards)
        answered += settled
        # At once: another turn of the queue would cost as much as a letter.
        sent = sending.send_due(timezone.now(), LETTERS, boards)
        if settled < len(mails):
            # What failed is tried again with the next sweep, not at once.
            return answered
        if not mails and not sent:
            return answered
    task_queue.wake(task_queue.ANSWER_MAIL)
    task_queue.wake(task_queue.SEND_MAIL)
    return answered


@task()
def send_mail() -> int:
    """Send every letter that is due, oldest first."""
    sent = 0
    for _ in range(MOST_BATCHES):
        count = sending.send_due(timezone.now(), LETTERS)
        if not count:
            return sent
        sent += count
    task_queue.wake(task_queue.SEND_MAIL)
    return sent
