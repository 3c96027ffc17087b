"""Mail that waits for its answer, parted among the workers."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import NamedTuple

from django.db.models import Q, QuerySet
from django.utils import timezone

from sarsen.services.mail.reply_addresses import named_board
from sarsen.storage.models import InboundMail
from sarsen.storage.transactions import Taking

REUSED = "reused-id"  # the note of a mail whose Message-ID came before with another text
# What another worker has taken is left to it for so long, unless that is all there is.
HELD_LONG = timedelta(minutes=1)
MOST_LOOKS = 10  # at messages, past those that others have taken


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
def taken(most: int) -> Iterator[list[WaitingMail]]:
    """Take the oldest messages that wait and that no other worker has, until the block ends."""
    with Taking() as taking:
        yield waiting(most, taking)


def waiting(most: int, taking: Taking | None = None) -> list[WaitingMail]:
    """Return the oldest messages that wait, in the order they came.

    Args:
        taking: Takes whole boards and senders; what another worker has taken is passed over.
            A worker that finds nothing else gets the oldest one after a long wait:
            that worker may stand still.
    """
    now = timezone.now()
    due = InboundMail.objects.filter(
        Q(wait_until=None) | Q(wait_until__lte=now), state=InboundMail.State.NEW
    ).order_by("pk")
    if taking is not None:
        wanted = _taken(due, most, taking) or due.filter(received_at__lte=now - HELD_LONG)[:1]
        # Looked at again: the worker that had it before may have answered it before it was taken.
        due = due.filter(pk__in=[row.pk for row in wanted])
    facts = due.values_list(
        "pk",
        "envelope_sender",
        "recipient",
        "raw",
        "received_at",
        "note",
        "attempts",
        "ends",
        "body_digests",
    )
    return [
        WaitingMail(pk, sender, to, bytes(raw), came_at, note == REUSED, attempts, ends, digests)
        for pk, sender, to, raw, came_at, note, attempts, ends, digests in facts[:most]
    ]


def _taken(due: QuerySet[InboundMail], most: int, taking: Taking) -> list[_Waits]:
    """Take boards and senders until so many of their messages are found."""
    taken: list[_Waits] = []
    after = 0
    for _ in range(MOST_LOOKS):
        some = due.filter(pk__gt=after)[: most - len(taken)]
        rows = list(itertools.starmap(_Waits, some.values_list(*_Waits._fields)))
        ours = taking.take([row.hands for row in rows])
        taken += [row for row in rows if row.hands in ours]
        if not rows or len(taken) == most:
            break
        after = rows[-1].pk
    return taken


def is_unheard(until: datetime) -> bool:
    """Return whether a message that came until then still waits."""
    unread = InboundMail.objects.filter(state=InboundMail.State.NEW)
    return unread.filter(received_at__lte=until).exists()


class _Waits(NamedTuple):
    """The facts of a message that are read before it is claimed."""

    pk: int
    envelope_sender: str
    recipient: str

    @property
    def hands(self) -> str:
        """Name what one worker answers in its order: all of a board, or else of a sender."""
        board = named_board(self.recipient.rpartition("@")[0])
        if board is not None:
            return f"mail to board {board}"
        return f"mail from {self.envelope_sender.lower() or self.recipient.lower()}"
