"""Close rating periods that are over: a sweep."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta

from django.conf import settings
from django.db import transaction

from sarsen.services import background, underway
from sarsen.services.notices import Event, notify_all
from sarsen.services.ratings.counting import count
from sarsen.services.ratings.glicko import Game, Strength, after_games
from sarsen.services.ratings.present import strengths
from sarsen.storage.models import Match, Rating, RatingPeriod, RatingStep, Result

AT_ONCE = 500  # players whose numbers are in memory
MOST_PERIODS = 20  # of one run
MOST_OLD = 500  # matches of one run that ended before there were ratings


def sweep(now: datetime) -> int:
    """Close the periods that are over, one after the other; give how many.

    Every game of a period is counted in a transaction of its own, which also notes
    that it is done: who is stopped anywhere goes on there, and counts nothing twice.
    """
    closed = 0
    while closed < MOST_PERIODS:
        period = running_period(now)
        if period is None or period.ends_at > now:
            return closed
        _close(period, now)
        closed += 1
    background.wake(background.CLOSE_RATING_PERIODS)
    return closed


def running_period(now: datetime) -> RatingPeriod | None:
    """Give the one period that is not closed; it begins when the last one ended.

    None while matches from before there were ratings are still being counted.
    """
    period = RatingPeriod.objects.filter(closed_at=None).order_by("number").first()
    if period is not None:
        return period
    last = RatingPeriod.objects.order_by("-number").first()
    if last is None and not _count_old_matches():
        return None
    starts_at = last.ends_at if last else _monday(now)
    number = last.number + 1 if last else 1
    length = timedelta(days=settings.SARSEN_RATING_PERIOD_DAYS)
    RatingPeriod.objects.bulk_create(
        [RatingPeriod(number=number, starts_at=starts_at, ends_at=starts_at + length)],
        ignore_conflicts=True,  # another worker was faster
    )
    return RatingPeriod.objects.get(number=number)


def _close(period: RatingPeriod, now: datetime) -> None:
    for game in _games(period):
        _close_game(period, game, now)
    with transaction.atomic():
        # A period nobody played in takes no time: those after it begin where it ended.
        RatingPeriod.objects.filter(pk=period.pk, closed_at=None).update(closed_at=now)


def _games(period: RatingPeriod) -> list[str]:
    found = Result.objects.filter(is_rated=True, period=None, at__lt=period.ends_at)
    return sorted(set(found.values_list("game", flat=True).distinct()))


def _close_game(period: RatingPeriod, game: str, now: datetime) -> None:
    """Count a game's results of a period.

    A result that is committed after this, though it was decided before the period's
    end, is found by the next period: what counts is that no period has it yet.
    """
    with transaction.atomic():
        held = RatingPeriod.objects.select_for_update().get(pk=period.pk)
        if held.closed_at is not None or game in held.games_done:
            return
        Result.objects.filter(is_rated=True, period=None, game=game, at__lt=held.ends_at).update(
            period=held.number
        )
        # Two passes: until everybody's step is written, `Rating` holds what was before.
        for players in _players(held, game):
            _write_steps(held, game, players)
        for players in _players(held, game):
            _take_over(held, game, players, now)
        held.games_done = [*held.games_done, game]
        held.save(update_fields=["games_done"])
        background.wake(background.SEND_MAIL)


def _players(period: RatingPeriod, game: str) -> Iterator[list[int]]:
    """Give who played, some at a time."""
    last = 0
    found = Result.objects.filter(period=period.number, game=game).order_by("player_id")
    while True:
        more = found.filter(player_id__gt=last).values_list("player_id", flat=True).distinct()
        players = list(more[:AT_ONCE])
        if not players:
            return
        underway.move()
        yield players
        last = players[-1]


def _write_steps(period: RatingPeriod, game: str, players: Sequence[int]) -> None:
    found = Result.objects.filter(period=period.number, game=game, player_id__in=players)
    results = list(found.order_by("match_id").values_list("player_id", "opponent_id", "score"))
    known = {key for player, opponent, _ in results for key in (player, opponent)}
    before = strengths(game, known, at=period.number)
    RatingStep.objects.bulk_create(
        _step(period, game, player, before[player], games)
        for player, games in _by_player(results, before).items()
    )


def _by_player(
    results: Sequence[tuple[int, int, float]], before: dict[int, Strength]
) -> dict[int, list[Game]]:
    games: dict[int, list[Game]] = {}
    for player, opponent, score in results:
        games.setdefault(player, []).append(Game(before[opponent], score))
    return games


def _step(
    period: RatingPeriod, game: str, player: int, before: Strength, games: list[Game]
) -> RatingStep:
    after = after_games(before, games)
    return RatingStep(
        player_id=player,
        game=game,
        period=period.number,
        at=period.ends_at,
        rating=after.rating,
        deviation=after.deviation,
        volatility=after.volatility,
        matches=len(games),
    )


def _take_over(period: RatingPeriod, game: str, players: Sequence[int], now: datetime) -> None:
    """Make the steps of a period what the players stand at, and tell them."""
    steps = RatingStep.objects.filter(game=game, period=period.number, player_id__in=players)
    old = {row.player_id: row for row in Rating.objects.filter(game=game, player_id__in=players)}
    rows, told = [], []
    for step in steps.select_related("player"):
        row = old.get(step.player_id) or Rating(player_id=step.player_id, game=game)
        row.rating, row.deviation, row.volatility = step.rating, step.deviation, step.volatility
        row.matches += step.matches
        row.period = period.number
        rows.append(row)
        told.append(step.player)
    Rating.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["player", "game"],
        update_fields=["rating", "deviation", "volatility", "matches", "period"],
    )
    facts = {"game": game, "period": period.number}
    # Together and in no haste: they may be many, and moves must not stand behind them.
    notify_all(told, Event.RATING, "rating", facts, now, haste=2)


def _count_old_matches() -> bool:
    """Count some matches that ended before there were ratings; True when none are left."""
    old = Match.objects.exclude(ended_at=None).filter(results=None, is_imported=False)
    old = old.order_by("ended_at", "pk")
    keys = list(old.values_list("pk", flat=True)[:MOST_OLD])
    for key in keys:
        with transaction.atomic():
            match = Match.objects.select_for_update(no_key=True).get(pk=key)
            assert match.ended_at is not None
            count(match, match.ended_at)
    if len(keys) == MOST_OLD:
        background.wake(background.CLOSE_RATING_PERIODS)
    return len(keys) < MOST_OLD


def _monday(now: datetime) -> datetime:
    """Give the last Monday, midnight UTC."""
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    return day - timedelta(days=day.weekday())
