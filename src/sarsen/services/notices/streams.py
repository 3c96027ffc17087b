"""The stream of a player's boards: what happens there, in an order that misses nothing.

Items are stored without a number. Readers number the committed items, one reader of a
player at a time: so a number that is read is never followed by a lower one,
in whatever order transactions begin and end. Numbers are milliseconds, or one more than
the last, so that they grow also after old items were deleted.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.db.models import Max

from sarsen.services.request import OFFER, START, BoardEvent, Player
from sarsen.storage import statements
from sarsen.storage.models import Match, MatchEvent, MatchSeat, StreamItem

KEPT = timedelta(days=7)  # so long a program may be away and miss nothing
SKEW = timedelta(minutes=10)  # by which the clocks of two servers differ at the most
MAX_AT_ONCE = 200  # items in memory; a reader comes back for the rest at once


@dataclass(frozen=True)
class StreamedEvent:
    """One thing that happened.

    Attributes:
        number: Grows from item to item of a player.
        players: Userids by seat; none when it is about no board.
        seats: The seats of the player who is told.
    """

    number: int
    kind: str
    facts: Mapping[str, Any]
    at: datetime
    board: int | None = None
    game: str = ""
    players: tuple[str, ...] = ()
    seats: tuple[int, ...] = ()


def record_event(event: BoardEvent) -> None:
    """Store an event for the programs that listen; a move that ends the game makes two items."""
    match = event.match
    turn = {
        "ply": match.ply,
        "event": match.event_count,
        "to_move": None if event.ends_match else match.seat_to_move,
        "position": match.position,
        **clock_facts(match),
    }
    if event.kind == START:
        record(match, START, {"options": match.options, **turn}, event.now)
        return
    news = {**turn, "seat": event.seat}
    if event.kind == MatchEvent.Kind.MOVE:
        record(match, "move", {**news, "text": event.text}, event.now)
    elif event.kind == OFFER:
        assert match.offer is not None
        offer = match.offer
        offer_facts = {"what": offer["kind"], "is_open": offer["is_open"]}
        record(match, OFFER, {**news, **offer_facts, "offer_event": offer["event"]}, event.now)
    elif not event.ends_match:
        record(match, str(event.kind), news, event.now)
    if event.ends_match:
        result = {"how": str(event.kind), "scores": match.scores, "reason": match.reason}
        record(match, "end", news | result, event.now)


def clock_facts(match: Match | None) -> dict[str, Any]:
    """Return when the move of a match is due, and the seconds of reserve of each seat.

    None where no clock runs, or there is no bound; of an earlier position nothing is known.
    """
    if match is None:
        return {"due": None, "reserves": None}
    due = match.due_at.isoformat() if match.due_at else None
    return {"due": due, "reserves": [seat.reserve for seat in match.seat_rows]}


def record(match: Match, kind: str, facts: dict[str, Any], now: datetime) -> None:
    """Store what happened at a board for those of its players whose programs listen."""
    players = {seat.player_id for seat in match.seat_rows if seat.player.has_stream}
    statements.insert(
        [
            StreamItem(player_id=player, kind=kind, match=match, facts=facts, at=now)
            for player in sorted(players)
        ]
    )


def record_for_players(
    players: Iterable[Player], kind: str, facts: dict[str, Any], now: datetime
) -> None:
    """Store an item for players that is about no board: challenges."""
    items = [
        StreamItem(player=player, kind=kind, facts=facts, at=now)
        for player in players
        if player.has_stream
    ]
    if items:
        StreamItem.objects.bulk_create(items)


def newest_number(player: Player, now: datetime) -> int:
    """Return a number up to which everything has happened, and nothing after it."""
    _number(player, now)
    result = StreamItem.objects.filter(player=player).aggregate(newest=Max("number"))
    # The next number is a time, too: of a clock that is hardly so far behind this one.
    return max(result["newest"] or 0, _milliseconds(now - SKEW))


def items_after(player: Player, number: int, now: datetime) -> tuple[StreamedEvent, ...]:
    """Return what happened after an item, oldest first, as much as is told at once."""
    _number(player, now)
    rows = StreamItem.objects.filter(player=player, number__gt=number).order_by("number")
    items = list(rows.select_related("match")[:MAX_AT_ONCE])
    seated = _seated({row.match_id for row in items if row.match_id})
    return tuple(_item(row, player, seated) for row in items)


def is_forgotten(number: int, now: datetime) -> bool:
    """Return whether items after this one may have been deleted already."""
    return number < _milliseconds(now - KEPT)


def is_possible(number: int, now: datetime) -> bool:
    """Return whether a number can have been given by now."""
    return 0 <= number <= _milliseconds(now + SKEW)


def _number(player: Player, now: datetime) -> None:
    """Number what has been committed since the last look."""
    fresh = StreamItem.objects.filter(player=player, number=None)
    if not fresh.exists():
        return
    with transaction.atomic():
        # One reader after another, or two would give the same numbers; writers are not held up.
        Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        last = StreamItem.objects.filter(player=player).aggregate(last=Max("number"))["last"]
        number = last or 0
        rows = list(fresh.order_by("pk")[:MAX_AT_ONCE])
        for row in rows:
            number = row.number = max(number + 1, _milliseconds(now))
        StreamItem.objects.bulk_update(rows, ["number"])


def _seated(boards: set[int]) -> dict[int, list[tuple[int, str]]]:
    """Return the players of boards by seat."""
    by_board: dict[int, list[tuple[int, str]]] = {board: [] for board in boards}
    rows = MatchSeat.objects.filter(match__in=boards).order_by("seat")
    for board, player, userid in rows.values_list("match_id", "player_id", "player__userid"):
        by_board[board].append((player, userid))
    return by_board


def _item(
    row: StreamItem, player: Player, seated: dict[int, list[tuple[int, str]]]
) -> StreamedEvent:
    sitting = seated.get(row.match_id or 0, [])
    return StreamedEvent(
        number=row.number or 0,
        kind=row.kind,
        facts=row.facts,
        at=row.at,
        board=row.match_id,
        game=row.match.game if row.match else "",
        players=tuple(userid for _, userid in sitting),
        seats=tuple(seat for seat, (key, _) in enumerate(sitting) if key == player.pk),
    )


def _milliseconds(at: datetime) -> int:
    return int(at.timestamp() * 1000)
