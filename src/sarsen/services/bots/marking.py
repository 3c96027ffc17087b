"""Mark programs wherever players are listed."""

from __future__ import annotations

from sarsen.storage.models import Player

MARK = " (bot)"


def marked(player: Player) -> str:
    """Give a userid as lists show it: `bot5 (bot)`."""
    return f"{player.userid}{MARK}" if player.is_bot else player.userid
