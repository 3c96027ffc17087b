"""Look at the names that other mail servers ask for: MX, SPF, DKIM, DMARC."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta
from email.message import EmailMessage
from email.utils import make_msgid

import dns.exception
import dns.resolver
from django.conf import settings

from sarsen.doors.mail.addresses import mailbox
from sarsen.doors.mail.send.dkim_signing import strings
from sarsen.doors.mail.send.relaying import reason_of
from sarsen.server.doctor.configuration import DoctorFinding, failure, passed, warning
from sarsen.services.mail import incoming
from sarsen.services.mail.incoming import Delivery

# Returns the values of a name's records of a type; [] when it has none.
Resolve = Callable[[str, str], list[str]]
TIMEOUT_SECONDS = 4.0  # for one name: the operator waits for several
# New endings of domains come every month, and matter to few; a release has a list of its day.
MAX_SUFFIX_AGE = timedelta(days=400)


class NotAnswered(Exception):
    """Nobody could be asked: that says nothing of the name."""


@dataclass(frozen=True)
class ExpectedRecord:
    """A record that other servers look for.

    Attributes:
        begins: How one of its values begins; "" when any value will do.
        line: What to put into the zone.
    """

    code: str
    name: str
    type: str
    begins: str
    line: str
    why: str


def expected_records(
    domain: str, host: str, dkim: tuple[str, str] | None
) -> tuple[ExpectedRecord, ...]:
    """List the records that a domain should have.

    Args:
        host: Of the pages.
        dkim: The name and the value of the record of the key that letters are signed with.
    """
    signed = () if dkim is None else (_signed(*dkim),)
    return (
        ExpectedRecord(
            "mx", domain, "MX", "", f"{domain}. MX 10 {host}.", "mail is delivered here"
        ),
        ExpectedRecord(
            "spf",
            domain,
            "TXT",
            "v=spf1",
            f'{domain}. TXT "v=spf1 mx -all"',
            "other servers cannot send mail in our name",
        ),
        *signed,
        ExpectedRecord(
            "dmarc",
            f"_dmarc.{domain}",
            "TXT",
            "v=DMARC1",
            f'_dmarc.{domain}. TXT "v=DMARC1; p=quarantine"',
            "receivers know how to treat forged mail",
        ),
    )


def _signed(name: str, value: str) -> ExpectedRecord:
    line = f"{name}. TXT ({strings(value)})"
    return ExpectedRecord("dkim", name, "TXT", value, line, "receivers can verify our signature")


def look_at_names(records: tuple[ExpectedRecord, ...], resolve: Resolve) -> Iterator[DoctorFinding]:
    """Yield a finding for each record that should be there."""
    for record in records:
        try:
            values = resolve(record.name, record.type)
        except NotAnswered:
            yield warning(
                f"{record.code}-unknown",
                f"The {record.type} record of {record.name} could not be looked up.",
                "Check the resolver in /etc/resolv.conf.",
            )
            continue
        # Spaces in a record mean nothing, and some forms for a zone take them out.
        begins = "".join(record.begins.split())
        fitting = [value for value in values if "".join(value.split()).startswith(begins)]
        if len(fitting) == 1 or (fitting and record.type == "MX"):
            yield passed(record.code, f"{record.name} has its {record.type} record: {record.why}.")
        elif fitting:
            yield warning(
                f"{record.code}-many",
                f"{record.name} has {len(fitting)} such {record.type} records; "
                "receivers then ignore all of them.",
                record.line,
            )
        else:
            yield warning(
                f"{record.code}-missing",
                f"{record.name} lacks this {record.type} record; with it, {record.why}.",
                record.line,
            )


def look_at_suffixes(listed: date, today: date) -> DoctorFinding:
    """Return a finding on the age of the list of public suffixes: who shares a domain."""
    text = f"The list of public suffixes, by which senders are checked, is of {listed}."
    if today - listed <= MAX_SUFFIX_AGE:
        return passed("suffixes", text)
    return warning(
        "suffixes-old", text, "pip install --upgrade publicsuffixlist, or upgrade sarsen"
    )


def ask(name: str, kind: str) -> list[str]:
    """Ask the machine's resolver.

    Raises:
        NotAnswered: It is out of reach, or fails.
    """
    try:
        answer = dns.resolver.resolve(name, kind, lifetime=TIMEOUT_SECONDS)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except (dns.exception.DNSException, OSError) as silent:
        raise NotAnswered from silent
    return [_value(entry) for entry in answer]


def _value(record: object) -> str:
    parts: tuple[bytes, ...] = getattr(record, "strings", ())
    # A TXT record comes in pieces of 255 octets, which belong together.
    return b"".join(parts).decode("utf-8", "replace") if parts else str(record)


LOOK_EVERY = 0.2  # seconds: a mail to ourselves arrives within one, mostly
# Taken and stored like any mail, and never answered.
TO = "postmaster"


def look_at_loop(hand_over: Callable[[str, bytes], None], patience: float) -> DoctorFinding:
    """Send one mail and tell whether the listener has stored it.

    Args:
        hand_over: Hands a message for an address to the relay.
        patience: Seconds in which it must come back.
    """
    address = f"{TO}@{settings.SARSEN_DOMAIN}"
    raw = _message(address)
    began = time.monotonic()
    try:
        hand_over(address, raw)
    except OSError as refused:  # smtplib's own errors are such
        return failure(
            "loop-out",
            f"The relay did not accept a mail to {address}: {reason_of(refused)}",
            "Check SARSEN_SMTP_URL, and whether the relay accepts mail from this machine.",
        )
    sent = time.monotonic()
    while not incoming.is_stored(Delivery("", address, raw, mailbox(address))):
        if time.monotonic() - sent > patience:
            return _lost(address, patience)
        time.sleep(LOOK_EVERY)  # the listener, another process, stores it at some time
    return passed("loop", f"A test mail arrived after {time.monotonic() - began:.1f} s.")


def _lost(address: str, patience: float) -> DoctorFinding:
    return failure(
        "loop-in",
        f"A test mail to {address} was sent but did not arrive within {patience:.0f} seconds.",
        "Check that the mail server forwards mail for the domain to --lmtp: see docs/operating.md.",
    )


def _message(address: str) -> bytes:
    message = EmailMessage()
    message["From"] = message["To"] = address
    message["Subject"] = "sarsen doctor: test mail"
    message["Message-ID"] = make_msgid("doctor", settings.SARSEN_DOMAIN)
    message["Auto-Submitted"] = "auto-generated"
    message.set_content("This is an automatic test. You can delete it.\n")
    return message.as_bytes()
