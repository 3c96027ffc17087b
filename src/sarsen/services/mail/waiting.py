"""Mail that waits for its answer, claimed by one worker at a time."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.db import transaction
from django.db.models import F
from django.utils import timezone

from sarsen.services.mail.reply_addresses import named_board
from sarsen.storage import move_path
from sarsen.storage.models import InboundMail
from sarsen.storage.move_path import DueMail
from sarsen.storage.transactions import AdvisoryLocks

REUSED = "reused-id"  # the note of a mail whose Message-ID came before with another text
# What another worker has claimed is left to it for so long, unless that is all there is: a batch
# takes seconds, so a worker that has not answered by then stands still.
HELD_LONG = timedelta(minutes=1)
MAX_LOOKS = 10  # at messages, past those that others have claimed: each is a query
# After the second worker that ended at a mail all others are tried first.
AFTER_AN_END = timedelta(minutes=1)


@dataclass(frozen=True)
class WaitingMail:
    """A stored message that waits for its answer.

    Attributes:
        is_reused: Its Message-ID came before with another text.
        body_digests: Of the whole body, where attachments were left out of `raw`.
    """

    id: int
    envelope_sender: str
    recipient: str
    raw: bytes
    received_at: datetime
    is_reused: bool
    attempts: int
    ends: int
    body_digests: str = ""


@contextmanager
def claimed(most: int) -> Iterator[list[WaitingMail]]:
    """Claim the oldest waiting messages that no other worker has, until the block ends."""
    # Not row locks: these hold over several transactions, and end with the process.
    with AdvisoryLocks() as locks:
        yield waiting(most, locks)


def is_any_due(now: datetime) -> bool:
    """Return whether a message waits to be answered now."""
    return bool(move_path.due_mails(now, 0, 1))


def waiting(most: int, locks: AdvisoryLocks | None = None) -> list[WaitingMail]:
    """Return the oldest messages that wait, in the order they came.

    Args:
        locks: Of whole boards and senders; what another worker has locked is passed over.
            A worker that finds nothing else gets the oldest one after a long wait:
            that worker may stand still.
    """
    now = timezone.now()
    due = _claim(now, most, locks) if locks else move_path.due_mails(now, 0, most)
    # Looked at again: the worker that had it before may have answered it before it was claimed.
    whole = move_path.whole_mails(now, [mail.pk for mail in due])
    return [
        WaitingMail(pk, sender, to, bytes(raw), came_at, note == REUSED, attempts, ends, digests)
        for pk, sender, to, raw, came_at, note, attempts, ends, digests in whole
    ]


def _claim(now: datetime, most: int, locks: AdvisoryLocks) -> list[DueMail]:
    """Lock boards and senders until so many of their messages are found."""
    seen: list[DueMail] = []
    claimed: list[DueMail] = []
    for _ in range(MAX_LOOKS):
        missing = most - len(claimed)
        batch = move_path.due_mails(now, seen[-1].pk if seen else 0, missing)
        acquired = locks.acquire([_queue_of(mail) for mail in batch])
        seen += batch
        claimed += [mail for mail in batch if _queue_of(mail) in acquired]
        if len(batch) < missing or len(claimed) == most:
            break
    return claimed or [mail for mail in seen if mail.received_at <= now - HELD_LONG][:1]


def is_unanswered(until: datetime) -> bool:
    """Return whether a message that came until then still waits."""
    unread = InboundMail.objects.filter(state=InboundMail.State.NEW)
    return unread.filter(received_at__lte=until).exists()


def count_attempt(mail: WaitingMail) -> None:
    """Count a failed attempt to answer."""
    InboundMail.objects.filter(pk=mail.id).update(attempts=F("attempts") + 1)


def count_ends(mails: Collection[int], now: datetime, *, is_long: bool = False) -> None:
    """Count that a process ended while it tried these mails, or one of them.

    Of several nobody knows which it was: each is tried alone from now on.

    Args:
        is_long: It took long before it ended. From the second time on such a mail waits, so that
            it holds up nobody for long. All others keep their order: what came behind a move
            may build on it.
    """
    waiting = InboundMail.objects.filter(pk__in=mails, state=InboundMail.State.NEW)
    with transaction.atomic():
        if is_long:
            waiting.filter(ends__gt=0).update(wait_until=now + AFTER_AN_END)
        waiting.update(ends=F("ends") + 1)


def _queue_of(mail: DueMail) -> str:
    """Return the name of the mails that one worker answers in order: of a board, or of a sender."""
    board = named_board(mail.recipient.rpartition("@")[0])
    if board is not None:
        return f"mail to board {board}"
    return f"mail from {mail.envelope_sender.lower() or mail.recipient.lower()}"
