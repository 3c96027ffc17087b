"""Which addresses are ours."""

from __future__ import annotations

from django.conf import settings

from sarsen.games import names
from sarsen.services.signing import is_signed

MAIN = "sarsen"
LONGEST_ADDRESS = 254
_OTHERS = frozenset({"games", "play", "pbmserv", "server"})
SILENT = frozenset({"postmaster", "abuse", "bounce", "mailer-daemon"})


def main_address() -> str:
    """Give the address that takes commands from anybody."""
    return f"{MAIN}@{settings.SARSEN_DOMAIN}"


def bounce_address() -> str:
    """Give the envelope sender of our letters."""
    return f"bounce@{settings.SARSEN_DOMAIN}"


def is_sender(address: str) -> bool:
    """Tell whether an envelope sender can be stored and answered."""
    return len(address) <= LONGEST_ADDRESS and address.isascii() and address.isprintable()


def is_ours(address: str) -> bool:
    """Tell whether a recipient is one of this server's addresses, by its form alone."""
    local, at, domain = address.rpartition("@")
    if not at or domain.lower() != settings.SARSEN_DOMAIN.lower():
        return False
    lower = local.lower()
    return lower == MAIN or lower in _OTHERS | SILENT or lower in names() or is_signed(lower)
