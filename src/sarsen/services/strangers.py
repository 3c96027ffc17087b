"""How often we write to those who have proved nothing, and to whom nothing succeeds.

Anybody can put an address into From: its owner must not be flooded by us. And two machines
that answer each other must come to an end.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from enum import Enum
from hashlib import sha256

from sarsen.storage.models import Address, Player, StrangerHelped

A_DAY = timedelta(days=1)
MOST_TO_A_DOMAIN = 300  # refusals a day, whatever stands before the @
MOST_SIGNUPS_OF_A_DOMAIN = 50  # letters a day that sign-ups by mail cause, and in all:
MOST_SIGNUPS = 500
MOST_REFUSALS = 100  # a day, to a player who has proved to be one


class Unproved(Enum):
    """Why we write to an address that proved nothing, and how often a day at most."""

    HELP = 1  # the mail held no command
    REFUSAL = 20
    ANSWER = 50
    CHALLENGE = 10  # the mail asked for a challenge in the name of the address's player


def may_answer(address: str, why: Unproved, now: datetime) -> bool:
    """Return whether one more letter may go to an unproved address today, and count it."""
    local, _, domain = address.lower().rpartition("@")
    mailbox = _digest(f"{local.partition('+')[0]}@{domain}")  # ann+1 and ann+2 are one person
    bounds = [(f"{mailbox}:{why.name.lower()}", why.value)]
    if why is not Unproved.ANSWER:
        bounds.append((f"{_digest(domain)}:domain", MOST_TO_A_DOMAIN))
    return _take(bounds, now)


def may_refuse(player: Player, now: datetime) -> bool:
    """Return whether a player is told once more today that something is refused, and count it."""
    return _take([(f"player:{player.pk}", MOST_REFUSALS)], now)


def may_sign_up(address: str, now: datetime) -> bool:
    """Return whether a sign-up by mail may cause one more letter today, and count it."""
    domain = _digest(address.lower().rpartition("@")[2])
    bounds = [(f"{domain}:signup", MOST_SIGNUPS_OF_A_DOMAIN), ("signup", MOST_SIGNUPS)]
    return _take(bounds, now)


def is_known_address(address: str) -> bool:
    """Return whether a player has confirmed this address."""
    return Address.objects.filter(address__iexact=address).exists()


def _take(bounds: Sequence[tuple[str, int]], now: datetime) -> bool:
    """Take a place of each kind, where all kinds have one left."""
    free = [_free(name, most, now) for name, most in bounds]
    if not all(free):
        return False
    for key in free:
        StrangerHelped.objects.update_or_create(address=key, defaults={"at": now})
    return True


def _free(name: str, most: int, now: datetime) -> str:
    """Return the first place of a name that nobody took today; "" when there is none."""
    keys = [f"{name}:{number}" for number in range(most)]
    taken = StrangerHelped.objects.filter(address__in=keys, at__gt=now - A_DAY)
    held = set(taken.values_list("address", flat=True))
    return next((key for key in keys if key not in held), "")


def _digest(text: str) -> str:
    return sha256(text.encode("utf-8", "replace")).hexdigest()[:40]
