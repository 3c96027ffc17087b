"""The moves that stand are a fold of the events."""

from __future__ import annotations

from datetime import UTC, datetime

from sarsen.services.matches.history import highest_ply_ever_due, standing_moves
from sarsen.storage.models.matches import StoredEvent

NOW = datetime(2026, 11, 21, tzinfo=UTC)


def stored_events(line: str) -> tuple[StoredEvent, ...]:
    """Read `a1 b1 undo:1 c1`: moves, and how many of them stand after a taking back."""
    found, ply = [], 0
    for number, word in enumerate(line.split(), start=1):
        kind, _, left = word.partition(":")
        if kind == "undo":
            ply = int(left)
            found.append(StoredEvent(number, "undo", ply, 0, "", NOW))
        elif kind in ("resign", "draw", "forfeit"):
            found.append(StoredEvent(number, kind, ply, 0, "", NOW))
        else:
            ply += 1
            found.append(StoredEvent(number, "move", ply, (ply - 1) % 2, word, NOW))
    return tuple(found)


def standing(line: str) -> str:
    return " ".join(f"{move.ply}{move.text}" for move in standing_moves(stored_events(line)))


def test_moves_stand_in_order() -> None:
    assert standing("a1 b1 a2") == "1a1 2b1 3a2"


def test_moves_taken_back_do_not_stand() -> None:
    assert standing("a1 b1 undo:1 c1") == "1a1 2c1"


def test_taking_back_twice_and_to_the_beginning() -> None:
    assert standing("a1 b1 a2 undo:1 c1 d1 undo:0 e1") == "1e1"


def test_ends_are_no_moves() -> None:
    assert standing("a1 resign") == standing("a1 draw") == standing("a1 forfeit") == "1a1"


def test_a_move_knows_the_event_that_played_it() -> None:
    moves = standing_moves(stored_events("a1 b1 undo:1 c1"))
    assert [move.event for move in moves] == [1, 4]


def test_highest_ply_that_was_due_before_moves_were_taken_back() -> None:
    assert highest_ply_ever_due(stored_events("a1 b1 a2")) == 0
    assert highest_ply_ever_due(stored_events("a1 b1 undo:1")) == 3
    assert highest_ply_ever_due(stored_events("a1 b1 undo:1 c1 undo:0")) == 3
