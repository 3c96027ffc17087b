"""The addresses of this server, and which others can be stored and answered."""

from __future__ import annotations

import re
from collections.abc import Iterable

from django.conf import settings

from sarsen.games import names
from sarsen.services.mail.reply_addresses import is_signed

MAIN = "sarsen"
# Names that people guess, or know from the old server.
_OTHERS = frozenset({"games", "play", "pbmserv", "server"})
# Printable, without the signs that part addresses in a header. `root` needs no domain.
_SENDER = re.compile(
    r"[^\s\x00-\x20\x7f-\U0010ffff<>()\[\],;:\\\"@]+(?:@[a-z0-9._-]+)?", re.I | re.A
)
# Addresses that a mail server should take (RFC 2142), or that bounces go to: an answer would make
# loops.
SILENT = frozenset({"postmaster", "abuse", "bounce", "mailer-daemon"})
LIST_NAME = "games"  # before the domain, in the List-Id of our letters (RFC 2919)
MAX_ADDRESS = 254  # octets; RFC 5321 allows a path of 256 with its brackets


def main_address() -> str:
    """Return the address that takes commands from anybody."""
    return f"{MAIN}@{settings.SARSEN_DOMAIN}"


def is_sender(address: str) -> bool:
    """Return whether an envelope sender can be stored and answered."""
    return len(address) <= MAX_ADDRESS and bool(_SENDER.fullmatch(address))


def is_ours(address: str) -> bool:
    """Return whether a recipient is one of this server's addresses, by its form alone."""
    local, at, domain = address.rpartition("@")
    if not at:  # RFC 5321, 4.5.1: `<postmaster>` needs no domain
        return address.lower() == "postmaster"
    if domain.lower() != settings.SARSEN_DOMAIN.lower():
        return False
    return _is_open(local) or untagged(local) in SILENT or is_signed(local)


def untagged(local_part: str) -> str:
    """Return an unsigned local part as it is known here: `sarsen` for `Sarsen+games`."""
    return local_part.lower().partition("+")[0]


def mailbox(address: str) -> str:
    """Return a word that is the same for addresses of ours that do the same."""
    local = address.rpartition("@")[0] or address
    return MAIN if _is_open(local) else untagged(local)


def answering_addresses(addresses: Iterable[str]) -> list[str]:
    """Return those of our addresses by which one mail to all of them is answered.

    A mail acts once. A signed address says more than an open one, and a game's more
    than the main one.
    """
    ours = list(dict.fromkeys(addresses))
    signed = [address for address in ours if is_signed(address.rpartition("@")[0])]
    opened = [address for address in ours if mailbox(address) == MAIN]
    opened.sort(key=lambda address: untagged(address.rpartition("@")[0]) not in names())
    silent = [address for address in ours if address not in (*signed, *opened)]
    return [*signed, *([] if signed else opened[:1]), *silent]


def _is_open(local_part: str) -> bool:
    name = untagged(local_part)
    return name == MAIN or name in _OTHERS or name in names()
