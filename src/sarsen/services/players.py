"""Find players by the names people type."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from sarsen.core.errors import UserError
from sarsen.storage.models import Player

_MOST_COMPARED = 2000


def find_player(userid: str) -> Player:
    """Give a player by userid, in any case.

    Raises:
        UserError: Nobody is called so; the hint is the nearest name.
    """
    player = Player.objects.filter(key=userid.lower(), is_active=True).first()
    if player is not None:
        return player
    beginning = userid[:1].lower()
    keys = Player.objects.filter(key__startswith=beginning, is_active=True).values_list(
        "userid", flat=True
    )[:_MOST_COMPARED]
    near = difflib.get_close_matches(userid, list(keys), n=1)
    raise UserError(
        f"Nobody here is called {userid[:40]!r}.",
        code="unknown-player",
        hint=f"Did you mean {near[0]}?" if near else "help signup",
    )


def hold(player: Player, *fields: str) -> None:
    """Read some fields of a player anew, and hold them until the transaction ends.

    For what is changed by adding to what there is: the speaker was looked up before the
    transaction, and another page of his may have changed it since.
    """
    held = Player.objects.select_for_update(no_key=True)
    player.refresh_from_db(fields=fields, from_queryset=held)


def find_players(userids: Sequence[str], most: int, verb: str) -> list[Player]:
    """Give players by userids, each once.

    Raises:
        UserError: Nobody is called so, or more names than a command of this sort takes.
    """
    if len(userids) > most:
        raise UserError(
            f"This takes at most {most} names.",
            code="too-many-names",
            hint=f"{verb} {' '.join(userids[:most])}",
        )
    return list(dict.fromkeys(find_player(userid) for userid in userids))
