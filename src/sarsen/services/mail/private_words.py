"""What no text to others may hold: addresses that act for somebody, and mails of this server.

The last line of defence: a quotation that the mail door has not known, or that somebody pastes
into a page, is refused before it is stored. Nothing is cut: the sender decides what to leave out.
"""

from __future__ import annotations

import re
import unicodedata
from functools import reduce
from html import unescape
from operator import or_
from urllib.parse import unquote

from sarsen.core.errors import UserError
from sarsen.language.grammar.typography import normalise_rows
from sarsen.services.mail import fingerprints, sent_letters
from sarsen.services.mail.fingerprints import NO_FINGERPRINTS
from sarsen.storage.models import Player

# Words of a mail in a text: fewer are the same by chance, or are what is talked about. A row that
# stands alone must be a row of the mail to its last word.
MIN_ROWS = 2
MIN_WORDS = 8  # in these rows together: shorter rows are phrases that anybody writes
MIN_LABELLED_WORDS = 4  # of a row such as `Planned: if e4 then d4.`, which nobody writes by chance
_SIGNATURE = "[a-z2-7]{16}"
_LABELLED = re.compile(r"\W{0,9}[^\W\d_]{2,20}(?: [^\W\d_]{1,20}){0,3} ?:\s")
# Without blanks: a line break may stand in the middle of an address.
_PRIVATE = re.compile(
    rf"(?:board|invited|player|talk|watching|lesson|puzzle)(?:-\d{{1,9}}){{1,5}}-{_SIGNATURE}"
    r"|(?:welcome|friend)-[0-9a-f]{20}|/(?:welcome|invited)/[0-9a-f]{20}"
    rf"|/unsubscribe/\d{{1,9}}-(?:[a-z]{{1,20}}-)*{_SIGNATURE}"
    r"|/login/\d{1,9}-[0-9a-f]{32}",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"(?:=?\s+[>|]*\s*)+")
_LEFT_OUT = frozenset({"Cf", "Cc", "Mn", "Me", "Zs"})  # categories of Unicode: nobody sees them
_DASHES = frozenset("\u2212\u02d7\u2043\u30fc\uff70")  # read as dashes, beside those of category Pd


def refuse_private(text: str, player: Player | None) -> None:
    """Refuse a text that would give away what only its writer may know.

    Raises:
        UserError: It holds a signed address or link, or lines of a mail to the writer.
    """
    if any(map(_PRIVATE.search, _readings(text))):
        raise UserError(
            "This text contains an address or a link from one of your mails, with which anyone "
            "could act as you. Please leave it out.",
            code="private-address",
            hint="help privacy",
        )
    if player is not None and _quotes_letter(text, player):
        raise UserError(
            "This text contains lines of a mail from this server, which may give away your plans. "
            "Please say it in your own words.",
            code="quoted-letter",
            hint="help privacy",
        )


def _readings(text: str) -> tuple[str, ...]:
    """Return a text as somebody may read its addresses: with the signs of a keyboard, unescaped."""
    joined = "".join(map(_read_sign, unicodedata.normalize("NFKC", _BLANKS.sub("", text))))
    return joined, unquote(unescape(joined)).replace("\\", "")


def _read_sign(sign: str) -> str:
    if sign.isascii() and sign.isprintable():
        return sign
    category = unicodedata.category(sign)
    if category == "Pd" or sign in _DASHES:
        return "-"
    return "" if category in _LEFT_OUT else sign


def _quotes_letter(text: str, player: Player) -> bool:
    plain = normalise_rows(text.split("\n"))
    rows = [fingerprints.words_of(row) for row in plain]
    telling = fingerprints.telling_words(rows)
    if sum(map(len, rows)) < MIN_LABELLED_WORDS:
        return False
    stored = sent_letters.newest_private(player)
    letter = reduce(or_, map(fingerprints.decode, stored), NO_FINGERPRINTS)
    known = [
        count
        for count, is_known in zip(telling, letter.known_rows(rows), strict=True)
        if count and is_known
    ]
    if len(known) >= MIN_ROWS and sum(known) >= MIN_WORDS:
        return True
    whole = letter.known_rows(rows, min_share=1.0)
    return any(
        is_whole
        and (len(row) >= MIN_LABELLED_WORDS if _LABELLED.match(line) else count >= MIN_WORDS)
        for line, row, count, is_whole in zip(plain, rows, telling, whole, strict=True)
    )
