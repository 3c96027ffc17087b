"""Where a request comes from on the net."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest


def place_of(request: HttpRequest) -> str:
    """Give the address that a request comes from.

    A server that is reached by https stands behind a proxy of its operator's, which adds
    whom it speaks for as the last word of a header; what stands before that, anybody wrote.
    """
    if settings.SARSEN_URL.startswith("https://"):
        named = request.META.get("HTTP_X_FORWARDED_FOR", "").rpartition(",")[2].strip()
        if named:
            return str(named)
    return str(request.META.get("REMOTE_ADDR", ""))
