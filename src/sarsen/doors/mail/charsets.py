"""Turn bytes into text, whatever a mail claims they are."""

from __future__ import annotations

import codecs
import re

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
            # UTF-7 can spell half of a surrogate pair, which nothing can encode again.
            return re.sub("[\ud800-\udfff]", "\N{REPLACEMENT CHARACTER}", data.decode(codec))
        except UnicodeError:
            continue
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
