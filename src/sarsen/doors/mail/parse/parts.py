"""The parts of a mail: what is refused unread, and the text that speaks.

Each check before parsing is one linear pass over the bytes. Python's parser recurses once a
nesting level, needs quadratic time for a header of many parameters, and raises on some encoded
parameters: such mails never reach it. Of the text the plain part counts, HTML only when there is
no other; a signed mail's signed part is read; attachments are counted and never opened.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from email.message import Message

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase
from sarsen.doors.mail.parse.headers import decode
from sarsen.doors.mail.parse.html_to_text import (
    DEEPEST_ELEMENT,
    MAX_ELEMENTS,
    HtmlTooLarge,
    page_text,
)

MAX_BYTES = 256 * 1024  # octets: a command and a letter quoted whole are some dozen kB
MAX_HEADER_BYTES = 64 * 1024  # octets: signatures of several servers fit
MAX_HEADER_LINES = 500  # some fifty are usual; each becomes an object
MAX_LINES = 20_000  # of text, each of which is looked at more than once
MAX_LINES_OF_PARTS = 10_000  # any line between parts may be a header, which costs more
MAX_NESTING = 20  # the parser recurses for each; forwarded mails have some five
MAX_PARTS = 100  # each becomes an object; attachments are left out before
MAX_TEXT = 100_000  # characters of the part that is read; commands take 20,000
# Splitting parameters is quadratic, and past 4,300 digits int() refuses a section's number.
MAX_TYPE_BYTES = 2_000
# The parser makes a part of every block of a delivery report, however many blank lines it has.
MAX_REPORT_BLOCKS = 1_000

HINT = Phrase("A short mail in plain text, with the command as its first line, always works.")

SIGNED = "-----BEGIN PGP SIGNED MESSAGE-----"
SIGNATURE = "-----BEGIN PGP SIGNATURE-----"
ENCRYPTED = "-----BEGIN PGP MESSAGE-----"

MAX_PAGES = 3  # HTML parts that are looked at: each is parsed by libxml2
ENCRYPTED_NOTE = Phrase(
    "The mail is encrypted or sealed; only plain or clear-signed text can be read."
)
MORE_TEXT_NOTE = Phrase("Only the first text in the mail was read.")

_LINE_END = rb"(?:\r\n|\n|\r(?!\n))"
_BLANK_LINE = re.compile(_LINE_END + rb"{2}")  # parts blocks of a delivery report
# Found in the raw mail, before the parser sees any of it.
_TYPE = re.compile(
    rb"(?:^|[\r\n])content-type[ \t]*:([^\r\n]*(?:" + _LINE_END + rb"[ \t][^\r\n]*)*)",
    re.IGNORECASE,
)
# With the blanks that the parser of the standard library takes.
_REPORT = re.compile(rb"[\s\x1c-\x1f]*message/delivery-status", re.IGNORECASE)
# Only these have parts in them.
_CONTAINER = re.compile(rb"[\s\x1c-\x1f]*(?:multipart|message)/", re.IGNORECASE)
# Lines that may be boundaries, counted before the parser makes parts of them.
_DELIMITER = re.compile(rb"(?:^|[\r\n])(--[^\r\n]*)")
# Parts that signing programs add: no attachments of which a sender is told.
_SIGNATURES = frozenset({"pgp-signature", "pkcs7-signature", "x-pkcs7-signature", "pgp-encrypted"})
_ENVELOPES = frozenset({"pkcs7-mime", "x-pkcs7-mime"})  # sealed: what is inside is not read here


class UnreadableMail(UserError):
    """Refuse a mail whose form cannot be read, whatever it says."""


@dataclass(frozen=True)
class Body:
    """The text that speaks, and what stood beside it."""

    text: str
    attachments: int
    notes: tuple[str, ...]


@dataclass(frozen=True)
class _Leaf:
    part: Message
    is_alternative: bool  # one of several forms of the same text
    is_embedded: bool  # a picture that a page shows


def body_of(message: Message) -> Body:
    """Return the text of a mail whose parts are within bounds.

    Raises:
        UnreadableMail: More text than the bound allows.
    """
    chosen, text = _first_text(message)
    leaves = list(_leaves(message))
    attachments = sum(1 for leaf in leaves if _is_attachment(leaf))
    notes = [MORE_TEXT_NOTE] if _has_more_text(leaves, chosen) else []
    if _is_unreadable(message, leaves, text):
        notes.append(ENCRYPTED_NOTE)
        text = ""
    elif attachments:
        notes.append(_ignored(attachments))
    return Body(text, attachments, tuple(notes))


def _ignored(attachments: int) -> Phrase:
    if attachments == 1:
        return Phrase("An attachment was ignored.")
    return Phrase("{count} attachments were ignored.", count=attachments)


def check_bytes(raw: bytes) -> None:
    """Refuse what would cost the parser memory, time or its stack.

    Raises:
        UnreadableMail: Over a bound; the text names which.
    """
    if len(raw) > MAX_BYTES:
        raise _refusal(
            "size",
            Phrase("A mail may be at most {most} kB; this one is larger.", most=MAX_BYTES // 1024),
        )
    types = _types_in(_header_block(raw))
    if any(map(_CONTAINER.match, types)):
        # Only then is anything below the header read as more than text.
        types = _types_in(raw)
    for declared in types:
        _check_type(declared)
    containers = sum(1 for declared in types if _CONTAINER.match(declared))
    if containers > MAX_NESTING:
        raise _nesting()
    if any(map(_REPORT.match, types)) and len(_BLANK_LINE.findall(raw)) > MAX_REPORT_BLOCKS:
        raise _parts()
    if containers:
        delimiters = Counter(match.group(1).rstrip() for match in _DELIMITER.finditer(raw))
        if max(delimiters.values(), default=0) > MAX_PARTS:
            raise _parts()
    lines = raw.count(b"\n") + raw.count(b"\r") - raw.count(b"\r\n")
    most = MAX_LINES_OF_PARTS if containers else MAX_LINES
    if lines > most:
        raise _refusal(
            "lines", Phrase("A mail may have at most {most} lines; this one has more.", most=most)
        )


def check_parts(message: Message) -> None:
    """Refuse a parsed mail with too many parts, or too many levels of them.

    Raises:
        UnreadableMail: Over a bound; the text names which.
    """
    waiting, count = [(message, 1)], 0
    while waiting:
        part, depth = waiting.pop()
        count += 1
        if depth > MAX_NESTING:
            raise _nesting()
        if count > MAX_PARTS:
            raise _parts()
        waiting += [(child, depth + 1) for child in children(part)]


def children(part: Message) -> list[Message]:
    """Return the parts inside a part; none for a leaf."""
    payload = part.get_payload() if part.is_multipart() else []
    return [child for child in payload if isinstance(child, Message)]


def _first_text(message: Message) -> tuple[Message | None, str]:
    """Return the first part with words in it."""
    pages = 0
    for part in _text_parts(message):
        pages += _is_page(part)
        text = _text(part) if pages <= MAX_PAGES else ""
        if text.strip():
            return part, text
    return None, ""


def _text_parts(part: Message) -> Iterator[Message]:
    """Yield the parts that may speak, best first. Recursion is bounded by `check_parts`."""
    if not _has_children(part):
        if is_text(part):
            yield part
        return
    text_parts = [text_part for child in children(part) for text_part in _text_parts(child)]
    if part.get_content_type() == "multipart/alternative":
        # A stable sort: the plain form first, else the order of the mail.
        text_parts.sort(key=_is_page)
    yield from text_parts


def _is_page(part: Message) -> bool:
    return part.get_content_type() == "text/html"


def _leaves(message: Message) -> Iterator[_Leaf]:
    waiting = [_Leaf(message, False, False)]
    while waiting:
        leaf = waiting.pop()
        if not _has_children(leaf.part):
            yield leaf
            continue
        kind = leaf.part.get_content_type()
        alternative = leaf.is_alternative or kind == "multipart/alternative"
        embedded = leaf.is_embedded or kind == "multipart/related"
        inside = [_Leaf(child, alternative, embedded) for child in children(leaf.part)]
        waiting += reversed(inside)


def _has_children(part: Message) -> bool:
    # A mail inside a mail is an attachment: it is another's words.
    return part.is_multipart() and part.get_content_maintype() != "message"


def is_text(part: Message) -> bool:
    """Return whether a part without parts of its own may be read as text."""
    # A multipart whose boundary is missing is handed over by the parser as one text.
    kinds = ("text/plain", "text/html", "text/enriched", "text/markdown")
    is_text = part.get_content_type() in kinds or part.get_content_maintype() == "multipart"
    # What is packed stays packed: a few octets can unpack to gigabytes.
    is_packed = str(part.get("content-encoding", "identity")).strip().lower() != "identity"
    return is_text and not is_packed and not _is_named(part)


def _is_named(part: Message) -> bool:
    disposition = str(part.get("content-disposition", ""))
    kind, _, parameters = disposition.lower().partition(";")
    return kind.strip() == "attachment" or "filename" in parameters


def _is_attachment(leaf: _Leaf) -> bool:
    main, _, sub = leaf.part.get_content_type().partition("/")
    if is_text(leaf.part) or sub in _SIGNATURES | _ENVELOPES:
        return False
    if main == "text" and leaf.is_alternative and sub != "calendar":
        return False
    return not (leaf.is_embedded and main == "image")


def _is_unreadable(message: Message, leaves: list[_Leaf], text: str) -> bool:
    if message.get_content_type() == "multipart/encrypted" or text.lstrip().startswith(ENCRYPTED):
        return True
    kinds = {leaf.part.get_content_type().partition("/")[2] for leaf in leaves}
    return not text and bool(kinds & _ENVELOPES)


def _has_more_text(leaves: list[_Leaf], chosen: Message | None) -> bool:
    return any(
        leaf.part is not chosen
        and not leaf.is_alternative
        and leaf.part.get_content_type() == "text/plain"
        and is_text(leaf.part)
        and bool(_decoded(leaf.part).strip())
        for leaf in leaves
    )


def _text(part: Message) -> str:
    text = _decoded(part)
    if _is_page(part):
        try:
            text = page_text(text)
        except HtmlTooLarge:
            raise UnreadableMail(
                "The HTML of a mail may have at most {most} elements, {deepest} deep; this one "
                "has more.",
                code="mail.html",
                hint=HINT,
                most=MAX_ELEMENTS,
                deepest=DEEPEST_ELEMENT,
            ) from None
    elif _parameter(part, "format").lower() == "flowed":
        text = _unflowed(text, joins=_parameter(part, "delsp").lower() == "yes")
    if len(text) > MAX_TEXT:
        raise _refusal(
            "text",
            Phrase(
                "A mail may have at most {most} characters of text; this one has more.",
                most=MAX_TEXT,
            ),
        )
    return _signed_text(text)


def _decoded(part: Message) -> str:
    """Undo the transfer encoding and the charset; line ends become `\\n`."""
    coding = str(part.get("content-transfer-encoding", "7bit")).partition(";")[0].strip().lower()
    if "uu" in coding:  # uuencode: an attachment by another name.
        return ""
    # Python knows a coding only without the blanks and parameters that some programs add.
    del part["content-transfer-encoding"]
    part["content-transfer-encoding"] = coding
    payload = part.get_payload(decode=True)
    data = payload if isinstance(payload, bytes) else b""
    text = decode(data, _parameter(part, "charset")).replace("\r\n", "\n").replace("\r", "\n")
    return text.replace("\u2028", "\n").replace("\u2029", "\n")


def _parameter(part: Message, name: str) -> str:
    # Message.get_param raises on some numbered parameters; the ones read here are plain words.
    declared = str(part.get("content-type", ""))
    match = re.search(rf"[;\s]{name}\s*=\s*[\"']?([^\s;\"']*)", declared, re.IGNORECASE)
    return match.group(1) if match else ""


def _unflowed(text: str, *, joins: bool) -> str:
    """Join the lines that end in a blank (RFC 3676), except quoted ones and `-- `.

    Args:
        joins: The blank itself was put in by the program (`delsp=yes`).
    """
    unstuffed = re.sub(r"^ ", "", text, flags=re.MULTILINE)
    blank = "" if joins else " "
    return re.sub(r"^(?!>|-- $)(.*) \n(?!>|-- $)", rf"\1{blank}", unstuffed, flags=re.MULTILINE)


def _signed_text(text: str) -> str:
    """Take the signed words out of a clear-signed mail; other text stays as it is."""
    if not text.lstrip().startswith(SIGNED):
        return text
    armour, _, signed = text.lstrip().partition("\n\n")
    if SIGNATURE in armour:
        return ""
    words = signed.partition("\n" + SIGNATURE)[0]
    # RFC 4880, 7.1: a line that begins with a dash is sent as `- -`.
    return re.sub(r"^- ", "", words, flags=re.MULTILINE)


def _types_in(raw: bytes) -> list[bytes]:
    """Return every Content-Type, with lines that only look like one."""
    return [match.group(1) for match in _TYPE.finditer(raw)]


def _header_block(raw: bytes) -> bytes:
    """Return the header of a mail, to its first empty line; the parser may end it before.

    Raises:
        UnreadableMail: Over a bound.
    """
    block = raw[: MAX_HEADER_BYTES + 4]
    end = _BLANK_LINE.search(block)
    headers = block[: end.start()] if end else block
    if len(headers) > MAX_HEADER_BYTES:
        raise _refusal(
            "headers",
            Phrase("The headers may be at most {most} kB.", most=MAX_HEADER_BYTES // 1024),
        )
    if len(re.findall(_LINE_END, headers)) >= MAX_HEADER_LINES:
        raise _refusal(
            "headers", Phrase("The headers may have at most {most} lines.", most=MAX_HEADER_LINES)
        )
    return headers


def _check_type(declared: bytes) -> None:
    if len(declared) > MAX_TYPE_BYTES:
        raise _refusal(
            "type",
            Phrase("A Content-Type may have at most {most} characters.", most=MAX_TYPE_BYTES),
        )
    # Python reads the encoded and numbered parameters of a container while parsing, with
    # whatever codec they name and in an order it cannot always sort; it raises on some.
    if _CONTAINER.match(declared) and re.search(rb"\*[\d*]*\s*=", declared):
        raise _refusal("type", Phrase("The parameters of a mail's parts must be plain ASCII."))


def _nesting() -> UnreadableMail:
    return _refusal(
        "nesting",
        Phrase("The parts of a mail may be nested {most} deep at most.", most=MAX_NESTING),
    )


def _parts() -> UnreadableMail:
    return _refusal(
        "parts", Phrase("A mail may have at most {most} parts; this one has more.", most=MAX_PARTS)
    )


def _refusal(bound: str, text: Phrase) -> UnreadableMail:
    return UnreadableMail(text, code=f"mail.{bound}", hint=HINT)
