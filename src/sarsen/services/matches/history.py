"""The record of a match: which of its moves stand, folded from its events."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime

from sarsen.language.facts import PlayedMove
from sarsen.storage import move_path
from sarsen.storage.models import Match, MatchEvent
from sarsen.storage.models.matches import StoredEvent

_MOVE, _UNDO = MatchEvent.Kind.MOVE.value, MatchEvent.Kind.UNDO.value


@dataclass(frozen=True)
class MatchEnd:
    """The end of a match other than by a move: `resign`, `draw` or `forfeit`, by whom, when."""

    kind: str
    seat: int
    at: datetime


def ending(stored_events: Sequence[StoredEvent]) -> MatchEnd | None:
    """Return what ended a match that is over; None when a move did."""
    last = stored_events[-1] if stored_events else None
    if last is None or last.kind in (_MOVE, _UNDO):
        return None
    return MatchEnd(last.kind, last.seat, last.at)


def standing_moves(stored_events: Iterable[StoredEvent]) -> tuple[PlayedMove, ...]:
    """Fold events into the moves that stand: those taken back are kept, but not played."""
    moves: list[PlayedMove] = []
    for event in stored_events:
        if event.kind == _MOVE:
            moves.append(PlayedMove(event.ply, event.seat, event.text, event.at, event.number))
        elif event.kind == _UNDO:
            del moves[event.ply :]
    return tuple(moves)


def highest_ply_ever_due(stored_events: Iterable[StoredEvent]) -> int:
    """Return the highest ply that was due before moves were taken back; 0 when none were."""
    highest = played = 0
    for event in stored_events:
        if event.kind == _MOVE:
            played = event.ply
        elif event.kind == _UNDO:
            highest = max(highest, played + 1)
            played = event.ply
    return highest


def stored_events_of(match: Match, until: int | None = None) -> tuple[StoredEvent, ...]:
    """Load the events of a match in order; with `until` only the first so many."""
    events = match.known_events
    if events is None:
        events = move_path.events_of([match.pk])[match.pk]
    return tuple(event for event in events if until is None or event.number <= until)


def moves_of(match: Match) -> tuple[PlayedMove, ...]:
    """Return the moves that stand now."""
    return standing_moves(stored_events_of(match))


def rows_by_seat(
    moves: Iterable[PlayedMove], seats: int
) -> tuple[tuple[PlayedMove | None, ...], ...]:
    """Arrange moves in rows with one cell a seat, each below or right of the one before.

    Seats need not alternate: a seat that moves twice in a row begins a new row.
    """
    rows: list[list[PlayedMove | None]] = []
    last_seat = seats
    for move in moves:
        if move.seat <= last_seat:
            rows.append([None] * seats)
        rows[-1][move.seat] = move
        last_seat = move.seat
    return tuple(map(tuple, rows))


def was_taken_back(match: Match) -> bool:
    """Return whether moves of a running match were ever taken back.

    While it runs, its events are moves and takings back.
    """
    return match.event_count != match.ply
