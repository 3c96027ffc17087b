"""Letters to players: queued as facts in the transaction that causes them."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from sarsen.storage.models import Match, OutgoingMail, Player


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
    OutgoingMail.objects.create(
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


def queue_for(
    player: Player,
    kind: str,
    facts: dict[str, Any],
    now: datetime,
    *,
    match: Match | None = None,
    in_reply_to: str = "",
) -> None:
    """Queue a letter to every confirmed address of a player."""
    for address in player.addresses.order_by("pk"):
        queue(
            address.address,
            kind,
            facts,
            now,
            player=player,
            match=match,
            in_reply_to=in_reply_to,
        )
