"""Rate results in the order in which their games ended: (ended at, board).

A result that counts is rated, or it waits: then its numbers are None. Of each game those
that wait are always the last ones, and `Rating` is what a player has after the last one
that is rated. So a result that comes late, or is taken back, only makes all later ones
wait again (`rewind`), and whatever waits is rated by `rate_some`, some in a transaction:
at once in the transaction that ends a game, and what is too much for it by `sweep`.
"""

from __future__ import annotations

from collections.abc import Callable, Collection
from datetime import datetime
from typing import Any, NamedTuple

from django.db.models import Count, OuterRef, Q, QuerySet, Subquery

from sarsen.games import is_plugin
from sarsen.services import crash_log, task_queue
from sarsen.services.ratings.glicko import (
    Strength,
    certain_until,
    first_strength,
    rate_game,
    strength_after_pause,
)
from sarsen.storage import transactions
from sarsen.storage.models import Measurement, Player, Rating, Result

AT_ONCE = 100  # games of one transaction, for which games that end wait
MAX_TRANSACTIONS = 50  # of one run of the sweep: other jobs get their turn
PLAYERS_AT_ONCE = 500  # of one query, whose parameters a database limits
NUMBERS = ("before_rating", "before_deviation", "rating", "deviation", "volatility")
_OF_RATING = ("rating", "deviation", "volatility", "matches", "rated_at", "certain_until")


class CurrentRating(NamedTuple):
    """The rating of a player after the last rated game: strength, since when, number of games."""

    strength: Strength
    since: datetime | None
    games: int


def lock_ratings() -> None:
    """Lock the ratings until this transaction ends."""
    # A rating follows from those before it: two games that are rated at once would both begin from
    # the same numbers.
    transactions.await_turn("ratings")


def rate_from(game: str, at: datetime, board: int) -> None:
    """Rate a new result, and all later ones anew; in the transaction that ends its game."""
    rewind(game, at, board)
    rate_waiting(game)


def rate_waiting(game: str) -> None:
    """Rate what waits; what is too much for one transaction is left to the sweep."""
    if not rate_some(game):
        task_queue.wake(task_queue.RATE_GAMES)


def sweep() -> int:
    """Rate what waits, in transactions of their own; return how many were made."""
    count = 0
    for game in games_waiting():
        while count < MAX_TRANSACTIONS:
            count += 1
            crash_log.note_progress()
            if transactions.in_transaction(lambda game=game: rate_some(game)):  # type: ignore[misc]
                break
    if count >= MAX_TRANSACTIONS:
        task_queue.wake(task_queue.RATE_GAMES)
    return count


def rate_all(seen: Callable[[int], None]) -> None:
    """Rate everything that waits; `seen` is called with how many games were rated at a time."""
    for game in games_waiting():
        while left := count_waiting(game):
            transactions.in_transaction(lambda game=game: rate_some(game))  # type: ignore[misc]
            seen(left - count_waiting(game))


def games_waiting() -> list[str]:
    """Return the games that have results which wait to be rated."""
    return sorted(set(_waiting().values_list("game", flat=True).distinct()))


def count_waiting(game: str = "") -> int:
    """Count the boards that wait to be rated, of one game or of all."""
    waiting = _waiting().filter(seat=0)
    return (waiting.filter(game=game) if game else waiting).count()


def rate_some(game: str) -> bool:
    """Rate the results that wait, the oldest first; return whether none is left.

    In the caller's transaction. Both rows of a board wait, or none.
    """
    lock_ratings()  # the caller may have it already
    waiting = _waiting().filter(game=game).order_by("at", "match_id", "seat")
    rows = list(waiting[: 2 * AT_ONCE])
    if not rows:
        return True
    current = _current_of(game, {row.player_id for row in rows})
    for first, second in zip(rows[::2], rows[1::2], strict=True):
        _rate(first, second, current)
    # As one statement: two hundred updates, or one of two hundred cases, take far longer.
    Result.objects.bulk_create(
        rows, update_conflicts=True, unique_fields=["id"], update_fields=NUMBERS
    )
    _store_ratings(game, current)
    return len(rows) < 2 * AT_ONCE


def rewind(game: str, at: datetime, board: int) -> None:
    """Mark all results of a game from this board on as not rated; the caller locks the ratings."""
    later = Result.objects.filter(game=game, rating__isnull=False)
    _rewind(game, later.filter(Q(at__gt=at) | Q(at=at, match_id__gte=board)))


def rate_anew(game: str) -> None:
    """Rate all results of a game anew: its programs begin elsewhere now."""
    lock_ratings()  # no result may be rated between the two steps
    _rewind(game, Result.objects.filter(game=game, rating__isnull=False))
    rate_waiting(game)


def measured_ratings(game: str) -> tuple[float, ...]:
    """Return the ratings at which programs begin at a game, by level; empty if not measured."""
    ratings = Measurement.objects.filter(game=game).values_list("ratings", flat=True).first()
    return tuple(ratings or ())


def strengths_at(game: str, players: Collection[int], at: datetime) -> dict[int, Strength]:
    """Return how strong players were at an instant, by their keys; newcomers as they begin."""
    found = {}
    keys = list(players)
    for first in range(0, len(keys), PLAYERS_AT_ONCE):
        for player, rated in _current_of(game, keys[first : first + PLAYERS_AT_ONCE]).items():
            strength, since = rated.strength, rated.since
            if since is not None and since > at:
                strength, since = _rated_until(game, player, at)
            found[player] = strength_after_pause(strength, since, at)
    return found


def _rated_until(game: str, player: int, at: datetime) -> tuple[Strength, datetime | None]:
    """Return the numbers of a player after the last rated game that had ended at an instant."""
    rated = Result.objects.filter(game=game, player=player, rating__isnull=False)
    last: Any = rated.filter(at__lte=at).order_by("-at", "-match_id").first()
    if last is not None:
        return Strength(last.rating, last.deviation, last.volatility), last.at
    first: Any = rated.earliest("at", "match_id")
    return Strength(first.before_rating, first.before_deviation), None


def known_levels(game: str) -> int | None:
    """Return the highest level of a program whose strength at a game is known; None for any.

    The levels of our own games were measured while they were made; at the game of a plug-in
    nobody knows, before `sarsen measure` has played there, how far they are apart.
    """
    return len(measured_ratings(game)) if is_plugin(game) else None


def _rewind(game: str, later: QuerySet[Result]) -> None:
    fewer = dict(later.order_by().values_list("player_id").annotate(Count("pk")))
    if not fewer:
        return
    later.update(**dict.fromkeys(NUMBERS))
    players = sorted(fewer)
    for first in range(0, len(players), PLAYERS_AT_ONCE):
        batch = players[first : first + PLAYERS_AT_ONCE]
        _rewind_players(game, {player: fewer[player] for player in batch})


def _waiting() -> QuerySet[Result]:
    return Result.objects.filter(is_rated=True, rating=None)


def _rate(first: Result, second: Result, current: dict[int, CurrentRating]) -> None:
    """Rate one board: write the numbers on its rows, and what its players have then."""
    rows = (first, second)
    states = [current[row.player_id] for row in rows]
    before = [
        strength_after_pause(state.strength, state.since, row.at)
        for state, row in zip(states, rows, strict=True)
    ]
    after = rate_game(before[0], before[1], first.score)
    for row, old, new, state in zip(rows, before, after, states, strict=True):
        row.before_rating, row.before_deviation = old.rating, old.deviation
        row.rating, row.deviation, row.volatility = new.rating, new.deviation, new.volatility
        current[row.player_id] = CurrentRating(new, row.at, state.games + 1)


def _current_of(game: str, players: Collection[int]) -> dict[int, CurrentRating]:
    levels = list(Player.everyone.filter(pk__in=players).values_list("pk", "level"))
    has_programs = any(level is not None for _, level in levels)
    measured = measured_ratings(game) if has_programs else ()
    current = {pk: CurrentRating(first_strength(level, measured), None, 0) for pk, level in levels}
    for row in Rating.objects.filter(game=game, player_id__in=players):
        strength = Strength(row.rating, row.deviation, row.volatility)
        current[row.player_id] = CurrentRating(strength, row.rated_at, row.matches)
    return current


def _store_ratings(game: str, current: dict[int, CurrentRating]) -> None:
    rows = []
    for player, (strength, since, games) in current.items():
        row = Rating(player_id=player, game=game, matches=games, **vars(strength))
        assert since is not None  # it has been rated
        row.rated_at, row.certain_until = since, certain_until(strength, since)
        rows.append(row)
    Rating.objects.bulk_create(
        rows,
        update_conflicts=True,
        unique_fields=["player", "game"],
        update_fields=_OF_RATING,
    )


def _rewind_players(game: str, fewer: dict[int, int]) -> None:
    """Set ratings back to the last result that is still rated; without one there is none."""
    of_player = Result.objects.filter(game=game, player=OuterRef("player"), rating__isnull=False)
    last = Subquery(of_player.order_by("-at", "-match_id").values("pk")[:1])
    rows: Any = list(Rating.objects.filter(game=game, player_id__in=fewer).annotate(last=last))
    results: dict[int, Any] = Result.objects.in_bulk([row.last for row in rows if row.last])
    unrated = [row.pk for row in rows if not row.last]
    Rating.objects.filter(pk__in=unrated).delete()
    current = {}
    for row in rows:
        result = results.get(row.last)
        if result is not None:
            strength = Strength(result.rating, result.deviation, result.volatility)
            games = row.matches - fewer[row.player_id]
            current[row.player_id] = CurrentRating(strength, result.at, games)
    _store_ratings(game, current)
