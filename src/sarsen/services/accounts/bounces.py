"""Letters that come back: counted for each address, which is left in peace after some.

Clocks run on: whether somebody reads their mail is their affair, and the opponent is told
nothing. The player is told on every page, and by mail to their other addresses.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import structlog
from django.db import transaction

from sarsen.services import task_queue
from sarsen.services.mail.reply_addresses import without_signatures
from sarsen.services.notices import Event, notify
from sarsen.storage.models import Address, Bounce, OutgoingMail, Player

# Letters that came back for good: one or two may be the other server's mistake; after more, mail
# to a dead address would harm this server's reputation (decision 0042).
MOST = 3
# Older ones say nothing of the address now; a `Bounce` is kept for as long.
WITHIN = timedelta(days=7)
MAX_WHY = 200  # characters: another server may say anything, and players read it
log = structlog.get_logger()


@dataclass(frozen=True)
class Suspended:
    """An address to which nothing is sent, for its player's eyes.

    Attributes:
        why: As the other mail server said it.
    """

    address: str
    since: datetime
    why: str


def count_bounce(letter: int, why: str, now: datetime) -> None:
    """Count a letter that nobody will ever take; the same letter counts once.

    Args:
        why: As the other mail server says it, for the player's eyes.
    """
    with transaction.atomic():
        mail = OutgoingMail.objects.filter(pk=letter).first()
        if mail is None:
            return  # too long ago
        # Locked, so that two bounces at once do not each miss the other's row when they are
        # counted.
        rows = Address.objects.select_for_update(no_key=True, of=("self",))
        addresses = list(rows.filter(address__iexact=mail.address).order_by("pk"))
        Bounce.objects.bulk_create(
            [Bounce(letter=mail, address=address, at=now) for address in addresses],
            ignore_conflicts=True,
        )
        suspended = [
            address
            for address in addresses
            if address.suspended_at is None and _is_dead(address, now)
        ]
        for address in suspended:
            _suspend(address, why, now)
    for address in suspended:
        log.warning(
            "address suspended",
            player=address.player.userid,
            letter=letter,
            reason=without_signatures(why[:MAX_WHY]),
        )


def _is_dead(address: Address, now: datetime) -> bool:
    return Bounce.objects.filter(address=address, at__gt=now - WITHIN).count() >= MOST


def resume(player: Player, addresses: Sequence[str]) -> tuple[str, ...]:
    """Send to suspended addresses of a player again; return those that were."""
    rows = player.addresses.filter(address__in=list(addresses), suspended_at__isnull=False)
    resumed = tuple(rows.order_by("pk").values_list("address", flat=True))
    if resumed:
        # Three more letters must come back: the old ones say nothing of what was mended.
        Bounce.objects.filter(address__in=rows).delete()
        rows.update(suspended_at=None, suspended_why="")
        note_unreached(player)
    return resumed


def suspended(player: Player) -> tuple[Suspended, ...]:
    """Return a player's addresses to which nothing is sent."""
    if not player.is_unreached:
        return ()
    addresses = player.addresses.filter(suspended_at__isnull=False).order_by("pk")
    return tuple(
        Suspended(address.address, address.suspended_at, address.suspended_why)
        for address in addresses
        if address.suspended_at is not None
    )


def note_unreached(player: Player) -> None:
    """Note on a player whether one of their addresses is suspended."""
    player.is_unreached = player.addresses.filter(suspended_at__isnull=False).exists()
    player.save(update_fields=["is_unreached"])


def _suspend(address: Address, why: str, now: datetime) -> None:
    address.suspended_at = now
    address.suspended_why = why[:MAX_WHY]
    address.save(update_fields=["suspended_at", "suspended_why"])
    note_unreached(address.player)
    waiting = OutgoingMail.objects.filter(
        player=address.player, address=address.address, state=OutgoingMail.State.WAITING
    )
    # Answers, and letters to log in with, are tried all the same: somebody waits for them.
    waiting.exclude(event="").update(
        state=OutgoingMail.State.FAILED, error="letters to this address came back"
    )
    facts = {"what": "suspended", "address": address.address}
    notify(address.player, Event.ACCOUNT, "account-changed", facts, now)
    task_queue.wake(task_queue.SEND_MAIL)
