"""The streams of one board and of all public ones: the events of boards, as everybody sees them.

The events of a board count from 1, and a board is written by one at a time, so that a reader can
go on from any of them. Those of all boards are told in the order of their rows. Of two writers
the later may commit first; so what comes after a missing row waits until that row is there, or
can be assumed to have been rolled back.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Max

from sarsen.services.board_cache import position_after
from sarsen.services.matches import history
from sarsen.services.matches.lobby import in_installed_games
from sarsen.services.notices.streams import StreamedEvent, clock_facts
from sarsen.services.request import Player
from sarsen.storage import move_path
from sarsen.storage.models import Match, MatchEvent
from sarsen.storage.models.matches import PUBLIC, StoredEvent, seats_of

MAX_AT_ONCE = 50  # events; positions of earlier ones are played again, which takes time
SETTLED = timedelta(seconds=10)  # after which a row that is missing will not come any more
_ENDINGS = (
    *(MatchEvent.Kind.RESIGN, MatchEvent.Kind.DRAW, MatchEvent.Kind.FORFEIT),
    *(MatchEvent.Kind.DECIDE, MatchEvent.Kind.CLOSE, MatchEvent.Kind.CLAIM),
)


def newest_of(match: Match) -> int:
    """Return the id of the last item of a board."""
    return 2 * match.event_count


def items_of(match: Match, since: int, viewer: Player | None) -> tuple[StreamedEvent, ...]:
    """Return what happened at a board after an item, oldest first, as much as is told at once."""
    events = history.stored_events_of(match, match.event_count)
    news = [event for event in events if 2 * event.number > since][:MAX_AT_ONCE]
    return tuple(
        item
        for event in news
        for item in _items(match, events, event, 2 * event.number, viewer)
        if item.number > since
    )


def newest_of_all() -> int:
    """Return the id of the last item of all public boards."""
    return 2 * (MatchEvent.objects.aggregate(newest=Max("pk"))["newest"] or 0)


def items_of_all(
    since: int, now: datetime, viewer: Player | None
) -> tuple[tuple[StreamedEvent, ...], int, bool]:
    """Return what happened at public boards after an item, oldest first.

    Returns:
        The items, the id up to which all is told, and whether more waits already.
    """
    last, items = (since + 1) // 2, list[StreamedEvent]()
    if since % 2:  # the first item of an event was told, the second was not
        last -= 1
    rows = MatchEvent.objects.filter(pk__gt=last).order_by("pk")[:MAX_AT_ONCE]
    rows_found = list(rows.values_list("pk", "match_id", "number", "at"))
    public_matches = Match.objects.filter(PUBLIC, in_installed_games(), is_imported=False)
    matches = public_matches.in_bulk({match for _, match, _, _ in rows_found})
    events, seats = move_path.events_of(matches), seats_of(matches)
    for pk, board, number, at in rows_found:
        if pk != last + 1 and now - at < SETTLED:
            return tuple(items), max(since, 2 * last), True
        last = pk
        match = matches.get(board)
        if match is None:
            continue
        match.seat_rows = seats[board]
        event = next(
            stored_event for stored_event in events[board] if stored_event.number == number
        )
        event_items = _items(match, events[board], event, 2 * pk, viewer)
        items += [item for item in event_items if item.number > since]
    return tuple(items), max(since, 2 * last), len(rows_found) == MAX_AT_ONCE


def _items(
    match: Match,
    events: Sequence[StoredEvent],
    event: StoredEvent,
    number: int,
    viewer: Player | None,
) -> Iterator[StreamedEvent]:
    """Yield the items of an event: the move, and the end of the game.

    Args:
        number: Of the last of them.
    """
    is_newest = event.number == match.event_count
    ends = event.kind in _ENDINGS or (is_newest and match.ended_at is not None)
    facts = _facts(match, events, event, is_over=ends)
    is_move = event.kind == MatchEvent.Kind.MOVE
    seated = match.seat_rows

    def item(number: int, kind: str, facts: dict[str, Any]) -> StreamedEvent:
        return StreamedEvent(
            *(number, kind, facts, event.at, match.pk, match.game),
            players=tuple(seat.player.userid for seat in seated),
            seats=tuple(seat.seat for seat in seated if viewer and seat.player_id == viewer.pk),
        )

    if is_move:
        yield item(number - ends, "move", {**facts, "text": event.text})
    elif not ends:
        yield item(number, event.kind, facts)
    if ends:
        # A game that was resumed has no result of the forfeit any more.
        result = (match.scores, match.reason) if is_newest else (None, "")
        end = {"how": event.kind, "scores": result[0], "reason": result[1]}
        yield item(number, "end", facts | end)


def _facts(
    match: Match, events: Sequence[StoredEvent], event: StoredEvent, *, is_over: bool
) -> dict[str, Any]:
    if event.number == match.event_count:
        position, seat = match.position, match.seat_to_move
    else:
        moves = history.standing_moves(events[: event.number])
        texts = tuple(move.text for move in moves)
        after_event = position_after(match.game, match.options, texts)
        position, seat = after_event.write(), after_event.seat
    return {
        "ply": event.ply,
        "event": event.number,
        "seat": event.seat,
        "to_move": None if is_over else seat,
        "position": position,
        **clock_facts(match if event.number == match.event_count else None),
    }
