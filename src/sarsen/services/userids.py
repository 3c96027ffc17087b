"""Userids: their form, and which of them are taken, reserved or retired."""

from __future__ import annotations

import re
import unicodedata

from django.conf import settings
from django.utils.crypto import salted_hmac

from sarsen.core.errors import UserError
from sarsen.core.phrases import Typed, quoted
from sarsen.games import names
from sarsen.language.accounts import USERID
from sarsen.language.challenges import ANYONE
from sarsen.language.commands import BY_WORD
from sarsen.language.grammar.placeholders import is_name_placeholder
from sarsen.language.schema.fields import SPEAKER_WORDS
from sarsen.storage.models import FormerUserid

USERID_FORM = re.compile(USERID)
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


def check_userid(userid: str) -> None:
    """Refuse what cannot be a userid.

    Raises:
        UserError: With a userid like it that would do.
    """
    if not USERID_FORM.fullmatch(userid):
        raise UserError(
            "A name has 2 to 16 letters a-z, digits, - or _, and begins with a letter.",
            code="userid-form",
            hint=Typed(f"signup {_similar_userid(userid)}"),
        )
    if is_reserved(userid):
        raise UserError(
            "{userid} is reserved and cannot be a name.",
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
    words = (*_RESERVED, *SPEAKER_WORDS, *names(), *BY_WORD)
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
