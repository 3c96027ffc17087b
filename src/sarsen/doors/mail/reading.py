"""Read a mail: bytes in, one frozen `ReadMail` out.

Pure: no network, no clock, no database, and no command is understood here.
The standard parser runs with its compat32 policy, which reads the odd mails
that `policy.default` raises on, ten times as fast.
"""

from __future__ import annotations

from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message

from sarsen.doors.mail import headers
from sarsen.doors.mail.bodies import body_of
from sarsen.doors.mail.bounds import HINT, UnreadableMail, check_bytes, check_parts
from sarsen.doors.mail.headers import Mailbox, mailboxes
from sarsen.doors.mail.machines import machine_reason
from sarsen.doors.mail.quotes import own_words

__all__ = ["ReadMail", "UnreadableMail", "read_mail"]


@dataclass(frozen=True)
class ReadMail:
    """What a mail says, without anything that could act by itself.

    No text here has a line break, a control character or a change of direction.

    Attributes:
        message_id: With its brackets; empty when absent or unusable.
        sender: The bare address to answer; empty when there is none.
        subject: As a command is typed: plain, without `Re:` and list tags.
        rows: What the sender wrote, plain, in order, with one empty row where
            paragraphs part; see `quotes.own_words`.
        is_answer: Whether the subject says so, with a `Re:`; one that a person wrote says not.
        machine: Why it must never be answered; empty for a person's mail.
        attachments: How many there were; none is opened.
        notes: What was left out, in words for the sender.
        languages: Codes of those that the headers name, the mail's own first.
    """

    message_id: str
    sender: str
    subject: str
    is_answer: bool
    rows: tuple[str, ...]
    machine: str
    attachments: int
    notes: tuple[str, ...]
    languages: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The rows that are not empty."""
        return tuple(row for row in self.rows if row)


def read_mail(raw: bytes, *, own_domain: str = "", envelope_sender: str | None = None) -> ReadMail:
    """Read any bytes as a mail.

    Args:
        own_domain: The server's own, to know its mail when it comes back.
        envelope_sender: From MAIL FROM, empty for a bounce; `None` when not known.

    Raises:
        UnreadableMail: Past a bound, or from more than one person.
    """
    check_bytes(raw)
    message = message_from_bytes(raw)
    check_parts(message)
    author = _author(message)
    answer_to = next(iter(mailboxes(headers.value(message, "reply-to"))), author)
    subject = headers.subject(message)
    body = body_of(message)
    words = own_words(body.text)
    return ReadMail(
        message_id=headers.message_id(message),
        sender=answer_to.address,
        subject=subject,
        is_answer=headers.is_answer(message),
        rows=words.rows,
        machine=machine_reason(message, author, subject, envelope_sender, own_domain),
        attachments=body.attachments,
        notes=words.notes + body.notes,
        languages=headers.languages(message),
    )


def _author(message: Message) -> Mailbox:
    """Return the one person the mail is from, or nobody."""
    fields = headers.values(message, "from")
    found = [mailbox for field in fields for mailbox in mailboxes(field)]
    if len(fields) > 1 or len(found) > 1:
        raise UnreadableMail(
            "A mail must be from one person; this one names several in From.",
            code="mail.several-senders",
            hint=HINT,
        )
    return found[0] if found else Mailbox()
