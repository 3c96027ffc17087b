"""Take one message from a mail server's pipe."""

from __future__ import annotations

import re
from collections.abc import Iterable
from email import message_from_bytes
from email.message import Message

from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.mail.parse import headers
from sarsen.doors.mail.receive.attachments import TOO_LARGE, IncomingMail
from sarsen.doors.mail.receive.recipients import chosen, is_ours, is_sender, mailbox
from sarsen.services.mail import incoming as mail_incoming
from sarsen.services.mail.incoming import Delivery

_ADDRESSED_BY = ("Delivered-To", "X-Original-To", "To", "Cc")
_MOST_HEADER = 64 * 1024
# Only ours count, so that their form alone decides; the parser of the standard library
# recurses once for each bracket.
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"]{1,64}@[^\s<>()\[\],;:\"]{1,254}")


def deliver(pieces: Iterable[bytes], sender: str | None, recipients: tuple[str, ...]) -> int:
    """Store a message, read piece by piece, for our recipients; return how many there were.

    Without recipients, those of its header are taken; without a sender, that of
    its Return-Path or From.

    Raises:
        UserError: Too large, or not for us.
    """
    incoming = IncomingMail()
    for piece in pieces:
        incoming.feed(piece)
    kept = incoming.finish()
    if kept is None:
        raise UserError(f"{TOO_LARGE}.", code="mail-too-large")
    raw = kept.content
    header = raw[:_MOST_HEADER].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    message = message_from_bytes(header)
    named = [value for name in _ADDRESSED_BY for value in headers.values(message, name)]
    found = recipients or tuple(_ADDRESS.findall(" ".join(named)))
    ours = chosen(address for address in found if is_ours(address))
    if not ours:
        raise UserError("None of the recipients is an address of this server.", code="not-ours")
    if sender is None:
        sender = _sender(message)
    if not is_sender(sender):
        sender = ""
    deliveries = [
        Delivery(sender, recipient, raw, mailbox(recipient), kept.body_digests)
        for recipient in ours
    ]
    mail_incoming.store(deliveries, timezone.now())
    return len(ours)


def _sender(message: Message) -> str:
    """Return the address of Return-Path, empty for a bounce; without one, that of From."""
    paths = headers.values(message, "Return-Path")
    fields = paths[:1] or headers.values(message, "From")
    found = [one.address for field in fields for one in headers.mailboxes(field)]
    return next(iter(found), "")
