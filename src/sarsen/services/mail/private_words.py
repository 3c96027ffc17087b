"""What no text to others may hold: addresses that act for somebody, and mails of this server.

The last line of defence: a quotation that the mail door has not known, or that somebody pastes
into a page, is refused before it is stored. Nothing is cut: the sender decides what to leave out.
"""

from __future__ import annotations

import re
from functools import reduce
from operator import or_

from sarsen.core.errors import UserError
from sarsen.language.grammar.typography import normalise
from sarsen.services.mail import fingerprints, sent_letters
from sarsen.services.mail.fingerprints import NO_FINGERPRINTS
from sarsen.storage.models import Player

# Rows and words of a mail in a text: fewer are the same by chance, or are what is talked about.
MIN_ROWS = 2
MIN_WORDS = 8
_SIGNATURE = "[a-z2-7]{16}"
# Without blanks: a line break may stand in the middle of an address.
_PRIVATE = re.compile(
    rf"(?:board|invited|player|watching)(?:-\d{{1,9}}){{1,5}}-{_SIGNATURE}"
    r"|welcome-[0-9a-f]{20}|/welcome/[0-9a-f]{20}"
    rf"|/unsubscribe/\d{{1,9}}-(?:[a-z]{{1,20}}-)*{_SIGNATURE}"
    r"|/login/\d{1,9}-[0-9a-f]{32}",
    re.IGNORECASE,
)
_BLANKS = re.compile(r"(?:=?\s+[>|]*\s*)+")


def refuse_private(text: str, player: Player | None) -> None:
    """Refuse a text that would give away what only its writer may know.

    Raises:
        UserError: It holds a signed address or link, or several lines of a mail to the writer.
    """
    if _PRIVATE.search(_BLANKS.sub("", text)):
        raise UserError(
            "This text contains an address or a link from one of your mails, with which anyone "
            "could act as you. Please leave it out.",
            code="private-address",
            hint="help privacy",
        )
    if player is not None and "\n" in text and _quotes_letter(text, player):
        raise UserError(
            "This text contains lines of a mail from this server, which may give away your plans. "
            "Please say it in your own words.",
            code="quoted-letter",
            hint="help privacy",
        )


def _quotes_letter(text: str, player: Player) -> bool:
    rows = [fingerprints.words_of(normalise(row)) for row in text.split("\n")]
    stored = sent_letters.newest_to(player)
    letter = reduce(or_, map(fingerprints.decode, stored), NO_FINGERPRINTS)
    known = [row for row, is_known in zip(rows, letter.known_rows(rows), strict=True) if is_known]
    return len(known) >= MIN_ROWS and sum(map(len, known)) >= MIN_WORDS
