"""Answer a stored mail: read it, perform its commands, queue the answer; once."""

from __future__ import annotations

import json
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from django.conf import settings
from django.db import OperationalError

from sarsen.core.errors import UserError
from sarsen.doors.mail.parse.mail import ReadMail, read_mail
from sarsen.doors.mail.parse.reports import take_report
from sarsen.doors.mail.receive.recipients import is_ours
from sarsen.doors.mail.reply.extraction import (
    ACCOUNT_PROOF,
    ParsedCommand,
    check_addresses,
    hear,
    is_command,
)
from sarsen.doors.mail.reply.redaction import AROUND, Blotter, hidden_words, mistyped_in, secrets
from sarsen.doors.mail.reply.refusing import (
    give_up,
    if_genuine,
    ignore,
    is_question,
    is_without_command,
    language_of,
    may_answer,
    may_refuse,
    may_refuse_player,
    no_room,
    put_off,
    refuse,
    reused,
    too_many_lines,
)
from sarsen.doors.mail.reply.wording import with_working_hint
from sarsen.language.boards import MOST_LINES
from sarsen.language.commands import QUERIES, Command, Help
from sarsen.language.grammar.grammar import Spoken, read_line
from sarsen.language.grammar.placeholders import explain_placeholders
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
from sarsen.services import crash_log, limits
from sarsen.services.accounts.passwords import Busy, Proofs, userids_among
from sarsen.services.board_cache import BoardCache
from sarsen.services.bots.due_boards import is_answer_near
from sarsen.services.crash_log import leave_if_broken
from sarsen.services.dispatch import perform
from sarsen.services.limits import Unproved
from sarsen.services.mail import incoming, outgoing
from sarsen.services.mail.incoming import Settlement
from sarsen.services.mail.reply_addresses import is_signed
from sarsen.services.mail.waiting import WaitingMail
from sarsen.services.request import Actor, Player

MOST_ATTEMPTS = 3
# More than attempts: a person who kills workers again and again may hit the same mail by chance.
MOST_ENDS = 5
LONGEST_ANSWER = 200_000  # characters of one letter, about
BOARD_LENGTH = 4_500  # characters of a large one with its moves
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


def answer_mail(mail: WaitingMail, now: datetime, boards: BoardCache) -> bool:
    """Answer one message; after some failures of ours set it aside with an apology.

    Returns:
        False when it still waits: a defect, or a database that is away or busy.
    """
    crash_log.note("mail", mail.id)
    try:
        prepared = prepare(mail, now, boards)
        if prepared.ask:
            prepared.ask()
        incoming.settle(prepared.settlement, boards)
        return True
    except OperationalError as away:
        leave_if_broken(away)
        log.warning("the store is busy, a mail waits", mail=mail.id)
    except Exception as defect:
        # The door's outermost function: a defect must not stop the other mails. Only
        # defects count as attempts; a killed worker leaves the mail as it was.
        incoming.count_attempt(mail)
        # Not what the defect says: that may hold words of the mail, a password among them.
        where = "".join(traceback.format_tb(defect.__traceback__))
        kind, attempt = type(defect).__name__, mail.attempts + 1
        log.error(
            "a mail could not be answered", mail=mail.id, attempt=attempt, kind=kind, where=where
        )
    return False


def prepare(mail: WaitingMail, now: datetime, boards: BoardCache) -> Prepared:
    """Read a mail and prove who speaks, outside of any transaction."""
    if mail.attempts >= MOST_ATTEMPTS or mail.ends >= MOST_ENDS:
        return Prepared(give_up(mail, now))
    local_part, _, _ = mail.recipient.rpartition("@")
    if report := take_report(local_part, mail.raw, now):
        return Prepared(ignore(mail, report))
    if not mail.envelope_sender:
        return Prepared(ignore(mail, "empty envelope sender"))
    try:
        read = read_mail(
            mail.raw, own_domain=settings.SARSEN_DOMAIN, envelope_sender=mail.envelope_sender
        )
    except UserError as refusal:
        return Prepared(refuse(mail, mail.envelope_sender, "", refusal, now, Unproved.HELP))
    if read.machine or not read.sender:
        return Prepared(ignore(mail, read.machine or "no sender"))
    if is_ours(read.sender) or is_ours(mail.envelope_sender):
        return Prepared(ignore(mail, "from an address of ours"))
    if mail.is_reused:
        return Prepared(refuse(mail, read.sender, read.message_id, reused(), now))
    try:
        heard = hear(read, local_part)
    except UserError as refusal:
        return Prepared(refuse(mail, read.sender, read.message_id, refusal, now))
    # Passwords are checked before the transaction: a check takes long on purpose.
    proofs = Proofs(read.sender, now)
    try:
        said = [_speak(line, heard, proofs) for line in heard.lines[:MOST_LINES]]
    except Busy:
        return Prepared(put_off(mail, now))
    commands = tuple(one.spoken.command for one in said if one.spoken and not one.refusal)
    replies: list[Reply | Refusal] = []

    def ask() -> None:
        replies[:] = _perform_all(said, now, boards)

    def answer() -> str:
        return _answer_all(read, heard, said, replies or _perform_all(said, now, boards), now)

    asks = bool(commands) and all(type(command) in QUERIES for command in commands)
    settlement = Settlement(mail, answer, board=heard.context.board)
    # A signed address proves more than From could, also that of a sign-up.
    if not is_signed(local_part) and not any(one.actor.player for one in said):
        judged = if_genuine(settlement, read.sender, now)
        if judged is not settlement:
            return Prepared(judged)
    return Prepared(settlement, commands, ask if asks else None)


@dataclass(frozen=True)
class ParsedLine:
    """One line that was read, and who has proved to speak it.

    Attributes:
        spoken: None when it is no command.
        refusal: Why it is not performed, or None.
    """

    line: str
    actor: Actor
    spoken: Spoken | None
    refusal: UserError | None = None

    @property
    def is_query(self) -> bool:
        return self.spoken is not None and type(self.spoken.command) in QUERIES


def _speak(line: str, heard: ParsedCommand, proofs: Proofs) -> ParsedLine:
    """Read a line and prove its speaker.

    Raises:
        Busy: Passwords are checked later.
    """
    actor = heard.actor
    if actor.player and is_question(line):
        return ParsedLine(line, actor, Spoken(Help()))
    try:
        spoken = read_line(line, heard.context)
    except UserError as refusal:
        return ParsedLine(line, actor, None, refusal)
    try:
        check_addresses(spoken.command)
        if spoken.credentials:
            player = proofs.prove(spoken.credentials)
            seat = actor.seat if player == actor.player else None
            actor = Actor(player, seat, actor.address)
        else:
            heard.check_proof(spoken.command)
    except Busy:
        raise
    except UserError as refusal:
        return ParsedLine(line, actor, spoken, refusal)
    return ParsedLine(line, actor, spoken)


def _answer_all(
    read: ReadMail,
    heard: ParsedCommand,
    said: list[ParsedLine],
    replies: list[Reply | Refusal],
    now: datetime,
) -> str:
    """Queue the answer to what was performed; return the codes of what was refused."""
    if len(replies) != 1 or not _is_answered_by_letter(replies[0], read.sender):
        _queue_answer(read, heard, said, replies, now)
    codes = [reply.code for reply in replies if isinstance(reply, Refusal)]
    return ", ".join(dict.fromkeys(codes))


def _queue_answer(
    read: ReadMail,
    heard: ParsedCommand,
    said: list[ParsedLine],
    replies: list[Reply | Refusal],
    now: datetime,
) -> None:
    facts: dict[str, Any]
    speakers = {one.actor.player for one in said}
    actor = said[0].actor if len(speakers) == 1 and said else heard.actor
    if not _may_answer(read.sender, heard, said, replies, now):
        return
    if _is_introduced(said, replies):
        if not limits.is_known_address(read.sender):
            facts = {"language": language_of(read)}
            outgoing.queue(read.sender, "introduction", facts, now, in_reply_to=read.message_id)
            return
        replies = [perform(Help(), heard.actor, "", now)]
    answers = _quoted(heard, said, replies)
    whole = answers[0] if len(answers) == 1 else Answer("multiple", Several(tuple(answers)))
    facts = {
        "answer": encode(whole),
        "notes": list(heard.notes),
        # The answer to who asks about an account comes from an address that may.
        "board": None if _needs_account(replies) else heard.context.board,
    }
    # The program's answer comes with the confirmation of the move, where it comes soon.
    held_for = _awaited(replies, actor.player, now)
    if heard.actor.player is not None:
        # A signed address proves its player, not the sender: the player is told.
        outgoing.queue_for(
            heard.actor.player,
            "answer",
            facts,
            now,
            in_reply_to=read.message_id,
            held_for=held_for,
        )
    else:
        outgoing.queue(
            read.sender,
            "answer",
            facts,
            now,
            player=actor.player,
            in_reply_to=read.message_id,
            held_for=held_for,
        )


def _is_introduced(said: list[ParsedLine], replies: list[Reply | Refusal]) -> bool:
    """Return whether a mail holds no command, and nothing proves its sender."""
    if len(said) != 1 or said[0].actor.player or (said[0].spoken and said[0].spoken.credentials):
        return False
    return is_without_command(said[0].line, replies[0])


def _awaited(replies: list[Reply | Refusal], player: Player | None, now: datetime) -> int | None:
    """Return the board where a program is about to answer the only command of a mail."""
    reply = replies[0] if len(replies) == 1 else None
    if player is None or not isinstance(reply, Moved | ChallengeStands) or reply.board is None:
        return None
    return reply.board if is_answer_near(reply.board, player, now) else None


def _needs_account(replies: list[Reply | Refusal]) -> bool:
    return any(isinstance(reply, Refusal) and reply.code == ACCOUNT_PROOF for reply in replies)


def _perform_all(
    said: list[ParsedLine], now: datetime, boards: BoardCache
) -> list[Reply | Refusal]:
    """Perform what was said, in order; questions only while the letter has room for answers."""
    replies: list[Reply | Refusal] = []
    room = LONGEST_ANSWER
    for one in said:
        if room < 0 and one.is_query:
            replies.append(no_room())
            continue
        replies.append(_perform(one, now, boards))
        shown: tuple[object, ...] = getattr(replies[-1], "shows", ())
        room -= len(json.dumps(encode(replies[-1]))) + BOARD_LENGTH * len(shown)
    return replies


def _perform(one: ParsedLine, now: datetime, boards: BoardCache) -> Reply | Refusal:
    refusal = one.refusal
    if one.spoken and not refusal:
        try:
            # Under no request id: the mail itself is marked answered in the same transaction.
            command = one.spoken.command
            return perform(command, one.actor, "", now, boards=boards, wakes_sender=False)
        except UserError as refused:
            refusal = refused
    assert refusal is not None  # a line that is no command has one
    return Refusal(refusal.text, refusal.code, refusal.hint)


def _quoted(
    heard: ParsedCommand, said: list[ParsedLine], replies: list[Reply | Refusal]
) -> list[Answer]:
    """Put each reply below its line, with what may be a password blotted out of both."""
    userids = _userids(said, replies)
    everywhere = frozenset().union(*(secrets(one.spoken) for one in said))
    answers = []
    for one, reply in zip(said, replies, strict=True):
        is_refused = isinstance(reply, Refusal)
        hidden = hidden_words(
            one.line,
            one.spoken,
            userids,
            is_accepted=not is_refused,
            mistyped=mistyped_in(one.line, reply, one.actor.player, userids),
        )
        blotter = Blotter(hidden | everywhere)
        command = one.spoken.command if one.spoken else None
        quoted: Reply | Refusal = reply
        if isinstance(reply, Refusal):
            hinted = with_working_hint(reply, heard.context, command)
            explained = explain_placeholders(one.line, hinted, heard.context.games, userids)
            quoted = blotter.refusal(explained, command)
        answers.append(Answer(blotter.line(one.line), quoted))
    if len(heard.lines) > MOST_LINES:
        answers.append(Answer("", too_many_lines()))
    return answers


def _userids(said: list[ParsedLine], replies: list[Reply | Refusal]) -> frozenset[str]:
    """Return the userids among the words: a password stands behind one."""
    one = said[0] if len(said) == 1 else None
    if one and not one.is_query and not isinstance(replies[0], Refusal) and " " not in one.line:
        return frozenset()  # a word alone stands behind none, and was taken for what it is
    return userids_among(word.strip(AROUND) for one in said for word in one.line.split())


def _is_answered_by_letter(reply: object, sender: str) -> bool:
    """Return whether a letter of its own says all to the sender: a sign-up's, a question."""
    if isinstance(reply, SignupAsked):
        return sender.lower() in (address.lower() for address in reply.addresses)
    return isinstance(reply, AddressConfirmed | ChallengeAsked)


def _may_answer(
    sender: str,
    heard: ParsedCommand,
    said: list[ParsedLine],
    replies: list[Reply | Refusal],
    now: datetime,
) -> bool:
    """Return whether the sender gets an answer today."""
    is_refused = all(isinstance(reply, Refusal) for reply in replies)
    player = next((one.actor.player for one in said if one.actor.player), heard.actor.player)
    if player is not None:
        return not is_refused or may_refuse_player(player, now)
    if not is_refused:
        return may_answer(sender, now)
    has_command = any(one.spoken for one in said) or any(map(is_command, heard.lines))
    has_command = has_command and not _is_introduced(said, replies)
    return may_refuse(sender, Unproved.REFUSAL if has_command else Unproved.HELP, now)
