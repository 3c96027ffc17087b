"""The end of a match: its result is kept, and counts for standings and ratings.

Called in the transaction that ends the match, wherever that is, so that nothing is
counted twice or forgotten.
"""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.conf import settings
from django.db.models import F

from sarsen.core.errors import UserError
from sarsen.storage.models import Encounter, Match, MatchEvent, Result, Standing

# Running out of time is no way out of a game that goes badly from the first moves on.
FORFEITED_PLIES = 2


def count(match: Match, now: datetime) -> None:
    """Keep the result of a match that has just ended; a second time does nothing."""
    players = list(match.seats.order_by("seat").values_list("player_id", flat=True))
    scores = match.scores or []
    if match.is_imported or match.results.exists() or len(scores) != len(players):
        return
    is_rated = why_unrated(match, players) == ""
    rows = [
        Result(
            match=match,
            seat=seat,
            player_id=player,
            opponent_id=players[1 - seat] if len(players) == 2 else None,
            game=match.game,
            score=scores[seat],
            at=now,
            is_private=bool(match.terms.get("private")),
            is_rated=is_rated,
        )
        for seat, player in enumerate(players)
    ]
    Result.objects.bulk_create(rows)
    # A game against oneself is won by nobody; of a private one nobody else is told.
    if len(set(players)) == len(players) and not match.terms.get("private"):
        # In the order of players: two matches that end at once then wait, never lock up.
        for row in sorted(rows, key=lambda row: row.player_id):
            _add(row)


def uncount(match: Match) -> None:
    """Take a result back that no closed period has counted, as if the match had not ended.

    Raises:
        UserError: A rating period with it is closed: what came after stands on it.
    """
    rows = list(match.results.select_for_update().order_by("player_id"))
    if any(row.period is not None for row in rows):
        raise UserError(
            f"The rating period in which board {match.pk} ended is closed and its ratings are "
            "published; a result is undone before that or never.",
            code="period-closed",
            hint=f"rematch {match.pk}",
        )
    if len({row.player_id for row in rows}) == len(rows) and not match.terms.get("private"):
        for row in rows:
            _add(row, -1)
    match.results.all().delete()


def why_unrated(match: Match, players: list[int]) -> str:
    """Say why a finished match does not count for ratings; "" if it does.

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
    if match.ply >= least or (match.ply >= FORFEITED_PLIES and _is_forfeited(match)):
        return ""
    return f"under {least} plies"


def _is_forfeited(match: Match) -> bool:
    # The last event: a forfeit that was undone does not count.
    last = match.events.filter(number=match.event_count)
    return last.filter(kind=MatchEvent.Kind.FORFEIT).exists()


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
