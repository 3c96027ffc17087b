"""Store mail before it is acknowledged, and know a repeat when it comes."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from hashlib import sha256

import structlog
from django.db import OperationalError, connection, transaction
from django.db.models import F

from sarsen.services import crash_log, task_queue
from sarsen.services.board_cache import BoardCache
from sarsen.services.mail.waiting import REUSED, WaitingMail
from sarsen.storage import move_path, statements, transactions
from sarsen.storage.models import InboundMail, Match
from sarsen.storage.move_path import StoredMail

# Without a Message-ID the same text counts as the same mail for this long.
SAME_TEXT_LASTS = timedelta(days=1)
# After the second worker that ended at a mail all others are tried first.
AFTER_AN_END = timedelta(minutes=1)
# Of a text that comes again each day; a row is kept for 60 days.
MAX_SAME_TEXTS = 100
BOARDS_AT_ONCE = 16  # asked for together, as their mails are answered
# What the sender wrote of a header. Everything else is added, changed and reordered on the
# way, differently each time a mail is sent again.
WRITTEN_FIELDS = frozenset(
    b"from reply-to to cc subject date message-id content-type content-transfer-encoding".split()
)
log = structlog.get_logger()
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


@dataclass(frozen=True)
class Settlement:
    """The action for one message.

    Attributes:
        answer: Performs and queues; gives the code of what was refused, "" when nothing was.
        state: What the message is when that is done.
        note: Why it is ignored or set aside; else what `answer` gives.
        board: What it is about, where that is known.
    """

    mail: WaitingMail
    answer: Callable[[], str]
    state: str = InboundMail.State.ANSWERED.value
    note: str = ""
    board: int | None = None


def ignored(mail: WaitingMail, reason: str) -> Settlement:
    """Leave a message unanswered, and say why."""
    return Settlement(mail, lambda: "", InboundMail.State.IGNORED.value, reason)


def postponed(mail: WaitingMail, until: datetime) -> Settlement:
    """Postpone a message, unread, so that the others need not wait for it."""

    def wait() -> str:
        InboundMail.objects.filter(pk=mail.id).update(wait_until=until)
        return ""

    return Settlement(mail, wait, InboundMail.State.NEW.value)


def given_up(mail: WaitingMail, note: str, answer: Callable[[], None]) -> Settlement:
    """Set a message aside that we cannot answer because of a defect of ours."""

    def apologise() -> str:
        answer()
        return note

    return Settlement(mail, apologise, InboundMail.State.FAILED.value, note)


@dataclass(frozen=True)
class BatchResult:
    """The result of answering several messages.

    Attributes:
        count: How many, from the first on, are done with; the others wait.
        failed: Those among them whose answer raised something; nothing of them was done.
        defect: What the last of them raised.
        done: Numbers of the others by their new state and note.
    """

    count: int
    failed: tuple[Settlement, ...] = ()
    defect: Exception | None = None
    done: Mapping[tuple[str, str], Sequence[int]] = field(default_factory=dict)


def settle_all(
    settlements: Sequence[Settlement],
    boards: BoardCache,
    goes_on: Callable[[], bool] = lambda: True,
) -> BatchResult:
    """Answer messages in one transaction, each as if it were alone; all in their order.

    The changes of an answer, the letters it queues and the mark that it is answered are on
    the disk together, or none of them. The raw text goes with the same transaction: it may
    hold a password. A message that another worker has settled meanwhile is left alone.

    Args:
        boards: Of this batch; what the answers need of theirs is loaded into it.
        goes_on: Asked after each message; from the first no on, the others wait.

    Raises:
        OperationalError: Nothing was done at all.
    """
    settled = transactions.in_transaction(lambda: _settle_now(settlements, boards, goes_on))
    for (state, note), mails in settled.done.items():
        for mail in mails:
            log.info("mail settled", mail=mail, state=state, note=note)
    return settled


def _settle_now(
    settlements: Sequence[Settlement], boards: BoardCache, goes_on: Callable[[], bool]
) -> BatchResult:
    # Before all rows: a player who is forgotten meanwhile waits for these, or these for them.
    transactions.await_turn(transactions.EVERYBODY, is_shared=True)
    settling = _Settling(_lock(settlements), goes_on)
    try:
        for first in range(0, len(settlements), BOARDS_AT_ONCE):
            batch = settlements[first : first + BOARDS_AT_ONCE]
            boards.load_locked(_locked_boards(batch))
            if not settling.answer_all(batch):
                break
    finally:
        boards.load_locked(())
    # Once for all of them: each would ask whether it was done already.
    task_queue.wake(task_queue.SEND_MAIL)
    crash_log.note_done()  # a commit takes longest, and is the fault of no mail
    for (state, note), ids in settling.done.items():
        move_path.settle_mails(ids, state, note[:200])
    return BatchResult(settling.count, tuple(settling.failed), settling.defect, settling.done)


@dataclass
class _Settling:
    """The results so far; `waiting` are the messages that are not settled yet."""

    waiting: set[int]
    goes_on: Callable[[], bool]
    count: int = 0
    failed: list[Settlement] = field(default_factory=list)
    defect: Exception | None = None
    done: dict[tuple[str, str], list[int]] = field(default_factory=dict)

    def answer_all(self, settlements: Sequence[Settlement]) -> bool:
        """Answer messages; False when the others shall wait."""
        for settlement in settlements:
            self.count += 1
            if settlement.mail.id not in self.waiting:
                continue
            crash_log.note("mail", settlement.mail.id)
            try:
                with transaction.atomic():
                    note = settlement.answer()
            except OperationalError:
                raise  # the store is away or busy: no fault of this message
            except Exception as defect:
                self.failed.append(settlement)
                self.defect = defect
            else:
                if settlement.state != InboundMail.State.NEW:  # which still needs its text
                    self.done.setdefault((settlement.state, settlement.note or note), []).append(
                        settlement.mail.id
                    )
            if not self.goes_on():
                return False
        return True


def _lock(settlements: Sequence[Settlement]) -> set[int]:
    """Lock the messages that still wait, then the boards they are about."""
    waiting = move_path.lock_new_mails([settlement.mail.id for settlement in settlements])
    boards = _boards(settlements)
    if len(boards) > 1 and connection.features.has_select_for_update:
        # All at once and in one order, before anything is changed: a player who moves at one of
        # them through another door holds no board that we wait for.
        locked = Match.objects.select_for_update(no_key=True).filter(pk__in=boards).order_by("pk")
        list(locked.values_list("pk"))
    return waiting


def _locked_boards(settlements: Sequence[Settlement]) -> list[int]:
    """Return the boards of messages that nobody else can change now; see `_lock`."""
    boards = _boards(settlements)
    return boards if len(boards) > 1 or not connection.features.has_select_for_update else []


def _boards(settlements: Sequence[Settlement]) -> list[int]:
    return sorted({settlement.board for settlement in settlements if settlement.board is not None})


def settle(settlement: Settlement, boards: BoardCache) -> None:
    """Answer one message alone.

    Raises:
        Exception: Whatever its answer raised; then nothing is done.
    """
    defect = settle_all([settlement], boards).defect
    if defect is not None:
        raise defect


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
