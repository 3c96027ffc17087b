"""Prepare the settlement of a stored mail: read it, prove who speaks, decide what becomes of it."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial, reduce
from operator import or_

import structlog
from django.conf import settings
from django.db import OperationalError

from sarsen.core.errors import PluginBusy, PluginTooSlow, UserError
from sarsen.doors.mail.addresses import is_ours
from sarsen.doors.mail.parse.automatic_mail import take_report
from sarsen.doors.mail.parse.mail import AnsweredLetter, ReadMail, read_mail
from sarsen.doors.mail.reply.answers import queue_answer, queue_apology, queue_refusal
from sarsen.doors.mail.reply.extraction import MailRequest, is_command, is_title, mail_request
from sarsen.doors.mail.reply.prose import is_question, language_of
from sarsen.language.commands import MAX_LINES, Analyse, Command, Help
from sarsen.language.grammar.grammar import ParsedCommand, Reading
from sarsen.language.learning.lessons import TakeLesson
from sarsen.language.learning.puzzles import TakePuzzle
from sarsen.language.translating import use_language
from sarsen.services import crash_log
from sarsen.services.accounts.passwords import Busy, Proofs
from sarsen.services.analysis import questions
from sarsen.services.board_cache import BoardCache
from sarsen.services.command_lines import perform_lines
from sarsen.services.learning import lessons, puzzles
from sarsen.services.limits.mail_answers import AnswerKind
from sarsen.services.mail import fingerprints, sent_letters, waiting
from sarsen.services.mail.fingerprints import NO_FINGERPRINTS, Fingerprints
from sarsen.services.mail.reply_addresses import is_signed, welcome_part
from sarsen.services.mail.settle import (
    Answered,
    GivenUp,
    Ignored,
    Outcome,
    Postponed,
    Settlement,
    settle_alone,
)
from sarsen.services.mail.waiting import WaitingMail
from sarsen.services.parsed_lines import ParsedLine, PerformedLine, parse_line, with_own_passwords
from sarsen.services.store_failures import leave_if_broken

MAX_ATTEMPTS = 3  # a defect that shows three times shows always, and the sender waits for a word
# More than attempts: a person who kills workers again and again may hit the same mail by chance.
MAX_ENDS = 5
# Characters of one letter, about: lines of a `multiple` may each ask for much.
MAX_ANSWER_LENGTH = 200_000
PUT_OFF = timedelta(minutes=1)  # while passwords wait for others, or a name server is away
SEARCH = timedelta(seconds=6)  # of a position: then the mail is looked at again
# After which the mail is answered all the same: it may be asked again.
MAX_SEARCH = timedelta(minutes=10)
MAX_PUT_OFF = timedelta(days=1)  # an answer later than that would surprise more than help
log = structlog.get_logger()


@dataclass(frozen=True)
class Prepared:
    """The commands of a mail, read and authenticated, ready to be performed.

    Attributes:
        commands: What will be performed, of the authenticated speaker.
        ask: Answers a mail that only asks; nothing that came before it may wait then.
    """

    settlement: Settlement
    commands: tuple[Command, ...] = ()
    ask: Callable[[], None] | None = None


def answer_alone(mail: WaitingMail, now: datetime, boards: BoardCache) -> bool:
    """Answer one message; after some failures of ours set it aside with an apology.

    Returns:
        False when it still waits: a defect, or a database that is away or busy.

    Raises:
        PluginBusy, PluginTooSlow: The rules of a plug-in cannot be asked now, or do not end.
    """
    crash_log.note("mail", mail.id)
    try:
        prepared = prepare(mail, now, boards)
        if prepared.ask:
            prepared.ask()
        boards.prejudge(prepared.commands)  # before the transaction, for which others wait
        settle_alone(prepared.settlement, boards)
        return True
    except OperationalError as error:
        leave_if_broken(error)
        log.warning("the database is busy; a mail is waiting", mail=mail.id)
    except (PluginBusy, PluginTooSlow):
        raise
    except Exception as defect:
        # The door's outermost function: a defect must not stop the other mails. Only
        # defects count as attempts; a killed worker leaves the mail as it was.
        count_defect(mail, defect)
    return False


def count_defect(mail: WaitingMail, defect: Exception) -> None:
    """Count and log a failed attempt."""
    waiting.count_attempt(mail)
    # Not what the defect says: that may hold words of the mail, a password among them.
    where = "".join(traceback.format_tb(defect.__traceback__))
    kind, attempt = type(defect).__name__, mail.attempts + 1
    log.error("a mail could not be answered", mail=mail.id, attempt=attempt, kind=kind, where=where)


def prepare(mail: WaitingMail, now: datetime, boards: BoardCache) -> Prepared:
    """Read a mail and prove who speaks, outside of any transaction."""
    if mail.attempts >= MAX_ATTEMPTS or mail.ends >= MAX_ENDS:
        return Prepared(Settlement(mail, _give_up(mail, now)))
    local_part, _, _ = mail.recipient.rpartition("@")
    message = _read(mail, local_part, now)
    if not isinstance(message, ReadMail):
        return Prepared(Settlement(mail, message))
    try:
        ignored = _ignored_address(message, local_part)
        request = mail_request(message, ignored or local_part)
    except UserError as refusal:
        return Prepared(Settlement(mail, _refuse(mail, message, refusal, now)))
    try:
        proofs = Proofs(message.sender, now)
        lines = [_parsed(line, request, proofs) for line in request.lines[:MAX_LINES]]
    except Busy:
        return Prepared(Settlement(mail, put_off(mail, now)))
    for line in lines:
        with suppress(UserError):  # it is refused when its turn comes, in the same words
            # Before the transaction, for which others wait.
            if isinstance(line.command, TakeLesson):
                lessons.prejudge(line.command)
            if isinstance(line.command, TakePuzzle):
                puzzles.prejudge(line.command)
    lines = with_own_passwords(lines, request.actor.player, message.sender, now)
    # A signed address proves more than From could, also that of a sign-up. One that was ignored
    # rests on From, too.
    is_proved = is_signed(local_part) or any(line.actor.player for line in lines)
    if (ignored or not is_proved) and (unanswered := _doubt(mail, message.sender, now)):
        return Prepared(Settlement(mail, unanswered))
    if mail.received_at + MAX_SEARCH > now and any(map(partial(_is_searched, now=now), lines)):
        return Prepared(Settlement(mail, put_off(mail, now, SEARCH)))
    return _prepared(mail, message, request, lines, now, boards)


def _prepared(
    mail: WaitingMail,
    message: ReadMail,
    request: MailRequest,
    lines: list[ParsedLine],
    now: datetime,
    boards: BoardCache,
) -> Prepared:
    # Under no request id: the mail itself is marked answered in the same transaction.
    perform_all = partial(
        perform_lines, lines, now, boards=boards, wakes_sender=False, room=MAX_ANSWER_LENGTH
    )
    performed: list[PerformedLine] = []

    def ask() -> None:
        # Pages of help are in the language in force; whose account is known has one of its own.
        with use_language(language_of(message)):
            performed[:] = perform_all()

    def answer() -> str:
        return queue_answer(message, request, performed or list(perform_all()), now, boards)

    commands = tuple(line.command for line in lines if line.command and not line.refusal)
    is_query = bool(commands) and all(command.is_query for command in commands)
    may_close = any(command.may_close_account for command in commands)
    settlement = Settlement(mail, Answered(answer, request.context.board, may_close))
    return Prepared(settlement, commands, ask if is_query else None)


def _read(mail: WaitingMail, local_part: str, now: datetime) -> ReadMail | Outcome:
    """Read a mail that a person may have written; otherwise return why it is not answered."""
    if report := take_report(local_part, mail.raw, now):
        return Ignored(report)
    if not mail.envelope_sender:
        return Ignored("empty envelope sender")
    try:
        message = read_mail(
            mail.raw,
            own_domain=settings.SARSEN_DOMAIN,
            envelope_sender=mail.envelope_sender,
            find_letter=partial(_find_letter, local_part),
        )
    except UserError as refusal:
        return _refuse(mail, None, refusal, now)
    if message.machine or not message.sender:
        return Ignored(message.machine or "no sender")
    if is_ours(message.sender) or is_ours(mail.envelope_sender):
        return Ignored("from an address of ours")
    if mail.is_reused:
        reused = UserError(
            "Another mail with the same Message-ID came before, so this one was ignored.",
            code="message-id-reused",
            hint="Send it again as a new mail.",
        )
        return _refuse(mail, message, reused, now)
    return message


def _find_letter(local_part: str, author: str, answered_ids: tuple[str, ...]) -> AnsweredLetter:
    """Return the letters that a mail to one of our addresses may quote."""

    def words() -> Fingerprints:
        stored = sent_letters.find_quotable(local_part, author, answered_ids)
        return reduce(or_, map(fingerprints.decode, stored), NO_FINGERPRINTS)

    if is_signed(local_part):
        return AnsweredLetter(words)
    answered = sent_letters.find_answered(author, answered_ids)
    return AnsweredLetter(words, answered.local_part if answered else "")


def _ignored_address(message: ReadMail, local_part: str) -> str:
    """Return the reply address, its local part, that a program ignored; "" for none.

    A mail that quotes the code of a sign-up is from the reader of its letter. A command that
    stands first was written anew, and says itself who speaks.
    """
    if is_signed(local_part) or (is_command(message.subject) and not is_title(message.subject)):
        return ""
    if message.answered or not message.signup_code:
        return message.answered
    has_command = bool(message.lines) and is_command(message.lines[0])
    return "" if has_command else welcome_part(message.signup_code)


def _parsed(line: str, request: MailRequest, proofs: Proofs) -> ParsedLine:
    """Read a line and prove its speaker.

    Raises:
        Busy: Passwords are checked later.
    """
    if request.actor.player and is_question(line):
        return ParsedLine(
            line, request.actor, Reading(tuple(line.split()), parsed=ParsedCommand(Help()))
        )
    parsed = parse_line(line, request.context, request.actor, proofs.prove, request.check)
    if isinstance(parsed.refusal, Busy):
        raise parsed.refusal
    return parsed


def _refuse(
    mail: WaitingMail, message: ReadMail | None, refusal: UserError, now: datetime
) -> Outcome:
    """Refuse a mail whose writer is not proved; `message` is None when it could not be read."""
    if message is None:
        sender, message_id, why = mail.envelope_sender, "", AnswerKind.HELP
    else:
        sender, message_id, why = message.sender, message.message_id, AnswerKind.REFUSAL
    answer = partial(queue_refusal, refusal, sender, message_id, why, now)
    return _doubt(mail, sender, now) or Answered(answer)


def _doubt(mail: WaitingMail, sender: str, now: datetime) -> Outcome | None:
    """Return what becomes of a mail that its sender's domain does not confirm; None if it may."""
    if not (settings.SARSEN_AUTHSERV_ID or settings.SARSEN_CHECK_SENDERS):
        return None
    # Loads libraries and lists that a server without these settings never needs.
    from sarsen.doors.mail.parse.senders import SenderCheck, judge

    verdict = judge(mail.raw, sender, now, mail.body_digests)
    if verdict is SenderCheck.FAIL:
        return Ignored("forged sender")
    return put_off(mail, now) if verdict is SenderCheck.LATER else None


def _give_up(mail: WaitingMail, now: datetime) -> Outcome:
    """Set aside a mail that we fail at, with an apology."""

    def apologise() -> None:
        if mail.envelope_sender and not is_ours(mail.envelope_sender):
            queue_apology(mail.envelope_sender, now)

    return GivenUp("could not be answered", apologise)


def _is_searched(line: ParsedLine, now: datetime) -> bool:
    """Return whether a line asks about a position that is being searched, from now on."""
    if not isinstance(line.command, Analyse) or line.refusal:
        return False
    with suppress(UserError):  # it is refused when its turn comes, in the same words
        question = questions.question_of(line.command, line.actor)
        return questions.ask(question, line.actor, now).shown.is_waiting
    return False


def put_off(mail: WaitingMail, now: datetime, delay: timedelta = PUT_OFF) -> Outcome:
    """Leave a mail for later; one that waits too long by then is not answered."""
    if mail.received_at + MAX_PUT_OFF < now:
        return Ignored("put off for too long")
    # Not all of a flood at the same moment again.
    return Postponed(now + delay * (1 + mail.id % 10 / 10))
