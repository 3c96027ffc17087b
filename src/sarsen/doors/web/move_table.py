"""The moves of a record in one column a seat, as scoresheets have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sarsen.services.viewing import PlayedMove

Row = tuple[PlayedMove | None, ...]


@dataclass(frozen=True)
class MoveTable:
    """Lay moves out in rows of one cell a seat."""

    rows: tuple[Row, ...]


def lay_out(moves: Sequence[PlayedMove], seats: int) -> MoveTable:
    """Put each move into its seat's column, below or right of the one before.

    Seats need not alternate: a seat that moves twice in a row begins a new row.
    """
    rows: list[list[PlayedMove | None]] = []
    last_seat = seats
    for move in moves:
        if move.seat <= last_seat or not rows:
            rows.append([None] * seats)
        rows[-1][move.seat] = move
        last_seat = move.seat
    return MoveTable(tuple(tuple(row) for row in rows))
