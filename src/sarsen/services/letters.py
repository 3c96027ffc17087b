"""Letters to players: queued as facts in the transaction that causes them."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import Any

from sarsen.storage import kept
from sarsen.storage.kept import Given, KeptQuery
from sarsen.storage.models import Address, Match, OutgoingMail, Player

# How long the answer to a move waits for the program's answer to it, so that one letter has both.
HELD = timedelta(seconds=10)
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
    held_for: int | None = None,
) -> None:
    """Queue a letter to an address; whoever has queued letters wakes the sender.

    Args:
        event: Of `notices`, for the player's log; "" for an answer.
        haste: 0 goes first, 2 last.
        held_for: A board; the letter waits a while for what happens there, see `join`.
    """
    letter = OutgoingMail(
        kind=kind,
        event=event,
        facts=facts,
        address=address,
        player=player,
        match_id=held_for or (match.pk if match else None),
        in_reply_to=in_reply_to[:300],
        queued_at=now,
        due_at=now if held_for is None else now + HELD,
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
    held_for: int | None = None,
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
            held_for=held_for,
        )


def join(match: Match, players: Collection[int], facts: dict[str, Any], now: datetime) -> set[str]:
    """Add what has happened at a board to the answers that are held for it, and release them.

    A letter that a sender has claimed is left alone: its text may be written already.

    Returns:
        The addresses, in lower case, that hear of it so.
    """
    waiting = OutgoingMail.objects.select_for_update(of=("self",)).filter(
        match=match, player__in=players, kind="answer", state=OutgoingMail.State.WAITING
    )
    joined = set()
    for letter in waiting:
        # A claim, or a failed attempt, has moved the time.
        if letter.due_at - letter.queued_at == HELD:
            letter.facts["then"] = facts
            letter.due_at = now
            letter.save(update_fields=["facts", "due_at"])
            joined.add(letter.address.lower())
    return joined
