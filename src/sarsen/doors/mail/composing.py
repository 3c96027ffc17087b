"""A letter becomes a message: headers, text, HTML and picture."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from email.charset import QP, Charset
from email.header import Header
from email.message import Message
from email.mime.application import MIMEApplication
from email.mime.image import MIMEImage
from email.mime.multipart import MIMEMultipart
from email.mime.text import MIMEText
from email.policy import compat32
from email.utils import format_datetime

from django.conf import settings

from sarsen.doors.mail.recipients import main_address
from sarsen.language.typography import one_line

LONGEST_LINE = 998  # octets, of the mail standard
# The older policy writes headers as they are given; the newer one parses each of them
# anew, which cost more than all else a letter needs.
# Not folded at 78: an address that fits in no such line would stand below an empty one,
# where some programs do not find the way to unsubscribe.
_WIRE = compat32.clone(linesep="\r\n", max_line_length=LONGEST_LINE)
_QUOTED = Charset("utf-8")
_QUOTED.body_encoding = QP


@dataclass(frozen=True)
class Letter:
    """What a letter says.

    Attributes:
        reply_to: Where an answer goes; the main address when empty.
        thread: A word that is the same for all letters of one board; may be empty.
        picture: PNG shown by the HTML part as `cid:board`, or None.
        more_pictures: Pairs of what the HTML part calls a picture, and its PNG.
        is_answer: Whether it answers a mail, or tells something unasked.
        unsubscribe: The one-click address, for letters one can do without.
        attachment: The name and content of a file of JSON lines, or None.
    """

    subject: str
    text: str
    html: str = ""
    reply_to: str = ""
    thread: str = ""
    picture: bytes | None = None
    picture_words: str = ""
    more_pictures: tuple[tuple[str, bytes], ...] = ()
    is_answer: bool = False
    unsubscribe: str = ""
    attachment: tuple[str, bytes] | None = None


def compose(
    letter: Letter, *, kind: str, number: int, address: str, in_reply_to: str, queued_at: datetime
) -> bytes:
    """Write a letter as a message.

    The same letter always gets the same Message-ID, so that a second copy, sent
    because a sender died, is known for what it is.
    """
    message = _body(letter)
    domain = settings.SARSEN_DOMAIN
    headers = {
        "From": f"sarsen <{main_address()}>",
        "To": address,
        "Reply-To": letter.reply_to or main_address(),
        "Subject": letter.subject,
        "Date": format_datetime(queued_at),
        "Message-ID": f"<letter.{number}.{int(queued_at.timestamp())}@{domain}>",
        **_thread(letter, in_reply_to),
        "Auto-Submitted": "auto-replied" if letter.is_answer else "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "X-Sarsen": kind,
    }
    if letter.unsubscribe:
        headers["List-Unsubscribe"] = f"<{letter.unsubscribe}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    for name, value in headers.items():
        message[name] = _header(value)
    return message.as_bytes(policy=_WIRE)


def _header(value: str) -> str:
    """Make a header value that cannot begin another header, whatever it holds."""
    plain = one_line(value)
    return plain if plain.isascii() else Header(plain, "utf-8").encode()


def _thread(letter: Letter, in_reply_to: str) -> dict[str, str]:
    root = f"<{letter.thread}@{settings.SARSEN_DOMAIN}>" if letter.thread else ""
    if not (in_reply_to or root):
        return {}
    references = f"{root} {in_reply_to}".strip()
    return {"In-Reply-To": in_reply_to or root, "References": references}


def _body(letter: Letter) -> Message:
    """Write text and HTML, and the attachment beside them."""
    words = _words(letter)
    if letter.attachment is None:
        return words
    name, content = letter.attachment
    file = MIMEApplication(content, "jsonl")
    file.add_header("Content-Disposition", "attachment", filename=name)
    return MIMEMultipart("mixed", None, [words, file])


def _words(letter: Letter) -> Message:
    """Write text first, then HTML with its picture inside."""
    text = _part(letter.text.rstrip("\n") + "\n", "plain")
    if not letter.html:
        return text
    html: Message = _part(letter.html, "html")
    pictures = [("board", letter.picture)] if letter.picture is not None else []
    shown = [_picture(name, drawn) for name, drawn in (*pictures, *letter.more_pictures)]
    if shown:
        html = MIMEMultipart("related", None, [html, *shown])
    return MIMEMultipart("alternative", None, [text, html])


def _picture(name: str, drawn: bytes) -> Message:
    picture = MIMEImage(drawn, "png")
    picture["Content-ID"] = f"<{name}>"
    picture.add_header("Content-Disposition", "inline", filename=f"{name}.png")
    return picture


def _part(text: str, subtype: str) -> MIMEText:
    # ASCII goes as it stands: boards must not be wrapped or spelled in codes.
    longest = max(map(len, text.splitlines()), default=0)
    if text.isascii() and longest < LONGEST_LINE:
        return MIMEText(text, subtype, "us-ascii")
    part = MIMEText("", subtype, "utf-8")
    del part["Content-Transfer-Encoding"]
    part.set_payload(text, _QUOTED)
    return part
