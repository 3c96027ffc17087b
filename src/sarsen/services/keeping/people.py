"""Find people for whoever runs the server: also those who have left or are barred."""

from __future__ import annotations

from sarsen.services.players import find_player
from sarsen.storage.models import Player


def find_anybody(userid: str) -> Player:
    """Return a player by userid, whether he plays here now or not.

    Raises:
        UserError: Nobody was ever called so.
    """
    return Player.objects.filter(key=userid.lower()).first() or find_player(userid)
