"""Store mail before it is acknowledged, and know a repeat when it comes."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from enum import Enum
from hashlib import sha256

from django.db import transaction
from django.db.models import F

from sarsen.services import background
from sarsen.storage.models import Address, InboundMail, StrangerHelped

# Without a Message-ID the same text counts as the same mail for this long.
SAME_TEXT_LASTS = timedelta(days=1)
# Of a text that comes again each day; a row is kept for 60 days.
MOST_SAME_TEXTS = 100
REUSED = "reused-id"
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
    """

    envelope_sender: str
    recipient: str
    raw: bytes
    mailbox: str = ""


@dataclass(frozen=True)
class _Arrival:
    row: InboundMail
    is_named: bool  # by a Message-ID


def store(deliveries: Sequence[Delivery], now: datetime) -> None:
    """Store messages durably, all or none, and wake whoever answers them.

    A message that is stored already is not stored again. When this returns, the
    database has it on disk and a door may say 250.
    """
    arrivals = [_arrival(delivery, now) for delivery in deliveries]
    with transaction.atomic():
        waits = False
        for _ in range(MOST_SAME_TEXTS):
            if not arrivals:
                break
            # The unique identity decides, between processes too; then each looks which came first.
            first: dict[str, InboundMail] = {}
            for arrival in arrivals:
                first.setdefault(arrival.row.identity, arrival.row)
            InboundMail.objects.bulk_create(first.values(), ignore_conflicts=True)
            found = InboundMail.objects.filter(identity__in=first).defer("raw")
            stored = {mail.identity: mail for mail in found}
            waits |= any(mail.state == InboundMail.State.NEW for mail in stored.values())
            arrivals = [one for one in arrivals if _needs_a_row(one, stored, now)]
        if waits:
            background.wake(background.ANSWER_MAIL)


def _arrival(delivery: Delivery, now: datetime) -> _Arrival:
    fields, body = _written(delivery.raw)
    digest = sha256(b"\n".join([*sorted(fields), b"", body])).hexdigest()
    ids = (_MESSAGE_ID.match(one) for one in fields)
    named = next((found[1] for found in ids if found), b"")
    mailbox = (delivery.mailbox or delivery.recipient).lower().encode("utf-8", "replace")
    identity = sha256((named or b"text:" + digest.encode()) + b"\0" + mailbox).hexdigest()
    row = InboundMail(
        identity=identity,
        digest=digest,
        envelope_sender=delivery.envelope_sender[:320],
        recipient=delivery.recipient[:320],
        raw=delivery.raw,
        received_at=now,
    )
    return _Arrival(row, bool(named))


def _written(raw: bytes) -> tuple[list[bytes], bytes]:
    """Give the header fields that the sender wrote, and the body, free of changes on the way."""
    header, _, body = raw.replace(b"\r\n", b"\n").replace(b"\r", b"\n").partition(b"\n\n")
    fields = [
        found[1].lower() + b":" + b" ".join(found[2].split())
        for found in _FIELD.finditer(header)
        if found[1].lower() in WRITTEN_FIELDS
    ]
    return fields, body.rstrip()


def _needs_a_row(arrival: _Arrival, stored: dict[str, InboundMail], now: datetime) -> bool:
    """Tell whether a row of the same identity is another mail; then give this one its own."""
    row, known = arrival.row, stored.get(arrival.row.identity)
    if known is None:
        return True  # tidied away this moment
    if known.digest != row.digest:
        # The same Message-ID with another text: a broken client or an attack.
        row.identity = sha256(f"{row.identity}:{row.digest}".encode()).hexdigest()
        row.note = REUSED
        return True
    if arrival.is_named or known.received_at + SAME_TEXT_LASTS > now:
        return False
    row.identity = sha256(f"{row.identity}:again".encode()).hexdigest()
    return True


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


def settle(mail: WaitingMail, answer: Callable[[], str], *, ignored: str = "") -> bool:
    """Answer a message and mark it answered, both or neither.

    The raw text goes with the same transaction: it may hold a password.

    Args:
        answer: Gives the code of what was refused, "" when nothing was.

    Returns:
        False when another worker has settled it meanwhile; then nothing is done.
    """
    with transaction.atomic():
        row = InboundMail.objects.select_for_update().only("state").get(pk=mail.id)
        if row.state != InboundMail.State.NEW:
            return False
        note = ignored or answer()
        state = InboundMail.State.IGNORED if ignored else InboundMail.State.ANSWERED
        InboundMail.objects.filter(pk=mail.id).update(state=state, raw=b"", note=note[:200])
        return True


def count_attempt(mail: WaitingMail) -> None:
    """Count a failed attempt to answer."""
    InboundMail.objects.filter(pk=mail.id).update(attempts=F("attempts") + 1)


def give_up(mail: WaitingMail, note: str, answer: Callable[[], None]) -> None:
    """Set a message aside that we cannot answer because of a defect of ours."""
    with transaction.atomic():
        row = InboundMail.objects.select_for_update().only("state").get(pk=mail.id)
        if row.state != InboundMail.State.NEW:
            return
        answer()
        InboundMail.objects.filter(pk=mail.id).update(
            state=InboundMail.State.FAILED, raw=b"", note=note[:200]
        )


class Unproved(Enum):
    """Why we write to an address that proved nothing, and how often a day at most.

    Anybody can put an address into From: its owner must not be flooded by us.
    """

    HELP = 1  # the mail held no command
    REFUSAL = 20
    ANSWER = 50


def may_answer(address: str, why: Unproved, now: datetime) -> bool:
    """Tell whether one more letter may go to an unproved address today, and count it."""
    local, _, domain = address.lower().rpartition("@")
    mailbox = f"{local.partition('+')[0]}@{domain}"  # ann+1 and ann+2 are one person
    digest = sha256(mailbox.encode("utf-8", "replace")).hexdigest()[:40]
    keys = [f"{digest}:{why.name.lower()}:{number}" for number in range(why.value)]
    sent = dict(StrangerHelped.objects.filter(address__in=keys).values_list("address", "at"))
    for key in keys:
        if key not in sent or sent[key] + timedelta(days=1) <= now:
            StrangerHelped.objects.update_or_create(address=key, defaults={"at": now})
            return True
    return False


def is_known_address(address: str) -> bool:
    """Tell whether a player has confirmed this address."""
    return Address.objects.filter(address__iexact=address).exists()
