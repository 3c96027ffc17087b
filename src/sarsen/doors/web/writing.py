"""Build a mail as a mail program would, from what a form says."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import UTC, datetime
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from secrets import token_hex

ADDRESS = re.compile(r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@[A-Za-z0-9.-]{1,189}")
TOKEN = re.compile(r"([0-9a-f]{8})-([0-9a-f]{16})")


@dataclass(frozen=True)
class Draft:
    """A mail to send.

    Attributes:
        token: Names this form: sent twice it makes the very same mail.
        in_reply_to, references: Message ids, "" when it answers nothing.
    """

    token: str
    sender: str
    to: str
    subject: str
    text: str
    in_reply_to: str = ""
    references: str = ""


def new_token(now: datetime) -> str:
    """Name a fresh form."""
    return f"{int(now.timestamp()):08x}-{token_hex(8)}"


def write_mail(draft: Draft) -> bytes:
    """Write the message.

    A second press of the button must make the same bytes, or the server would
    think two mails share a Message-ID: so the time is that of the form.

    Raises:
        ValueError: A line break in what becomes a header; forms refuse it before.
    """
    seconds = int(draft.token.partition("-")[0], 16)
    message = EmailMessage(policy=SMTP)
    message["From"] = draft.sender
    message["To"] = draft.to
    message["Subject"] = draft.subject
    message["Date"] = format_datetime(datetime.fromtimestamp(seconds, UTC))
    message["Message-ID"] = f"<{draft.token}@browser.invalid>"
    if draft.in_reply_to:
        message["In-Reply-To"] = draft.in_reply_to
        message["References"] = draft.references
    message.set_content(draft.text)
    return message.as_bytes()
