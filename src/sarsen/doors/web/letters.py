"""A caught mail as its reader sees it: headers, text, HTML and pictures."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.utils import parseaddr

from django.conf import settings
from django.utils.html import escape, format_html, format_html_join
from django.utils.safestring import SafeString


@dataclass(frozen=True)
class Picture:
    """A picture inside a mail: what the HTML part calls it, or "", its bytes, and their type."""

    name: str
    content: bytes
    type: str


@dataclass(frozen=True)
class Letter:
    """What a mail program shows of a mail, and what it needs to answer it.

    Attributes:
        answer_to: The bare address that answers go to.
        references: The message ids before this one in its thread, and its own.
        html: "" when there is no such part.
        pictures: Those inside the mail.
    """

    sender: str
    to: str
    subject: str
    date: str
    answer_to: str
    message_id: str
    references: str
    text: str
    html: str
    pictures: tuple[Picture, ...]


def read_letter(raw: bytes) -> Letter:
    """Read a mail that this server wrote."""
    message = message_from_bytes(raw, policy=policy.default)
    message_id = _header(message, "Message-ID")
    return Letter(
        sender=_header(message, "From"),
        to=_header(message, "To"),
        subject=_header(message, "Subject"),
        date=_header(message, "Date"),
        answer_to=parseaddr(_header(message, "Reply-To") or _header(message, "From"))[1],
        message_id=message_id,
        references=f"{_header(message, 'References')} {message_id}".strip(),
        text=_text(message, "plain"),
        html=_text(message, "html"),
        pictures=tuple(_pictures(message)),
    )


def link_own_pages(text: str) -> SafeString:
    """Turn addresses of this server's pages into links; every other one stays a text."""
    own = re.compile(re.escape(settings.SARSEN_URL) + r"(/[A-Za-z0-9/_-]*)")
    # By the path alone: the browser may know this server by another name.
    pieces = own.split(text)
    links = (
        format_html('<a href="{}">{}{}</a>', path, settings.SARSEN_URL, path)
        for path in pieces[1::2]
    )
    rest = ((escape(piece),) for piece in pieces[2::2])
    pairs = ((link, *piece) for link, piece in zip(links, rest, strict=True))
    return escape(pieces[0]) + format_html_join("", "{}{}", pairs)


def _header(message: EmailMessage, name: str) -> str:
    return str(message.get(name, ""))


def _text(message: EmailMessage, kind: str) -> str:
    part = message.get_body((kind,))
    return str(part.get_content()).replace("\r\n", "\n") if part else ""


def _pictures(message: EmailMessage) -> Iterator[Picture]:
    for part in message.walk():
        kind = part.get_content_type()
        if isinstance(part, EmailMessage) and kind in ("image/png", "image/jpeg"):
            name = _header(part, "Content-ID").strip("<>")
            yield Picture(name, part.get_content(), kind)
