"""The end of a match: its result is kept, counts for standings, and is rated.

Called in the transaction that ends the match, wherever that is, so that nothing is
counted twice or forgotten.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import F

from sarsen.services.ratings import rating
from sarsen.storage.models import Encounter, Match, MatchEvent, Player, Result, Standing

# Running out of time is no way out of a game that goes badly from the first moves on.
FORFEITED_PLIES = 2


def count(match: Match, now: datetime) -> None:
    """Keep the result of a match that has just ended and rate it; a second time does nothing."""
    if keep_result(match, now):
        rating.rate_from(match.game, now, match.pk)


def keep_result(match: Match, at: datetime) -> bool:
    """Keep the result of a match that ended then; return whether it is still to be rated."""
    # First of all: transactions that end games then wait here, and never for each other's rows.
    rating.hold_ratings()
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
    """Take a result back, as if the match had not ended; games after it are rated anew."""
    rating.hold_ratings()
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
    least = settings.SARSEN_RATED_PLIES
    if match.is_imported:
        return "played elsewhere and imported"
    if match.terms.get("unrated"):
        return "agreed unrated"
    if len(players) != 2:
        return "more than two seats"
    if players[0] == players[1]:
        return "both seats one player's"
    if any(player.is_guest for player in players):
        return "a guest played"
    if match.ply >= least or (match.ply >= FORFEITED_PLIES and _is_forfeited(match)):
        return ""
    return f"under {least} plies"


def _is_forfeited(match: Match) -> bool:
    # The last event: a forfeit that was undone does not count.
    last = match.events.filter(number=match.event_count)
    return last.filter(kind=MatchEvent.Kind.FORFEIT).exists()


def _add_to_standings(match: Match, rows: Sequence[Result], more: int) -> None:
    # A game against oneself is won by nobody; of a private one nobody else is told.
    if len({row.player_id for row in rows}) < len(rows) or match.terms.get("private"):
        return
    # In the order of players: two matches that end at once then wait, never lock up.
    for row in sorted(rows, key=lambda row: row.player_id):
        _add(row, more)


def _add(row: Result, more: int = 1) -> None:
    """Add a result to what is counted of its player, or with -1 take it off."""
    column = {1.0: "won", 0.0: "lost"}.get(row.score, "drawn")
    of_player = {"player_id": row.player_id, "game": row.game}
    _increase(Standing, of_player, column, more)
    if row.opponent_id is not None:
        of_pair = {**of_player, "opponent_id": row.opponent_id, "seat": row.seat}
        _increase(Encounter, of_pair, column, more)


def _increase(table: Any, key: dict[str, object], column: str, more: int) -> None:
    changed = {column: F(column) + more}
    if not table.objects.filter(**key).update(**changed):
        table.objects.bulk_create([table(**key)], ignore_conflicts=True)
        table.objects.filter(**key).update(**changed)
