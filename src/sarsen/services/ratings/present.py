"""How strong players are now, and what the running period is about to change."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from datetime import datetime

from sarsen.services.ratings.glicko import NEWCOMER, Game, Strength, after_games, after_idle
from sarsen.storage.models import Player, Rating, RatingPeriod, Result

MOST_ESTIMATED = 500  # results of one player and period; bots may have more


@dataclass(frozen=True)
class Present:
    """A player's strength at a game.

    Attributes:
        now: After the last closed period; None before the first game of a newcomer counts.
        games: That counted in closed periods.
        running: Games of the running period.
        estimate: What the running period makes of it so far; None without games, or
            with too many to look at.
        at: When the running period ends; None when none has begun.
    """

    now: Strength | None
    games: int
    running: int
    estimate: Strength | None
    at: datetime | None


def present_period() -> tuple[int, datetime | None]:
    """Give the number of the running period, and when it ends."""
    newest = RatingPeriod.objects.order_by("-number").first()
    if newest is None:
        return 1, None
    if newest.closed_at is not None:
        return newest.number + 1, None
    oldest = RatingPeriod.objects.filter(closed_at=None).order_by("number").first() or newest
    return oldest.number, oldest.ends_at


def strengths(game: str, players: Collection[int], *, at: int) -> dict[int, Strength]:
    """Give how strong players, by primary key, were when a period began; newcomers too."""
    rows = Rating.objects.filter(game=game, player_id__in=players)
    return dict.fromkeys(players, NEWCOMER) | {row.player_id: grown(row, at) for row in rows}


def grown(row: Rating, period: int) -> Strength:
    """Give the strength at the beginning of a period: less certain by every idle one before."""
    strength = Strength(row.rating, row.deviation, row.volatility)
    return after_idle(strength, max(period - 1 - row.period, 0))


def present(player: Player, game: str) -> Present:
    """Give a player's strength at a game now."""
    number, ends_at = present_period()
    row = Rating.objects.filter(player=player, game=game).first()
    now = grown(row, number) if row else None
    waiting = Result.objects.filter(player=player, game=game, is_rated=True, period=None)
    found = list(waiting.values_list("opponent_id", "score")[: MOST_ESTIMATED + 1])
    estimate = None
    if 0 < len(found) <= MOST_ESTIMATED:
        known = strengths(game, {opponent for opponent, _ in found}, at=number)
        games = [Game(known[opponent], score) for opponent, score in found]
        estimate = after_games(now or NEWCOMER, games)
    return Present(now, row.matches if row else 0, len(found), estimate, ends_at)
