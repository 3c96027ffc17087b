"""Players by the names people type: found, locked and marked."""

from __future__ import annotations

import difflib
import re
from collections.abc import Sequence
from dataclasses import replace

from django.db import connection, transaction
from django.db.models import Q

from sarsen.core.errors import UserError
from sarsen.core.phrases import Typed, quoted
from sarsen.games import names
from sarsen.language import ratings
from sarsen.language.challenges import ME
from sarsen.language.commands import Command, MakeChallenge, SignUp
from sarsen.language.grammar.placeholders import is_speaker_word
from sarsen.language.ratings import LEVELS
from sarsen.storage.models import Player

UNKNOWN_PLAYER = "unknown-player"
_MAX_COMPARED = 2000  # names with the same first letter: difflib compares with each
_USERID_FIELDS = ("names", "userids", "userid")  # of commands
_PART_OF_NAME = re.compile(r"[a-z0-9_-]{1,20}")


def find_player(userid: str, line: str = "", otherwise: str = "") -> Player:
    """Return a player by userid, in any case.

    Args:
        line: What was typed, for a hint that would have worked; see `correctable_line`.
        otherwise: The hint where no name is near; "" for help about joining.

    Raises:
        UserError: Nobody is called so; the nearest name is named.
    """
    player = Player.objects.filter(key=_key(userid), is_active=True).first()
    if player is not None:
        return player
    near = nearest_userid(userid)
    corrected = [near if word == userid else word for word in line.split()]
    raise UserError(
        "Nobody here is called {name}; did you mean {near}?"
        if near
        else "Nobody here is called {name}.",
        code=UNKNOWN_PLAYER,
        hint=Typed(" ".join(corrected) if near else otherwise or "help signup"),
        name=quoted(userid),
        near=str(quoted(near)),
    )


def with_speaker_named(command: Command, speaker: Player | None) -> Command:
    """Return a command that names the speaker where it says `you`, `yourname` and the like.

    Nobody can be called so now; somebody who was before these words were reserved keeps the name.
    """
    if isinstance(command, SignUp):
        return command
    named: dict[str, str | tuple[str, ...]] = {}
    for field in _USERID_FIELDS:
        typed = getattr(command, field, ())
        words = (typed,) if isinstance(typed, str) else typed
        if stand_ins := {word.lower() for word in words if is_speaker_word(word)}:
            taken = Player.objects.filter(key__in=stand_ins).values_list("key", flat=True)
            own = ME if isinstance(command, MakeChallenge) or speaker is None else speaker.userid
            stand_ins -= set(taken)
            userids = tuple(own if word.lower() in stand_ins else word for word in words)
            named[field] = userids[0] if isinstance(typed, str) else userids
    return replace(command, **named) if named else command


def find_any_player(userid: str) -> Player:
    """Return a player by userid, whether they play here now or not.

    Raises:
        UserError: Nobody was ever called so.
    """
    return Player.objects.filter(key=_key(userid)).first() or find_player(userid)


def _key(userid: str) -> str:
    """Return the key of a userid; "" for a text that none can be: PostgreSQL refuses NUL in one."""
    return userid.lower() if userid.isprintable() else ""


def players_at(address: str) -> list[Player]:
    """Return the players who have confirmed a mail address; two at most."""
    return list(Player.objects.filter(addresses__address__iexact=address).order_by("pk")[:2])


def correctable_line(line: str, userids: Sequence[str]) -> str:
    """Return a line back if one of its names at most is unknown; otherwise "".

    A second one may be a password in the wrong place, and hints repeat no password.
    """
    keys = {_key(userid) for userid in userids}
    known_count = Player.objects.filter(key__in=keys, is_active=True).count()
    return line if len(keys) - known_count <= 1 else ""


def nearest_userid(userid: str) -> str:
    """Return the userid that looks most like this one; "" when none does."""
    alike = Player.objects.filter(key__startswith=_key(userid[:1]), is_active=True)
    keys = list(alike.values_list("userid", flat=True)[:_MAX_COMPARED])
    near = difflib.get_close_matches(userid, keys, n=len(LEVELS))
    last = userid[-1:]
    # `bot9` and `bot0` look like every program: the nearest number is meant.
    numbered = [key for key in near if key[:-1] == userid[:-1] and (key[-1] + last).isdecimal()]
    if numbered:
        return min(numbered, key=lambda key: abs(int(key[-1]) - int(last)))
    return near[0] if near else ""


def lock_player(player: Player, *fields: str) -> None:
    """Read some fields of a player anew, and lock the row until the transaction ends.

    For what is changed by adding to what there is: the speaker was looked up before the
    transaction, and another page of the player may have changed it since.
    """
    locked = Player.objects.select_for_update(no_key=True)
    player.refresh_from_db(fields=fields, from_queryset=locked)


def named_like(beginning: str, *, most: int) -> tuple[Player, ...]:
    """Return players whose userids begin so, in any case, in the order of their names."""
    first = beginning.lower()
    if not _PART_OF_NAME.fullmatch(first):
        return ()
    # Each database has an index for one of the two: SQLite has none for LIKE, and PostgreSQL's
    # order of texts is that of a language.
    begins = Q(key__startswith=first)
    if connection.vendor == "sqlite":
        begins = Q(key__gte=first, key__lt=f"{first}~")
    players = Player.objects.filter(begins, is_active=True, is_guest=False, is_elsewhere=False)
    return tuple(players.order_by("key")[:most])


def find_players(userids: Sequence[str], most: int, verb: str) -> list[Player]:
    """Return players by userids, each once.

    Raises:
        UserError: Nobody is called so, or more names than a command of this sort takes.
    """
    if len(userids) > most:
        raise UserError(
            "This takes at most {most} names.",
            code="too-many-names",
            hint=Typed(f"{verb} {' '.join(userids[:most])}"),
            most=most,
        )
    game = next((userid.lower() for userid in userids if userid.lower() in names()), "")
    if game and not Player.objects.filter(key=game).exists():
        raise UserError(
            "{game} is a game, and goes before the command.",
            code=UNKNOWN_PLAYER,
            hint=f"{game} {verb}",
            game=game,
        )
    line = correctable_line(f"{verb} {' '.join(userids)}", userids)
    return list(dict.fromkeys(find_player(userid, line) for userid in userids))


def marked(player: Player) -> str:
    """Return a userid as lists show it: `bot5 (program)`."""
    return ratings.marked(player.userid, is_program=player.is_bot)


@transaction.atomic
def mark(player: Player, is_program: bool) -> None:
    """Set whether a program plays for a player; the server's own programs stay as they are."""
    lock_player(player, "is_bot", "level")  # compared with what is stored now
    if player.level is None and player.is_bot != is_program:
        player.is_bot = is_program
        player.save(update_fields=["is_bot"])
