"""Sign letters where a key was given; elsewhere nothing of what that takes is loaded."""

from __future__ import annotations

from django.conf import settings


def sealed(raw: bytes) -> bytes:
    """Return a letter with the signature of this server's domain, or as it is."""
    if not settings.SARSEN_DKIM_KEY:
        return raw
    # The library loads a resolver of names, too: half a second, and some megabytes.
    from sarsen.doors.mail.dkim_signing import sign

    return sign(raw)
