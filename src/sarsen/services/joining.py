"""Joining on a page: a letter brings six digits to type there, or a link.

The digits are good only where they were asked for: the page's session keeps the wish's
name, which nobody else knows. The link, and answering the letter, need no session.
"""

from __future__ import annotations

import hmac
import re
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256
from secrets import randbelow

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import transaction

from sarsen.core.errors import UserError
from sarsen.language.zones import UTC_NAME, read_zone
from sarsen.services import attempts, background, letters
from sarsen.services.accounts import check_free
from sarsen.services.credentials import check_flood, clean_address
from sarsen.services.userids import check_userid
from sarsen.storage.models import Player, Signup

DIGITS_LAST = timedelta(minutes=30)
MOST_WRONG = 5


@dataclass(frozen=True)
class Wish:
    """What somebody typed into the page.

    Attributes:
        zone: Where they live; "" when they did not say.
        form: Names the form: sent twice, it is one wish.
    """

    userid: str
    address: str
    zone: str
    form: str


@transaction.atomic
def ask(wish: Wish, place: str, now: datetime, guest: Player | None = None) -> str:
    """Send the address a letter, and give the name of the wish, for its session alone.

    Nobody learns whether the address belongs to an account already: it may have several.

    Args:
        guest: The guest of this session, which becomes the account and keeps its games.

    Raises:
        UserError: The userid cannot be had, the address is none, or there were too many.
    """
    address, zone = _checked(wish)
    name = _digest("wish", f"{wish.form} {wish.userid.lower()} {address}")[:20]
    if Signup.objects.filter(wish=name).exists():
        return name
    attempts.count("signup", place, now)
    check_flood(address, now, on_page=True)
    digits = f"{randbelow(10**6):06d}"
    signup = Signup.objects.create(
        userid=wish.userid,
        key=wish.userid.lower(),
        password=make_password(None),
        address=address,
        wish=name,
        asked_at=now,
        timezone=zone,
        digits=_digest(name, digits),
        guest=guest,
    )
    facts = {"userid": wish.userid, "code": signup.code, "digits": digits}
    letters.queue(address, "signup", facts, now, haste=0)
    background.wake(background.SEND_MAIL)
    return name


def confirming_code(name: str, digits: str, now: datetime) -> str:
    """Return the code that confirms a wish, for the digits of its letter.

    Raises:
        UserError: They are wrong, or there were too many wrong ones, or they are too old.
    """
    typed = re.sub(r"[\s-]", "", digits)
    with transaction.atomic():
        signup = Signup.objects.select_for_update().filter(wish=name, player=None).first()
        if signup is None or not name or signup.asked_at + DIGITS_LAST < now:
            raise UserError(
                "This sign-up is not waiting any more: it was confirmed already, or is too old.",
                code="signup-gone",
                hint="Log in if it was confirmed; otherwise join again.",
            )
        if signup.wrong < MOST_WRONG:
            if hmac.compare_digest(signup.digits, _digest(name, typed)):
                return signup.code
            signup.wrong += 1
            signup.save(update_fields=["wrong"])
        left = MOST_WRONG - signup.wrong
    raise UserError(
        "These are not the six digits of the letter.",
        code="signup-digits",
        hint="Look at the newest letter." if left else "Open the link in the letter instead.",
    )


def _checked(wish: Wish) -> tuple[str, str]:
    """Return the address and the zone as they are kept; hints are what the field would take."""
    address = clean_address(wish.address.strip(), hint="ann@example.org")
    zone = read_zone(wish.zone) if wish.zone else UTC_NAME
    try:
        check_userid(wish.userid)
        check_free(wish.userid)
    except UserError as refusal:
        # Elsewhere it is typed behind `signup`, here into a field of its own.
        free = refusal.hint.split()[1]
        raise UserError(refusal.text, code=refusal.code, hint=f"{free} is free.") from None
    return address, zone


def _digest(name: str, said: str) -> str:
    return hmac.new(
        settings.SECRET_KEY.encode(), f"joining:{name}:{said}".encode(), sha256
    ).hexdigest()
