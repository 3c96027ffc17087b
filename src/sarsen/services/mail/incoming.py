"""Store mail before it is acknowledged, and know a repeat when it comes."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from hashlib import sha256

from django.db import transaction

from sarsen.services import task_queue
from sarsen.services.mail.waiting import REUSED
from sarsen.storage import move_path, statements
from sarsen.storage.models import InboundMail
from sarsen.storage.move_path import StoredMail

# Without a Message-ID the same text counts as the same mail for this long: a server that could
# not tell whether we took a mail sends it again within hours, a player repeats a word next day.
SAME_TEXT_LASTS = timedelta(days=1)
# Of a text that comes again each day; a row is kept for 60 days.
MAX_SAME_TEXTS = 100
# What the sender wrote of a header. Everything else is added, changed and reordered on the
# way, differently each time a mail is sent again.
WRITTEN_FIELDS = frozenset(
    b"from reply-to to cc subject date message-id content-type content-transfer-encoding".split()
)
_MESSAGE_ID = re.compile(rb"message-id:(<[^\s<>]{1,250}>)")
_FIELD = re.compile(rb"^([!-9;-~]{1,80})[ \t]*:((?:[^\n]|\n[ \t])*)", re.MULTILINE)


@dataclass(frozen=True)
class Delivery:
    """One message for one of our addresses, as a door received it.

    Attributes:
        mailbox: What the addresses that do the same have in common; the recipient when empty.
        body_digests: Of the whole body, where attachments were left out of `raw`.
    """

    envelope_sender: str
    recipient: str
    raw: bytes
    mailbox: str = ""
    body_digests: str = ""


@dataclass
class _Arrival:
    row: InboundMail
    is_named: bool  # by a Message-ID
    number: int = 0  # of the stored message


def store(deliveries: Sequence[Delivery], now: datetime) -> list[int]:
    """Store messages durably, all or none, and wake the job that answers them.

    A message that is stored already is not stored again. When this returns, the
    database has it on disk and a door may say 250.

    Returns:
        The number of each message, that of the stored one for a repeat.
    """
    taken = arrivals = [_arrival(delivery, now) for delivery in deliveries]
    with transaction.atomic():
        waits = False
        for _ in range(MAX_SAME_TEXTS):
            if not arrivals:
                break
            # The unique identity decides, between processes too; then each looks which came first.
            first: dict[str, InboundMail] = {}
            for arrival in arrivals:
                first.setdefault(arrival.row.identity, arrival.row)
            statements.insert(list(first.values()), unless_known=True)
            stored = move_path.stored_mails(first)
            waits |= any(mail.state == InboundMail.State.NEW for mail in stored.values())
            arrivals = [arrival for arrival in arrivals if _needs_a_row(arrival, stored, now)]
        if waits:
            task_queue.wake(task_queue.ANSWER_MAIL)
    return [arrival.number for arrival in taken]


def is_stored(delivery: Delivery) -> bool:
    """Return whether a message has been stored, answered or not."""
    identity = _arrival(delivery, datetime.now(UTC)).row.identity
    return InboundMail.objects.filter(identity=identity).exists()


def _arrival(delivery: Delivery, now: datetime) -> _Arrival:
    fields, body = _written(delivery.raw)
    digest = sha256(b"\n".join([*sorted(fields), b"", body])).hexdigest()
    ids = (_MESSAGE_ID.match(line) for line in fields)
    message_id = next((id_match[1] for id_match in ids if id_match), b"")
    mailbox = (delivery.mailbox or delivery.recipient).lower().encode("utf-8", "replace")
    identity = sha256((message_id or b"text:" + digest.encode()) + b"\0" + mailbox).hexdigest()
    row = InboundMail(
        identity=identity,
        digest=digest,
        envelope_sender=delivery.envelope_sender[:320],
        recipient=delivery.recipient[:320],
        raw=delivery.raw,
        body_digests=delivery.body_digests,
        received_at=now,
    )
    return _Arrival(row, bool(message_id))


def _written(raw: bytes) -> tuple[list[bytes], bytes]:
    """Return the header fields that the sender wrote, and the body, free of changes on the way."""
    header, _, body = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").partition(b"\n\n")
    fields = [
        field_match[1].lower() + b":" + b" ".join(field_match[2].split())
        for field_match in _FIELD.finditer(header)
        if field_match[1].lower() in WRITTEN_FIELDS
    ]
    return fields, body.rstrip()


def _needs_a_row(arrival: _Arrival, stored: dict[str, StoredMail], now: datetime) -> bool:
    """Return whether a row of the same identity is another mail; then give this one its own."""
    row, stored_mail = arrival.row, stored.get(arrival.row.identity)
    if stored_mail is None:
        return True  # tidied away this moment
    arrival.number = stored_mail.pk
    if stored_mail.digest != row.digest:
        # The same Message-ID with another text: a broken client or an attack.
        row.identity = sha256(f"{row.identity}:{row.digest}".encode()).hexdigest()
        row.note = REUSED
        return True
    if arrival.is_named or stored_mail.received_at + SAME_TEXT_LASTS > now:
        return False
    row.identity = sha256(f"{row.identity}:again".encode()).hexdigest()
    return True
