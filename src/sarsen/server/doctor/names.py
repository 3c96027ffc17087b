"""Look at the names that other mail servers ask for: MX, SPF, DKIM, DMARC."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import dns.exception
import dns.resolver

from sarsen.server.doctor.finding import Finding, good, odd

# Gives the values of a name's records of a type; [] when it has none.
Resolve = Callable[[str, str], list[str]]
PATIENCE = 4.0  # seconds for one name


class NotAnswered(Exception):
    """Nobody could be asked: that says nothing of the name."""


@dataclass(frozen=True)
class Wanted:
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


def wanted(domain: str, host: str, dkim: tuple[str, str] | None) -> tuple[Wanted, ...]:
    """List the records that a domain should have.

    Args:
        host: Of the pages.
        dkim: The name and the value of the record of the key that letters are signed with.
    """
    signed = () if dkim is None else (_signed(*dkim),)
    return (
        Wanted("mx", domain, "MX", "", f"{domain}. MX 10 {host}.", "mail finds its way here"),
        Wanted(
            "spf",
            domain,
            "TXT",
            "v=spf1",
            f'{domain}. TXT "v=spf1 mx -all"',
            "nobody else sends letters in our name",
        ),
        *signed,
        Wanted(
            "dmarc",
            f"_dmarc.{domain}",
            "TXT",
            "v=DMARC1",
            f'_dmarc.{domain}. TXT "v=DMARC1; p=quarantine"',
            "others know what to do with letters that are not ours",
        ),
    )


def _signed(name: str, value: str) -> Wanted:
    line = f"{name}. TXT ({strings(value)})"
    return Wanted("dkim", name, "TXT", value, line, "our signature is known")


def strings(text: str) -> str:
    """Write a text as the strings of a TXT record, which hold 255 characters each."""
    return " ".join(f'"{text[at : at + 255]}"' for at in range(0, len(text), 255))


def look_at_names(records: tuple[Wanted, ...], resolve: Resolve) -> Iterator[Finding]:
    """Yield a finding for each record that should be there."""
    for record in records:
        try:
            found = resolve(record.name, record.type)
        except NotAnswered:
            yield odd(
                f"{record.code}-unknown",
                f"The {record.type} record of {record.name} could not be asked for.",
                "Is there a resolver in /etc/resolv.conf?",
            )
            continue
        # Spaces in a record mean nothing, and some forms for a zone take them out.
        begins = "".join(record.begins.split())
        fitting = [one for one in found if "".join(one.split()).startswith(begins)]
        if len(fitting) == 1 or (fitting and record.type == "MX"):
            yield good(record.code, f"{record.name} has its {record.type} record: {record.why}.")
        elif fitting:
            yield odd(
                f"{record.code}-many",
                f"{record.name} has {len(fitting)} such {record.type} records; none counts then.",
                record.line,
            )
        else:
            yield odd(
                f"{record.code}-missing",
                f"{record.name} has no such {record.type} record: {record.why} when it has.",
                record.line,
            )


def ask(name: str, kind: str) -> list[str]:
    """Ask the machine's resolver.

    Raises:
        NotAnswered: It is out of reach, or fails.
    """
    try:
        answer = dns.resolver.resolve(name, kind, lifetime=PATIENCE)
    except (dns.resolver.NXDOMAIN, dns.resolver.NoAnswer):
        return []
    except (dns.exception.DNSException, OSError) as silent:
        raise NotAnswered from silent
    return [_value(one) for one in answer]


def _value(record: object) -> str:
    parts: tuple[bytes, ...] = getattr(record, "strings", ())
    # A TXT record comes in pieces of 255 octets, which belong together.
    return b"".join(parts).decode("utf-8", "replace") if parts else str(record)
