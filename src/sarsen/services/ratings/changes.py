"""What a rating period has done to a player, or is about to do."""

from __future__ import annotations

from sarsen.language.finished import RatingChange
from sarsen.services.ratings.glicko import Strength, after_idle
from sarsen.services.ratings.present import present
from sarsen.storage.models import Player, RatingStep


def change_of(player: Player, game: str, period: int | None) -> RatingChange:
    """Give what a period does to a player's rating.

    Args:
        period: A closed one, or None for the running one.
    """
    if period is not None:
        return _closed_change(player, game, period)
    stands = present(player, game)
    return RatingChange(
        userid=player.userid,
        is_bot=player.is_bot,
        before=stands.now.rating if stands.now else None,
        was_provisional=stands.now is None or stands.now.is_provisional,
        after=stands.estimate.rating if stands.estimate else None,
        is_provisional=stands.estimate is None or stands.estimate.is_provisional,
        ends_at=stands.at,
        is_final=False,
        games=stands.running,
    )


def _closed_change(player: Player, game: str, period: int) -> RatingChange:
    steps = RatingStep.objects.filter(player=player, game=game, period__lte=period)
    after, *earlier = steps.order_by("-period")[:2]
    before = _before(earlier[0], period) if earlier else None
    return RatingChange(
        userid=player.userid,
        is_bot=player.is_bot,
        before=before.rating if before else None,
        was_provisional=before is None or before.is_provisional,
        after=after.rating,
        is_provisional=_strength(after).is_provisional,
        ends_at=after.at,
        is_final=True,
        games=after.matches,
    )


def _before(step: RatingStep, period: int) -> Strength:
    return after_idle(_strength(step), period - 1 - step.period)


def _strength(step: RatingStep) -> Strength:
    return Strength(step.rating, step.deviation, step.volatility)
