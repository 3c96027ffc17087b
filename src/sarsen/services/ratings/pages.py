"""Ratings for pages: the list of a game, one player's history."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import Case, Count, OuterRef, Q, Subquery, When
from django.db.models.functions import Coalesce

from sarsen.games import names
from sarsen.language.ratings import rating_difference
from sarsen.services.ratings.counting import present_strength
from sarsen.services.ratings.glicko import Strength
from sarsen.storage.models import Player, Rating, RatingStep, Result

# Of the certain ones, and again of the provisional ones: a page that can be read.
MAX_LISTED = 500
MAX_POINTS = 500  # of a player, of all games together: a chart has no room for more


@dataclass(frozen=True)
class RatedPlayer:
    """One line of a rating list.

    Attributes:
        rank: None for a provisional rating.
        games: The number of rated games.
        before: The rating before the last of them.
    """

    rank: int | None
    userid: str
    is_bot: bool
    strength: Strength
    games: int
    before: float


@dataclass(frozen=True)
class RatingPoint:
    """A player's rating after a rated game, or after a closed period of release 0.4.

    Attributes:
        at: When the game ended, or the period; of a private game only the day.
        games: How many games moved the rating there: 1, or those of the period.
        board: None for a private one, and for a period.
        change: By how much the game moved the rating; None for a period.
    """

    at: datetime
    rating: float
    deviation: float
    games: int
    board: int | None = None
    change: float | None = None

    @property
    def moved(self) -> str:
        """The change in figures: `+162`."""
        return (
            "" if self.change is None else rating_difference(self.rating - self.change, self.rating)
        )


def rating_list(game: str, now: datetime) -> tuple[RatedPlayer, ...]:
    """List the strongest players of a game, then those whose ratings are provisional."""
    rows = _with_change(Rating.objects.filter(game=game, player__is_active=True))
    rows = rows.order_by("-rating", "player_id")
    certain = rows.filter(_is_certain(now))[:MAX_LISTED]
    provisional = rows.filter(~_is_certain(now))[:MAX_LISTED]
    ranked = [_rated(row, now, rank) for rank, row in enumerate(certain, start=1)]
    return (*ranked, *(_rated(row, now, None) for row in provisional))


def best_people(game: str, now: datetime, *, most: int) -> tuple[RatedPlayer, ...]:
    """List the strongest people of a game, programs left out; uncertain ratings follow."""
    rows = Rating.objects.filter(game=game, player__is_active=True, player__is_bot=False)
    rows = rows.select_related("player").order_by("-rating", "player_id")
    certain = list(rows.filter(_is_certain(now))[:most])
    others = rows.filter(~_is_certain(now))[: most - len(certain)] if len(certain) < most else ()
    return tuple(_rated(row, now, None) for row in (*certain, *others))


def rated_games(player: Player, now: datetime) -> dict[str, RatedPlayer]:
    """Return a player's line in the list of each game with a rated game, by game."""
    above = Rating.objects.filter(_is_certain(now), game=OuterRef("game"), player__is_active=True)
    # Among equals the one who came first stands first, as in the list.
    above = above.filter(rating__gte=OuterRef("rating")).exclude(
        rating=OuterRef("rating"), player_id__gte=OuterRef("player_id")
    )
    # Grouped by the game, of which there is one: a count in a subquery needs it.
    stronger = Subquery(above.order_by().values("game").annotate(rows=Count("pk")).values("rows"))
    rank = Case(When(_is_certain(now), player__is_active=True, then=Coalesce(stronger, 0) + 1))
    rows = _with_change(Rating.objects.filter(player=player, game__in=names()))
    return {row.game: _rated(row, now, row.rank) for row in rows.annotate(rank=rank)}


def rating_histories(player: Player) -> dict[str, tuple[RatingPoint, ...]]:
    """Return a player's rating after each rated game, oldest first, by game."""
    rows: Any = Result.objects.filter(player=player, rating__isnull=False)
    by_game: dict[str, list[RatingPoint]] = {}
    for row in reversed(rows.order_by("-at", "-match_id")[:MAX_POINTS]):
        board = None if row.is_private else row.match_id
        change = row.rating - row.before_rating
        at = _day(row.at) if row.is_private else row.at
        point = RatingPoint(at, row.rating, row.deviation, 1, board, change)
        by_game.setdefault(row.game, []).append(point)
    return {game: tuple(points) for game, points in by_game.items()}


def period_histories(player: Player) -> dict[str, tuple[RatingPoint, ...]]:
    """Return what was published after rating periods until release 0.4, oldest first, by game."""
    by_game: dict[str, list[RatingPoint]] = {}
    for step in RatingStep.objects.filter(player=player).order_by("period"):
        point = RatingPoint(step.at, step.rating, step.deviation, step.matches)
        by_game.setdefault(step.game, []).append(point)
    return {game: tuple(points) for game, points in by_game.items()}


def _with_change(rows: Any) -> Any:
    """Add to ratings their players, and the rating before the last game."""
    last = Result.objects.filter(
        player=OuterRef("player"), game=OuterRef("game"), at=OuterRef("rated_at")
    )
    last = last.filter(rating__isnull=False).order_by("-match_id")
    before = Subquery(last.values("before_rating")[:1])
    return rows.select_related("player").annotate(before=before)


def _day(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _is_certain(now: datetime) -> Q:
    return Q(certain_until__isnull=False, certain_until__gte=now)


def _rated(row: Any, now: datetime, rank: int | None) -> RatedPlayer:
    before = getattr(row, "before", None)
    return RatedPlayer(
        rank=rank,
        userid=row.player.userid,
        is_bot=row.player.is_bot,
        strength=present_strength(row, now),
        games=row.matches,
        before=row.rating if before is None else before,
    )
