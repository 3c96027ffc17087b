"""Whether a mail is from the domain that its From names: DMARC (RFC 7489) by DKIM alone.

No right rests on From, so nobody is believed for a good verdict. A bad one keeps us from
writing to an address whose owner has not written to us. The library proves signatures; what
it does not look at is looked at here: whose signature it is, and how much of the mail it
covers. Bounded in signatures, in seconds, and in what a name server may say.
"""

from __future__ import annotations

import base64
import hmac
import time
from functools import lru_cache
from importlib.resources import files

import dkim
from authheaders.dmarc_lookup import DMARCException, lookup_receiver_record
from dkim.asn1 import ASN1FormatError
from dkim.canonicalization import CanonicalizationPolicy, InvalidCanonicalizationPolicyError
from dkim.crypto import DigestTooLargeError, UnparsableKeyError
from dkim.util import InvalidTagValueList, parse_tag_value
from publicsuffix2 import PublicSuffixList

from sarsen.doors.mail.parse.senders import NameServerAway, Resolver, SenderCheck
from sarsen.doors.mail.receive.attachments import digest_of

# What hostile fields and records make the library raise.
_UNVERIFIED = (
    *(dkim.DKIMException, ASN1FormatError, DigestTooLargeError, UnparsableKeyError),
    *(InvalidCanonicalizationPolicyError, InvalidTagValueList),
    *(ValueError, LookupError, TypeError, AttributeError, ArithmeticError, AssertionError),
    NameError,  # of its module for ed25519, which is not installed
)
MOST_SIGNATURES = 3  # that are proved
MOST_LOOKED_AT = 20
SECONDS = 5.0  # for all questions to name servers about one mail
LEAST_BITS = 1024
MOST_KEY = 1_100  # octets of a record: a key of 4,096 bits, which no hostile one outlasts
MOST_POLICY = 4_096
_ENFORCED = ("quarantine", "reject")


def check_from(raw: bytes, domain: str, resolve: Resolver, body_digests: str = "") -> SenderCheck:
    """Return whether a mail is from a domain.

    Args:
        domain: Of its one From address.
        resolve: Raises NameServerAway.
        body_digests: Of the whole body, where attachments were left out of `raw`.
    """
    asked = _Asked(resolve)
    try:
        policy = _policy(domain, asked)
        if policy is None:
            return SenderCheck.NONE
        is_strict = policy.get("adkim", "r").startswith("s")
        if _is_signed(raw, domain, is_strict, asked, body_digests):
            return SenderCheck.PASS
    except NameServerAway:
        return SenderCheck.LATER
    return SenderCheck.FAIL if policy["wanted"] in _ENFORCED else SenderCheck.NONE


def organisation(domain: str) -> str:
    """Return the domain that an organisation has registered: that of mail.example.co.uk."""
    name = domain.lower().rstrip(".")
    found = str(_suffixes().get_public_suffix(name) or name)
    # Of an ending that it does not know the list gives the ending, which all below it share.
    return found if "." in found else ".".join(name.split(".")[-2:])


class _Asked:
    """Ask name servers within the time of one mail."""

    def __init__(self, resolve: Resolver) -> None:
        self._resolve = resolve
        self._until = time.monotonic() + SECONDS

    def text(self, name: str, most: int) -> bytes | None:
        left = self._until - time.monotonic()
        if left <= 0:
            raise NameServerAway
        found = self._resolve(name, left)
        return found if found is not None and len(found) <= most else None


def _policy(domain: str, asked: _Asked) -> dict[str, str] | None:
    """Return what a domain says of its mail, with what it wants done as `wanted`."""

    def text(name: str) -> str:
        return (asked.text(name, MOST_POLICY) or b"").decode("ascii", "replace")

    parent = organisation(domain)
    for host in dict.fromkeys((domain, parent)):
        try:
            record = lookup_receiver_record(host, dnsfunc=text)
        except (DMARCException, ValueError):
            continue  # what cannot be read is not there
        if record.get("p"):
            is_parents = host == parent and domain != parent
            wanted = record.get("sp", record["p"]) if is_parents else record["p"]
            return {**record, "wanted": wanted}
    return None


def _is_signed(raw: bytes, domain: str, is_strict: bool, asked: _Asked, body_digests: str) -> bool:
    """Return whether a signature of the domain, or of its organisation's, covers a whole mail."""
    try:
        signer = dkim.DKIM(raw, minkey=LEAST_BITS)
    except dkim.DKIMException:
        return False
    fields = [value for name, value in signer.headers if name.lower() == b"dkim-signature"]
    aligned = [
        number
        for number, value in enumerate(fields[:MOST_LOOKED_AT])
        if _is_aligned(value, domain, is_strict)
    ]
    return any(_holds(raw, number, asked, body_digests) for number in aligned[:MOST_SIGNATURES])


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


def _holds(raw: bytes, number: int, asked: _Asked, body_digests: str) -> bool:
    """Prove one signature."""

    def text(name: bytes, timeout: float = SECONDS) -> bytes | None:
        return asked.text(name.decode("ascii", "replace").rstrip("."), MOST_KEY)

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


@lru_cache(maxsize=1)
def _suffixes() -> PublicSuffixList:
    with (files("authheaders") / "public_suffix_list.txt").open(encoding="utf-8") as kept:
        return PublicSuffixList(kept)
