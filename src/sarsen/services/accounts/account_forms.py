"""The forms of passwords and mail addresses, and how often an address is written to."""

from __future__ import annotations

import re
from datetime import datetime, timedelta

from sarsen.core.errors import UserError
from sarsen.core.phrases import quoted
from sarsen.language.schema.fields import MAX_PASSWORD, MIN_PASSWORD
from sarsen.storage.models import Signup

MAX_SIGNUPS = 5  # that wait for one address, so that nobody is flooded with our mail
_LOCAL = r"[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}"
_DOMAIN = r"(?:[A-Za-z0-9-]{1,63}\.)+[A-Za-z0-9-]{2,63}|localhost"
_ADDRESS = re.compile(f"{_LOCAL}@(?:{_DOMAIN})")


def check_password_form(password: str, userid: str, hint: str) -> None:
    """Refuse a password that cannot be one; the hint is a line that would have worked."""
    if not password:
        return
    if not MIN_PASSWORD <= len(password) <= MAX_PASSWORD:
        raise UserError(
            "A password has {least} to {most} characters.",
            code="password-length",
            hint=hint,
            least=MIN_PASSWORD,
            most=MAX_PASSWORD,
        )
    if password.lower() == userid.lower():
        raise UserError(
            "Your password must not be your name.",
            code="password-userid",
            hint=hint,
        )


def clean_address(address: str, *, hint: str) -> str:
    """Return a mail address in the form it is kept in.

    Args:
        hint: A line that would have worked.

    Raises:
        UserError: It is none.
    """
    address = address.strip("<>,;")
    if not _ADDRESS.fullmatch(address) or ".." in address:
        raise UserError(
            "{address} is not a mail address.",
            code="address-form",
            hint=hint,
            address=quoted(address, 80),
        )
    local, _, domain = address.rpartition("@")
    return f"{local}@{domain.lower()}"


def check_flood(address: str, now: datetime, *, on_page: bool = False, waiting: int = 0) -> None:
    """Refuse to write to an address again that was asked often today.

    Args:
        on_page: For a sign-up on a page. They are counted apart: anybody can send mails that
            seem to come from an address.
        waiting: How many sign-ups of the address were counted before their letters.
    """
    since = now - timedelta(days=1)
    signups = Signup.objects.filter(address__iexact=address, asked_at__gt=since)
    signups = signups.exclude(digits="") if on_page else signups.filter(digits="")
    if signups.count() - waiting >= MAX_SIGNUPS:
        raise UserError(
            "Too many sign-up mails went to this address today. Try again tomorrow.",
            code="signup-flood",
        )
