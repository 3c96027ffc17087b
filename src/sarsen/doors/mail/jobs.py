"""Background jobs: answer stored mails in batches, and send due letters.

A commit costs about as much for fifty mails as for one, so many are answered in one transaction,
each as if it were alone, in the order they came. What takes long is done before the transaction
begins: reading, passwords, the rules of the games, and all that only asks. So the store is held
for no longer than it takes to write, and other writers wait little.

The task queue keeps `answer_mail` and `send_mail` by the name of this module.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import structlog
from django.db import OperationalError
from django.utils import timezone
from django_tasks import task

from sarsen.core.errors import PluginBusy, PluginTooSlow
from sarsen.doors.mail.reply.answering import (
    PUT_OFF,
    Prepared,
    answer_alone,
    count_defect,
    prepare,
    put_off,
)
from sarsen.doors.mail.send import sending
from sarsen.isolation.allowance import Allowance, plugins_within
from sarsen.services import crash_log, task_queue
from sarsen.services.accounts import login_letters
from sarsen.services.board_cache import BoardCache
from sarsen.services.mail import settle, waiting
from sarsen.services.mail.settle import Settlement, settle_alone
from sarsen.services.mail.waiting import WaitingMail
from sarsen.services.store_failures import leave_if_broken

# Mails of one claim: their boards are loaded together, and others get the rest.
BATCH = 50
LETTERS = 3 * BATCH  # a move sends two, and both are worded from one view of their board
MAX_BATCHES = 20  # a run: other jobs get their turn
# Plug-ins have this for all mails of a run that are tried for the first time. One that they keep
# waiting for longer is tried again, alone and with the time of a player, when others have had
# their turn; the rest of a run that plug-ins hold up is put back.
FIRST_PLUGIN_SECONDS = 2.0
# Of a mail, while others ask plug-ins: as long as one question may take.
BUSY_OFF = timedelta(seconds=10)
READ_FOR = 0.2  # seconds until what was read is written, so that the first does not wait long
# Seconds that other writers wait for one transaction, about (decision 0038).
HELD_FOR = 0.05
log = structlog.get_logger()


@task()
def answer_mail() -> int:
    """Answer every stored message that waits, oldest first, and send what that caused."""
    answered = 0
    patience = PluginPatience()
    for _ in range(MAX_BATCHES):
        boards = BoardCache()
        with waiting.claimed(BATCH) as mails:
            if not mails:
                return answered  # what others have to send has a job of its own
            settled = answer_mails(mails, timezone.now(), boards, patience)
        answered += settled
        # At once: another turn of the queue would cost as much as a letter.
        sending.send_due(timezone.now(), LETTERS, boards)
        if settled < len(mails):
            # What failed is tried again with the next sweep, not at once.
            return answered
    task_queue.wake(task_queue.ANSWER_MAIL)
    task_queue.wake(task_queue.SEND_MAIL)
    return answered


@task()
def send_mail() -> int:
    """Send every letter that is due, oldest first."""
    login_letters.send_asked()
    sent = 0
    for _ in range(MAX_BATCHES):
        count = sending.send_due(timezone.now(), LETTERS)
        if not count:
            return sent
        sent += count
    task_queue.wake(task_queue.SEND_MAIL)
    return sent


@dataclass
class PluginPatience:
    """The time that plug-ins may take for the mails of a run: tried first, and tried again."""

    first: Allowance = field(default_factory=lambda: Allowance(lambda: FIRST_PLUGIN_SECONDS))
    again: Allowance = field(default_factory=Allowance)


def answer_mails(
    mails: Sequence[WaitingMail],
    now: datetime,
    boards: BoardCache | None = None,
    patience: PluginPatience | None = None,
) -> int:
    """Answer messages, oldest first; return how many were.

    One that fails by a defect of ours takes no other with it, and is tried again alone.

    Args:
        boards: Keeps what is judged for these messages; None when nobody else needs it.
        patience: Of a run of several batches.
    """
    patience = patience or PluginPatience()
    with plugins_within(patience.first):
        return _answer_mails(mails, now, boards or BoardCache(), patience)


def _answer_mails(
    mails: Sequence[WaitingMail], now: datetime, boards: BoardCache, patience: PluginPatience
) -> int:
    answered = 0
    group: list[Prepared] = []
    began = time.monotonic()
    for mail in mails:
        crash_log.note("mail", mail.id)
        try:
            # One that failed before is tried alone, in case that it takes its process with it.
            prepared = None if mail.attempts or mail.ends else prepare(mail, now, boards)
            if prepared and prepared.ask:
                if any(earlier.commands and not earlier.ask for earlier in group):
                    answered, group = answered + _settle(group, now, boards, patience), []
                prepared.ask()
        except Exception:
            # Of whatever kind: alone it fails in the same way, and is counted there.
            prepared = None
        if prepared:
            group.append(prepared)
        if not prepared or not _may_be_grouped(prepared) or time.monotonic() - began > READ_FOR:
            answered, group = answered + _settle(group, now, boards, patience), []
            began = time.monotonic()
        if not prepared:
            answered += _answer_alone(
                mail, now, boards, patience.again if mail.attempts else patience.first
            )
    answered += _settle(group, now, boards, patience)
    crash_log.note_done()
    return answered


def _answer_alone(mail: WaitingMail, now: datetime, boards: BoardCache, plugins: Allowance) -> bool:
    """Answer one message; put it back when rules of a plug-in are busy, or take too long.

    Returns:
        False when it is to be tried again with the next sweep.
    """
    is_first = not plugins.used
    try:
        with plugins_within(plugins):
            return answer_alone(mail, now, boards)
    except PluginTooSlow as failure:
        count_defect(mail, failure)
        delay = PUT_OFF  # others go first
    except PluginBusy as failure:
        if is_first and plugins.used:
            count_defect(mail, failure)  # its own questions have taken all
        delay = BUSY_OFF
    settle_alone(Settlement(mail, put_off(mail, now, delay)), boards)
    return True


def _may_be_grouped(prepared: Prepared) -> bool:
    return all(command.is_query or command.may_share_a_batch for command in prepared.commands)


def _settle(
    group: Sequence[Prepared], now: datetime, boards: BoardCache, patience: PluginPatience
) -> int:
    """Write what was read, in as few transactions as others can wait for; return how many."""
    if not group:
        return 0
    crash_log.note("mail", *(prepared.settlement.mail.id for prepared in group))
    try:
        boards.prejudge(command for prepared in group for command in prepared.commands)
    except Exception:
        # Rules that break do so at one mail's move: alone it is counted, and the others go on.
        return sum(
            _answer_alone(prepared.settlement.mail, now, boards, patience.first)
            for prepared in group
        )
    settlements = [prepared.settlement for prepared in group]
    answered = 0
    while settlements:
        until = time.monotonic() + HELD_FOR
        try:
            settled = settle.settle_all(
                settlements,
                boards,
                lambda: time.monotonic() < until,  # noqa: B023
            )
        except OperationalError as error:
            leave_if_broken(error)
            log.warning("the database is busy; mails are waiting", mails=len(settlements))
            return answered
        answered += settled.count - len(settled.failed)
        answered += sum(
            _answer_alone(settlement.mail, now, boards, patience.first)
            for settlement in settled.failed
        )
        settlements = settlements[settled.count :]
    return answered
