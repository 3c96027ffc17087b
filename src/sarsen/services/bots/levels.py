"""Which levels of programs a server has."""

from __future__ import annotations

from django.conf import settings

from sarsen.search.bots import MOST, strongest


def strongest_here() -> int:
    """Return the highest level that can be challenged."""
    # Without a thinker of its own it cannot tell what the one elsewhere can do.
    return strongest() if settings.SARSEN_THINKERS else MOST
