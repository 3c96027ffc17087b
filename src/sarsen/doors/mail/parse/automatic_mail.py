"""Automatic mail: a program's mail is never answered, and its reports of our letters are counted.

Two programs that answer each other would never stop. A report says that a letter came back, or
that its reader complains. The envelope sender of a letter names the letter, signed, so that its
bounce does, too; a complaint holds the letter, whose own way to stop it is then taken.
"""

from __future__ import annotations

import re
from datetime import datetime
from email import message_from_bytes
from email.message import Message

from flufl.bounce import all_failures

from sarsen.core.errors import UserError
from sarsen.doors.mail.addresses import LIST_NAME, SILENT, untagged
from sarsen.doors.mail.parse.headers import has_any, message_id, value, values
from sarsen.doors.mail.parse.parts import check_bytes, check_parts
from sarsen.language.grammar.typography import one_line
from sarsen.services.accounts import bounces
from sarsen.services.accounts.mail_invitations import decline_for_good
from sarsen.services.accounts.preferences import set_mails
from sarsen.services.mail import reply_addresses

OUR_HEADER = "X-Sarsen"
MAX_HOPS = 30  # `Received` fields: mail in a loop has more, usual mail less than ten

_LIST_FIELDS = ("list-id", "list-post", "list-help", "list-unsubscribe")
_REPLIER_FIELDS = ("x-autoreply", "x-autorespond", "x-auto-reply", "x-autoresponse")
# `Precedence`, which is no standard: what mailing lists and vacation programs write there.
_BULK = frozenset({"bulk", "junk", "list", "auto_reply", "auto-reply"})
# Senders of bounces; an answer to one may bounce again.
_SYSTEM_NAMES = frozenset({"mailer-daemon", "postmaster"})
# For machines that mark their notices by nothing else. No command of ours begins so.
_NOTICE = re.compile(
    r"out of (?:the )?office|auto(?:matic)?[ -]?(?:reply|response)\b|autosvar|auto: "
    r"|automati(?:sche antwort|sch antwoord)|abwesenheits|ich bin abwesend"
    r"|réponse automatique|absen(?:t|ce) du bureau|respuesta automática|risposta automatica"
    r"|resposta automática|fuera de (?:la )?oficina|fuori (?:sede|ufficio)|afwezig"
    r"|undeliver(?:ed|able)|delivery status notification|mail delivery (?:failed|subsystem)"
    r"|returned mail|delivery has failed|unzustellbar",
    re.IGNORECASE,
)
MAX_READ = 64 * 1024  # octets: a report is shorter, and a letter with its picture may follow
MAX_WHY = 200  # characters: another server may say anything, and players read it
# RFC 3463: an address, a mailbox, or the way there is at fault. The others speak of the
# letter, or of us: a server that thinks it spam says nothing of its reader.
_DEAD = re.compile(r"\b[45]\.[124]\.\d")
_STATUS = re.compile(r"\b[245]\.\d{1,3}\.\d{1,3}\b")  # RFC 3463: success, temporary, permanent
_UNDEFINED = re.compile(r"[45]\.0\.\d")  # a server that knows no better code: its words may tell
# Of an SMTP server: some give its code where a status belongs.
_REPLY = re.compile(r"\s*([45]\d\d)\b(.*)", re.DOTALL)
# Our own link, which the quoted letter has: it names who complains.
_STOP = re.compile(rb"/unsubscribe/([0-9a-z-]{18,60})/")
_NO_INVITATIONS = re.compile(rb"/invited/([0-9a-f]{20})/never/")
_BOUNCE = "bounce-"
_REPORT = "message/delivery-status"
# What a reader of mail raises that stumbles over hostile fields.
_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, AssertionError)


def automatic_reason(
    message: Message,
    sender: str,
    subject: str,
    envelope_sender: str | None,
    own_domain: str,
) -> str:
    """Name why a mail must never be answered; empty for a person's mail.

    Args:
        sender: Of From.
        subject: Without prefixes, normalised.
        envelope_sender: From MAIL FROM; `None` when the caller does not know it.
        own_domain: Where our own addresses and Message-IDs live.
    """
    reasons = {
        "own-mail": _is_ours(message, sender, own_domain),
        "null-sender": envelope_sender is not None and not envelope_sender.strip(" <>"),
        "auto-submitted": _says_other(message, "auto-submitted", "no"),
        "precedence": any(v.strip().lower() in _BULK for v in values(message, "precedence")),
        "auto-response-suppress": _says_other(message, "x-auto-response-suppress", "none"),
        "list": has_any(message, _LIST_FIELDS),
        "auto-reply": has_any(message, _REPLIER_FIELDS),
        "report": message.get_content_type() == "multipart/report"
        or has_any(message, ("x-failed-recipients",)),
        "system-sender": _is_system_address(sender)
        or _is_system_address(envelope_sender or "")
        or _is_system_name(value(message, "from")),
        "notice": bool(_NOTICE.match(subject)),
        "too-many-hops": len(values(message, "received")) > MAX_HOPS,
    }
    return next((reason for reason, holds in reasons.items() if holds), "")


def _is_ours(message: Message, sender: str, own_domain: str) -> bool:
    if own_domain and any(
        value.lower().rstrip().endswith(f"<{LIST_NAME}.{own_domain.lower()}>")
        for value in values(message, "list-id")
    ):
        return True
    if not has_any(message, (OUR_HEADER,)):
        return False
    domains = {
        sender.rpartition("@")[2],
        message_id(message).rstrip(">").rpartition("@")[2].lower(),
    }
    return not own_domain or own_domain.lower() in domains


def _says_other(message: Message, field: str, harmless: str) -> bool:
    words = (re.split(r"[;(]", v)[0].strip().lower() for v in values(message, field))
    return any(word not in ("", harmless) for word in words)


def _is_system_address(address: str) -> bool:
    return address.partition("@")[0].lower() in _SYSTEM_NAMES


def _is_system_name(field: str) -> bool:
    # `From: MAILER-DAEMON` without a domain is how some mail servers sign.
    return field.strip().strip("<>\"'").lower() in _SYSTEM_NAMES


def take_report(local_part: str, raw: bytes, now: datetime) -> str:
    """Act on a report to one of our addresses for them; the same again changes nothing.

    Returns:
        What it was, for the log; "" for mail to any other address.
    """
    local = local_part.lower()
    if untagged(local) in SILENT:
        return _complaint(raw, now) or f"to {untagged(local)}"
    if not local.startswith(_BOUNCE):
        return ""
    letter = reply_addresses.bounced_letter(local)
    if letter is None:
        return "forged bounce"
    if complaint := _complaint(raw, now):
        return complaint
    why = bounce_reason(raw)
    if not why:
        return "bounce of no consequence"
    bounces.count_bounce(letter, why, now)
    return "bounce"


def bounce_reason(raw: bytes) -> str:
    """Return why a letter will never be taken; "" for a delay, and for anything else."""
    message = _parsed(raw)
    if message is None:
        return ""
    reports = [part for part in message.walk() if part.get_content_type() == _REPORT]
    if reports:
        reasons = (_failure(block) for report in reports for block in _blocks(report))
        return next(filter(None, reasons), "")
    try:
        # In free text, of some twenty kinds.
        _, failed = all_failures(message)
    except _UNREADABLE:
        # A bounce that its reader stumbles over says nothing; whatever it is, it is not ours.
        return ""
    return "The mail came back." if failed else ""


def is_dead(code: int, words: str) -> bool:
    """Return whether a relay that refuses a recipient speaks of a dead address."""
    return code >= 500 and (not _STATUS.search(words) or bool(_DEAD.search(words)))


def _failure(block: Message) -> str:
    """Read the block of one recipient (RFC 3464, 2.3)."""
    if not value(block, "action").strip().lower().startswith("failed"):
        return ""
    status = value(block, "status").strip()
    diagnostic = value(block, "diagnostic-code").partition(";")[2] or status
    if _UNDEFINED.match(status):
        # Postfix writes 5.0.0 where the other server gave no status: its reply tells more.
        reply = _REPLY.match(diagnostic)
        if not (reply and is_dead(int(reply[1]), reply[2])):
            return ""
    elif _STATUS.match(status) and not _DEAD.match(status):
        return ""
    return one_line(diagnostic)[:MAX_WHY] or "The mail came back."


def _blocks(report: Message) -> list[Message]:
    payload = report.get_payload() if report.is_multipart() else []
    return [block for block in payload if isinstance(block, Message)]


def _complaint(raw: bytes, now: datetime) -> str:
    """Stop the letters that a complaint is about (RFC 5965), by the letter's own token."""
    message = _parsed(raw)
    if message is None or message.get_param("report-type") != "feedback-report":
        return ""
    if invited := _NO_INVITATIONS.search(raw[:MAX_READ]):
        decline_for_good(invited[1].decode("ascii"))
        return "complaint"
    for match in _STOP.finditer(raw[:MAX_READ]):
        try:
            set_mails(match[1].decode("ascii"), now, wanted=False)
        except UserError:
            continue  # forged, or revoked
        return "complaint"
    return "complaint without a letter of ours"


def _parsed(raw: bytes) -> Message | None:
    raw = raw[:MAX_READ]
    try:
        check_bytes(raw)
        message = message_from_bytes(raw)
        check_parts(message)
    except UserError:
        return None
    return message
