"""Tell the players of a board how it stands after something happened there."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from sarsen.services import watching
from sarsen.services.call import Call
from sarsen.services.notices import Channel, Event, channel_of, notify
from sarsen.storage.models import Match, Player


def tell_players(
    match: Match,
    call: Call,
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
        watching.tell(match, event or happened, call.now)


def _event(match: Match, player: Player, own: dict[str, Any], *, is_to_move: bool) -> Event:
    if match.ended_at is not None:
        return Event.ENDED
    if not own.get("plan", {}).get("is_own"):
        return Event.TURN if is_to_move else Event.MOVED
    # One letter says both, and comes if either of them shall come.
    both = (Event.TURN, Event.PLAN) if is_to_move else (Event.PLAN, Event.MOVED)
    return next((one for one in both if channel_of(player, one) is Channel.MAIL), both[0])
