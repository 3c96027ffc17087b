"""Tell the players of a board how it stands after something happened there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sarsen.language.ratings import FinishedGame
from sarsen.services.matches import matches, spectators
from sarsen.services.notices import Channel, Event, channel_of, notify
from sarsen.services.ratings.counting import change_of, why_unrated
from sarsen.services.request import Request
from sarsen.storage.models import Challenge, Match, Player


def tell_players(
    match: Match,
    call: Request,
    *,
    but: Player | None = None,
    event: Event | None = None,
    kind: str = "board",
    each: Callable[[Player], dict[str, Any]] = lambda _: {},
    **more: Any,
) -> None:
    """Send every player but one a letter that shows the board.

    The last letter of a game is its record, and goes to all of them.

    Args:
        event: What is told; None for a turn, a move, or the end of the game.
        kind: Which letter says it.
        each: What else the letter to one player needs.
        more: What else all letters need.
    """
    facts = {
        "board": match.pk,
        "ply": match.ply,
        "event": match.event_count,
        "is_over": match.ended_at is not None,
        **more,
    }
    # Who spoke by mail has the record of a finished game in the answer; others get it, too.
    is_record = match.ended_at is not None and not call.actor.address
    seats = match.sitting
    to_move = next(seat.player for seat in seats if seat.seat == match.seat_to_move)
    # In the order of players, whoever sits where: two boards of the same people then wait
    # for each other's news, and never lock up.
    for player in sorted({seat.player for seat in seats}, key=lambda player: player.pk):
        if player != but or is_record:
            own = each(player)
            what = event or _event(match, player, own, is_to_move=player == to_move)
            notify(player, what, kind, facts | own, call.now, match=match)
    happened = Event.MOVED if match.ended_at is None else Event.ENDED
    if happened is Event.ENDED or event is not None or seats[0].is_watched:
        spectators.tell(match, event or happened, call.now)


def _event(match: Match, player: Player, own: dict[str, Any], *, is_to_move: bool) -> Event:
    if match.ended_at is not None:
        return Event.ENDED
    if not own.get("plan", {}).get("is_own"):
        return Event.TURN if is_to_move else Event.MOVED
    # One letter says both, and comes if either of them shall come.
    both = (Event.TURN, Event.PLAN) if is_to_move else (Event.PLAN, Event.MOVED)
    return next((one for one in both if channel_of(player, one) is Channel.MAIL), both[0])


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
