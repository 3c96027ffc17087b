"""What the session of somebody who is not logged in yet keeps, for a day."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.web.speaker import speaker
from sarsen.services import attempts

KEPT = 86_400  # seconds


def keep(request: HttpRequest, key: str, value: Any, *, is_bounded: bool = False) -> None:
    """Keep something in the session; that of a visitor ends in a day.

    Only so many visitors from one place are remembered in a day: whoever throws the cookie
    away gets a new session with each request, and would fill the disk.

    Args:
        is_bounded: Whether something else bounds how often this is asked for.
    """
    if speaker(request) is None:
        is_new = request.session.session_key is None
        if is_new and not is_bounded and not _may_begin(request):
            return
        request.session.set_expiry(KEPT)
    request.session[key] = value


def _may_begin(request: HttpRequest) -> bool:
    try:
        attempts.count("visit", attempts.place_of(request.META), timezone.now())
    except UserError:
        return False
    return True
