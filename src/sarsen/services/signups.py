"""Sign-ups that wait, shown to whoever holds their code. They change nothing."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from sarsen.core.errors import UserError
from sarsen.services.accounts import SIGNUP_LASTS
from sarsen.storage.models import Signup


@dataclass(frozen=True)
class WaitingSignup:
    """A sign-up that its code would confirm."""

    userid: str
    address: str


def find_signup(code: str, now: datetime) -> WaitingSignup:
    """Return the sign-up of a code.

    Raises:
        UserError: None waits with this code.
    """
    signup = Signup.objects.filter(code=code.lower()).first()
    if signup is None or signup.asked_at + SIGNUP_LASTS < now:
        raise UserError(
            "No sign-up waits with this code: it was confirmed already, or is too old.",
            code="signup-gone",
            hint="signup USERID PASSWORD",
        )
    return WaitingSignup(signup.userid, signup.address)
