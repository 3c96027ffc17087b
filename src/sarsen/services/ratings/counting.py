"""The end of a match: its result is kept, counts for standings, and is rated.

Called in the transaction that ends the match, wherever that is, so that nothing is
counted twice or forgotten.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

from django.db import transaction
from django.db.models import F, Q, QuerySet

from sarsen.games import names
from sarsen.language.ratings import FinishedGame, RatingChange
from sarsen.services.board_cache import BoardCache
from sarsen.services.matches import matches
from sarsen.services.ratings import rating
from sarsen.services.ratings.glicko import PROVISIONAL_ABOVE, Strength, strength_after_pause
from sarsen.services.request import BoardEvent
from sarsen.storage import move_path
from sarsen.storage.models import (
    Challenge,
    Encounter,
    Match,
    MatchEvent,
    Player,
    Rating,
    Result,
    Standing,
)

# Running out of time is no way out of a game that goes badly from the first moves on.
RATED_PLIES = 4  # shorter games do not count
FORFEITED_PLIES = 2  # each side has moved: a game that never began does not count
AT_ONCE = 500  # boards whose keys are in memory, of all that ever ended


def count_result(event: BoardEvent) -> None:
    """Count the result of a match that an event ends."""
    if event.ends_match:
        count(event.match, event.now)


def count(match: Match, now: datetime) -> None:
    """Store the result of a match that has just ended and rate it; a second time does nothing."""
    if store_result(match, now):
        rating.rate_from(match.game, now, match.pk)


def store_result(match: Match, at: datetime) -> bool:
    """Store the result of a match that ended then; return whether it is still to be rated."""
    # First of all: transactions that end games then wait here, and never for each other's rows.
    rating.lock_ratings()
    players = [row.player for row in match.seats.select_related("player").order_by("seat")]
    scores = match.scores or []
    if match.is_imported or match.results.exists() or len(scores) != len(players):
        return False
    is_rated = why_unrated(match, players) == ""
    rows = [
        Result(
            match=match,
            seat=seat,
            player=player,
            opponent=players[1 - seat] if len(players) == 2 else None,
            game=match.game,
            score=scores[seat],
            at=at,
            is_private=bool(match.terms.get("private")),
            is_rated=is_rated,
        )
        for seat, player in enumerate(players)
    ]
    Result.objects.bulk_create(rows)
    _add_to_standings(match, rows, 1)
    return is_rated


def uncount(match: Match) -> None:
    """Delete a result, as if the match had not ended; games after it are rated anew."""
    rating.lock_ratings()  # before rows of results, as in `store_result`
    rows = list(match.results.order_by("seat"))
    if not rows:
        return
    _add_to_standings(match, rows, -1)
    first = rows[0]
    if first.is_rated:
        rating.rewind(first.game, first.at, match.pk)
    match.results.all().delete()
    if first.is_rated:
        rating.rate_waiting(first.game)


def why_unrated(match: Match, players: Sequence[Player]) -> str:
    """Return why a finished match does not count for ratings; "" if it does.

    Private boards count: a number tells nothing of the moves.
    """
    least = RATED_PLIES
    if match.is_imported:
        return "played elsewhere and imported"
    if match.terms.get("unrated"):
        return "agreed unrated"
    if len(players) != 2:
        return "more than two seats"
    if players[0] == players[1]:
        return "one player had both seats"
    if any(player.is_guest for player in players):
        return "a guest played"
    if _is_unmeasured(match.game, players):
        return "the bot's strength at this game is not known yet"
    if match.ply >= least or (match.ply >= FORFEITED_PLIES and is_forfeited(match)):
        return ""
    return f"under {least} plies"


def _is_unmeasured(game: str, players: Sequence[Player]) -> bool:
    levels = [player.level for player in players if player.level is not None]
    known = rating.known_levels(game) if levels else None
    return known is not None and max(levels) > known


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


def view_finished(
    board: int, viewer: Player | None, boards: BoardCache | None = None
) -> FinishedGame | None:
    """Return a finished game; None while it runs.

    Raises:
        UserError: No such board, or a private one of others.
    """
    match = matches.find(board, viewer=viewer, boards=boards)
    if match.ended_at is None:
        return None
    seats = list(match.seats.select_related("player").order_by("seat"))
    results = {result.seat: result for result in match.results.all()}
    is_rated = any(result.is_rated for result in results.values())
    unrated = "" if is_rated else why_unrated(match, [seat.player for seat in seats])
    userids = [seat.player.userid for seat in seats]
    scores = match.scores or []
    return FinishedGame(
        board=match.pk,
        winner=userids[scores.index(1.0)] if 1.0 in scores else "",
        reason=match.reason,
        unrated=unrated,
        changes=tuple(change_of(results[seat.seat], seat.player) for seat in seats if is_rated),
        rematch=_rematch(match),
    )


def ratings_of(
    board: int, now: datetime, *, shows_result: bool, boards: BoardCache | None = None
) -> tuple[RatingChange | None, ...]:
    """Return how strong the players of a board are, by seat; None without a rating.

    After a rated game: what it did to them. Else their present ratings, without a change.

    Args:
        shows_result: Whether the position shown is the one in which the game ended. Where it is
            an earlier one, the ratings are those from before the game: they tell no result.
        boards: Where it may be loaded already.
    """
    match = matches.find_any(board, boards)
    players = [seat.player for seat in match.seat_rows]
    if match.ended_at is not None:
        rated = Result.objects.filter(match=match, rating__isnull=False)
        results = {result.seat: result for result in rated}
        if results:
            changes = tuple(change_of(results[seat], player) for seat, player in enumerate(players))
            return changes if shows_result else tuple(map(_before, changes))
    rows = move_path.ratings_of({player.pk for player in players}, match.game)
    strengths = {row.player_id: present_strength(row, now) for row in rows}
    return tuple(_unchanged(player, strengths.get(player.pk)) for player in players)


def present_strength(row: Rating, now: datetime) -> Strength:
    """Return a player's strength now: less certain by the time since the last rated game."""
    return strength_after_pause(
        Strength(row.rating, row.deviation, row.volatility), row.rated_at, now
    )


def are_results_kept() -> bool:
    """Return whether every ended match has its results, which release 0.1 did not keep.

    They are made from the newest match to the oldest, so it is enough to look at the oldest.
    """
    oldest = _ended().order_by("ended_at", "pk").first()
    return oldest is None or oldest.results.exists()


def _unrate_unmeasured() -> None:
    """Take games against programs that nobody has measured out of the ratings.

    Until 0.4 such programs began where a level of our own games does, and one such game could
    cost a player hundreds of points.
    """
    for game in names():
        known = rating.known_levels(game)
        if known is None:
            continue
        with transaction.atomic():
            rating.lock_ratings()  # a game that ends meanwhile would be rated between these
            rows = Result.objects.filter(game=game, is_rated=True, player__level__gt=known)
            first = rows.order_by("at", "match_id").first()
            if first is None:
                continue
            boards = list(rows.values_list("match_id", flat=True))
            rating.rewind(game, first.at, first.match_id)
            Result.objects.filter(match_id__in=boards).update(is_rated=False)
            rating.rate_waiting(game)


def recompute(progress: Callable[[int, int], None]) -> None:
    """Rate all that waits after an upgrade, from the results alone.

    It may be stopped anywhere and goes on there; some games are in memory at a time.

    Args:
        progress: Called with how many games are rated, and of how many.
    """
    if not are_results_kept():
        _store_results()
    _unrate_unmeasured()
    rated, total = 0, rating.count_waiting()

    def seen(games: int) -> None:
        nonlocal rated
        rated += games
        progress(rated, total)

    rating.rate_all(seen)


def is_forfeited(match: Match) -> bool:
    """Return whether the last event of a match is a forfeit: one that was undone does not count."""
    last = match.events.filter(number=match.event_count)
    return last.filter(kind=MatchEvent.Kind.FORFEIT).exists()


def _add_to_standings(match: Match, rows: Sequence[Result], delta: int) -> None:
    """Add results to what is counted of their players, or with -1 take them off."""
    # A game against oneself is won by nobody; of a private one nobody else is told.
    if len({row.player_id for row in rows}) < len(rows) or match.terms.get("private"):
        return
    # In the order of players: two matches that end at once then wait, never lock up.
    for row in sorted(rows, key=lambda row: row.player_id):
        column = {1.0: "won", 0.0: "lost"}.get(row.score, "drawn")
        of_player = {"player_id": row.player_id, "game": row.game}
        _increase(Standing, of_player, column, delta)
        if row.opponent_id is not None:
            of_pair = {**of_player, "opponent_id": row.opponent_id, "seat": row.seat}
            _increase(Encounter, of_pair, column, delta)


def _increase(table: Any, key: dict[str, object], column: str, delta: int) -> None:
    changed = {column: F(column) + delta}
    if not table.objects.filter(**key).update(**changed):
        table.objects.bulk_create([table(**key)], ignore_conflicts=True)
        table.objects.filter(**key).update(**changed)


def _rematch(match: Match) -> int | None:
    started = match.rematches.filter(state=Challenge.State.STARTED).order_by("-pk").first()
    return started.match_id if started else None


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


def _ended() -> QuerySet[Match]:
    return Match.objects.exclude(ended_at=None).filter(is_imported=False)


def _store_results() -> None:
    """Store the results of matches that ended before there were any, the newest first."""
    missing = _ended().filter(results=None).order_by("-ended_at", "-pk")
    remaining = missing
    while batch := list(remaining.values_list("pk", "ended_at")[:AT_ONCE]):
        for key, _ in batch:
            with transaction.atomic():
                # Locked: an operator may resume it at this moment.
                match = Match.objects.select_for_update(no_key=True).get(pk=key)
                assert match.ended_at is not None  # it was asked for
                if store_result(match, match.ended_at):
                    rating.rewind(match.game, match.ended_at, match.pk)
        last, at = batch[-1]
        remaining = missing.filter(Q(ended_at__lt=at) | Q(ended_at=at, pk__lt=last))
