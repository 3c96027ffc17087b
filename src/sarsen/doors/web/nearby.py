"""Who may read caught mail: whoever sits at the machine that caught it.

Caught mail holds signed addresses, so whoever reads it can play for everybody.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from ipaddress import ip_address
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sarsen.services.catching import is_catching

View = Callable[..., HttpResponse]

# A proxy sets one of these: then the visitor is somewhere else, whatever address we see.
FORWARDED = (
    "HTTP_FORWARDED",
    "HTTP_VIA",
    "HTTP_X_FORWARDED_FOR",
    "HTTP_X_FORWARDED_HOST",
    "HTTP_X_REAL_IP",
)


def may_read_mail(request: HttpRequest) -> bool:
    """Return whether mail is caught and shown, and the visitor sits at this machine."""
    return is_catching() and settings.SARSEN_SHOW_MAIL and is_nearby(request)


def is_nearby(request: HttpRequest) -> bool:
    """Return whether a request comes from this machine, to a name of this machine."""
    if any(request.META.get(header) for header in FORWARDED):
        return False
    try:
        is_loopback = ip_address(request.META.get("REMOTE_ADDR", "")).is_loopback
        return is_loopback and _is_own_name(request.get_host())
    except (ValueError, DisallowedHost):  # the page that refuses such a name asks, too
        return False


def nearby_only(view: View) -> View:
    """Answer 404, with the reason, to whoever may not read caught mail."""

    @wraps(view)
    def guarded(request: HttpRequest, **address: object) -> HttpResponse:
        if not may_read_mail(request):
            facts = {"is_catching": is_catching(), "is_shown": settings.SARSEN_SHOW_MAIL}
            return render(request, "web/no_mail.html", facts, status=404)
        response = view(request, **address)
        response["Cache-Control"] = "no-store"
        return response

    return guarded


def _is_own_name(host: str) -> bool:
    """Refuse a foreign name that was made to point at this machine (DNS rebinding)."""
    name = (urlsplit(f"//{host}").hostname or "").rstrip(".")
    own = {"localhost", settings.SARSEN_DOMAIN, urlsplit(settings.SARSEN_URL).hostname}
    if name in own or name.endswith(".localhost"):
        return True
    try:
        return ip_address(name).is_loopback
    except ValueError:
        return False
