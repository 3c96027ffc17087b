"""What an operator does to one mail: send it again, give it up, read it."""

from __future__ import annotations

from datetime import datetime

from django.db import transaction

from sarsen.core.errors import UserError
from sarsen.services import task_queue
from sarsen.storage.models import (
    InboundMail,
    OutgoingMail,
)

GIVEN_UP = "given up by an operator"


@transaction.atomic
def retry(letter: int, now: datetime) -> None:
    """Send a letter that waits or failed at once, with all its attempts before it again.

    Raises:
        UserError: It was sent already.
    """
    row = _locked_letter(letter)
    row.state = OutgoingMail.State.WAITING
    row.due_at = now
    row.attempts = 0
    row.save(update_fields=["state", "due_at", "attempts"])
    task_queue.wake(task_queue.SEND_MAIL)


@transaction.atomic
def give_up(letter: int) -> None:
    """Send a letter no more.

    Raises:
        UserError: It was sent or given up already.
    """
    row = _locked_letter(letter)
    if row.state != OutgoingMail.State.WAITING:
        raise UserError(f"Mail {letter} was already given up.", code="not-waiting")
    row.state = OutgoingMail.State.FAILED
    row.error = f"{GIVEN_UP}: {row.error}".rstrip(": ")[:300]
    row.save(update_fields=["state", "error"])


def raw_text(mail: int) -> str:
    """Return a mail as it came, while it is kept: until it is answered.

    Raises:
        UserError: It is answered, and not kept any more.
    """
    row = InboundMail.objects.get(pk=mail)
    if not row.raw:
        raise UserError(
            f"Mail {mail} is {row.state}; its text was deleted then, because it may contain a "
            "password.",
            code="mail-gone",
        )
    return bytes(row.raw).decode("utf-8", "replace")


def _locked_letter(letter: int) -> OutgoingMail:
    # Locked: a sender may mark it as sent at this moment, and that must stand.
    row = OutgoingMail.objects.select_for_update().get(pk=letter)
    if row.state == OutgoingMail.State.SENT:
        raise UserError(f"Mail {letter} was already sent.", code="not-waiting")
    return row
