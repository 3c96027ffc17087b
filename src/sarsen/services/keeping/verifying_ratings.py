"""Count every step of every rating again: from the results of its period and the steps before.

A step follows from those alone, so one that was changed is told, and with it each that was
counted from it. What a program of ours began with is not kept: its first step, and those of
whom it played then, are left out.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Iterator, Sequence

from django.db.models import OuterRef, Subquery

from sarsen.services.keeping.differences import Difference
from sarsen.services.ratings.glicko import NEWCOMER, Game, Strength, after_games, after_idle
from sarsen.storage.models import Player, RatingStep, Result

AT_ONCE = 200  # players whose numbers are in memory
NEAR = 1e-6  # points: another machine may round otherwise


def differences() -> Iterator[Difference]:
    """Give every step that is not what its games make of the steps before it."""
    periods = RatingStep.objects.order_by("game", "period").values_list("game", "period")
    for game, period in periods.distinct().iterator():
        of_period = RatingStep.objects.filter(game=game, period=period).order_by("player_id")
        last = 0
        while steps := list(
            of_period.filter(player_id__gt=last).select_related("player")[:AT_ONCE]
        ):
            yield from _of_steps(game, period, steps)
            last = steps[-1].player_id


def _of_steps(game: str, period: int, steps: Sequence[RatingStep]) -> Iterator[Difference]:
    players = [step.player_id for step in steps]
    found = Result.objects.filter(game=game, period=period, player_id__in=players)
    results = list(found.order_by("match_id").values_list("player_id", "opponent_id", "score"))
    opponents = {opponent for _, opponent, _ in results if opponent is not None}
    before = _strengths(game, period, {*players, *opponents})
    played: dict[int, list[Game | None]] = {}
    for player, opponent, score in results:
        other = before.get(opponent)
        played.setdefault(player, []).append(Game(other, score) if other else None)
    for step in steps:
        strength, games = before[step.player_id], played.get(step.player_id, [])
        known = [one for one in games if one is not None]
        if strength is None or len(known) < len(games):
            continue
        kept = Strength(step.rating, step.deviation, step.volatility)
        made = after_games(strength, known)
        if not _is_near(kept, made):
            about, what = f"{step.player.userid} {game}", f"rating of period {period}"
            yield Difference(about, what, _told(kept), _told(made))


def _strengths(
    game: str, period: int, players: Collection[int]
) -> dict[int | None, Strength | None]:
    """Give how strong players, by primary key, were when a period began; None where unknown."""
    earlier = RatingStep.objects.filter(game=game, period__lt=period)
    newest = earlier.filter(player=OuterRef("player")).order_by("-period").values("period")[:1]
    steps = earlier.filter(player_id__in=players, period=Subquery(newest))
    programs = Player.everyone.filter(pk__in=players).exclude(level=None)
    found: dict[int | None, Strength | None] = dict.fromkeys(players, NEWCOMER)
    found |= dict.fromkeys(programs.values_list("pk", flat=True))
    for step in steps:
        strength = Strength(step.rating, step.deviation, step.volatility)
        found[step.player_id] = after_idle(strength, period - 1 - step.period)
    return found


def _is_near(one: Strength, other: Strength) -> bool:
    pairs = zip(vars(one).values(), vars(other).values(), strict=True)
    return all(math.isclose(kept, made, abs_tol=NEAR) for kept, made in pairs)


def _told(strength: Strength) -> str:
    return ", ".join(f"{name} {number}" for name, number in vars(strength).items())
