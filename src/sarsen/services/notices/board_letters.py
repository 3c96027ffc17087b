"""Queue letters that show players how their board stands after something happened there."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any

from sarsen.services.notices import announcements
from sarsen.services.notices.announcements import Audience
from sarsen.services.notices.channels import Channel, Event, channel_of, is_told
from sarsen.services.notices.notify import notify
from sarsen.services.request import START, BoardEvent, Chain, Request
from sarsen.storage.models import Match, MatchEvent, Player

_WATCHED = "watched"  # the kind of letter
# What followers of a player or of a game hear of, too; the rest is for watchers of the board.
_FOR_FOLLOWERS = frozenset({Event.STARTED, Event.ENDED})
# The letter of the contest that has ended a board tells of it.
_BY_CONTEST = (MatchEvent.Kind.CLOSE, MatchEvent.Kind.DECIDE)
# Which letter tells of an event; others are told by the letter that shows the board.
_LETTERS: dict[str, str] = {MatchEvent.Kind.FORFEIT: "forfeit", MatchEvent.Kind.RESUME: "resumed"}


def tell_event(event: BoardEvent, chain: Chain) -> None:
    """Notify the players and spectators of a board of an event and the plans that followed it."""
    match, request = event.match, event.request
    kind = _LETTERS.get(event.kind, "board")
    late = {"late": match.seat_rows[event.seat].player.userid} if kind != "board" else {}
    tell_players(
        match,
        request,
        but=request.actor.player,
        event=Event.STARTED if event.kind == START else None,
        kind=kind,
        each=chain.news_for,
        leaves_out=_reads_of_contests if event.kind in _BY_CONTEST else None,
        **late,
        **event.facts,
    )


def tell_players(
    match: Match,
    request: Request,
    *,
    but: Player | None = None,
    event: Event | None = None,
    kind: str = "board",
    each: Callable[[Player], dict[str, Any]] = lambda _: {},
    leaves_out: Callable[[Player], bool] | None = None,
    **extra_facts: Any,
) -> None:
    """Send every player but one a letter that shows the board.

    The last letter of a game is its record, and goes to all of them.

    Args:
        event: What is told; None for a turn, a move, or the end of the game.
        kind: Which letter says it.
        each: What else the letter to one player needs.
        leaves_out: Whether another letter tells a player, of the record, too; None for nobody.
        extra_facts: What else all letters need.
    """
    facts = {**match.facts, "is_over": match.ended_at is not None, **extra_facts}
    # By mail the record of a finished game is in the answer; the others get it, too.
    is_record = match.ended_at is not None and not request.actor.address
    seats = match.seat_rows
    to_move = next(seat.player for seat in seats if seat.seat == match.seat_to_move)
    # In the order of players, whatever their seats: two boards of the same people then wait for
    # each other, and never deadlock.
    for player in sorted({seat.player for seat in seats}, key=lambda player: player.pk):
        if leaves_out is not None and (player == but or leaves_out(player)):
            continue
        if player != but or is_record:
            own_facts = each(player)
            what = event or _event(match, player, own_facts, is_to_move=player == to_move)
            notify(player, what, kind, facts | own_facts, request.now, match=match)
    default_event = Event.MOVED if match.ended_at is None else Event.ENDED
    if default_event is Event.ENDED or event is not None or seats[0].is_watched:
        _notify_spectators(match, event or default_event, request.now)


def _reads_of_contests(player: Player) -> bool:
    return is_told(player, Event.CONTEST)


def _event(match: Match, player: Player, own_facts: dict[str, Any], *, is_to_move: bool) -> Event:
    if match.ended_at is not None:
        return Event.ENDED
    if not own_facts.get("plan", {}).get("is_own"):
        return Event.TURN if is_to_move else Event.MOVED
    # One letter says both, and comes if either of them shall come.
    both = (Event.TURN, Event.PLAN) if is_to_move else (Event.PLAN, Event.MOVED)
    return next((event for event in both if channel_of(player, event) is Channel.MAIL), both[0])


def _notify_spectators(match: Match, event: Event, now: datetime) -> None:
    """Notify the spectators of an event at a board.

    Args:
        event: `MOVED` (also for a turn), `STARTED` or `ENDED`; anything else is the
            players' own affair.
    """
    if match.terms.get("private") or event not in (Event.MOVED, *_FOR_FOLLOWERS):
        return
    if event is Event.MOVED and match.bots and None not in match.bots:
        return  # programs move faster than anybody can read
    facts = {**match.facts, "is_over": match.ended_at is not None}
    audience = Audience.FOLLOWERS if event in _FOR_FOLLOWERS else Audience.WATCHERS
    announcements.announce(audience, Event.WATCHED, _WATCHED, facts, now, match=match)
