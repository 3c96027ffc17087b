"""The visitor of a page: the player of its session or nobody, from this machine or elsewhere."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from functools import wraps
from ipaddress import ip_address
from typing import Any
from urllib.parse import urlsplit

from django.conf import settings
from django.core.exceptions import DisallowedHost
from django.http import HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.http import url_has_allowed_host_and_scheme, urlencode

from sarsen.core.errors import UserError
from sarsen.language.grammar.time_zones import UTC_NAME, is_zone
from sarsen.services.accounts import attempts
from sarsen.services.limits.processor_time import ACCOUNT_SECONDS, ProcessorBudget
from sarsen.services.mail.deliveries import is_catching
from sarsen.services.request import Actor, Player

View = Callable[..., HttpResponseBase]
MAX_PATH = 300  # characters: it is put into letters and addresses
ZONE_COOKIE = "zone"  # see `keepZone` in elements.js
A_YEAR = 365 * 86_400  # seconds: a choice of colours or language is no secret
_NUMBER = re.compile("[0-9]{1,9}")
PRIVATE = "private, no-store"
REVALIDATED = "private, no-cache"  # a browser keeps it, and asks each time whether it still holds
# A proxy sets one of these: then the visitor is somewhere else, whatever address we see.
FORWARDED = (
    *("HTTP_FORWARDED", "HTTP_VIA", "HTTP_X_FORWARDED_FOR", "HTTP_X_FORWARDED_HOST"),
    "HTTP_X_REAL_IP",
)


def speaker(request: HttpRequest) -> Player | None:
    """Return the player who is logged in, or None."""
    user = getattr(request, "user", None)
    return user if isinstance(user, Player) else None


def owner(request: HttpRequest) -> Player:
    """Return the player who is logged in, in a view that `needs_speaker` or `needs_account`."""
    player = speaker(request)
    assert player is not None  # see the decorators
    return player


def guest(request: HttpRequest) -> Player | None:
    """Return the guest of this session; None for a visitor or the owner of an account."""
    player = speaker(request)
    return player if player is not None and player.is_guest else None


def actor(request: HttpRequest) -> Actor:
    """Return the actor of a request: the player of its session, and its network address."""
    client_address = attempts.client_address_of(request.META)
    return Actor(
        speaker(request), client_address=client_address, budget=budget_of(request), by_password=True
    )


def budget_of(request: HttpRequest) -> ProcessorBudget | None:
    """Return the processor time that trying moves may take: longer with an account."""
    if has_account(request):
        return ProcessorBudget(ACCOUNT_SECONDS, turn=None)
    return getattr(request, "budget", None)


def has_account(request: HttpRequest) -> bool:
    """Return whether a player with an account is logged in; a guest has none."""
    player = speaker(request)
    return player is not None and not player.is_guest


def zone_of(request: HttpRequest) -> str:
    """Return the time zone of a visitor: of the account, else what a script of ours has kept."""
    player = speaker(request)
    if player is not None and not player.is_guest:
        return player.timezone
    kept = request.COOKIES.get(ZONE_COOKIE, "")
    return kept if kept and is_zone(kept) else UTC_NAME


def needs_speaker(view: View) -> View:
    """Send anyone who is not logged in to the log-in page, and back here afterwards."""

    @wraps(view)
    def guarded(request: HttpRequest, **address: object) -> HttpResponseBase:
        if speaker(request) is None:
            query = urlencode({"next": request.get_full_path()})
            return redirect(f"{reverse('login')}?{query}")
        response = view(request, **address)
        response["Cache-Control"] = PRIVATE
        return response

    return guarded


def needs_account(view: View) -> View:
    """Send visitors to the log-in page, and guests to the page on which they join."""

    @wraps(view)
    def guarded(request: HttpRequest, **address: object) -> HttpResponseBase:
        return redirect("join") if guest(request) else view(request, **address)

    return needs_speaker(guarded)


def local_path(text: str) -> str:
    """Return a path on this server, or "" for anything that leads elsewhere."""
    is_path = text.startswith("/") and len(text) <= MAX_PATH and text.isprintable()
    return text if is_path and url_has_allowed_host_and_scheme(text, None) else ""


def with_query(path: str, words: Sequence[tuple[str, str]]) -> str:
    """Return the address of a page with a query; the path alone for no words."""
    return f"{path}?{urlencode(words)}" if words else path


def number_in(text: str) -> int | None:
    """Return a number that every database can hold; None for any other text."""
    return int(text) if _NUMBER.fullmatch(text) else None


def keep_preference(
    request: HttpRequest, response: HttpResponseBase, name: str, value: str
) -> None:
    """Have the browser remember a preference for a year."""
    response.set_cookie(
        name, value, A_YEAR, secure=request.is_secure(), httponly=True, samesite="Lax"
    )


def render_private(
    request: HttpRequest, template: str, facts: Mapping[str, object], status: int = 200
) -> HttpResponse:
    """Return a page that no cache and no history keeps."""
    response = render(request, template, dict(facts), status=status)
    response["Cache-Control"] = PRIVATE
    return response


# A day: a row of the database for each visitor who sends a form.
VISIT_SECONDS = 86_400


def store_in_session(
    request: HttpRequest, key: str, value: Any, *, is_bounded: bool = False
) -> None:
    """Keep something in the session; that of a visitor ends in a day.

    Only so many visitors from one address are remembered in a day: a client without cookies
    gets a new session with each request, and would fill the disk.

    Args:
        is_bounded: Whether something else bounds how often this is asked for.
    """
    if speaker(request) is None:
        is_new = request.session.session_key is None
        if is_new and not is_bounded and not _may_begin(request):
            return
        request.session.set_expiry(VISIT_SECONDS)
    request.session[key] = value


def _may_begin(request: HttpRequest) -> bool:
    try:
        attempts.count("visit", attempts.client_address_of(request.META), timezone.now())
    except UserError:
        return False
    return True


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
