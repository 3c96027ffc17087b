"""A letter becomes a message: headers, text, HTML and picture."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from email.headerregistry import Address
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime

from django.conf import settings

from sarsen.doors.mail.recipients import main_address


@dataclass(frozen=True)
class Letter:
    """What a letter says.

    Attributes:
        reply_to: Where an answer goes; the main address when empty.
        thread: A word that is the same for all letters of one board; may be empty.
        picture: PNG shown by the HTML part as `cid:board`, or None.
        is_answer: Whether it answers a mail, or tells something unasked.
        unsubscribe: The one-click address, for letters one can do without.
    """

    subject: str
    text: str
    html: str = ""
    reply_to: str = ""
    thread: str = ""
    picture: bytes | None = None
    picture_words: str = ""
    is_answer: bool = False
    unsubscribe: str = ""


def compose(
    letter: Letter, *, kind: str, number: int, address: str, in_reply_to: str, queued_at: datetime
) -> bytes:
    """Write a letter as a message.

    The same letter always gets the same Message-ID, so that a second copy, sent
    because a sender died, is known for what it is.
    """
    message = EmailMessage(policy=SMTP)
    domain = settings.SARSEN_DOMAIN
    message["From"] = Address("sarsen", addr_spec=main_address())
    message["To"] = Address(addr_spec=address)
    message["Reply-To"] = letter.reply_to or main_address()
    message["Subject"] = " ".join(letter.subject.split())
    message["Date"] = format_datetime(queued_at)
    message["Message-ID"] = f"<letter.{number}.{int(queued_at.timestamp())}@{domain}>"
    _thread(message, letter, in_reply_to)
    message["Auto-Submitted"] = "auto-replied" if letter.is_answer else "auto-generated"
    message["X-Auto-Response-Suppress"] = "All"
    message["X-Sarsen"] = kind
    if letter.unsubscribe:
        message["List-Unsubscribe"] = f"<{letter.unsubscribe}>"
        message["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    _text(message, letter)
    return message.as_bytes()


def _thread(message: EmailMessage, letter: Letter, in_reply_to: str) -> None:
    root = f"<{letter.thread}@{settings.SARSEN_DOMAIN}>" if letter.thread else ""
    if in_reply_to or root:
        message["In-Reply-To"] = in_reply_to or root
        message["References"] = f"{root} {in_reply_to}".strip()


def _text(message: EmailMessage, letter: Letter) -> None:
    text = letter.text.rstrip("\n") + "\n"
    # As it stands when it is ASCII: boards must not be wrapped or spelled in codes.
    message.set_content(text, cte="7bit" if text.isascii() else "quoted-printable")
    if not letter.html:
        return
    message.add_alternative(letter.html, subtype="html", cte="quoted-printable")
    if letter.picture is not None:
        html_part = list(message.iter_parts())[-1]
        assert isinstance(html_part, EmailMessage)
        html_part.add_related(
            letter.picture,
            "image",
            "png",
            cid="<board>",
            filename="board.png",
            disposition="inline",
        )
