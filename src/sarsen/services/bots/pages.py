"""The server's own programs as pages show them: their words, and how strong they have proved."""

from __future__ import annotations

from collections import defaultdict
from dataclasses import dataclass
from datetime import datetime

from django.conf import settings
from django.utils import timezone

from sarsen.games import names
from sarsen.language.levels import level_words
from sarsen.language.wording.ratings import points
from sarsen.services.bots.levels import strongest_here
from sarsen.services.ratings.changes import present
from sarsen.storage.models import Player, Rating


@dataclass(frozen=True)
class Program:
    """A program to play with.

    Attributes:
        words: How strong it is: `beginner`.
        ratings: In figures, by game in the order of `games.names`; "" where there is none.
    """

    userid: str
    level: int
    words: str
    ratings: tuple[str, ...]


def list_programs() -> tuple[Program, ...]:
    """Return the programs that can be challenged, the weakest first."""
    if not settings.SARSEN_BOTS:
        return ()
    there = Player.objects.filter(level__lte=strongest_here(), is_active=True)
    players = list(there.order_by("level"))
    ratings = _ratings(timezone.now())
    return tuple(
        Program(
            player.userid,
            player.level,
            level_words(player.level),
            tuple(ratings[player.pk].get(game, "") for game in names()),
        )
        for player in players
        if player.level is not None
    )


def _ratings(now: datetime) -> dict[int, dict[str, str]]:
    """Return today's ratings of all programs, in figures: of the games they have finished."""
    found: dict[int, dict[str, str]] = defaultdict(dict)
    for row in Rating.objects.filter(player__level__isnull=False):
        strength = present(row, now)
        figures = points(strength.rating, is_provisional=strength.is_provisional)
        found[row.player_id][row.game] = figures
    return found
