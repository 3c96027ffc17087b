"""What the session of somebody who is not logged in yet keeps, for a day."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from sarsen.doors.web.speaker import speaker

KEPT = 86_400  # seconds


def keep(request: HttpRequest, key: str, value: Any) -> None:
    """Keep something in the session; that of a visitor ends in a day."""
    request.session[key] = value
    if speaker(request) is None:
        request.session.set_expiry(KEPT)
