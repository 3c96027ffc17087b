"""The accounts of the server's own programs: bot1 to bot8, without address or password."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import structlog
from django.contrib.auth.hashers import make_password
from django.db import transaction

from sarsen.language.levels import LEVELS
from sarsen.storage.models import Player

log = structlog.get_logger()


def make_accounts(now: datetime) -> int:
    """Make the accounts that are missing; return how many were made."""
    made = 0
    for level in LEVELS:
        with transaction.atomic():
            made += _make_account(level, now)
    return made


def _make_account(level: int, now: datetime) -> bool:
    if Player.objects.filter(level=level).exists():
        return False
    userid = next(name for name in _spellings(level) if _is_free(name))
    if userid != f"bot{level}":
        log.warning("the userid of a program belongs to somebody", wanted=f"bot{level}", got=userid)
    # Another start of the server may make the same one just now.
    account = Player(
        key=userid,
        userid=userid,
        level=level,
        is_bot=True,
        joined_at=now,
        speaks_by_password=False,
        password=make_password(None),
    )
    Player.objects.bulk_create([account], ignore_conflicts=True)
    return True


def _spellings(level: int) -> Iterator[str]:
    """Yield the userids that would do, the best first; one of them is free."""
    yield f"bot{level}"
    yield f"robot{level}"
    for number in range(Player.objects.count() + 1):
        yield f"bot{level}-{number}"


def _is_free(userid: str) -> bool:
    return not Player.objects.filter(key=userid).exists()
