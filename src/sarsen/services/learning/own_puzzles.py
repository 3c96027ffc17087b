"""Turning points of one's own games as puzzles of one's own: unrated, and offered again."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, datetime, timedelta

from sarsen.services.request import Player
from sarsen.storage.models import OwnPuzzle

# Days until a puzzle is offered again: after it was tried first, and after it was solved when due.
DAYS = (1, 7, 30)
MAX_OFFERED = 20  # the ones that are due for longest


@dataclass(frozen=True)
class DuePuzzle:
    """A turning point of one's own that is offered again, by its number in the review."""

    board: int
    number: int
    ply: int


def note_try(
    player: Player, board: int, ply: int, number: int, now: datetime, *, is_solved: bool
) -> None:
    """Note that a player has tried a turning point of an own game; in the caller's transaction.

    Before it is due again, a try changes nothing.
    """
    today = now.date()
    row, is_new = OwnPuzzle.objects.select_for_update().get_or_create(
        player=player,
        match_id=board,
        ply=ply,
        defaults={"number": number, "due_on": today + timedelta(days=DAYS[0])},
    )
    if is_new or row.due_on is None or row.due_on > today:
        return
    row.stage = row.stage + 1 if is_solved else 0
    row.due_on = today + timedelta(days=DAYS[row.stage]) if row.stage < len(DAYS) else None
    row.number = number
    row.save(update_fields=["stage", "due_on", "number"])


def due_puzzles(player: Player, today: date) -> tuple[DuePuzzle, ...]:
    """Return the player's own puzzles that are to be solved again."""
    rows = OwnPuzzle.objects.filter(player=player, due_on__lte=today).order_by("due_on", "pk")
    return tuple(DuePuzzle(row.match_id, row.number, row.ply) for row in rows[:MAX_OFFERED])
