"""Leave the attachments out of a large mail while it comes in.

A mail of up to `MAX_BYTES` is kept as it is. Of a larger one the headers, the structure and
the text are kept; the content of parts that are never read is dropped as it arrives, so that
neither memory nor the database holds it. Digests of the whole body stay: its DKIM signatures
are verified later.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from email import message_from_bytes
from email.message import Message

from sarsen.doors.mail.parse.body_digests import BodyDigests
from sarsen.doors.mail.parse.parts import (
    MAX_BYTES,
    MAX_HEADER_BYTES,
    MAX_NESTING,
    MAX_PARTS,
    UnreadableMail,
    check_bytes,
    is_text,
)

MAX_RECEIVED = 32 * 1024 * 1024  # octets; what the large providers send is smaller
# Octets kept of a mail inside a mail: a bounce or complaint quotes our headers there.
MAX_ENCLOSED = 32 * 1024
MAX_LINE = 64 * 1024  # octets of a line that are held until its end comes: it may never come
_ALL = MAX_RECEIVED
_BLANK_LINE = re.compile(rb"^\r?\n", re.MULTILINE)  # the end of the header
HEAD_TOO_LARGE = f"A mail may have at most {MAX_BYTES // 1024} kB of header fields"
TOO_LARGE = (
    f"A mail may have {MAX_BYTES // 1024} kB of text, and "
    f"{MAX_RECEIVED // 1024 // 1024} MB with its attachments"
)


@dataclass(frozen=True)
class ReceivedMail:
    """The parts of a mail that are stored.

    Attributes:
        body_digests: Of the whole body, where some of it was dropped; see `BodyDigests`.
    """

    content: bytes
    body_digests: str = ""


class IncomingMail:
    """A mail that arrives piece by piece."""

    def __init__(self) -> None:
        self._content = bytearray()
        self._reduction: _Reduction | None = None
        self.size = 0  # octets that have come
        self.is_head_too_large = False

    def feed(self, piece: bytes) -> None:
        """Take the next octets."""
        self.size += len(piece)
        if self.is_head_too_large:
            return
        if self._reduction is not None:
            if self.size <= MAX_RECEIVED:
                self._reduction.feed(piece)
            return
        self._content += piece
        if len(self._content) > MAX_BYTES:
            if not _BLANK_LINE.search(self._content, 0, MAX_BYTES):
                self.is_head_too_large = True
                self._content.clear()
                return
            self._reduction = _Reduction()
            self._reduction.feed(bytes(self._content))
            self._content.clear()

    def finish(self) -> ReceivedMail | None:
        """Return what is kept, or None when the mail, or the text of it, is too large."""
        if self.is_head_too_large:
            return None
        if self._reduction is None:
            return ReceivedMail(bytes(self._content))
        return self._reduction.finish() if self.size <= MAX_RECEIVED else None


class _Reduction:
    """Copy a mail without the content of its attachments."""

    def __init__(self) -> None:
        self._kept = bytearray()
        self._digests = BodyDigests()
        self._unended = b""  # a line whose end has not come
        self._boundaries: list[bytes] = []  # of the parts that are open, the innermost last
        self._header: bytearray | None = bytearray()  # of the part that begins; None in its body
        self._is_top = True  # in the header of the mail itself
        self._parts = 0
        self._room = _ALL  # octets of the part's body that are kept

    def feed(self, piece: bytes) -> None:
        data = self._unended + piece
        end = data.rfind(b"\n") + 1
        if not end and len(data) > MAX_LINE:
            end = len(data)
            self._digests.is_known = False
        self._unended = data[end:]
        self._take(data[:end])

    def finish(self) -> ReceivedMail | None:
        self._take(self._unended)
        if len(self._kept) > MAX_BYTES:
            return None
        return ReceivedMail(bytes(self._kept), self._digests.finish())

    def _take(self, lines: bytes) -> None:
        while lines:
            is_in_body = not self._is_top
            remaining = self._take_body(lines) if self._header is None else self._take_header(lines)
            if is_in_body:
                self._digests.update(lines[: len(lines) - len(remaining)])
            lines = remaining

    def _take_header(self, lines: bytes) -> bytes:
        """Take lines of a part's header; return those behind its end."""
        assert self._header is not None
        blank = _BLANK_LINE.search(lines)
        end = blank.end() if blank else len(lines)
        self._header += lines[:end]
        self._keep(lines[:end])
        if blank or len(self._header) > MAX_HEADER_BYTES:
            self._begin_body(bytes(self._header))
            self._header, self._is_top = None, False
        return lines[end:]

    def _begin_body(self, header: bytes) -> None:
        """Decide by its header what is kept of a part."""
        self._room = _ALL
        try:
            check_bytes(header)  # before the parser: hostile fields cost it too much
        except UnreadableMail:
            return  # kept as it is, and refused when it is read
        part = message_from_bytes(header)
        boundary = part.get_boundary() if part.get_content_maintype() == "multipart" else None
        if boundary and boundary.isascii() and len(self._boundaries) < MAX_NESTING:
            self._boundaries.append(boundary.encode("ascii"))
        elif _is_enclosed(part):
            self._room = MAX_ENCLOSED
        elif not is_text(part):
            self._room = 0

    def _take_body(self, lines: bytes) -> bytes:
        """Take lines of a part's body; return those behind the line that ends it."""
        delimiter = self._delimiter(lines)
        inside = lines[: delimiter.start()] if delimiter else lines
        if len(inside) > self._room:  # whole lines, so that a boundary stays at a line's begin
            self._keep(inside[: inside.rfind(b"\n", 0, self._room) + 1])
            self._room = 0
        else:
            self._keep(inside)
            self._room -= len(inside)
        if not delimiter:
            return b""
        self._keep(delimiter[0][1:])
        while self._boundaries[-1] != delimiter[1]:
            self._boundaries.pop()
        self._room = _ALL
        if delimiter[2]:
            self._boundaries.pop()
        else:
            self._header = bytearray()
            self._parts += 1
        if self._parts > MAX_PARTS:
            self._boundaries.clear()  # too many to be read: the rest is kept, and too large
        return lines[delimiter.end() - 1 :]

    def _delimiter(self, lines: bytes) -> re.Match[bytes] | None:
        if not self._boundaries or b"--" not in lines:
            return None
        named = b"|".join(map(re.escape, self._boundaries))
        # With a line end before it: the search for an octet is quick, that for a line's begin not.
        return re.search(rb"\n--(" + named + rb")(--)?[ \t]*(?:\r?\n|\Z)", b"\n" + lines)

    def _keep(self, piece: bytes) -> None:
        if len(self._kept) <= MAX_BYTES:
            self._kept += piece


def _is_enclosed(part: Message) -> bool:
    kind = part.get_content_type()
    return kind.startswith("message/") or kind == "text/rfc822-headers"
