"""Read a mail: bytes in, one frozen `ReadMail` out.

Pure: no network, no clock, no database, and no command is understood here.
The standard parser runs with its compat32 policy, which reads the odd mails
that `policy.default` raises on, ten times as fast.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message
from typing import NamedTuple

from mailparser_reply.parser import EmailMessage

from sarsen.core.phrases import Phrase
from sarsen.doors.mail.parse import headers
from sarsen.doors.mail.parse.automatic_mail import automatic_reason
from sarsen.doors.mail.parse.headers import addresses
from sarsen.doors.mail.parse.parts import HINT, UnreadableMail, body_of, check_bytes, check_parts
from sarsen.language.grammar.typography import normalise

__all__ = ["ReadMail", "UnreadableMail", "read_mail"]

LONGEST_HEADING = 240
MOST_HEADING_ROWS = 3
MOST_OWN_ROWS = 500
LONGEST_ROW = 6_000
MOST_ROWS = 5_000  # quoted ones among them; more are not looked at
# Bounds the time spent in the library's patterns, some of them cubic in the heading's length.
MOST_FOREIGN_LOOKS = 20
LANGUAGES = ["cs", "da", "es", "it", "ja", "ko", "nl", "pl", "sv", "zh"]

LONG_NOTE = Phrase("Only the first {most} lines of the mail were read.", most=MOST_OWN_ROWS)
ROWS_NOTE = Phrase("Only the first {most} lines of the mail were looked at.", most=MOST_ROWS)
BELOW_NOTE = Phrase("The text below the quoted mail was not read.")

_OPENER = re.compile(r"(?:on|am|le|el|il|op|em|den|dnia|dne)\b|\d{4} ?[年년]", re.IGNORECASE)
_VERB = re.compile(
    r"\b(?:wrote|writes|schrieb|schreibt|a écrit|escribió|ha scritto|schreef|escreveu|skrev"
    r"|napisał|napsal|kirjoitti|пишет|написала?)\b|写道|寫道|작성",
    re.IGNORECASE,
)
_TIME = re.compile(r"\b\d{1,2}[:.h]\d{2}\b")
_YEAR = re.compile(r"\b20\d\d\b")
_FROM = "from|von|de|da|van|från|fra|od|lähettäjä|от|发件人|差出人|보낸 사람"
_SENT = (
    "sent|date|gesendet|datum|envoyé|enviad[oa](?: el| em)?|fecha|inviato|data|verzonden|skickat"
    "|sendt|dato|wysłan[eo]|odesláno|lähetetty|отправлено|дата|发送时间|送信日時|보낸 날짜"
)
_LABEL = re.compile(rf"[*_ ]{{0,3}}(?:({_FROM})|({_SENT}))[*_ ]{{0,3}}:", re.IGNORECASE)
_SEPARATOR = re.compile(r"-{4,60} ?[^\W\d_].{2,60}-{4,60}|_{20,}")
_FORWARDED = re.compile(
    r"begin forwarded message:|anfang der weitergeleiteten (?:nachricht|e-mail):"
    r"|début du (?:message|courriel) (?:transféré|réexpédié) ?:",
    re.IGNORECASE,
)
_SIGNATURES = frozenset({"--", "—", "–", "__"})
_FOOTER = re.compile(
    r"sent (?:from|via|with|using) |get outlook for |sent by my |gesendet (?:von|mit|aus) "
    r"|von mein\w+ .{1,60} gesendet|diese nachricht wurde von mein|holen sie sich outlook "
    r"|envoyé (?:de|depuis|avec|à partir de) |télécharge[rz] outlook |obtenir outlook "
    r"|enviado (?:desde|do|da|de) |inviato da(?:l mio)? |verzonden (?:vanaf|met|vanuit) "
    r"|verstuurd vanaf |skickat från |sendt fra |wysłane? z|odesláno z |lähetetty ",
    re.IGNORECASE,
)
_FOREIGN_HEADING: re.Pattern[str] = EmailMessage(text="", languages=LANGUAGES).HEADER_REGEX


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
    answer_to = next(iter(addresses(headers.value(message, "reply-to"))), author)
    subject = headers.subject(message)
    body = body_of(message)
    rows, note = own_words(body.text)
    return ReadMail(
        message_id=headers.message_id(message),
        sender=answer_to,
        subject=subject,
        is_answer=headers.is_answer(message),
        rows=tuple(rows),
        machine=automatic_reason(message, author, subject, envelope_sender, own_domain),
        attachments=body.attachments,
        notes=tuple(filter(None, (note, *body.notes))),
        languages=headers.languages(message),
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


def own_words(text: str) -> tuple[list[str], str]:
    """Return the unquoted rows of a text, normalised, up to the signature, and what was left out.

    One empty row stands where paragraphs part.

    Words above a quotation are the answer, and then nothing below it is read
    (a footer, or the older mail once more). Only without them are the rows
    between and below the quoted ones read, in order.
    """
    rows = _rows(text)
    own_rows: list[str] = []
    answered_above = False
    is_quoting = False
    looks = MOST_FOREIGN_LOOKS
    has_colon = [row.plain.endswith(":") for row in rows]
    at = 0
    while at < min(len(rows), MOST_ROWS):
        row = rows[at].plain
        if rows[at].is_signature:
            break
        is_colon_near = True in has_colon[at : at + MOST_HEADING_ROWS]
        # A quoted row can only be a heading by its colon.
        heading = _heading_rows(rows, at) if is_colon_near or not row.startswith(">") else 0
        if not heading and looks and is_colon_near:
            looks -= 1
            heading = _foreign_heading_rows(rows, at)
        if heading and not _is_quoted_at(rows, at + heading):
            break
        if heading or row.startswith(">"):
            is_quoting, answered_above = True, answered_above or bool(own_rows)
        elif is_quoting and answered_above:
            return own_rows, BELOW_NOTE
        elif len(own_rows) >= MOST_OWN_ROWS:
            return own_rows, LONG_NOTE
        elif not _FOOTER.match(row):
            own_rows += ["", row] if own_rows and rows[at].begins_paragraph else [row]
        elif own_rows:
            break
        at += heading or 1
    return own_rows, ROWS_NOTE if len(rows) > MOST_ROWS else ""


class _Row(NamedTuple):
    written: str
    plain: str
    begins_paragraph: bool

    @property
    def is_signature(self) -> bool:
        # Telephones turn the two dashes before a signature into one long one.
        return self.written in _SIGNATURES


def _rows(text: str) -> list[_Row]:
    rows: list[_Row] = []
    is_after_blank = False
    for line in text.split("\n"):
        plain = normalise(line).strip()
        if len(rows) > MOST_ROWS:
            return rows
        if plain:
            # Still longer than any command may be: what is cut is refused, not misread.
            rows.append(_Row(line.strip()[:LONGEST_ROW], plain[:LONGEST_ROW], is_after_blank))
        is_after_blank = not plain
    return rows


def _heading_rows(rows: list[_Row], at: int) -> int:
    """Count the rows, from here, that introduce another mail; 0 when these are own words."""
    row = rows[at].plain
    if _SEPARATOR.fullmatch(row) or _FORWARDED.fullmatch(row):
        return 1
    if _begins_label_block(rows, at):
        return 2
    # A wrapped heading is recognised by how it opens: the row before one is own words.
    most = MOST_HEADING_ROWS if _OPENER.match(row) else 1
    counts = range(1, most + 1)
    return next((n for n in counts if _is_attribution(_window(rows, at, n))), 0)


def _begins_label_block(rows: list[_Row], at: int) -> bool:
    """Find `From:` and `Sent:`, in either order, within four rows."""
    first = _LABEL.match(rows[at].plain)
    if not first:
        return False
    labels = [_LABEL.match(row.plain) for row in rows[at + 1 : at + 4]]
    other = 2 if first.group(1) else 1
    return any(label is not None and label.group(other) for label in labels)


def _is_attribution(heading: str) -> bool:
    if len(heading) > LONGEST_HEADING or not heading.endswith(":"):
        return False
    if not _VERB.search(heading):
        return False
    return "@" in heading or bool(_OPENER.match(heading) and re.search(r"\d", heading))


def _foreign_heading_rows(rows: list[_Row], at: int) -> int:
    """Count the heading rows in a language of the library, or of any before `>` rows."""
    for count in range(1, MOST_HEADING_ROWS + 1):
        heading = _window(rows, at, count)
        if len(heading) > LONGEST_HEADING:
            return 0
        if not heading.endswith(":"):
            continue
        if _is_quoted_at(rows, at + count) and _is_dated(rows[at].plain, is_whole=count == 1):
            return count
        written = "\n".join(row.written for row in rows[at : at + count])
        if re.search(r"\d", heading) and _FOREIGN_HEADING.fullmatch(written):
            return count
    return 0


def _is_dated(row: str, *, is_whole: bool) -> bool:
    """Return whether a line is the first row of a heading, not own words above one."""
    if is_whole:
        return "@" in row or bool(_TIME.search(row))
    return bool(_TIME.search(row) and _YEAR.search(row))


def _window(rows: list[_Row], at: int, count: int) -> str:
    return " ".join(row.plain for row in rows[at : at + count])


def _is_quoted_at(rows: list[_Row], at: int) -> bool:
    return at < len(rows) and rows[at].plain.startswith(">")
