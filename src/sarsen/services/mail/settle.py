"""Settle stored mails: each is answered, ignored, postponed or given up, and marked so, once."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime

import structlog
from django.db import OperationalError, connection, transaction

from sarsen.services import crash_log, task_queue
from sarsen.services.board_cache import BoardCache
from sarsen.services.mail.waiting import WaitingMail
from sarsen.storage import move_path, transactions
from sarsen.storage.models import InboundMail, Match

# Boards are loaded together for so many mails, just before these are answered: a query for each
# would cost more than the moves, and more at once would often be loaded for nothing.
BOARDS_AT_ONCE = 16
log = structlog.get_logger()


@dataclass(frozen=True)
class Answered:
    """The commands of a mail are performed, and its answer is queued.

    Attributes:
        answer: Does so; returns the codes of what was refused, "" when nothing was.
        board: What the mail is about, where that is known.
        may_close_account: It may forget its sender, whom no other transaction may name meanwhile.
    """

    answer: Callable[[], str]
    board: int | None = None
    may_close_account: bool = False


@dataclass(frozen=True)
class Ignored:
    """A mail gets no answer: it is a machine's, a forged one, or one that waited too long."""

    reason: str


@dataclass(frozen=True)
class Postponed:
    """A mail is left unread until then, so that the others need not wait for it."""

    until: datetime


@dataclass(frozen=True)
class GivenUp:
    """A mail cannot be answered because of a defect of ours.

    Attributes:
        apologise: Queues an apology, where one is due.
    """

    reason: str
    apologise: Callable[[], None]


Outcome = Answered | Ignored | Postponed | GivenUp


@dataclass(frozen=True)
class Settlement:
    """The outcome for one message."""

    mail: WaitingMail
    outcome: Outcome


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
    """Settle messages in one transaction, each as if it were alone; all in their order.

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


def settle_alone(settlement: Settlement, boards: BoardCache) -> None:
    """Settle one message.

    Raises:
        Exception: Whatever its answer raised; then nothing is done.
    """
    defect = settle_all([settlement], boards).defect
    if defect is not None:
        raise defect


def _settle_now(
    settlements: Sequence[Settlement], boards: BoardCache, goes_on: Callable[[], bool]
) -> BatchResult:
    # Before all rows: a player who is forgotten meanwhile waits for these, or these for them. Never
    # shared first and alone later: two who hold it shared would wait for each other.
    closes = any(
        isinstance(settlement.outcome, Answered) and settlement.outcome.may_close_account
        for settlement in settlements
    )
    # Before all other locks, for whoever is forgotten: see `services.speakers`. Alone where a
    # command of the batch may itself close an account.
    transactions.await_turn(transactions.EVERYBODY, is_shared=not closes)
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
                # A savepoint: a defect at one mail undoes nothing of the others.
                with transaction.atomic():
                    settled = _write(settlement)
            except OperationalError:
                raise  # the store is away or busy: no fault of this message
            except Exception as defect:  # of whatever kind: the caller tries this mail alone
                self.failed.append(settlement)
                self.defect = defect
            else:
                if settled is not None:
                    self.done.setdefault(settled, []).append(settlement.mail.id)
            if not self.goes_on():
                return False
        return True


def _write(settlement: Settlement) -> tuple[str, str] | None:
    """Perform what a message asks for; return its new state and note, None if it still waits."""
    match settlement.outcome:
        case Answered(answer):
            return InboundMail.State.ANSWERED.value, answer()
        case Ignored(reason):
            return InboundMail.State.IGNORED.value, reason
        case Postponed(until):
            InboundMail.objects.filter(pk=settlement.mail.id).update(wait_until=until)
            return None
        case GivenUp(reason, apologise):
            apologise()
            return InboundMail.State.FAILED.value, reason


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
    outcomes = (settlement.outcome for settlement in settlements)
    boards = {outcome.board for outcome in outcomes if isinstance(outcome, Answered)}
    return sorted(board for board in boards if board is not None)
