"""Replies about accounts."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class SignupAsked:
    """A sign-up waits until one of the addresses answers."""

    userid: str
    addresses: tuple[str, ...]


@dataclass(frozen=True)
class AddressConfirmed:
    """An address is confirmed; `is_new` when that made the account."""

    userid: str
    is_new: bool


AccountReply = SignupAsked | AddressConfirmed
