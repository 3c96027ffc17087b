"""What machines report of our letters: that they came back, or that somebody complains.

A letter's envelope sender names the letter, signed, so that its bounce does, whatever it
says and however. A complaint holds the letter, whose own way to stop it is then taken.
"""

from __future__ import annotations

import re
from datetime import datetime
from email import message_from_bytes
from email.message import Message

from flufl.bounce import all_failures

from sarsen.core.errors import UserError
from sarsen.doors.mail.parse.headers import value
from sarsen.doors.mail.receive.limits import check_bytes, check_parts
from sarsen.doors.mail.receive.recipients import SILENT, untagged
from sarsen.language.grammar.typography import one_line
from sarsen.services.accounts import bounces
from sarsen.services.accounts.preferences import set_mails
from sarsen.services.mail import reply_addresses

MOST_READ = 64 * 1024  # octets: a letter with its picture may follow
LONGEST_WHY = 200
# RFC 3463: an address, a mailbox, or the way there is at fault. The others speak of the
# letter, or of us: a server that thinks it spam says nothing of its reader.
_DEAD = re.compile(r"\b[45]\.[124]\.\d")
_STATUS = re.compile(r"\b[245]\.\d{1,3}\.\d{1,3}\b")
_STOP = re.compile(rb"/unsubscribe/([0-9a-z-]{18,60})/")
_BOUNCE = "bounce-"


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


# What a reader of mail raises that stumbles over hostile fields.
_UNREADABLE = (ValueError, LookupError, TypeError, AttributeError, AssertionError)


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


_REPORT = "message/delivery-status"


def _failure(block: Message) -> str:
    """Read the block of one recipient (RFC 3464, 2.3)."""
    if not value(block, "action").strip().lower().startswith("failed"):
        return ""
    status = value(block, "status").strip()
    if _STATUS.match(status) and not _DEAD.match(status):
        return ""
    said = value(block, "diagnostic-code").partition(";")[2] or status
    return one_line(said)[:LONGEST_WHY] or "The mail came back."


def _blocks(report: Message) -> list[Message]:
    payload = report.get_payload() if report.is_multipart() else []
    return [block for block in payload if isinstance(block, Message)]


def _complaint(raw: bytes, now: datetime) -> str:
    """Stop the letters that somebody complains of (RFC 5965), by the letter's own token."""
    message = _parsed(raw)
    if message is None or message.get_param("report-type") != "feedback-report":
        return ""
    for found in _STOP.finditer(raw[:MOST_READ]):
        try:
            set_mails(found[1].decode("ascii"), now, wanted=False)
        except UserError:
            continue  # forged, or revoked
        return "complaint"
    return "complaint without a letter of ours"


def _parsed(raw: bytes) -> Message | None:
    raw = raw[:MOST_READ]
    try:
        check_bytes(raw)
        message = message_from_bytes(raw)
        check_parts(message)
    except UserError:
        return None
    return message
