"""Find players by the names people type."""

from __future__ import annotations

import difflib
from collections.abc import Sequence

from sarsen.core.errors import UserError
from sarsen.games import names
from sarsen.language.levels import LEVELS
from sarsen.storage.models import Player

_MOST_COMPARED = 2000


def find_player(userid: str, line: str = "") -> Player:
    """Give a player by userid, in any case.

    Args:
        line: What was typed, for a hint that would have worked; see `corrigible`.

    Raises:
        UserError: Nobody is called so; the hint is the nearest name.
    """
    player = Player.objects.filter(key=userid.lower(), is_active=True).first()
    if player is not None:
        return player
    near = _nearest(userid)
    corrected = [near if word == userid else word for word in line.split()]
    said = " ".join(corrected) or f"Did you mean {near}?"
    raise UserError(
        f"Nobody here is called {userid[:40]!r}.",
        code="unknown-player",
        hint=said if near else "help signup",
    )


def corrigible(line: str, userids: Sequence[str]) -> str:
    """Give a line back if one of its names at most is unknown; otherwise "".

    A second one may be a password in the wrong place, and hints repeat no password.
    """
    keys = {userid.lower() for userid in userids}
    known = Player.objects.filter(key__in=keys, is_active=True).count()
    return line if len(keys) - known <= 1 else ""


def _nearest(userid: str) -> str:
    """Give the userid that looks most like this one; "" when none does."""
    alike = Player.objects.filter(key__startswith=userid[:1].lower(), is_active=True)
    keys = list(alike.values_list("userid", flat=True)[:_MOST_COMPARED])
    near = difflib.get_close_matches(userid, keys, n=len(LEVELS))
    last = userid[-1:]
    # `bot9` and `bot0` look like every program: the nearest number is meant.
    numbered = [key for key in near if key[:-1] == userid[:-1] and (key[-1] + last).isdecimal()]
    if numbered:
        return min(numbered, key=lambda key: abs(int(key[-1]) - int(last)))
    return near[0] if near else ""


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
    game = next((userid.lower() for userid in userids if userid.lower() in names()), "")
    if game and not Player.objects.filter(key=game).exists():
        raise UserError(
            f"{game} is a game, and stands before the command.",
            code="unknown-player",
            hint=f"{game} {verb}",
        )
    line = corrigible(f"{verb} {' '.join(userids)}", userids)
    return list(dict.fromkeys(find_player(userid, line) for userid in userids))
