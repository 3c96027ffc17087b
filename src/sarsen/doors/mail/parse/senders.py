"""Whether a mail is from the domain that its From names: DMARC (RFC 7489) by DKIM alone.

No right rests on From, so a good result proves nothing. A bad one keeps us from writing to an
address whose owner has not written to us; it is asked for only where a mail proves no speaker.
The library proves signatures; what it does not look at is looked at here: whose signature it is,
and how much of the mail it covers. Bounded in signatures, in seconds, and in what a name server
may say. Import this module only where a mail is checked: its libraries are large.
"""

from __future__ import annotations

import base64
import hmac
import time
from collections.abc import Callable
from datetime import date, datetime
from email import message_from_bytes
from email.message import Message
from enum import Enum
from functools import lru_cache
from importlib.metadata import version

import dkim
from authheaders.dmarc_lookup import DMARCException, lookup_receiver_record
from authres import AuthenticationResultsHeader
from authres.core import AuthResError
from django.conf import settings
from dkim.asn1 import ASN1FormatError
from dkim.canonicalization import CanonicalizationPolicy, InvalidCanonicalizationPolicyError
from dkim.crypto import DigestTooLargeError, UnparsableKeyError
from dkim.util import InvalidTagValueList, parse_tag_value
from publicsuffixlist import PublicSuffixList

from sarsen.doors.mail.parse.body_digests import digest_of
from sarsen.doors.mail.parse.headers import addresses, value, values
from sarsen.services.limits.rates import RateLimit

MAX_RESULT = 2_000  # characters of the word of a mail server; a longer field is not believed
MAX_BRACKETS = 20  # the library recurses once for each
# Seconds of waiting for name servers, of all mails together: at once, and in a second.
AT_ONCE, A_SECOND = 20.0, 0.2
_END = b"\n\n"  # of the header
# What hostile fields and records make the library raise.
_UNVERIFIED = (
    *(dkim.DKIMException, ASN1FormatError, DigestTooLargeError, UnparsableKeyError),
    *(InvalidCanonicalizationPolicyError, InvalidTagValueList),
    *(ValueError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError),
    NameError,  # of its module for ed25519, which is not installed
)
MAX_SIGNATURES = 3  # that are proved, at a question to a name server each
MAX_LOOKED_AT = 20  # fields; forwarders add some, an attacker thousands
# For all questions to name servers about one mail: its worker waits (docs/operating.md).
SECONDS = 5.0
LEAST_BITS = 1024  # shorter keys have been broken (RFC 8301)
MAX_KEY = 1_100  # octets of a record: a key of 4,096 bits, which no hostile one outlasts
MAX_POLICY = 4_096  # octets of a DMARC record; usual ones have some hundred
_ENFORCED = ("quarantine", "reject")

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
        if len(field) > MAX_RESULT or field.count("(") > MAX_BRACKETS:
            continue
        try:
            header = AuthenticationResultsHeader.parse(f"Authentication-Results: {field.strip()}")
        except AuthResError:
            continue
        if str(header.authserv_id).lower() == server.lower():
            verdicts = [result.result for result in header.results if result.method == "dmarc"]
            return _WORDS.get(verdicts[0], SenderCheck.NONE) if verdicts else SenderCheck.NONE
    return SenderCheck.NONE


# A border that could not tell will not tell later either: the mail has passed it.
_WORDS = {"pass": SenderCheck.PASS, "fail": SenderCheck.FAIL}


def _domain(message: Message) -> str:
    authors = addresses(value(message, "from"))
    return authors[0].rpartition("@")[2] if authors else ""


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


def check_from(raw: bytes, domain: str, resolve: Resolver, body_digests: str = "") -> SenderCheck:
    """Return whether a mail is from a domain.

    Args:
        domain: Of its one From address.
        resolve: Raises NameServerAway.
        body_digests: Of the whole body, where attachments were left out of `raw`.
    """
    servers = _NameServers(resolve)
    try:
        policy = _policy(domain, servers)
        if policy is None:
            return SenderCheck.NONE
        is_strict = policy.get("adkim", "r").startswith("s")
        if _is_signed(raw, domain, is_strict, servers, body_digests):
            return SenderCheck.PASS
    except NameServerAway:
        return SenderCheck.LATER
    return SenderCheck.FAIL if policy["wanted"] in _ENFORCED else SenderCheck.NONE


def organisation(domain: str) -> str:
    """Return the domain that an organisation has registered: that of mail.example.co.uk."""
    name = domain.lower().rstrip(".")
    # An ending itself belongs to no organisation.
    return str(_suffixes().privatesuffix(name) or ".".join(name.split(".")[-2:]))


class _NameServers:
    """Ask name servers within the time of one mail."""

    def __init__(self, resolve: Resolver) -> None:
        self._resolve = resolve
        self._until = time.monotonic() + SECONDS

    def text(self, name: str, most: int) -> bytes | None:
        seconds_left = self._until - time.monotonic()
        if seconds_left <= 0:
            raise NameServerAway
        record = self._resolve(name, seconds_left)
        return record if record is not None and len(record) <= most else None


def _policy(domain: str, servers: _NameServers) -> dict[str, str] | None:
    """Return what a domain says of its mail, with what it wants done as `wanted`."""

    def text(name: str) -> str:
        return (servers.text(name, MAX_POLICY) or b"").decode("ascii", "replace")

    parent = organisation(domain)
    for host in dict.fromkeys((domain, parent)):
        try:
            record = lookup_receiver_record(host, dnsfunc=text)
        except (DMARCException, ValueError):
            continue  # what cannot be read is not there
        if record.get("p"):
            is_parents = host == parent and domain != parent
            disposition = record.get("sp", record["p"]) if is_parents else record["p"]
            return {**record, "wanted": disposition}
    return None


def _is_signed(
    raw: bytes, domain: str, is_strict: bool, servers: _NameServers, body_digests: str
) -> bool:
    """Return whether a signature of the domain, or of its organisation's, covers a whole mail."""
    try:
        signer = dkim.DKIM(raw, minkey=LEAST_BITS)
    except dkim.DKIMException:
        return False
    fields = [value for name, value in signer.headers if name.lower() == b"dkim-signature"]
    aligned = [
        number
        for number, value in enumerate(fields[:MAX_LOOKED_AT])
        if _is_aligned(value, domain, is_strict)
    ]
    return any(_holds(raw, number, servers, body_digests) for number in aligned[:MAX_SIGNATURES])


def _is_aligned(value: bytes, domain: str, is_strict: bool) -> bool:
    try:
        tags = parse_tag_value(value)
    except InvalidTagValueList:
        return False
    # Behind so many octets of a body anybody may have added anything.
    if b"l" in tags or b"d" not in tags:
        return False
    signed = bytes(tags[b"d"]).decode("ascii", "replace").lower()
    if is_strict:
        return signed == domain
    return organisation(signed) == organisation(domain)


def _holds(raw: bytes, number: int, servers: _NameServers, body_digests: str) -> bool:
    """Prove one signature."""

    def text(name: bytes, timeout: float = SECONDS) -> bytes | None:
        return servers.text(name.decode("ascii", "replace").rstrip("."), MAX_KEY)

    try:
        signer = dkim.DKIM(raw, minkey=LEAST_BITS)
        prepared = signer.verify_headerprep(number)
        if not prepared:
            return False
        tags, included, fields = prepared
        if body_digests:
            if not _is_of_body(tags, body_digests):
                return False
            del tags[b"bh"]  # else the library compares it with what is left of the body
        return bool(signer.verify_sig(tags, included, fields[number], text))
    except _UNVERIFIED:
        # Whatever hostile fields make of the library, they are no signature that holds.
        return False


def _is_of_body(tags: dict[bytes, bytes], body_digests: str) -> bool:
    """Return whether a signature names the digest of a body that is not all here any more."""
    if not tags[b"a"].endswith(b"-sha256"):
        return False
    form = CanonicalizationPolicy.from_c_value(tags.get(b"c")).body_algorithm.name
    signed = base64.b64decode(b"".join(tags[b"bh"].split()))
    return hmac.compare_digest(signed, digest_of(body_digests, form.decode()))


def date_of_suffixes() -> date:
    """Return the date of the list of public suffixes, which its package has for a version."""
    return datetime.strptime(version("publicsuffixlist").rpartition(".")[2], "%Y%m%d").date()


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    return PublicSuffixList()
