"""The moves of a record in one column a seat, as scoresheets have them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.utils.html import escape
from django.utils.safestring import SafeString, mark_safe

from sarsen.services.viewing import PlayedMove

Row = tuple[PlayedMove | None, ...]


@dataclass(frozen=True)
class MoveTable:
    """Lay moves out in rows of one cell a seat."""

    rows: tuple[Row, ...]

    def html(self, board_path: str, ply: int) -> SafeString:
        """Write the rows, each move a link to the board after it.

        Not in a template: there a third of the time of a page went into this table.

        Args:
            ply: Of the position shown, whose move is marked.
        """
        rows = (
            "".join(f"<td>{_link(move, board_path, ply) if move else ''}</td>" for move in row)
            for row in self.rows
        )
        return mark_safe("".join(f"<tr>{row}</tr>\n" for row in rows))  # noqa: S308


def _link(move: PlayedMove, board_path: str, ply: int) -> str:
    current = ' aria-current="true"' if move.ply == ply else ""
    number = f'<span class="ply">{move.ply}</span>'
    return f'<a href="{board_path}{move.ply}/"{current}>{number} {escape(move.text)}</a>'


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
