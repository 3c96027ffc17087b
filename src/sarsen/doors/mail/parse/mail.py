"""Read a mail: bytes in, one frozen `ReadMail` out.

Pure: no network, no clock, no database, and no command is understood here.
The standard parser runs with its compat32 policy, which reads the odd mails
that `policy.default` raises on, ten times as fast.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message

from sarsen.doors.mail.parse import headers
from sarsen.doors.mail.parse.automatic_mail import automatic_reason
from sarsen.doors.mail.parse.headers import addresses
from sarsen.doors.mail.parse.headings import Known
from sarsen.doors.mail.parse.own_words import kept_rows, own_rows, plain_rows
from sarsen.doors.mail.parse.parts import HINT, UnreadableMail, body_of, check_bytes, check_parts
from sarsen.services.mail.fingerprints import NO_FINGERPRINTS, Fingerprints

__all__ = ["ReadMail", "UnreadableMail", "read_mail"]


@dataclass(frozen=True)
class AnsweredLetter:
    """The letter that a mail answers.

    Attributes:
        words: Finds what the mail may quote of it, and of others to the same reader.
        local_part: Of its reply address, where the mail proves that it answers that letter.
    """

    words: Callable[[], Fingerprints] = lambda: NO_FINGERPRINTS
    local_part: str = ""


NO_LETTER = AnsweredLetter()
# Of our own link, quoted: as `signups` makes codes.
_SIGNUP_CODE = re.compile(r"/welcome/([0-9a-f]{20})\b")
# Finds the letter by the address of the writer and the Message-IDs that a mail answers.
FindLetter = Callable[[str, tuple[str, ...]], AnsweredLetter]


def _find_none(author: str, answered_ids: tuple[str, ...]) -> AnsweredLetter:
    return NO_LETTER


@dataclass(frozen=True)
class ReadMail:
    """The content of a mail, without anything active.

    No text here has a line break, a control character or a change of direction.

    Attributes:
        message_id: With its brackets; empty when absent or unusable.
        sender: The bare address to answer; empty when there is none.
        subject: As a command is typed: plain, without `Re:` and list tags.
        rows: What the sender wrote, plain, in order, with one empty row where
            paragraphs part; see `own_words`.
        written: The same with its blanks, signs and empty rows; as many rows with words.
        written_subject: The subject likewise, with all that stands before it.
        is_answer: Whether the subject says so, with a `Re:`; one that a person wrote says not.
        machine: Why it must never be answered; empty for a person's mail.
        attachments: How many there were; none is opened.
        notes: What was left out, in words for the sender.
        languages: Codes of those that the headers name, the mail's own first.
        answered: By its reply address, where the mail proves that it answers one of our letters.
        signup_code: Of the letter of a sign-up that is quoted.
        references: Message-IDs of its thread, the first ones; anybody can name any.
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
    answered: str = ""
    signup_code: str = ""
    written: tuple[str, ...] = ()
    written_subject: str = ""
    references: tuple[str, ...] = ()

    @property
    def lines(self) -> tuple[str, ...]:
        """The rows that are not empty."""
        return tuple(row for row in self.rows if row)


def read_mail(
    raw: bytes,
    *,
    own_domain: str = "",
    envelope_sender: str | None = None,
    find_letter: FindLetter = _find_none,
) -> ReadMail:
    """Read any bytes as a mail.

    Args:
        own_domain: The server's own, to know its mail when it comes back.
        envelope_sender: From MAIL FROM, empty for a bounce; `None` when not known.
        find_letter: Not asked about the mail of a machine.

    Raises:
        UnreadableMail: Past a bound, or from more than one person.
    """
    check_bytes(raw)
    message = message_from_bytes(raw)
    check_parts(message)
    author = _author(message)
    answer_to = next(iter(addresses(headers.value(message, "reply-to"))), author)
    subject = headers.subject(message)
    body = body_of(message)
    machine = automatic_reason(message, author, subject, envelope_sender, own_domain)
    letter = NO_LETTER if machine else find_letter(author, headers.answered_ids(message))
    rows, note = own_rows(body.text, letter.words, Known(own_domain, author, subject))
    return ReadMail(
        message_id=headers.message_id(message),
        sender=answer_to,
        subject=subject,
        is_answer=headers.is_answer(message),
        rows=tuple(plain_rows(rows)),
        machine=machine,
        attachments=body.attachments,
        notes=tuple(filter(None, (note, *body.notes))),
        languages=headers.languages(message),
        answered=letter.local_part,
        signup_code=code[1] if (code := _SIGNUP_CODE.search(body.text)) else "",
        written=tuple(kept_rows(rows)),
        written_subject=headers.written_subject(message),
        references=headers.references(message),
    )


def _author(message: Message) -> str:
    """Return the address of the one person the mail is from; "" for nobody."""
    fields = headers.values(message, "from")
    authors = [address for field in fields for address in addresses(field)]
    if len(fields) > 1 or len(authors) > 1:
        raise UnreadableMail(
            "A mail must be from one person; this one has several in From.",
            code="mail.several-senders",
            hint=HINT,
        )
    return authors[0] if authors else ""
