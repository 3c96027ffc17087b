"""Answer a stored mail: read it, perform its commands, queue the answer; once."""

from __future__ import annotations

import re
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
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
from sarsen.doors.mail.reply.extraction import (
    ACCOUNT_PROOF,
    MailRequest,
    is_command,
    is_title,
    mail_request,
)
from sarsen.doors.mail.reply.prose import is_question, is_without_command, language_of
from sarsen.language.commands import MAX_LINES, Command, Help
from sarsen.language.grammar.grammar import ParsedCommand, Reading
from sarsen.language.replies import (
    AddressConfirmed,
    Answer,
    ChallengeAsked,
    ChallengeStands,
    Moved,
    Refusal,
    Reply,
    Several,
    SignupAsked,
    encode,
)
from sarsen.language.translating import use_language
from sarsen.services import answer_limits, crash_log
from sarsen.services.accounts.passwords import Busy, Proofs
from sarsen.services.answer_limits import AnswerKind
from sarsen.services.board_cache import BoardCache
from sarsen.services.bots.due_boards import is_answer_near
from sarsen.services.command_lines import TOO_MANY_LINES, perform_lines
from sarsen.services.dispatch import perform
from sarsen.services.mail import fingerprints, incoming, outgoing, sent_letters
from sarsen.services.mail.fingerprints import NO_FINGERPRINTS, Fingerprints
from sarsen.services.mail.incoming import Settlement
from sarsen.services.mail.reply_addresses import is_signed, welcome_part
from sarsen.services.mail.waiting import WaitingMail
from sarsen.services.parsed_lines import ParsedLine, PerformedLine, parse_line, with_own_passwords
from sarsen.services.quoting import quote_lines
from sarsen.services.request import Player
from sarsen.services.store_failures import leave_if_broken

MAX_ATTEMPTS = 3
# More than attempts: a person who kills workers again and again may hit the same mail by chance.
MAX_ENDS = 5
MAX_ANSWER_LENGTH = 200_000  # characters of one letter, about
PUT_OFF = timedelta(minutes=1)
MAX_PUT_OFF = timedelta(days=1)
# Addresses where nobody reads mail, though no header says so.
_UNREAD = re.compile(
    r"(?:no|do|dont|donot|never)[._-]?(?:not[._-]?)?reply.*|bounces?(?:[._+-].*)?|.*[._+-]bounces?"
    r"|notifications?|alerts?|daemon|cron|root|www-data",
    re.IGNORECASE,
)
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
        incoming.settle(prepared.settlement, boards)
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
    incoming.count_attempt(mail)
    # Not what the defect says: that may hold words of the mail, a password among them.
    where = "".join(traceback.format_tb(defect.__traceback__))
    kind, attempt = type(defect).__name__, mail.attempts + 1
    log.error("a mail could not be answered", mail=mail.id, attempt=attempt, kind=kind, where=where)


def prepare(mail: WaitingMail, now: datetime, boards: BoardCache) -> Prepared:
    """Read a mail and prove who speaks, outside of any transaction."""
    if mail.attempts >= MAX_ATTEMPTS or mail.ends >= MAX_ENDS:
        return Prepared(_give_up(mail, now))
    local_part, _, _ = mail.recipient.rpartition("@")
    if report := take_report(local_part, mail.raw, now):
        return Prepared(incoming.ignored(mail, report))
    if not mail.envelope_sender:
        return Prepared(incoming.ignored(mail, "empty envelope sender"))
    try:
        message = read_mail(
            mail.raw,
            own_domain=settings.SARSEN_DOMAIN,
            envelope_sender=mail.envelope_sender,
            find_letter=partial(_find_letter, local_part),
        )
    except UserError as refusal:
        return Prepared(_refuse(mail, mail.envelope_sender, "", refusal, now, AnswerKind.HELP))
    if message.machine or not message.sender:
        return Prepared(incoming.ignored(mail, message.machine or "no sender"))
    if is_ours(message.sender) or is_ours(mail.envelope_sender):
        return Prepared(incoming.ignored(mail, "from an address of ours"))
    try:
        if mail.is_reused:
            raise UserError(
                "Another mail with the same Message-ID came before, so this one was ignored.",
                code="message-id-reused",
                hint="Send it again as a new mail.",
            )
        ignored = _ignored_address(message, local_part)
        request = mail_request(message, ignored or local_part)
    except UserError as refusal:
        return Prepared(_refuse(mail, message.sender, message.message_id, refusal, now))
    proofs = Proofs(message.sender, now)
    try:
        lines = [_parsed(line, request, proofs) for line in request.lines[:MAX_LINES]]
    except Busy:
        return Prepared(put_off(mail, now))
    lines = with_own_passwords(lines, request.actor.player, message.sender, now)
    commands = tuple(line.command for line in lines if line.command and not line.refusal)
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
        return _queue_answer(message, request, performed or list(perform_all()), now, boards)

    is_query = bool(commands) and all(command.is_query for command in commands)
    settlement = Settlement(mail, answer, board=request.context.board)
    # A signed address proves more than From could, also that of a sign-up. One that was ignored
    # rests on From, too.
    is_proved = is_signed(local_part) or any(line.actor.player for line in lines)
    if ignored or not is_proved:
        judged = _if_genuine(settlement, message.sender, now)
        if judged is not settlement:
            return Prepared(judged)
    return Prepared(settlement, commands, ask if is_query else None)


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


def _queue_answer(
    mail: ReadMail,
    request: MailRequest,
    lines: Sequence[PerformedLine],
    now: datetime,
    boards: BoardCache,
) -> str:
    """Queue the answer to what was performed; return the codes of what was refused."""
    codes = [performed.reply.code for performed in lines if isinstance(performed.reply, Refusal)]
    noted = ", ".join(dict.fromkeys(codes))
    only = lines[0] if len(lines) == 1 else None
    if only and _is_answered_by_letter(only.reply, mail.sender):
        return noted
    speakers = [performed.line.actor.player for performed in lines]
    proved = next(filter(None, speakers), request.actor.player)
    last = _note_of_last(mail.sender, proved, request, lines, now)
    if last is None:
        return noted
    notes = (*request.notes, last) if last else request.notes
    if only and _is_without_command(only):
        if not answer_limits.is_known_address(mail.sender):
            language = {"language": language_of(mail)}
            outgoing.queue(mail.sender, "introduction", language, now, in_reply_to=mail.message_id)
            return noted
        lines = [PerformedLine(only.line, perform(Help(), request.actor, "", now))]
    answers = quote_lines(lines, request.context.board, is_known=bool(request.context.speaker))
    if len(request.lines) > MAX_LINES:
        refusal = replace(TOO_MANY_LINES, hint="Send the rest in another mail.")
        answers.append(Answer("", refusal))
    answer = answers[0] if len(answers) == 1 else Answer("multiple", Several(tuple(answers)))
    facts = {
        "answer": encode(answer, with_templates=True),
        "notes": [encode(note, with_templates=True) for note in notes],
        # A refusal for want of proof is answered from an address that proves the account.
        "board": None if ACCOUNT_PROOF in codes else request.context.board,
    }
    speaker = speakers[0] if len(set(speakers)) == 1 else request.actor.player
    if speaker is None:
        facts["language"] = language_of(mail)
    # The program's answer comes with the confirmation of the move, where it comes soon.
    held_for = _board_of_answer(lines[0].reply, speaker, now, boards) if len(lines) == 1 else None
    if player := request.actor.player:
        # A signed address proves its player, not the sender: the player gets the answer.
        queue = partial(outgoing.queue_for, player)
    else:
        queue = partial(outgoing.queue, mail.sender, player=speaker)
    queue("answer", facts, now, in_reply_to=mail.message_id, held_for=held_for)
    return noted


def _is_answered_by_letter(reply: Reply | Refusal, sender: str) -> bool:
    """Return whether a letter of its own says all to the sender: a sign-up's, a question."""
    if isinstance(reply, SignupAsked):
        return sender.lower() in (address.lower() for address in reply.addresses)
    return isinstance(reply, AddressConfirmed | ChallengeAsked)


def _is_without_command(performed: PerformedLine) -> bool:
    """Return whether a line is no command, and nothing proves its sender."""
    parsed = performed.line.parsed
    if performed.line.actor.player or (parsed and parsed.credentials):
        return False
    return is_without_command(performed.line.line, performed.reply)


def _board_of_answer(
    reply: Reply | Refusal, player: Player | None, now: datetime, boards: BoardCache
) -> int | None:
    """Return the board where a program is about to answer the only command of a mail."""
    if player is None or not isinstance(reply, Moved | ChallengeStands) or reply.board is None:
        return None
    return reply.board if is_answer_near(reply.board, player, now, boards) else None


def _note_of_last(
    sender: str,
    player: Player | None,
    request: MailRequest,
    lines: Sequence[PerformedLine],
    now: datetime,
) -> str | None:
    """Count an answer; return the note that it is the last of the day, None for no answer."""
    is_refused = all(isinstance(performed.reply, Refusal) for performed in lines)
    if player is not None:
        # A machine that writes in the player's name, and answers our answers, comes to an end so.
        is_told = not is_refused or answer_limits.may_refuse(player, now)
        return "" if is_told else answer_limits.last_refusal(player, now) or None
    if not is_refused:
        return note_of_last(sender, AnswerKind.ANSWER, now)
    has_command = any(performed.line.parsed for performed in lines) or any(
        map(is_command, request.lines)
    )
    if len(lines) == 1 and _is_without_command(lines[0]):
        has_command = False
    return note_of_last(sender, AnswerKind.REFUSAL if has_command else AnswerKind.HELP, now)


def note_of_last(sender: str, why: AnswerKind, now: datetime) -> str | None:
    """Do so for an address that proved nothing."""
    if why is not AnswerKind.ANSWER and answer_limits.is_known_address(sender):
        why = AnswerKind.ANSWER
    if _UNREAD.fullmatch(sender.partition("@")[0]):
        why = AnswerKind.HELP
    return (
        answer_limits.last_answer(sender, why, now)
        if answer_limits.may_answer(sender, why, now)
        else None
    )


def _refuse(
    mail: WaitingMail,
    sender: str,
    message_id: str,
    refusal: UserError,
    now: datetime,
    why: AnswerKind = AnswerKind.REFUSAL,
) -> Settlement:
    """Refuse a mail whose writer is not proved."""

    def answer() -> str:
        last = note_of_last(sender, why, now) if sender else None
        if last is not None:
            refused = Answer("", Refusal(refusal.text, refusal.code, refusal.hint))
            notes = [encode(last, with_templates=True)] if last else []
            facts = {"answer": encode(refused, with_templates=True), "notes": notes, "board": None}
            outgoing.queue(sender, "answer", facts, now, in_reply_to=message_id)
        return refusal.code

    return _if_genuine(Settlement(mail, answer), sender, now)


def _if_genuine(settlement: Settlement, sender: str, now: datetime) -> Settlement:
    """Leave a mail unanswered that its sender's domain says is not its own."""
    if not (settings.SARSEN_AUTHSERV_ID or settings.SARSEN_CHECK_SENDERS):
        return settlement
    # Loads libraries and lists that a server without these settings never needs.
    from sarsen.doors.mail.parse.senders import SenderCheck, judge

    mail = settlement.mail
    verdict = judge(mail.raw, sender, now, mail.body_digests)
    if verdict is SenderCheck.FAIL:
        return incoming.ignored(mail, "forged sender")
    return put_off(mail, now) if verdict is SenderCheck.LATER else settlement


def _give_up(mail: WaitingMail, now: datetime) -> Settlement:
    """Set aside a mail that we fail at, with an apology."""

    def apologise() -> None:
        sender = mail.envelope_sender
        if not sender or is_ours(sender):
            return
        if note_of_last(sender, AnswerKind.HELP, now) is not None:
            outgoing.queue(sender, "sorry", {}, now)

    return incoming.given_up(mail, "could not be answered", apologise)


def put_off(mail: WaitingMail, now: datetime, delay: timedelta = PUT_OFF) -> Settlement:
    """Leave a mail for later; one that waits too long by then is not answered."""
    if mail.received_at + MAX_PUT_OFF < now:
        return incoming.ignored(mail, "put off for too long")
    # Not all of a flood at the same moment again.
    return incoming.postponed(mail, now + delay * (1 + mail.id % 10 / 10))
