"""Addresses as a list shows them: enough to tell them apart, too little to write to."""

from __future__ import annotations


def masked(address: str) -> str:
    """Hide the middle of a mail address: `a…@example.org`."""
    local, at, domain = address.rpartition("@")
    return f"{local[:1]}…@{domain}" if at else f"{address[:1]}…"


def kind_of(recipient: str) -> str:
    """Return the kind of an address of ours: a signed one would let its reader speak for others."""
    local = recipient.partition("@")[0].lower()
    kind, dash, _ = local.partition("-")
    return f"{kind}-…" if dash else local
