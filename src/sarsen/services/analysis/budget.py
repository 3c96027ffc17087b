"""How much of the processor each asker may use: reserved before a search, settled after it."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from math import ceil

from django.db.models import Sum

from sarsen.services.accounts.attempts import network_of
from sarsen.services.limits.daily import Flood
from sarsen.services.request import Actor
from sarsen.storage.models import Analyst

HOUR = timedelta(hours=1)
# Seconds: less is not searched, and each search costs as much.
LEAST_SECONDS = 0.1
# Of all visitors together in an hour, a third of one processor: their addresses are easily many.
MAX_VISITORS_SECONDS = 1200.0
MAX_VISITORS = 5000  # networks in an hour: a row of the database each


@dataclass(frozen=True)
class Allowance:
    """Seconds of the processor for one position, and in an hour."""

    position: float
    hour: float


MEMBER, GUEST = Allowance(5.0, 300.0), Allowance(1.0, 20.0)


def allowance_of(actor: Actor) -> Allowance:
    """Return the allowance of an asker: that of a guest for all without an account."""
    return MEMBER if actor.player is not None and not actor.player.is_guest else GUEST


def key_of(actor: Actor) -> str:
    """Return the key of an asker's row: visitors of one network share one, as a digest."""
    if actor.player is not None:
        return f"player {actor.player.pk}"
    network = network_of(actor.client_address) if actor.client_address else "mail"
    return sha256(f"analysis {network}".encode()).hexdigest()


def left_of(row: Analyst | None, allowance: Allowance, now: datetime) -> float:
    """Return how many seconds an asker has left in this hour."""
    if row is None:
        return allowance.hour
    spent = row.spent if now - row.hour_began_at < HOUR else 0.0
    return max(allowance.hour - spent - row.reserved, 0.0)


def begin_hour(row: Analyst, now: datetime) -> None:
    """Begin a new hour of a locked row, unsaved, where the last one is over."""
    if now - row.hour_began_at >= HOUR:
        row.hour_began_at, row.spent = now, 0.0


def check_left(row: Analyst, allowance: Allowance, now: datetime) -> float:
    """Return the seconds that a new question may take, of a locked row.

    Raises:
        Flood: Nothing is left of the hour, with the seconds until there is more.
    """
    left = left_of(row, allowance, now)
    if left < LEAST_SECONDS:
        raise spent(row.hour_began_at + HOUR - now)
    if row.player_id is None:
        recent = Analyst.objects.filter(player=None, hour_began_at__gt=now - HOUR)
        used = recent.aggregate(spent=Sum("spent"), reserved=Sum("reserved"))
        if (used["spent"] or 0) + (used["reserved"] or 0) >= MAX_VISITORS_SECONDS:
            raise visitors_spent()
    return min(allowance.position, left)


def check_room(now: datetime) -> None:
    """Refuse a network that was never seen, where there were too many in this hour.

    Raises:
        Flood: There were.
    """
    if Analyst.objects.filter(player=None, hour_began_at__gt=now - HOUR).count() >= MAX_VISITORS:
        raise visitors_spent()


def spent(wait: timedelta) -> Flood:
    """Return the refusal of a question beyond the hour."""
    seconds = max(ceil(wait.total_seconds()), 1)
    return Flood(
        "You have used your search time for this hour. There is more in {wait} seconds; positions "
        "that were searched before are still shown.",
        code="analysis-budget",
        hint="help analyse",
        seconds=seconds,
        wait=seconds,
    )


def visitors_spent() -> Flood:
    """Return the refusal of a visitor's question when visitors have used all their time."""
    seconds = int(HOUR.total_seconds()) // 4
    return Flood(
        "Visitors have used all their search time for now. There is more in {wait} seconds, or "
        "at once with an account.",
        code="analysis-budget",
        hint="help analyse",
        seconds=seconds,
        wait=seconds,
    )
