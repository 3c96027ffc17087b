"""Answer a stored mail: read it, perform its commands, queue the answer; once."""

from __future__ import annotations

import json
import traceback
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import structlog
from django.conf import settings
from django.db import OperationalError

from sarsen.core.errors import UserError
from sarsen.doors.mail.hearing import Heard, hear, is_command
from sarsen.doors.mail.hints import with_working_hint
from sarsen.doors.mail.quoting import AROUND, Blotter, hidden_words, secrets
from sarsen.doors.mail.reading import ReadMail, read_mail
from sarsen.doors.mail.recipients import SILENT, is_ours
from sarsen.language.commands import QUERIES, SignUp
from sarsen.language.commands.several import MOST_LINES
from sarsen.language.grammar import Spoken, read_line
from sarsen.language.replies import (
    AddressConfirmed,
    Answer,
    Refusal,
    Reply,
    Several,
    SignupAsked,
    encode,
)
from sarsen.services import intake, letters
from sarsen.services.call import Actor
from sarsen.services.dispatch import perform
from sarsen.services.intake import Unproved, WaitingMail
from sarsen.services.passwords import prove, userids_among

MOST_ATTEMPTS = 3
LONGEST_ANSWER = 200_000  # characters of one letter, about
BOARD_LENGTH = 4_500  # characters of a large one with its moves
log = structlog.get_logger()


def answer_mail(mail: WaitingMail, now: datetime) -> bool:
    """Answer one message; after some failures of ours set it aside with an apology.

    Returns:
        False when it still waits: a defect, or a database that is away or busy.
    """
    try:
        if mail.attempts >= MOST_ATTEMPTS:
            _give_up(mail, now)
        else:
            _answer(mail, now)
        return True
    except OperationalError:
        log.warning("the store is busy, a mail waits", mail=mail.id)
    except Exception as defect:
        # The door's outermost function: a defect must not stop the other mails. Only
        # defects count as attempts; a killed worker leaves the mail as it was.
        intake.count_attempt(mail)
        # Not what the defect says: that may hold words of the mail, a password among them.
        where = "".join(traceback.format_tb(defect.__traceback__))
        kind, attempt = type(defect).__name__, mail.attempts + 1
        log.error(
            "a mail could not be answered", mail=mail.id, attempt=attempt, kind=kind, where=where
        )
    return False


def _answer(mail: WaitingMail, now: datetime) -> None:
    local_part, _, _ = mail.recipient.rpartition("@")
    if local_part.lower() in SILENT:
        _ignore(mail, f"to {local_part.lower()}")
        return
    if not mail.envelope_sender:
        _ignore(mail, "empty envelope sender")
        return
    try:
        read = read_mail(
            mail.raw, own_domain=settings.SARSEN_DOMAIN, envelope_sender=mail.envelope_sender
        )
    except UserError as refusal:
        _refuse(mail, mail.envelope_sender, "", refusal, now, Unproved.HELP)
        return
    if read.machine or not read.sender:
        _ignore(mail, read.machine or "no sender")
        return
    if is_ours(read.sender) or is_ours(mail.envelope_sender):
        _ignore(mail, "from an address of ours")
        return
    if mail.is_reused:
        _refuse(mail, read.sender, read.message_id, _reused(), now)
        return
    try:
        heard = hear(read, local_part)
    except UserError as refusal:
        _refuse(mail, read.sender, read.message_id, refusal, now)
        return
    # Passwords are checked before the transaction: a check takes long on purpose.
    said = [_speak(line, heard, now) for line in heard.lines[:MOST_LINES]]
    intake.settle(mail, lambda: _answer_all(mail, read, heard, said, now))


@dataclass(frozen=True)
class Said:
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


def _speak(line: str, heard: Heard, now: datetime) -> Said:
    """Read a line and prove its speaker."""
    actor = heard.actor
    try:
        spoken = read_line(line, heard.context)
    except UserError as refusal:
        return Said(line, actor, None, refusal)
    try:
        _check_addresses(spoken)
        if spoken.credentials:
            player = prove(spoken.credentials, now)
            seat = actor.seat if player == actor.player else None
            actor = Actor(player, seat, actor.address)
    except UserError as refusal:
        return Said(line, actor, spoken, refusal)
    return Said(line, actor, spoken)


def _check_addresses(spoken: Spoken) -> None:
    """Refuse a sign-up to what may be a password with an @ in it: nothing is sent there."""
    command = spoken.command
    if isinstance(command, SignUp) and not all(map(_is_whole, command.addresses)):
        raise UserError(
            "One of the words with an @ is not a mail address, and a password cannot have an @ "
            "in it here.",
            code="address-form",
            hint="signup USERID PASSWORD ann@example.org",
        )


def _is_whole(address: str) -> bool:
    host, dot, top = address.rpartition("@")[2].rstrip(">,;").rpartition(".")
    return bool(host and dot and top.isalpha())


def _answer_all(
    mail: WaitingMail, read: ReadMail, heard: Heard, said: list[Said], now: datetime
) -> str:
    """Perform what a mail says and queue the answer; give the codes of what was refused."""
    replies = _perform_all(mail, said, now)
    if len(replies) != 1 or not _is_answered_by_letter(replies[0], read.sender):
        _queue_answer(read, heard, said, replies, now)
    codes = [reply.code for reply in replies if isinstance(reply, Refusal)]
    return ", ".join(dict.fromkeys(codes))


def _queue_answer(
    read: ReadMail,
    heard: Heard,
    said: list[Said],
    replies: list[Reply | Refusal],
    now: datetime,
) -> None:
    speakers = {one.actor.player for one in said}
    actor = said[0].actor if len(speakers) == 1 and said else heard.actor
    if not any(speakers) and not _may_answer(read.sender, heard, said, replies, now):
        return
    answers = _quoted(heard, said, replies)
    whole = answers[0] if len(answers) == 1 else Answer("multiple", Several(tuple(answers)))
    facts: dict[str, Any] = {
        "answer": encode(whole),
        "notes": list(heard.notes),
        "board": heard.context.board,
    }
    if heard.actor.player is not None:
        # A signed address proves its player, not whoever wrote: the player is told.
        letters.queue_for(heard.actor.player, "answer", facts, now, in_reply_to=read.message_id)
    else:
        letters.queue(
            read.sender, "answer", facts, now, player=actor.player, in_reply_to=read.message_id
        )


def _perform_all(mail: WaitingMail, said: list[Said], now: datetime) -> list[Reply | Refusal]:
    """Perform what was said, in order; questions only while the letter has room for answers."""
    replies: list[Reply | Refusal] = []
    room = LONGEST_ANSWER
    for number, one in enumerate(said):
        if room < 0 and one.is_query:
            replies.append(_no_room())
            continue
        # A question asked twice does no harm: its answer is not kept.
        request = "" if one.is_query else f"mail:{mail.id}:{number}"
        replies.append(_perform(one, request, now))
        boards: tuple[object, ...] = getattr(replies[-1], "shows", ())
        room -= len(json.dumps(encode(replies[-1]))) + BOARD_LENGTH * len(boards)
    return replies


def _perform(one: Said, request: str, now: datetime) -> Reply | Refusal:
    refusal = one.refusal
    if one.spoken and not refusal:
        try:
            return perform(one.spoken.command, one.actor, request, now)
        except UserError as refused:
            refusal = refused
    assert refusal is not None  # a line that is no command has one
    return Refusal(refusal.text, refusal.code, refusal.hint)


def _quoted(heard: Heard, said: list[Said], replies: list[Reply | Refusal]) -> list[Answer]:
    """Put each reply below its line, with what may be a password blotted out of both."""
    userids = userids_among(word.strip(AROUND) for one in said for word in one.line.split())
    everywhere = frozenset().union(*(secrets(one.spoken) for one in said))
    answers = []
    for one, reply in zip(said, replies, strict=True):
        is_refused = isinstance(reply, Refusal)
        hidden = hidden_words(one.line, one.spoken, userids, is_accepted=not is_refused)
        blotter = Blotter(hidden | everywhere)
        command = one.spoken.command if one.spoken else None
        quoted: Reply | Refusal = reply
        if isinstance(reply, Refusal):
            quoted = blotter.refusal(with_working_hint(reply, heard.context, command), command)
        answers.append(Answer(blotter.line(one.line), quoted))
    if len(heard.lines) > MOST_LINES:
        answers.append(Answer("", _too_many_lines()))
    return answers


def _too_many_lines() -> Refusal:
    return Refusal(
        f"`multiple` takes {MOST_LINES} lines; the rest was not read.",
        "too-many-lines",
        "Send the rest in another mail.",
    )


def _no_room() -> Refusal:
    return Refusal(
        "The answers above fill this letter; this question was left out.",
        "answer-too-long",
        "Send it again in another mail.",
    )


def _is_answered_by_letter(reply: object, sender: str) -> bool:
    """Tell whether the sender gets a letter anyway that says all: a sign-up's, a welcome."""
    if isinstance(reply, SignupAsked):
        return sender.lower() in (address.lower() for address in reply.addresses)
    return isinstance(reply, AddressConfirmed)


def _may_answer(
    sender: str, heard: Heard, said: list[Said], replies: list[Reply | Refusal], now: datetime
) -> bool:
    """Tell whether an address that proved nothing gets an answer today."""
    if not all(isinstance(reply, Refusal) for reply in replies):
        return intake.may_answer(sender, Unproved.ANSWER, now)
    has_command = any(one.spoken for one in said) or any(map(is_command, heard.lines))
    return _may_refuse(sender, Unproved.REFUSAL if has_command else Unproved.HELP, now)


def _may_refuse(sender: str, why: Unproved, now: datetime) -> bool:
    known = intake.is_known_address(sender)
    return intake.may_answer(sender, Unproved.ANSWER if known else why, now)


def _refuse(
    mail: WaitingMail,
    sender: str,
    message_id: str,
    refusal: UserError,
    now: datetime,
    why: Unproved = Unproved.REFUSAL,
) -> None:
    def answer() -> str:
        if sender and _may_refuse(sender, why, now):
            refused = Answer("", Refusal(refusal.text, refusal.code, refusal.hint))
            facts = {"answer": encode(refused), "notes": [], "board": None}
            letters.queue(sender, "answer", facts, now, in_reply_to=message_id)
        return refusal.code

    intake.settle(mail, answer)


def _reused() -> UserError:
    return UserError(
        "Another mail with the same Message-ID came before; nothing was done with this one.",
        code="message-id-reused",
        hint="Send it again as a new mail.",
    )


def _ignore(mail: WaitingMail, reason: str) -> None:
    log.info("a mail is ignored", mail=mail.id, reason=reason)
    intake.settle(mail, lambda: "", ignored=reason)


def _give_up(mail: WaitingMail, now: datetime) -> None:
    log.error("a mail is set aside", mail=mail.id)

    def apologise() -> None:
        if mail.envelope_sender and not is_ours(mail.envelope_sender):
            letters.queue(mail.envelope_sender, "sorry", {}, now)

    intake.give_up(mail, "could not be answered", apologise)
