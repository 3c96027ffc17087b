"""What the frame around every page knows."""

from __future__ import annotations

from dataclasses import dataclass

from django.conf import settings
from django.http import HttpRequest

from sarsen.doors.web.nearby import may_read_mail
from sarsen.doors.web.pictures import style_version


@dataclass(frozen=True)
class Site:
    """Say where this server is reached.

    Attributes:
        address: Takes commands from anybody.
        shows_mail: Whether whoever looks may read caught mail.
        style: Changes when the colours of boards do.
    """

    address: str
    shows_mail: bool
    style: str


def server(request: HttpRequest) -> dict[str, object]:
    """Give every template the site."""
    return {"site": Site(main_address(), may_read_mail(request), style_version())}


def main_address() -> str:
    """Give the address that takes commands from anybody."""
    return f"sarsen@{settings.SARSEN_DOMAIN}"
