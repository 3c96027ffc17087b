"""Ratings for pages: the list of a game, one player's history."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from django.db.models import OuterRef, Q, Subquery

from sarsen.games import names
from sarsen.language.ratings import signed
from sarsen.services.players import find_player
from sarsen.services.ratings.counting import present
from sarsen.services.ratings.glicko import Strength
from sarsen.storage.models import Player, Rating, RatingStep, Result

MOST_LISTED = 500  # of the certain ones, and again of the provisional ones
MOST_POINTS = 500  # of a player, of all games together


@dataclass(frozen=True)
class RatedPlayer:
    """One line of a rating list.

    Attributes:
        rank: None for a provisional rating.
        games: How many were rated.
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
        return "" if self.change is None else signed(self.rating - self.change, self.rating)


def rating_list(game: str, now: datetime) -> tuple[RatedPlayer, ...]:
    """List the strongest players of a game, then those whose ratings are provisional."""
    rows = _rows(game)
    certain = rows.filter(certain_until__gte=now)[:MOST_LISTED]
    provisional = rows.filter(~_certain(now))[:MOST_LISTED]
    ranked = [_rated(row, now, rank) for rank, row in enumerate(certain, start=1)]
    return (*ranked, *(_rated(row, now, None) for row in provisional))


def best_people(game: str, now: datetime, *, most: int) -> tuple[RatedPlayer, ...]:
    """List the strongest people of a game, programs left out; uncertain ratings follow."""
    rows = Rating.objects.filter(game=game, player__is_active=True, player__is_bot=False)
    rows = rows.select_related("player").order_by("-rating", "player_id")
    certain = list(rows.filter(certain_until__isnull=False, certain_until__gte=now)[:most])
    others = rows.filter(~_certain(now))[: most - len(certain)] if len(certain) < most else ()
    return tuple(_rated(row, now, None) for row in (*certain, *others))


def rated_player(player: Player, game: str, now: datetime) -> RatedPlayer | None:
    """Return a player's line in the list of a game; None without a rated game."""
    rows = _rows(game, Q(player=player))
    row = rows.first()
    return _rated(row, now, _rank(row, now)) if row else None


def ratings_of(userid: str, now: datetime) -> dict[str, RatedPlayer]:
    """Return a player's line in the list of each game, by game."""
    player = find_player(userid)
    found = ((game, rated_player(player, game, now)) for game in names())
    return {game: rated for game, rated in found if rated is not None}


def rating_histories(player: Player) -> dict[str, tuple[RatingPoint, ...]]:
    """Return a player's rating after each rated game, oldest first, by game."""
    rows: Any = Result.objects.filter(player=player, rating__isnull=False)
    found: dict[str, list[RatingPoint]] = {}
    for row in reversed(rows.order_by("-at", "-match_id")[:MOST_POINTS]):
        board = None if row.is_private else row.match_id
        change = row.rating - row.before_rating
        at = _day(row.at) if row.is_private else row.at
        point = RatingPoint(at, row.rating, row.deviation, 1, board, change)
        found.setdefault(row.game, []).append(point)
    return {game: tuple(points) for game, points in found.items()}


def period_histories(player: Player) -> dict[str, tuple[RatingPoint, ...]]:
    """Return what was published after rating periods until release 0.4, oldest first, by game."""
    found: dict[str, list[RatingPoint]] = {}
    for step in RatingStep.objects.filter(player=player).order_by("period"):
        point = RatingPoint(step.at, step.rating, step.deviation, step.matches)
        found.setdefault(step.game, []).append(point)
    return {game: tuple(points) for game, points in found.items()}


def _rows(game: str, chosen: Q | None = None) -> Any:
    """Find the ratings of a game by strength, each with the one before the last game."""
    last = Result.objects.filter(
        player=OuterRef("player"), game=game, at=OuterRef("rated_at"), rating__isnull=False
    )
    before = Subquery(last.order_by("-match_id").values("before_rating")[:1])
    found = Rating.objects.filter(chosen or Q(player__is_active=True), game=game)
    found = found.select_related("player").annotate(before=before)
    return found.order_by("-rating", "player_id")


def _day(at: datetime) -> datetime:
    return at.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)


def _certain(now: datetime) -> Q:
    return Q(certain_until__isnull=False, certain_until__gte=now)


def _rank(row: Rating, now: datetime) -> int | None:
    if row.certain_until is None or row.certain_until < now or not row.player.is_active:
        return None
    above = Q(rating__gt=row.rating)
    # Among equals the one who came first stands first, as in the list.
    above |= Q(rating=row.rating, player_id__lt=row.player_id)
    ranked = Rating.objects.filter(
        _certain(now), game=row.game, player__is_active=True, rating__gte=row.rating
    )
    return ranked.filter(above).count() + 1


def _rated(row: Any, now: datetime, rank: int | None) -> RatedPlayer:
    before = getattr(row, "before", None)
    return RatedPlayer(
        rank=rank,
        userid=row.player.userid,
        is_bot=row.player.is_bot,
        strength=present(row, now),
        games=row.matches,
        before=row.rating if before is None else before,
    )
