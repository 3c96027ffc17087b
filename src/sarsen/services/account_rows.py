"""What an account has for itself: ways in, ways to be told, wishes. It goes with its player."""

from __future__ import annotations

from sarsen.storage.models import Player, Question, Signup


def drop_account_rows(player: Player) -> None:
    """Delete what lets a player in, what reaches him, and what he asked for."""
    for rows in (
        player.addresses,
        player.subscriptions,
        player.watchers,
        player.digest_items,
        player.vacations,
        player.tokens,
        player.passkeys,
        player.stream,
        player.devices,
    ):
        rows.all().delete()
    Question.objects.filter(player=player).delete()
    # An address that answers later would belong to an account that is closed.
    Signup.objects.filter(player=player).delete()
