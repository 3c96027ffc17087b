"""What becomes of a mail that is not performed: refused, ignored, put off, or set aside."""

from __future__ import annotations

from datetime import datetime, timedelta

from sarsen.core.errors import UserError
from sarsen.doors.mail.answerable import may_refuse
from sarsen.doors.mail.recipients import is_ours
from sarsen.doors.mail.senders import Verdict, judge
from sarsen.language.commands.several import MOST_LINES
from sarsen.language.replies import Answer, Refusal, encode
from sarsen.services import intake, letters
from sarsen.services.intake import Settlement
from sarsen.services.strangers import Unproved
from sarsen.services.unanswered import WaitingMail

PUT_OFF = timedelta(minutes=1)
MOST_PUT_OFF = timedelta(days=1)


def refuse(
    mail: WaitingMail,
    sender: str,
    message_id: str,
    refusal: UserError,
    now: datetime,
    why: Unproved = Unproved.REFUSAL,
) -> Settlement:
    """Return what is wrong with a mail that nobody has proved to have written."""

    def answer() -> str:
        if sender and may_refuse(sender, why, now):
            refused = Answer("", Refusal(refusal.text, refusal.code, refusal.hint))
            facts = {"answer": encode(refused), "notes": [], "board": None}
            letters.queue(sender, "answer", facts, now, in_reply_to=message_id)
        return refusal.code

    return if_genuine(Settlement(mail, answer), sender, now)


def if_genuine(settlement: Settlement, sender: str, now: datetime) -> Settlement:
    """Leave a mail unanswered that its sender's domain says is not its own."""
    mail = settlement.mail
    verdict = judge(mail.raw, sender, now, mail.body_digests)
    if verdict is Verdict.FAIL:
        return ignore(settlement.mail, "forged sender")
    return put_off(settlement.mail, now) if verdict is Verdict.LATER else settlement


def reused() -> UserError:
    """Return the refusal of a Message-ID that came before with another text."""
    return UserError(
        "Another mail with the same Message-ID came before; nothing was done with this one.",
        code="message-id-reused",
        hint="Send it again as a new mail.",
    )


def too_many_lines() -> Refusal:
    """Return the refusal of lines that a `multiple` has no place for."""
    return Refusal(
        f"`multiple` takes {MOST_LINES} lines; the rest was not read.",
        "too-many-lines",
        "Send the rest in another mail.",
    )


def no_room() -> Refusal:
    """Return the refusal of a question that the letter has no room to answer."""
    return Refusal(
        "The answers above fill this letter; this question was left out.",
        "answer-too-long",
        "Send it again in another mail.",
    )


def ignore(mail: WaitingMail, reason: str) -> Settlement:
    """Answer nothing, and keep why."""
    return intake.ignoring(mail, reason)


def give_up(mail: WaitingMail, now: datetime) -> Settlement:
    """Set aside a mail that we fail at, with an apology."""

    def apologise() -> None:
        sender = mail.envelope_sender
        if sender and not is_ours(sender) and may_refuse(sender, Unproved.HELP, now):
            letters.queue(sender, "sorry", {}, now)

    return intake.giving_up(mail, "could not be answered", apologise)


def put_off(mail: WaitingMail, now: datetime) -> Settlement:
    """Leave a mail for later; one that waits too long by then is not answered."""
    if mail.received_at + MOST_PUT_OFF < now:
        return ignore(mail, "put off for too long")
    # Not all of a flood at the same moment again.
    return intake.putting_off(mail, now + PUT_OFF * (1 + mail.id % 10 / 10))
