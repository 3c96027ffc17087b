"""Refuse a mail that is too large or too deep before anything parses it.

Each check is one linear pass over the bytes. Python's parser recurses once a
nesting level, needs quadratic time for a header of many parameters, and raises
on some encoded parameters: such mails never reach it.
"""

from __future__ import annotations

import re
from collections import Counter
from email.message import Message

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase

MOST_BYTES = 256 * 1024
MOST_HEADER_BYTES = 64 * 1024
MOST_HEADER_LINES = 500
MOST_LINES = 20_000
MOST_LINES_OF_PARTS = 10_000  # any line between parts may be a header, which costs more
MOST_NESTING = 20
MOST_PARTS = 100
MOST_TEXT = 100_000
# Splitting parameters is quadratic, and past 4,300 digits int() refuses a section's number.
MOST_TYPE_BYTES = 2_000
# The parser makes a part of every block of a delivery report, however many blank lines it has.
MOST_REPORT_BLOCKS = 1_000

HINT = Phrase("A short mail in plain text, with the command as its first line, always works.")

_LINE_END = rb"(?:\r\n|\n|\r(?!\n))"
_BLANK_LINE = re.compile(_LINE_END + rb"{2}")
_TYPE = re.compile(
    rb"(?:^|[\r\n])content-type[ \t]*:([^\r\n]*(?:" + _LINE_END + rb"[ \t][^\r\n]*)*)",
    re.IGNORECASE,
)
_REPORT = re.compile(rb"[\s\x1c-\x1f]*message/delivery-status", re.IGNORECASE)
_CONTAINER = re.compile(rb"[\s\x1c-\x1f]*(?:multipart|message)/", re.IGNORECASE)
_DELIMITER = re.compile(rb"(?:^|[\r\n])(--[^\r\n]*)")


class UnreadableMail(UserError):
    """Refuse a mail whose form cannot be read, whatever it says."""


def check_bytes(raw: bytes) -> None:
    """Refuse what would cost the parser memory, time or its stack.

    Raises:
        UnreadableMail: Over a bound; the text names which.
    """
    if len(raw) > MOST_BYTES:
        raise _refusal(
            "size",
            Phrase("A mail may have {most} kB; this one is larger.", most=MOST_BYTES // 1024),
        )
    _check_header_block(raw)
    types = [match.group(1) for match in _TYPE.finditer(raw)]
    for declared in types:
        _check_type(declared)
    containers = sum(1 for declared in types if _CONTAINER.match(declared))
    if containers > MOST_NESTING:
        raise _nesting()
    if any(map(_REPORT.match, types)) and len(_BLANK_LINE.findall(raw)) > MOST_REPORT_BLOCKS:
        raise _parts()
    delimiters = Counter(match.group(1).rstrip() for match in _DELIMITER.finditer(raw))
    if containers and max(delimiters.values(), default=0) > MOST_PARTS:
        raise _parts()
    lines = raw.count(b"\n") + raw.count(b"\r") - raw.count(b"\r\n")
    most = MOST_LINES_OF_PARTS if containers else MOST_LINES
    if lines > most:
        raise _refusal(
            "lines", Phrase("A mail may have {most} lines; this one has more.", most=most)
        )


def check_parts(message: Message) -> None:
    """Refuse a parsed mail with too many parts, or too many levels of them.

    Raises:
        UnreadableMail: Over a bound; the text names which.
    """
    waiting, seen = [(message, 1)], 0
    while waiting:
        part, depth = waiting.pop()
        seen += 1
        if depth > MOST_NESTING:
            raise _nesting()
        if seen > MOST_PARTS:
            raise _parts()
        waiting += [(child, depth + 1) for child in children(part)]


def children(part: Message) -> list[Message]:
    """Return the parts inside a part; none for a leaf."""
    payload = part.get_payload() if part.is_multipart() else []
    return [child for child in payload if isinstance(child, Message)]


def check_text(text: str) -> None:
    """Refuse more text than a player would write.

    Raises:
        UnreadableMail: Over the bound.
    """
    if len(text) > MOST_TEXT:
        raise _refusal(
            "text",
            Phrase("A mail may hold {most} letters of text; this one holds more.", most=MOST_TEXT),
        )


def _check_header_block(raw: bytes) -> None:
    block = raw[: MOST_HEADER_BYTES + 4]
    end = _BLANK_LINE.search(block)
    headers = block[: end.start()] if end else block
    if len(headers) > MOST_HEADER_BYTES:
        raise _refusal(
            "headers", Phrase("The headers may have {most} kB.", most=MOST_HEADER_BYTES // 1024)
        )
    if len(re.findall(_LINE_END, headers)) >= MOST_HEADER_LINES:
        raise _refusal(
            "headers", Phrase("The headers may have {most} lines.", most=MOST_HEADER_LINES)
        )


def _check_type(declared: bytes) -> None:
    if len(declared) > MOST_TYPE_BYTES:
        raise _refusal(
            "type", Phrase("A Content-Type may have {most} letters.", most=MOST_TYPE_BYTES)
        )
    # Python reads the encoded and numbered parameters of a container while parsing, with
    # whatever codec they name and in an order it cannot always sort; it raises on some.
    if _CONTAINER.match(declared) and re.search(rb"\*[\d*]*\s*=", declared):
        raise _refusal("type", Phrase("The parameters of a mail's parts must be plain ASCII."))


def _nesting() -> UnreadableMail:
    return _refusal(
        "nesting", Phrase("Parts may stand {most} deep; here they stand deeper.", most=MOST_NESTING)
    )


def _parts() -> UnreadableMail:
    return _refusal(
        "parts", Phrase("A mail may have {most} parts; this one has more.", most=MOST_PARTS)
    )


def _refusal(bound: str, text: Phrase) -> UnreadableMail:
    return UnreadableMail(text, code=f"mail.{bound}", hint=HINT)
