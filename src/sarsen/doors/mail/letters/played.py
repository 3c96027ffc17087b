"""The moves of a board, written once for all letters that show it: both players get the same."""

from __future__ import annotations

from collections import OrderedDict
from dataclasses import dataclass

from sarsen.doors.mail.boards import move_rows, moves_text
from sarsen.doors.mail.letters.pages import move_table
from sarsen.language.translating import spoken
from sarsen.services.viewing import BoardView

MOST_KEPT = 64


@dataclass(frozen=True)
class WrittenMoves:
    """The moves shown, as text and as a table of HTML; both "" where there are none."""

    text: str
    table: str


def written_moves(view: BoardView) -> WrittenMoves:
    """Write the moves of a view, or give what was written of it before."""
    # By identity: a view is given to each reader with what only he may see, and the same names.
    key = (id(view.players), view.ply, spoken())
    if key in _kept:
        return _kept[key][1]
    rows = move_rows(view)
    written = WrittenMoves(
        moves_text(view, rows) if rows else "", move_table(view.players, rows) if rows else ""
    )
    _kept[key] = (view.players, written)  # with the names, so that their identity stays theirs
    while len(_kept) > MOST_KEPT:
        _kept.popitem(last=False)
    return written


_kept: OrderedDict[tuple[int, int, str], tuple[tuple[str, ...], WrittenMoves]] = OrderedDict()
