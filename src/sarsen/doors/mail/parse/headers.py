"""Read the header fields of a mail: words, addresses, ids and the subject.

Nothing here raises on odd input: what cannot be read is absent.
"""

from __future__ import annotations

import binascii
import codecs
import re
from collections.abc import Collection
from email.message import Message
from email.utils import getaddresses

from sarsen.doors.mail.addresses import MAX_ADDRESS
from sarsen.language.grammar.kept_text import kept_line
from sarsen.language.grammar.typography import normalise

MAX_ADDRESS_FIELD = 2_000  # characters: dozens of addresses; a longer field is hostile
MAX_SUBJECT = 4_000  # characters: encoded words are long; no subject of a person is longer
# getaddresses recurses once for each of these.
MAX_RECURSION_SIGNS = 20
MAX_ID = 250  # characters; usual ones have less than 100, a line of a header at most 998 (RFC 5322)

# Stricter than RFC 2047 (no `?` inside a word), so that it is found in linear time;
# email.header.decode_header needs seconds for a header of unfinished words, and raises on some.
_WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?]*)\?=")
# Stricter than RFC 5322: what mail servers give out. Quoted local parts could hide a second
# address.
_ADDRESS = re.compile(r"([\w.!#$%&'*+/=?^`{|}~-]{1,64})@([a-z0-9](?:[a-z0-9.-]*[a-z0-9])?)", re.A)
# Printable, without brackets inside: it is written into headers of ours.
_ID = re.compile(rf"<[!-;=?-~]{{1,{MAX_ID - 2}}}>")
# Halves of UTF-16 pairs, which no database stores.
_HALF_PAIR = re.compile("[\ud800-\udfff]")
# What programs put before a subject in many languages, with counters, and tags of lists.
_PREFIX = re.compile(
    r"(?:re|r|aw|antw|antwort|sv|vs|vb|odp|ynt|res|rif|fwd?|wg|tr|rv|enc|pd|ilt|i|答复|回复|转发)"
    r"(?:[\[(^]\d{1,3}[\])]?)? ?: *|\[[^\[\]]{1,60}\] *",
    re.IGNORECASE,
)


def values(message: Message, name: str) -> list[str]:
    """Return every value of a field as text, unfolded, encoded words left as they are."""
    lower_name = name.lower()
    raw_values = [value for field, value in message.raw_items() if field.lower() == lower_name]
    return [_unfolded(str(value)) for value in raw_values] if raw_values else raw_values


def has_any(message: Message, names: Collection[str]) -> bool:
    """Return whether a mail has one of some fields."""
    wanted = {name.lower() for name in names}
    return any(field.lower() in wanted for field, _ in message.raw_items())


def _unfolded(value: str) -> str:
    if value.isascii() and value.isprintable():
        return value
    return re.sub(r"[\r\n]+", " ", decode(value.encode("ascii", "surrogateescape")))


def value(message: Message, name: str) -> str:
    """Return the first value of a field, or nothing."""
    return next(iter(values(message, name)), "")


def decode_words(text: str) -> str:
    """Decode the encoded words of a field; neighbours in one charset are joined first.

    So a letter that was cut in two between them is whole again (RFC 2047 forbids the
    cut, programs make it). A word that cannot be decoded stays as it was written.
    """
    decoded: list[str] = []
    data, charset, end = b"", "", 0
    for match in _WORD.finditer(text):
        gap = text[end : match.start()]
        word_charset = match.group(1).partition("*")[0].lower()
        if gap.strip() or not end or word_charset != charset:
            decoded.append(decode(data, charset))
            # Blanks between two encoded words are no part of the text.
            decoded.append(gap if gap.strip() or not end else "")
            data, charset = b"", word_charset
        data += _word_bytes(match)
        end = match.end()
    return "".join([*decoded, decode(data, charset), text[end:]])


def addresses(field: str) -> list[str]:
    """Return the usable addresses of a field such as From; none from a hostile one."""
    if len(field) > MAX_ADDRESS_FIELD or len(re.findall("[(:]", field)) > MAX_RECURSION_SIGNS:
        return []
    # Encoded words are names, and left as they are: an encoded `<a@b>` is not an address.
    candidates = (_bare_address(written) for _, written in getaddresses([field]))
    return [address for address in candidates if address]


def message_id(message: Message) -> str:
    """Return the Message-ID with its brackets; empty when absent, unusable or given twice."""
    ids = values(message, "message-id")
    usable = _ID.fullmatch(ids[0].strip()) if len(ids) == 1 else None
    return usable.group() if usable else ""


def answered_ids(message: Message) -> tuple[str, ...]:
    """Return the Message-IDs that a mail says it answers."""
    return tuple(_ID.findall(value(message, "in-reply-to")[:MAX_ADDRESS_FIELD])[:3])


def references(message: Message) -> tuple[str, ...]:
    """Return the Message-IDs of the thread that a mail says it is in, the first ones."""
    return tuple(_ID.findall(value(message, "references")[:MAX_ADDRESS_FIELD])[:3])


def subject(message: Message) -> str:
    """Return the subject as a command would be typed: plain, without `Re:` and list tags."""
    text = _written_subject(message)
    start = 0
    while prefix := _PREFIX.match(text, start):
        start = prefix.end()
    return re.sub(r" *\(fwd\)$", "", text[start:], flags=re.IGNORECASE)


def written_subject(message: Message) -> str:
    """Return the whole subject on one line, with the blanks and signs it was written with."""
    unfolded = re.sub(r"[\r\n]", "", value(message, "subject")[:MAX_SUBJECT])
    return kept_line(decode_words(unfolded))


def is_answer(message: Message) -> bool:
    """Return whether the subject has a `Re:` or another such prefix before it."""
    return _PREFIX.match(_written_subject(message)) is not None


def languages(message: Message) -> tuple[str, ...]:
    """Return the codes of the languages that the mail, then those its writer reads, are in."""
    fields = (*values(message, "content-language"), *values(message, "accept-language"))
    codes = (word.strip().partition("-")[0].lower() for word in ",".join(fields)[:200].split(","))
    plain = (code.partition(";")[0].strip() for code in codes)
    return tuple(dict.fromkeys(code for code in plain if re.fullmatch("[a-z]{2,3}", code)))


def _written_subject(message: Message) -> str:
    written = value(message, "subject")
    # Cut short it could be another command.
    return " ".join(normalise(decode_words(written)).split()) if len(written) <= MAX_SUBJECT else ""


def _word_bytes(match: re.Match[str]) -> bytes:
    encoded = match.group(3).encode("utf-8")
    if match.group(2) in "qQ":
        return binascii.a2b_qp(encoded, header=True)
    try:
        return binascii.a2b_base64(encoded + b"=" * (-len(encoded) % 4))
    except binascii.Error:
        return match.group().encode("utf-8")


def _bare_address(written: str) -> str:
    local, _, domain = written.rpartition("@")
    address = f"{local}@{domain.lower()}"
    usable = len(address) <= MAX_ADDRESS and ".." not in domain
    return address if usable and _ADDRESS.fullmatch(address) else ""


# Python's own codecs include ones that no mail means (hex, punycode, idna, unicode_escape):
# they raise, hang, or read what was not written. Only these names are looked up.
KNOWN = re.compile(
    r"(?:us-?)?ascii|utf-?(?:7|8|16|32)(?:-?[lb]e)?|latin-?\d{1,2}"
    r"|iso-?8859-?\d{1,2}|iso-2022-(?:jp|kr)(?:-\d|-ext)?|(?:windows|cp)-?\d{3,5}"
    r"|koi8-[rut]|gb(?:2312|k|18030)|big5(?:-?hkscs)?|euc-?(?:jp|kr)|shift-?jis"
    r"|ks-c-5601(?:-1987)?|hz|johab|tis-620|mac-?roman|macintosh"
)
# Programs declare these by default and send UTF-8; what is not UTF-8 is read as Latin 1 anyway.
CLAIMED_BY_HABIT = frozenset({"ascii", "iso8859-1", "cp1252"})


def decode(data: bytes, charset: str = "") -> str:
    """Decode with the declared charset, else UTF-8, else Latin 1.

    Args:
        charset: As the mail declares it; empty, unknown or untrue does no harm.
    """
    declared = _codec(charset)
    for codec in dict.fromkeys((declared, "utf-8")):
        try:
            text = data.decode(codec)
        except UnicodeError:
            continue
        # UTF-7 can spell half of a surrogate pair, which nothing can encode again.
        return text if text.isascii() else _HALF_PAIR.sub("\N{REPLACEMENT CHARACTER}", text)
    # What Windows put between 0x80 and 0x9f is read by `normalise`.
    return data.decode("latin-1")


def _codec(charset: str) -> str:
    name = charset.strip().strip("\"'").lower().replace("_", "-")
    if not KNOWN.fullmatch(name):
        return "utf-8"
    try:
        codec = codecs.lookup(name).name
    except LookupError:
        return "utf-8"
    return "utf-8" if codec in CLAIMED_BY_HABIT else codec
