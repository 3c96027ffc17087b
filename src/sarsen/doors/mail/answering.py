"""Answer a stored mail: read it, perform its commands, queue the answer; once."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import structlog
from django.conf import settings
from django.db import OperationalError

from sarsen.core.errors import UserError
from sarsen.doors.mail.hearing import Heard, hear
from sarsen.doors.mail.quoting import blot, blot_refusal
from sarsen.doors.mail.reading import ReadMail, read_mail
from sarsen.doors.mail.recipients import SILENT, main_address
from sarsen.language.commands import SignUp
from sarsen.language.commands.several import MOST_LINES
from sarsen.language.grammar import Spoken, read_line
from sarsen.language.replies import AddressConfirmed, Answer, Refusal, Several, SignupAsked, encode
from sarsen.services import intake, letters
from sarsen.services.call import Actor
from sarsen.services.dispatch import perform
from sarsen.services.intake import WaitingMail
from sarsen.services.passwords import prove

MOST_ATTEMPTS = 3
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
    except Exception:
        # The door's outermost function: a defect must not stop the other mails. Only
        # defects count as attempts; a killed worker leaves the mail as it was.
        intake.count_attempt(mail)
        log.exception("a mail could not be answered", mail=mail.id, attempt=mail.attempts + 1)
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
        _refuse(mail, mail.envelope_sender, "", refusal, now)
        return
    if read.machine or not read.sender:
        _ignore(mail, read.machine or "no sender")
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
    spoken = [_speak(line, heard, now) for line in heard.lines[:MOST_LINES]]
    intake.settle(mail, lambda: _perform_all(mail, read, heard, spoken, now))


SpokenLine = tuple[str, Actor, Spoken | UserError]


def _speak(line: str, heard: Heard, now: datetime) -> SpokenLine:
    """Read a line and prove its speaker; give the line with its secrets blotted out."""
    actor = heard.actor
    try:
        spoken = read_line(line, heard.context)
    except UserError as refusal:
        return blot(line, None), actor, _quotable(refusal, line, actor)
    try:
        if spoken.credentials:
            player = prove(spoken.credentials, now)
            seat = actor.seat if player == actor.player else None
            actor = Actor(player, seat, actor.address)
        is_proved = actor.player is not None or isinstance(spoken.command, SignUp)
        return blot(line, spoken, is_proved=is_proved), actor, spoken
    except UserError as refusal:
        return blot(line, spoken, is_proved=False), actor, refusal


def _perform_all(
    mail: WaitingMail, read: ReadMail, heard: Heard, spoken: list[SpokenLine], now: datetime
) -> None:
    answers = [
        Answer(line, _perform(one, actor, f"mail:{mail.id}:{number}", now, heard.lines[number]))
        for number, (line, actor, one) in enumerate(spoken)
    ]
    for line in heard.lines[MOST_LINES : MOST_LINES + 1]:
        refusal = Refusal(
            f"`multiple` takes {MOST_LINES} lines; the rest was not read.",
            "too-many-lines",
            "Send the rest in another mail.",
        )
        answers.append(Answer(blot(line, None), refusal))
    speakers = {actor.player for _, actor, _ in spoken}
    actor = spoken[0][1] if len(speakers) == 1 and spoken else heard.actor
    is_refused = all(isinstance(answer.reply, Refusal) for answer in answers)
    if len(answers) == 1 and _is_answered_by_letter(answers[0].reply, read.sender):
        return
    if actor.player is None and is_refused and not _may_answer(read.sender, now):
        return
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


def _is_answered_by_letter(reply: object, sender: str) -> bool:
    """Tell whether the sender gets a letter anyway that says all: a sign-up's, a welcome."""
    if isinstance(reply, SignupAsked):
        return sender.lower() in (address.lower() for address in reply.addresses)
    return isinstance(reply, AddressConfirmed)


def _quotable(refusal: UserError, line: str, actor: Actor) -> UserError:
    return refusal if actor.player else blot_refusal(refusal, line)


def _perform(one: Spoken | UserError, actor: Actor, request: str, now: datetime, line: str) -> Any:
    if isinstance(one, UserError):
        return Refusal(one.text, one.code, one.hint)
    try:
        return perform(one.command, actor, request, now)
    except UserError as refused:
        refusal = _quotable(refused, line, actor)
        return Refusal(refusal.text, refusal.code, refusal.hint)


def _may_answer(sender: str, now: datetime) -> bool:
    return intake.is_known_address(sender) or intake.may_help_stranger(sender, now)


def _refuse(
    mail: WaitingMail, sender: str, message_id: str, refusal: UserError, now: datetime
) -> None:
    def answer() -> None:
        if sender and _may_answer(sender, now):
            refused = Answer("", Refusal(refusal.text, refusal.code, refusal.hint))
            facts = {"answer": encode(refused), "notes": [], "board": None}
            letters.queue(sender, "answer", facts, now, in_reply_to=message_id)

    intake.settle(mail, answer)


def _reused() -> UserError:
    return UserError(
        "Another mail with the same Message-ID came before; nothing was done with this one.",
        code="message-id-reused",
        hint="Send it again as a new mail.",
    )


def _ignore(mail: WaitingMail, reason: str) -> None:
    log.info("a mail is ignored", mail=mail.id, reason=reason)
    intake.settle(mail, lambda: None, ignored=reason)


def _give_up(mail: WaitingMail, now: datetime) -> None:
    log.error("a mail is set aside", mail=mail.id)

    def apologise() -> None:
        if mail.envelope_sender and mail.envelope_sender != main_address():
            letters.queue(mail.envelope_sender, "sorry", {}, now)

    intake.give_up(mail, "could not be answered", apologise)
