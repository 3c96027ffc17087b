"""A finished game with all that letters and its page tell of it."""

from __future__ import annotations

from sarsen.games import load
from sarsen.language.finished import FinishedGame, RatingChange, RecordedMove
from sarsen.services import matches
from sarsen.services.call import Player
from sarsen.services.ratings.changes import change_of
from sarsen.services.ratings.counting import why_unrated
from sarsen.services.records import moves_of
from sarsen.services.terms import write_terms
from sarsen.storage.models import Challenge, Match, MatchSeat


def view_finished(board: int, viewer: Player | None) -> FinishedGame | None:
    """Give a finished game; None while it runs.

    Raises:
        UserError: No such board, or a private one of others.
    """
    match = matches.find(board, viewer=viewer)
    if match.ended_at is None:
        return None
    seats = list(match.seats.select_related("player").order_by("seat"))
    unrated = why_unrated(match, [seat.player_id for seat in seats])
    sides = matches.position_of(match).sides
    userids = [seat.player.userid for seat in seats]
    scores = match.scores or []
    info = load(match.game).info
    return FinishedGame(
        board=match.pk,
        game=match.game,
        title=f"{info.title} Board {match.pk}",
        agreed=" ".join(filter(None, (match.options, write_terms(match.terms)))),
        seats=tuple(zip(sides, userids, strict=True)),
        started_at=match.started_at,
        ended_at=match.ended_at,
        winner=userids[scores.index(1.0)] if 1.0 in scores else "",
        reason=match.reason,
        moves=_moves(match, userids),
        unrated=unrated,
        changes=() if unrated else _changes(match, seats),
        rematch=_rematch(match),
    )


def _moves(match: Match, userids: list[str]) -> tuple[RecordedMove, ...]:
    return tuple(
        RecordedMove(move.ply, userids[move.seat], move.text, move.at) for move in moves_of(match)
    )


def _changes(match: Match, seats: list[MatchSeat]) -> tuple[RatingChange, ...]:
    results = {result.seat: result for result in match.results.all()}
    return tuple(
        change_of(seat.player, match.game, results[seat.seat].period)
        for seat in seats
        if seat.seat in results
    )


def _rematch(match: Match) -> int | None:
    started = match.rematches.filter(state=Challenge.State.STARTED).order_by("-pk").first()
    return started.match_id if started else None
