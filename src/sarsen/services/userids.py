"""What a userid may be."""

from __future__ import annotations

import re
import unicodedata

from sarsen.core.errors import UserError
from sarsen.games import names
from sarsen.language.commands import BY_WORD
from sarsen.language.commands.challenges import ANYONE, ME
from sarsen.language.placeholders import is_name_placeholder

_FORM = re.compile(r"[A-Za-z][A-Za-z0-9_-]{1,15}")
# As the server's own programs are called, and those of other levels yet to come.
_PROGRAM = re.compile(r"(ro)?bots?[0-9_-]*")
# As guests are called; see `services.guests`.
_GUEST = re.compile(r"guests?[0-9_-]*")
# As people are called who were forgotten; see `services.keeping.forgetting`.
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
    if not _FORM.fullmatch(userid):
        raise UserError(
            "A userid has 2 to 16 letters a-z, digits, - or _, and begins with a letter.",
            code="userid-form",
            hint=f"signup {_like(userid)}",
        )
    if is_reserved(userid):
        raise UserError(
            f"{userid!r} is a word of the server and cannot be a userid.",
            code="userid-reserved",
            hint=f"signup {_like(userid)}",
        )


def is_reserved(userid: str) -> bool:
    """Return whether a userid would be mistaken for a word of the server."""
    key = userid.lower().replace("b0t", "bot")
    if key in BY_WORD or is_name_placeholder(key):
        return True
    if any(form.fullmatch(key) for form in (_PROGRAM, _GUEST, _FORMER)):
        return True
    return outline(key) in {outline(word) for word in (*_RESERVED, *names())}


def outline(userid: str) -> str:
    """Return a userid as it looks at a glance: `al-ice_`, `Alice` and `A1ice` are the same."""
    key = userid.lower()
    for sign, alike in ALIKE:
        key = key.replace(sign, alike)
    return key


def _like(userid: str) -> str:
    plain = unicodedata.normalize("NFKD", userid).encode("ascii", "ignore").decode()
    kept = re.sub(r"[^A-Za-z0-9_-]", "", plain).lstrip("0123456789_-")[:14]
    if len(kept) < 2:
        kept = "player" + kept
    if _PROGRAM.fullmatch(kept.lower()) or _GUEST.fullmatch(kept.lower()):
        return f"my-{kept}"
    return f"{kept}1" if is_reserved(kept) or kept.lower() == userid.lower() else kept
