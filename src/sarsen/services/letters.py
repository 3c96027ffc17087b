"""Letters to players: queued as facts in the transaction that causes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sarsen.storage import kept
from sarsen.storage.kept import Given, KeptQuery
from sarsen.storage.models import Address, Match, OutgoingMail, Player

_ADDRESSES = KeptQuery(lambda: Address.objects.filter(player=Given("player")).order_by("pk"))


def queue(
    address: str,
    kind: str,
    facts: dict[str, Any],
    now: datetime,
    *,
    player: Player | None = None,
    match: Match | None = None,
    in_reply_to: str = "",
    event: str = "",
    haste: int = 1,
) -> None:
    """Queue a letter to an address; whoever has queued letters wakes the sender.

    Args:
        event: Of `notices`, for the player's log; "" for an answer.
        haste: 0 goes first, 2 last.
    """
    letter = OutgoingMail(
        kind=kind,
        event=event,
        facts=facts,
        address=address,
        player=player,
        match=match,
        in_reply_to=in_reply_to[:300],
        queued_at=now,
        due_at=now,
        haste=haste,
    )
    kept.insert([letter])


def queue_for(
    player: Player,
    kind: str,
    facts: dict[str, Any],
    now: datetime,
    *,
    match: Match | None = None,
    in_reply_to: str = "",
) -> None:
    """Queue a letter to every confirmed address of a player.

    Where letters came back none is sent, unless there is no other: somebody waits for it.
    """
    addresses = _ADDRESSES.all(player=player.pk)
    reached = [address for address in addresses if address.suspended_at is None]
    for address in reached or addresses:
        queue(
            address.address,
            kind,
            facts,
            now,
            player=player,
            match=match,
            in_reply_to=in_reply_to,
        )
