"""What one rated game did to a player, and how strong the players of a board are."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime

from sarsen.language.finished import RatingChange
from sarsen.services.ratings.glicko import PROVISIONAL_ABOVE, Strength, grown
from sarsen.storage.models import MatchSeat, Player, Rating, Result


def change_of(result: Result, player: Player) -> RatingChange:
    """Return what a result that counts did to its player's rating."""
    return RatingChange(
        userid=player.userid,
        is_bot=player.is_bot,
        before=result.before_rating,
        was_provisional=_is_provisional(result.before_deviation),
        after=result.rating,
        is_provisional=_is_provisional(result.deviation),
    )


def ratings_of(board: int, now: datetime, *, shows_result: bool) -> tuple[RatingChange | None, ...]:
    """Return how strong the players of a board are, by seat; None without a rating.

    After a rated game: what it did to them. Else their present ratings, without a change.

    Args:
        shows_result: Whether the position shown is the one in which the game ended. Where it is
            an earlier one, the ratings are those from before the game: they tell no result.
    """
    seats = MatchSeat.objects.filter(match=board).select_related("player", "match")
    players = [(seat.seat, seat.player) for seat in seats.order_by("seat")]
    rated = Result.objects.filter(match=board, rating__isnull=False)
    results = {result.seat: result for result in rated}
    if results:
        changes = tuple(change_of(results[seat], player) for seat, player in players)
        return changes if shows_result else tuple(map(_before, changes))
    of_players = Rating.objects.filter(player__in=[player for _, player in players])
    rows = of_players.filter(game=seats[0].match.game) if players else of_players.none()
    found = {row.player_id: present(row, now) for row in rows}
    return tuple(_unchanged(player, found.get(player.pk)) for _, player in players)


def present(row: Rating, now: datetime) -> Strength:
    """Return a player's strength now: less certain by the time since the last rated game."""
    return grown(Strength(row.rating, row.deviation, row.volatility), row.rated_at, now)


def _before(change: RatingChange) -> RatingChange:
    return replace(change, before=None, after=change.before, is_provisional=change.was_provisional)


def _unchanged(player: Player, strength: Strength | None) -> RatingChange | None:
    if strength is None:
        return None
    is_provisional = strength.is_provisional
    return RatingChange(
        player.userid, player.is_bot, None, is_provisional, strength.rating, is_provisional
    )


def _is_provisional(deviation: float | None) -> bool:
    return deviation is None or deviation > PROVISIONAL_ABOVE
