"""Accounts that a program of its owner's plays for: everybody can see that."""

from __future__ import annotations

from sarsen.services.call import Player
from sarsen.services.players import hold


def mark(player: Player, is_program: bool) -> None:
    """Say whether a program plays for a player. The server's own programs stay what they are."""
    hold(player, "is_bot", "level")
    if player.level is None and player.is_bot != is_program:
        player.is_bot = is_program
        player.save(update_fields=["is_bot"])
