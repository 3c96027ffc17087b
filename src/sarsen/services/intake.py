"""Store mail before it is acknowledged, and know a repeat when it comes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import F

from sarsen.services import background
from sarsen.storage.models import Address, InboundMail, StrangerHelped

# Without a Message-ID the same text counts as the same mail for this long.
SAME_TEXT_LASTS = timedelta(days=1)
REUSED = "reused-id"
_MESSAGE_ID = re.compile(rb"^message-id:[ \t\r\n]*(<[^\s<>]{1,250}>)", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True)
class Delivery:
    """One message for one of our addresses, as a door received it."""

    envelope_sender: str
    recipient: str
    raw: bytes


def store(deliveries: Sequence[Delivery], now: datetime) -> None:
    """Store messages durably, all or none, and wake whoever answers them.

    A message that is stored already is not stored again. When this returns, the
    database has it on disk and a door may say 250.
    """
    with transaction.atomic():
        rows = [row for delivery in deliveries if (row := _row(delivery, now))]
        fresh = _apart(rows)
        InboundMail.objects.bulk_create(fresh, ignore_conflicts=True)
        if fresh:
            background.wake(background.ANSWER_MAIL)


def _apart(rows: list[InboundMail]) -> list[InboundMail]:
    """Keep one of equal messages of a group, and every one that only shares its id."""
    kept: dict[str, InboundMail] = {}
    for row in rows:
        known = kept.get(row.identity)
        if known is not None and known.digest != row.digest:
            row.identity = sha256(f"{row.identity}:{row.digest}".encode()).hexdigest()
            row.note = REUSED
        kept.setdefault(row.identity, row)
    return list(kept.values())


def _row(delivery: Delivery, now: datetime) -> InboundMail | None:
    digest = sha256(delivery.raw).hexdigest()
    header = delivery.raw.partition(b"\r\n\r\n")[0].partition(b"\n\n")[0]
    found = _MESSAGE_ID.search(header)
    named = found[1] if found else b"text:" + digest.encode()
    recipient = delivery.recipient.lower().encode("utf-8", "replace")
    identity = sha256(named + b"\0" + recipient).hexdigest()
    known = (
        InboundMail.objects.filter(identity=identity).only("pk", "digest", "received_at").first()
    )
    note = ""
    if known is not None:
        if found and known.digest == digest:
            return None
        if found:
            # The same Message-ID with another text: a broken client or an attack.
            identity, note = sha256(f"{identity}:{digest}".encode()).hexdigest(), REUSED
        elif known.received_at + SAME_TEXT_LASTS > now:
            return None
        else:
            identity = sha256(f"{identity}:{now.isoformat()}".encode()).hexdigest()
    return InboundMail(
        identity=identity,
        digest=digest,
        envelope_sender=delivery.envelope_sender[:320],
        recipient=delivery.recipient[:320],
        raw=delivery.raw,
        received_at=now,
        note=note,
    )


@dataclass(frozen=True)
class WaitingMail:
    """A stored message that waits for its answer.

    Attributes:
        is_reused: Its Message-ID came before with another text.
    """

    id: int
    envelope_sender: str
    recipient: str
    raw: bytes
    received_at: datetime
    is_reused: bool
    attempts: int


def waiting(most: int) -> list[WaitingMail]:
    """Give the oldest messages that wait, in the order they came."""
    found = InboundMail.objects.filter(state=InboundMail.State.NEW).order_by("pk")[:most]
    return [
        WaitingMail(
            id=mail.pk,
            envelope_sender=mail.envelope_sender,
            recipient=mail.recipient,
            raw=bytes(mail.raw),
            received_at=mail.received_at,
            is_reused=mail.note == REUSED,
            attempts=mail.attempts,
        )
        for mail in found
    ]


def settle(mail: WaitingMail, answer: Callable[[], None], *, ignored: str = "") -> bool:
    """Answer a message and mark it answered, both or neither.

    The raw text goes with the same transaction: it may hold a password.

    Returns:
        False when another worker has settled it meanwhile; then nothing is done.
    """
    with transaction.atomic():
        row = InboundMail.objects.select_for_update().only("state").get(pk=mail.id)
        if row.state != InboundMail.State.NEW:
            return False
        answer()
        state = InboundMail.State.IGNORED if ignored else InboundMail.State.ANSWERED
        InboundMail.objects.filter(pk=mail.id).update(state=state, raw=b"", note=ignored[:200])
        return True


def count_attempt(mail: WaitingMail) -> None:
    """Count a failed attempt to answer."""
    InboundMail.objects.filter(pk=mail.id).update(attempts=F("attempts") + 1)


def give_up(mail: WaitingMail, note: str, answer: Callable[[], None]) -> None:
    """Set a message aside that we cannot answer because of a defect of ours."""
    with transaction.atomic():
        answer()
        InboundMail.objects.filter(pk=mail.id).update(
            state=InboundMail.State.FAILED, raw=b"", note=note[:200]
        )


def may_help_stranger(address: str, now: datetime) -> bool:
    """Tell whether an unknown address may be sent help: once a day, no more."""
    digest = sha256(address.lower().encode("utf-8", "replace")).hexdigest()
    known, is_new = StrangerHelped.objects.get_or_create(address=digest, defaults={"at": now})
    if not is_new and known.at + timedelta(days=1) > now:
        return False
    StrangerHelped.objects.filter(pk=known.pk).update(at=now)
    return True


def is_known_address(address: str) -> bool:
    """Tell whether a player has confirmed this address."""
    return Address.objects.filter(address__iexact=address).exists()
