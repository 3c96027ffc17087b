"""The accounts of the server's own programs: bot1 to bot8, without address or password."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

import structlog
from django.contrib.auth.hashers import make_password
from django.db import transaction

from sarsen.games import names
from sarsen.language.levels import LEVELS
from sarsen.services.ratings.present import present_period
from sarsen.storage.models import Player, Rating

# What is known of a program before it has played here: its levels were measured against
# each other, steps of about 150 points apart. Uncertain enough to be put right soon.
WEAKEST, STEP = 1000.0, 150.0
DEVIATION = 200.0
VOLATILITY = 0.06
log = structlog.get_logger()


def make_accounts(now: datetime) -> int:
    """Make the accounts, and their first ratings, that are missing; give how many were made."""
    made = 0
    for level in LEVELS:
        with transaction.atomic():
            player, is_new = _account(level, now)
            _seed_ratings(player, level)
            made += is_new
    return made


def _account(level: int, now: datetime) -> tuple[Player, bool]:
    player = Player.objects.filter(level=level).first()
    if player is not None:
        return player, False
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
    return Player.objects.get(level=level), True


def _spellings(level: int) -> Iterator[str]:
    """Give the userids that would do, the best first; one of them is free."""
    yield f"bot{level}"
    yield f"robot{level}"
    for number in range(Player.objects.count() + 1):
        yield f"bot{level}-{number}"


def _is_free(userid: str) -> bool:
    return not Player.objects.filter(key=userid).exists()


def _seed_ratings(player: Player, level: int) -> None:
    period, _ = present_period()
    Rating.objects.bulk_create(
        [
            Rating(
                player=player,
                game=game,
                rating=WEAKEST + STEP * (level - 1),
                deviation=DEVIATION,
                volatility=VOLATILITY,
                period=max(period - 1, 0),
            )
            for game in names()
        ],
        ignore_conflicts=True,
    )
