"""In which colours a player sees the pages; what the words mean, the web door knows."""

from __future__ import annotations

from sarsen.storage.models import Player

LONGEST = 40


def remember(player: Player, colours: str) -> None:
    """Keep a player's choice, for all browsers."""
    player.colours = colours[:LONGEST]
    player.save(update_fields=["colours"])
