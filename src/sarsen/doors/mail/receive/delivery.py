"""The addresses of this server, and mail delivered to them through a pipe."""

from __future__ import annotations

import re
from collections.abc import Iterable
from email import message_from_bytes
from email.message import Message

from django.conf import settings
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.mail.parse import headers
from sarsen.doors.mail.parse.headers import MAX_ADDRESS
from sarsen.doors.mail.receive.attachments import (
    HEAD_TOO_LARGE,
    TOO_LARGE,
    IncomingMail,
    ReceivedMail,
)
from sarsen.games import names
from sarsen.services.mail import incoming as mail_incoming
from sarsen.services.mail.incoming import Delivery
from sarsen.services.mail.reply_addresses import is_signed

MAIN = "sarsen"
_OTHERS = frozenset({"games", "play", "pbmserv", "server"})
# Printable, without the signs that part addresses in a header. `root` needs no domain.
_SENDER = re.compile(
    r"[^\s\x00-\x20\x7f-\U0010ffff<>()\[\],;:\\\"@]+(?:@[a-z0-9._-]+)?", re.I | re.A
)
_ADDRESSED_BY = ("Delivered-To", "X-Original-To", "To", "Cc")
_MAX_HEADER = 64 * 1024
# Only ours count, so that their form alone decides; the parser of the standard library
# recurses once for each bracket.
_ADDRESS = re.compile(r"[^\s<>()\[\],;:\"]{1,64}@[^\s<>()\[\],;:\"]{1,254}")
SILENT = frozenset({"postmaster", "abuse", "bounce", "mailer-daemon"})


def main_address() -> str:
    """Return the address that takes commands from anybody."""
    return f"{MAIN}@{settings.SARSEN_DOMAIN}"


def is_sender(address: str) -> bool:
    """Return whether an envelope sender can be stored and answered."""
    return len(address) <= MAX_ADDRESS and bool(_SENDER.fullmatch(address))


def is_ours(address: str) -> bool:
    """Return whether a recipient is one of this server's addresses, by its form alone."""
    local, at, domain = address.rpartition("@")
    if not at:  # RFC 5321, 4.5.1: `<postmaster>` needs no domain
        return address.lower() == "postmaster"
    if domain.lower() != settings.SARSEN_DOMAIN.lower():
        return False
    return _is_open(local) or untagged(local) in SILENT or is_signed(local)


def untagged(local_part: str) -> str:
    """Return an unsigned local part as it is known here: `sarsen` for `Sarsen+games`."""
    return local_part.lower().partition("+")[0]


def mailbox(address: str) -> str:
    """Return a word that is the same for addresses of ours that do the same."""
    local = address.rpartition("@")[0] or address
    return MAIN if _is_open(local) else untagged(local)


def answering_addresses(addresses: Iterable[str]) -> list[str]:
    """Return those of our addresses by which one mail to all of them is answered.

    A mail acts once. A signed address says more than an open one, and a game's more
    than the main one.
    """
    ours = list(dict.fromkeys(addresses))
    signed = [address for address in ours if is_signed(address.rpartition("@")[0])]
    opened = [address for address in ours if mailbox(address) == MAIN]
    opened.sort(key=lambda address: untagged(address.rpartition("@")[0]) not in names())
    silent = [address for address in ours if address not in (*signed, *opened)]
    return [*signed, *([] if signed else opened[:1]), *silent]


def _is_open(local_part: str) -> bool:
    name = untagged(local_part)
    return name == MAIN or name in _OTHERS or name in names()


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
