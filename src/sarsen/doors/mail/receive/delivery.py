"""Mail delivered to addresses of this server through a pipe."""

from __future__ import annotations

import re
from collections.abc import Iterable
from email import message_from_bytes
from email.message import Message

from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.mail.addresses import answering_addresses, is_ours, is_sender, mailbox
from sarsen.doors.mail.parse import headers
from sarsen.doors.mail.receive.attachments import (
    HEAD_TOO_LARGE,
    TOO_LARGE,
    IncomingMail,
    ReceivedMail,
)
from sarsen.services.mail import incoming as mail_incoming
from sarsen.services.mail.incoming import Delivery

_ADDRESSED_BY = ("Delivered-To", "X-Original-To", "To", "Cc")
# Octets, as `parts.MAX_HEADER_BYTES`: behind them no recipient is looked for.
_MAX_HEADER = 64 * 1024
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
        if incoming.is_head_too_large:  # what is not read yet changes nothing
            raise UserError(f"{HEAD_TOO_LARGE}.", code="mail-too-large")
    mail = incoming.finish()
    if mail is None:
        raise UserError(f"{TOO_LARGE}.", code="mail-too-large")
    header = mail.content[:_MAX_HEADER].replace(b"\r\n", b"\n").partition(b"\n\n")[0]
    message = message_from_bytes(header)
    fields = [value for name in _ADDRESSED_BY for value in headers.values(message, name)]
    candidates = recipients or tuple(_ADDRESS.findall(" ".join(fields)))
    ours = answering_addresses(address for address in candidates if is_ours(address))
    if not ours:
        raise UserError("None of the recipients is an address of this server.", code="not-ours")
    if sender is None:
        sender = _sender(message)
    if not is_sender(sender):
        sender = ""
    mail_incoming.store(deliveries_of(sender, ours, mail), timezone.now())
    return len(ours)


def deliveries_of(sender: str, recipients: Iterable[str], mail: ReceivedMail) -> list[Delivery]:
    """Return what is stored of a mail: one delivery for each recipient."""
    return [
        Delivery(sender, recipient, mail.content, mailbox(recipient), mail.body_digests)
        for recipient in recipients
    ]


def _sender(message: Message) -> str:
    """Return the address of Return-Path, empty for a bounce; without one, that of From."""
    paths = headers.values(message, "Return-Path")
    fields = paths[:1] or headers.values(message, "From")
    senders = [address for field in fields for address in headers.addresses(field)]
    return next(iter(senders), "")
