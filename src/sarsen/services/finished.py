"""A finished game with all that letters and its page tell of it."""

from __future__ import annotations

from sarsen.language.finished import FinishedGame
from sarsen.services import matches
from sarsen.services.call import Player
from sarsen.services.ratings.changes import change_of
from sarsen.services.ratings.counting import why_unrated
from sarsen.storage.models import Challenge, Match


def view_finished(board: int, viewer: Player | None) -> FinishedGame | None:
    """Return a finished game; None while it runs.

    Raises:
        UserError: No such board, or a private one of others.
    """
    match = matches.find(board, viewer=viewer)
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
        changes=tuple(change_of(results[one.seat], one.player) for one in seats if is_rated),
        rematch=_rematch(match),
    )


def _rematch(match: Match) -> int | None:
    started = match.rematches.filter(state=Challenge.State.STARTED).order_by("-pk").first()
    return started.match_id if started else None
