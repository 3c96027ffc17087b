"""Mark programs wherever players are listed."""

from __future__ import annotations

from sarsen.language import marks
from sarsen.storage.models import Player


def marked(player: Player) -> str:
    """Return a userid as lists show it: `bot5 (program)`."""
    return marks.marked(player.userid, is_program=player.is_bot)
