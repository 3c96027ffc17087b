"""Ratings for pages: the list of a game, one player's history."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db.models import ExpressionWrapper, F, FloatField, Value

from sarsen.services.ratings.glicko import PROVISIONAL_ABOVE, SCALE, Strength
from sarsen.services.ratings.present import grown, present_period
from sarsen.storage.models import Player, Rating, RatingStep

MOST_LISTED = 100  # of the certain ones, and again of the provisional ones
MOST_POINTS = 500


@dataclass(frozen=True)
class RatedPlayer:
    """One line of a rating list.

    Attributes:
        rank: None for a provisional rating.
        games: That counted in closed periods.
    """

    rank: int | None
    userid: str
    is_bot: bool
    strength: Strength
    games: int


@dataclass(frozen=True)
class RatingPoint:
    """A player's strength after a closed period in which he played.

    Attributes:
        at: The end of the period.
        games: How many games of his it had.
    """

    at: datetime
    rating: float
    deviation: float
    games: int


def rating_list(game: str, most: int = MOST_LISTED) -> tuple[RatedPlayer, ...]:
    """List the strongest players of a game, then those whose ratings are provisional."""
    number, _ = present_period()
    rows = _rows(game, number)
    certain = rows.filter(spread__lte=PROVISIONAL_ABOVE**2)[:most]
    provisional = rows.filter(spread__gt=PROVISIONAL_ABOVE**2)[:most]
    ranked = [_rated(row, number, rank) for rank, row in enumerate(certain, start=1)]
    return (*ranked, *(_rated(row, number, None) for row in provisional))


def rank_of(player: Player, game: str) -> int | None:
    """Give a player's place in the list of a game; None for a provisional rating."""
    number, _ = present_period()
    rows = _rows(game, number).filter(spread__lte=PROVISIONAL_ABOVE**2)
    own = rows.filter(player=player).first()
    if own is None:
        return None
    above: int = rows.filter(rating__gt=own.rating).count()
    # Among equals the one who came first stands first, as in the list.
    equal: int = rows.filter(rating=own.rating, player_id__lt=player.pk).count()
    return above + equal + 1


def rating_histories(player: Player) -> dict[str, tuple[RatingPoint, ...]]:
    """Give a player's strength after each period he played in, oldest first, for charts."""
    steps = RatingStep.objects.filter(player=player).order_by("-period")[: MOST_POINTS * 4]
    found: dict[str, list[RatingPoint]] = {}
    for step in reversed(steps):
        point = RatingPoint(step.at, step.rating, step.deviation, step.matches)
        found.setdefault(step.game, []).append(point)
    return {game: tuple(points) for game, points in found.items()}


def _rows(game: str, number: int) -> Any:
    """Find the ratings of a game by strength, with the square of today's deviation."""
    idle = Value(number - 1) - F("period")
    growth = idle * F("volatility") * F("volatility") * Value(SCALE**2)
    spread = ExpressionWrapper(F("deviation") * F("deviation") + growth, output_field=FloatField())
    found = Rating.objects.filter(game=game, player__is_active=True).select_related("player")
    return found.annotate(spread=spread).order_by("-rating", "player_id")


def _rated(row: Rating, number: int, rank: int | None) -> RatedPlayer:
    strength = grown(row, number)
    return RatedPlayer(rank, row.player.userid, row.player.is_bot, strength, row.matches)
