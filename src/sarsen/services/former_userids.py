"""Userids of people who were forgotten: nobody else gets one, and nobody can read them here."""

from __future__ import annotations

from django.conf import settings
from django.utils.crypto import salted_hmac

from sarsen.storage.models import FormerUserid


def keep_taken(userid: str) -> None:
    """Let nobody sign up under a userid again."""
    FormerUserid.objects.get_or_create(digest=_digest(userid))


def was_forgotten(userid: str) -> bool:
    """Return whether a userid was that of somebody who is forgotten."""
    keys = (settings.SECRET_KEY, *settings.SECRET_KEY_FALLBACKS)
    return FormerUserid.objects.filter(digest__in=[_digest(userid, key) for key in keys]).exists()


def _digest(userid: str, key: str | None = None) -> str:
    hashed = salted_hmac("sarsen.former-userid", userid.lower(), key, algorithm="sha256")
    return str(hashed.hexdigest())
