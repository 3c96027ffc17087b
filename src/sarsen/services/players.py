"""Players by the names people type: found, marked, and which names are free."""

from __future__ import annotations

import difflib
import re
import unicodedata
from collections.abc import Sequence

from django.conf import settings
from django.db import connection, transaction
from django.db.models import Q
from django.utils.crypto import salted_hmac

from sarsen.core.errors import UserError
from sarsen.core.phrases import Typed, quoted
from sarsen.games import names
from sarsen.language import ratings
from sarsen.language.challenges import ANYONE, ME
from sarsen.language.commands import BY_WORD
from sarsen.language.grammar.placeholders import is_name_placeholder
from sarsen.language.ratings import LEVELS
from sarsen.storage.models import FormerUserid, Player

UNKNOWN_PLAYER = "unknown-player"
_MAX_COMPARED = 2000
_PART_OF_NAME = re.compile(r"[a-z0-9_-]{1,20}")


def find_player(userid: str, line: str = "", otherwise: str = "") -> Player:
    """Return a player by userid, in any case.

    Args:
        line: What was typed, for a hint that would have worked; see `correctable_line`.
        otherwise: The hint where no name is near; "" for help about joining.

    Raises:
        UserError: Nobody is called so; the nearest name is named.
    """
    player = Player.objects.filter(key=userid.lower(), is_active=True).first()
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
        near=repr(near),
    )


def find_any_player(userid: str) -> Player:
    """Return a player by userid, whether they play here now or not.

    Raises:
        UserError: Nobody was ever called so.
    """
    return Player.objects.filter(key=userid.lower()).first() or find_player(userid)


def players_at(address: str) -> list[Player]:
    """Return the players who have confirmed a mail address; two at most."""
    return list(Player.objects.filter(addresses__address__iexact=address).order_by("pk")[:2])


def correctable_line(line: str, userids: Sequence[str]) -> str:
    """Return a line back if one of its names at most is unknown; otherwise "".

    A second one may be a password in the wrong place, and hints repeat no password.
    """
    keys = {userid.lower() for userid in userids}
    known_count = Player.objects.filter(key__in=keys, is_active=True).count()
    return line if len(keys) - known_count <= 1 else ""


def nearest_userid(userid: str) -> str:
    """Return the userid that looks most like this one; "" when none does."""
    alike = Player.objects.filter(key__startswith=userid[:1].lower(), is_active=True)
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


MAX_COMPARED = 2  # players whose results a table shows


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
    lock_player(player, "is_bot", "level")
    if player.level is None and player.is_bot != is_program:
        player.is_bot = is_program
        player.save(update_fields=["is_bot"])


def retire_userid(userid: str) -> None:
    """Reserve a userid for ever, so that nobody signs up under it again."""
    FormerUserid.objects.get_or_create(digest=_digest(userid))


def was_forgotten(userid: str) -> bool:
    """Return whether a userid was that of a forgotten player."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return FormerUserid.objects.filter(digest__in=[_digest(userid, key) for key in keys]).exists()


def _digest(userid: str, key: str | None = None) -> str:
    digest = salted_hmac("sarsen.former-userid", userid.lower(), key, algorithm="sha256")
    return str(digest.hexdigest())


USERID_FORM = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,15}")
# The names of the server's own programs, and of levels yet to come.
_PROGRAM = re.compile(r"(ro)?bots?[0-9_-]*")
# The names of guests; see `services.accounts.guests`.
_GUEST = re.compile(r"guests?[0-9_-]*")
# The names of forgotten people; see `services.accounts.forgetting`.
_FORMER = re.compile(r"former(-player)?-[0-9]+")
# Signs that are left out, and signs taken for others, where userids are compared.
ALIKE = (("-", ""), ("_", ""), ("0", "o"), ("1", "l"), ("i", "l"))
_RESERVED = frozenset(
    {
        ANYONE,
        ME,
        "abuse",
        "active",
        "admin",
        "administrator",
        "all",
        "bounce",
        "daemon",
        "hostmaster",
        "inactive",
        "list",
        "login",
        "logout",
        "mailer-daemon",
        "moderator",
        "next",
        "nobody",
        "noreply",
        "operator",
        "postmaster",
        "root",
        "sarsen",
        "security",
        "server",
        "support",
        "system",
        "webmaster",
    }
)


def check_userid(userid: str) -> None:
    """Refuse what cannot be a userid.

    Raises:
        UserError: With a userid like it that would do.
    """
    if not USERID_FORM.fullmatch(userid):
        raise UserError(
            "A userid has 2 to 16 letters a-z, digits, - or _, and begins with a letter.",
            code="userid-form",
            hint=Typed(f"signup {_similar_userid(userid)}"),
        )
    if is_reserved(userid):
        raise UserError(
            "{userid} is reserved and cannot be a userid.",
            code="userid-reserved",
            hint=Typed(f"signup {_similar_userid(userid)}"),
            userid=quoted(userid),
        )


def is_reserved(userid: str) -> bool:
    """Return whether a userid would be mistaken for a word of the server."""
    key = userid.lower().replace("b0t", "bot")
    if key in BY_WORD or is_name_placeholder(key):
        return True
    if any(form.fullmatch(key) for form in (_PROGRAM, _GUEST, _FORMER)):
        return True
    words = (*_RESERVED, *names(), *BY_WORD)
    return _read_as_word(key) in {_read_as_word(word) for word in words}


# Digits and pairs of letters that are read as letters in a word, such as `5upp0rt` or `adrnin`.
_READ_AS = (("3", "e"), ("4", "a"), ("5", "s"), ("7", "t"), ("8", "b"), ("rn", "m"), ("vv", "w"))


def _read_as_word(userid: str) -> str:
    key = userid.lower()
    for character, alike in _READ_AS:
        key = key.replace(character, alike)
    return lookalike_key(key)


def lookalike_key(userid: str) -> str:
    """Return a userid as it looks at a glance: `al-ice_`, `Alice` and `A1ice` are the same."""
    key = userid.lower()
    for character, alike in ALIKE:
        key = key.replace(character, alike)
    return key


def _similar_userid(userid: str) -> str:
    plain = unicodedata.normalize("NFKD", userid).encode("ascii", "ignore").decode()
    name = re.sub(r"[^A-Za-z0-9_-]", "", plain).lstrip("0123456789_-")[:14]
    if len(name) < 2:
        name = "player" + name
    if _PROGRAM.fullmatch(name.lower()) or _GUEST.fullmatch(name.lower()):
        return f"my-{name}"
    return f"{name}1" if is_reserved(name) or name.lower() == userid.lower() else name
