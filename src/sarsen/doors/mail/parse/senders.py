"""Whom we write to though they have proved nothing: nobody in whose name somebody else writes.

A verdict is asked for only where it matters: a mail that proves its speaker needs none.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from datetime import datetime
from email import message_from_bytes
from email.message import Message
from enum import Enum
from functools import lru_cache

from authres import AuthenticationResultsHeader
from authres.core import AuthResError
from django.conf import settings

from sarsen.doors.mail.parse.headers import mailboxes, value, values
from sarsen.services.limits import RateLimit

LONGEST_RESULT = 2_000  # characters of the word of a mail server
MOST_BRACKETS = 20  # the library recurses once for each
# Seconds of waiting for name servers, of all mails together: at once, and in a second.
AT_ONCE, A_SECOND = 20.0, 0.2
_END = b"\n\n"  # of the header

# Gives the TXT record of a name within some seconds, None when there is none.
Resolver = Callable[[str, float], bytes | None]


class SenderCheck(Enum):
    """The result of checking a mail's From."""

    PASS = "pass"  # noqa: S105 (no password)
    FAIL = "fail"  # its domain says that mail like this is not its own
    NONE = "none"  # its domain says nothing
    LATER = "temperror"  # a name server does not answer


class NameServerAway(Exception):
    """A name server did not answer in time, or could not."""


def judge(raw: bytes, answer_to: str, now: datetime, body_digests: str = "") -> SenderCheck:
    """Return whether a mail is by the address that an answer would go to, as far as can be known.

    Args:
        answer_to: Of Reply-To, or of From.
        body_digests: Of the whole body, where attachments were left out of `raw`.
    """
    if not (settings.SARSEN_AUTHSERV_ID or settings.SARSEN_CHECK_SENDERS):
        return SenderCheck.NONE
    # Loads the library and its lists, which a server without these settings never needs.
    from sarsen.doors.mail.parse.dmarc import check_from, organisation

    message = message_from_bytes(raw.replace(b"\r\n", b"\n").partition(_END)[0] + _END)
    domain = _domain(message)
    # An answer to somebody else than From is what forgers want, and few others.
    if organisation(answer_to.rpartition("@")[2]) != organisation(domain):
        return SenderCheck.FAIL
    if settings.SARSEN_AUTHSERV_ID:
        return trusted_verdict(message, settings.SARSEN_AUTHSERV_ID)
    spent = _waiting()
    if not spent.has_room(now):
        return SenderCheck.LATER
    began = time.monotonic()
    verdict = check_from(raw, domain, _resolve, body_digests)
    spent.spend(now, time.monotonic() - began)
    return verdict


def trusted_verdict(message: Message, server: str) -> SenderCheck:
    """Read what the mail server before us has found (RFC 8601): its topmost field, no other.

    That server must take away such fields under its name that came from elsewhere; one
    below its own is never read.
    """
    for field in values(message, "authentication-results"):
        if len(field) > LONGEST_RESULT or field.count("(") > MOST_BRACKETS:
            continue
        try:
            read = AuthenticationResultsHeader.parse(f"Authentication-Results: {field.strip()}")
        except AuthResError:
            continue
        if str(read.authserv_id).lower() == server.lower():
            found = [one.result for one in read.results if one.method == "dmarc"]
            return _WORDS.get(found[0], SenderCheck.NONE) if found else SenderCheck.NONE
    return SenderCheck.NONE


# A border that could not tell will not tell later either: the mail has passed it.
_WORDS = {"pass": SenderCheck.PASS, "fail": SenderCheck.FAIL}


def _domain(message: Message) -> str:
    found = mailboxes(value(message, "from"))
    return found[0].address.rpartition("@")[2] if found else ""


def _resolve(name: str, seconds: float) -> bytes | None:
    """Ask the name servers of this machine."""
    from dns.exception import DNSException, Timeout
    from dns.resolver import NXDOMAIN, NoAnswer, NoNameservers, resolve

    try:
        answer = resolve(name, "TXT", lifetime=seconds, search=False)
    except (NXDOMAIN, NoAnswer):
        return None
    except (Timeout, NoNameservers):
        raise NameServerAway from None
    except DNSException:
        return None  # no name that could be asked for
    texts = [b"".join(row.strings) for row in answer]
    # Others may stand beside the one that is asked for.
    return next((text for text in texts if text.startswith((b"v=DMARC1", b"v=DKIM1"))), texts[0])


@lru_cache(maxsize=1)
def _waiting() -> RateLimit:
    return RateLimit(AT_ONCE, A_SECOND)
