"""A letter becomes a message: headers, text, HTML and picture."""

from __future__ import annotations

import re
from base64 import encodebytes
from collections.abc import Sequence
from datetime import datetime
from email.header import Header
from email.message import Message
from email.mime.application import MIMEApplication
from email.mime.text import MIMEText
from email.policy import compat32
from email.quoprimime import body_encode
from email.utils import format_datetime
from functools import lru_cache
from hashlib import sha256

from django.conf import settings

from sarsen.doors.mail.addresses import LIST_NAME, main_address
from sarsen.doors.mail.letter import Attachment, Letter
from sarsen.language.grammar.typography import one_line
from sarsen.services.mail import sent_letters

MAX_LINE = 998  # octets of a line, which mail servers need not take longer (RFC 5322, 2.1.1)
# The older policy writes headers as they are given; the newer one parses each of them
# anew, which cost more than all else a letter needs.
# Not folded at 78: an address that fits in no such line would stand below an empty one,
# where some programs do not find the way to unsubscribe.
_WIRE = compat32.clone(linesep="\r\n", max_line_length=MAX_LINE)
_PLAIN = (
    'Content-Type: text/%s; charset="us-ascii"\r\nMIME-Version: 1.0\r\n'
    "Content-Transfer-Encoding: 7bit\r\n\r\n"
)
_CODED = (
    'Content-Type: text/%s; charset="utf-8"\r\nMIME-Version: 1.0\r\n'
    "Content-Transfer-Encoding: quoted-printable\r\n\r\n"
)
_PICTURE = (
    "Content-Type: image/png\r\nMIME-Version: 1.0\r\nContent-Transfer-Encoding: base64\r\n"
    'Content-ID: <%s>\r\nContent-Disposition: inline; filename="%s.png"\r\n\r\n'
)
_LINE_END = re.compile(r"\r\n|\r|\n")  # of texts from anywhere; mail has CRLF alone (decision 0044)


def compose(
    letter: Letter, *, kind: str, number: int, address: str, in_reply_to: str, queued_at: datetime
) -> bytes:
    """Write a letter as a message.

    The same letter always gets the same Message-ID, so that a second copy, sent
    because a sender died, is known for what it is.
    """
    domain = settings.SARSEN_DOMAIN
    headers = {
        "From": f"sarsen <{main_address()}>",
        "To": address,
        "Reply-To": letter.reply_to or main_address(),
        "Subject": letter.subject,
        "Date": format_datetime(queued_at),
        "Message-ID": sent_letters.message_id(number, queued_at, letter.reply_to or ""),
        **_thread(letter, in_reply_to),
        "Auto-Submitted": "auto-replied" if letter.is_answer else "auto-generated",
        "X-Auto-Response-Suppress": "All",
        "List-Id": f"sarsen <{LIST_NAME}.{domain}>",
        "X-Sarsen": kind,
    }
    if letter.unsubscribe:
        headers["List-Unsubscribe"] = f"<{letter.unsubscribe}>"
        headers["List-Unsubscribe-Post"] = "List-Unsubscribe=One-Click"
    if letter.archive:
        # RFC 2369: where the letters to everybody are, and how to write one.
        headers["List-Archive"] = f"<{letter.archive}>"
        headers["List-Post"] = f"<mailto:{main_address()}?subject=broadcast>"
    head = "".join(_line(name, _header(value)) for name, value in headers.items())
    return head.encode("ascii") + _body(letter)


def _line(name: str, value: str) -> str:
    """Write a header as it stands; the library takes long to find out that nothing is to fold."""
    whole = f"{name}: {value}\r\n"
    is_short = max(map(len, whole.split("\r\n"))) <= MAX_LINE
    return whole if is_short else str(_WIRE.fold(name, value))


def _header(value: str) -> str:
    """Make a header value that cannot begin another header, whatever it holds."""
    plain = one_line(value)
    # An encoded word that a sender wrote may hold what no header may.
    if plain.isascii() and "=?" not in plain and len(plain) < MAX_LINE - 100:
        return plain
    return Header(plain, "utf-8").encode(linesep="\r\n")


def _thread(letter: Letter, in_reply_to: str) -> dict[str, str]:
    root = f"<{letter.thread}@{settings.SARSEN_DOMAIN}>" if letter.thread else ""
    if not (in_reply_to or root):
        return {}
    references = f"{root} {in_reply_to}".strip()
    return {"In-Reply-To": in_reply_to or root, "References": references}


def _body(letter: Letter) -> bytes:
    """Write text and HTML, and the attachment beside them."""
    words = _words(letter)
    if letter.attachment is None:
        return words
    return _several("mixed", [words, _file(letter.attachment)])


def _file(attachment: Attachment) -> bytes:
    file: Message
    if attachment.kind == "plain":
        file = MIMEText(attachment.content.decode(), "plain", "utf-8")
    else:
        file = MIMEApplication(attachment.content, attachment.kind)
    file.add_header("Content-Disposition", "attachment", filename=attachment.name)
    return file.as_bytes(policy=_WIRE)


def _words(letter: Letter) -> bytes:
    """Write text first, then HTML with its picture inside."""
    text = _part(letter.text.rstrip("\n") + "\n", "plain")
    if not letter.html:
        return text
    html = _part(letter.html, "html")
    if letter.pictures:
        pictures = (_picture(name, drawn) for name, drawn in letter.pictures)
        html = _several("related", [html, *pictures])
    return _several("alternative", [text, html])


def _several(kind: str, parts: Sequence[bytes]) -> bytes:
    """Put parts into one, between lines that stand in none of them."""
    boundary = b"=_" + sha256(b"\0".join(parts)).hexdigest()[:32].encode()
    head = b'Content-Type: multipart/%s; boundary="%s"\r\nMIME-Version: 1.0\r\n\r\n'
    inside = b"".join(b"--%s\r\n%s\r\n" % (boundary, part) for part in parts)
    return head % (kind.encode(), boundary) + inside + b"--%s--\r\n" % boundary


@lru_cache(maxsize=64)
def _picture(name: str, drawn: bytes) -> bytes:
    # As `MIMEImage` writes it, which took nine times as long.
    return (_PICTURE % (name, name)).encode("ascii") + encodebytes(drawn).replace(b"\n", b"\r\n")


def _part(text: str, subtype: str) -> bytes:
    # ASCII goes as it stands: boards must not be wrapped or spelled in codes.
    rows = text.splitlines()
    if text.isascii() and max(map(len, rows), default=0) < MAX_LINE:
        return (_PLAIN % subtype + "\r\n".join(rows) + "\r\n").encode("ascii")
    # Half a surrogate pair, which JSON can spell, is no letter of any alphabet.
    encoded = body_encode(text.encode("utf-8", "replace").decode("latin-1"))
    return (_CODED % subtype + _LINE_END.sub("\r\n", encoded)).encode("ascii")
