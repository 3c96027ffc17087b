"""The mail catcher: letters that no relay took, kept to be read in the browser."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.db.models import Count, Max

from sarsen.core.errors import UserError
from sarsen.storage.models import CaughtMail


@dataclass(frozen=True)
class CaughtMailbox:
    """Whatever was caught for one address.

    Attributes:
        newest: The number of the latest mail in it.
    """

    address: str
    count: int
    newest: int


@dataclass(frozen=True)
class CaughtLine:
    """One mail of a list."""

    number: int
    address: str
    subject: str
    caught_at: datetime


@dataclass(frozen=True)
class Caught:
    """One mail as it would have gone out."""

    number: int
    address: str
    subject: str
    caught_at: datetime
    raw: bytes


def is_catching() -> bool:
    """Return whether mail is caught here: no relay is set."""
    return not settings.SARSEN_SMTP_URL


def mailboxes(*, most: int) -> tuple[CaughtMailbox, ...]:
    """List the addresses with caught mail, the one with the newest first."""
    found = (
        CaughtMail.objects.values("address")
        .annotate(count=Count("pk"), newest=Max("pk"))
        .order_by("-newest")
    )
    return tuple(CaughtMailbox(row["address"], row["count"], row["newest"]) for row in found[:most])


def caught_lines(address: str = "", *, most: int) -> tuple[CaughtLine, ...]:
    """List caught mail, the newest first; of all addresses when none is named."""
    found = CaughtMail.objects.order_by("-pk").defer("raw")
    if address:
        found = found.filter(address__iexact=address)
    return tuple(
        CaughtLine(mail.pk, mail.address, mail.subject, mail.caught_at) for mail in found[:most]
    )


def find_caught(number: int) -> Caught:
    """Return one caught mail.

    Raises:
        UserError: There is none of that number.
    """
    mail = CaughtMail.objects.filter(pk=number).first()
    if mail is None:
        raise UserError(
            f"There is no caught mail {number}.", code="unknown-mail", hint="See all caught mail."
        )
    return Caught(mail.pk, mail.address, mail.subject, mail.caught_at, bytes(mail.raw))


def newest_caught(address: str = "") -> int:
    """Return the number of the newest caught mail; 0 when there is none."""
    found = CaughtMail.objects.all()
    if address:
        found = found.filter(address__iexact=address)
    return found.order_by("-pk").values_list("pk", flat=True).first() or 0
