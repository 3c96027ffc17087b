"""Take one message from a mail server's pipe."""

from __future__ import annotations

from email import message_from_bytes
from email.utils import getaddresses

from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.mail.bounds import MOST_BYTES
from sarsen.doors.mail.recipients import is_ours, is_sender
from sarsen.services import intake
from sarsen.services.intake import Delivery

_ADDRESSED_BY = ("Delivered-To", "X-Original-To", "To", "Cc")
_MOST_HEADER = 64 * 1024


def deliver(raw: bytes, sender: str | None, recipients: tuple[str, ...]) -> int:
    """Store a message for our recipients; give how many there were.

    Without recipients, those of its header are taken; without a sender, that of
    its Return-Path or From.

    Raises:
        UserError: Too large, or not for us.
    """
    if len(raw) > MOST_BYTES:
        raise UserError(f"A mail has at most {MOST_BYTES} bytes.", code="mail-too-large")
    header = raw[:_MOST_HEADER].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    message = message_from_bytes(header)
    named = [str(value) for name in _ADDRESSED_BY for value in message.get_all(name, [])]
    found = recipients or tuple(address for _, address in getaddresses(named))
    ours = tuple(dict.fromkeys(address for address in found if is_ours(address)))
    if not ours:
        raise UserError("None of the recipients is an address of this server.", code="not-ours")
    if sender is None:
        senders = [str(message.get(name, "")) for name in ("Return-Path", "From")]
        sender = next((address for _, address in getaddresses(senders) if address), "")
    if not is_sender(sender):
        sender = ""
    intake.store([Delivery(sender, recipient, raw) for recipient in ours], timezone.now())
    return len(ours)
