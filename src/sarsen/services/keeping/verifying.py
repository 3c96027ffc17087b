"""Verify a whole server: replay every board, count everything again, look for damage.

It only reads, holds some boards in memory at a time, and may run beside the server: what
changes while it is read is read again before it is called different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from django.db import DatabaseError

from sarsen.core.errors import UserError
from sarsen.services.failures import damage
from sarsen.services.keeping import verifying_ratings, verifying_tables, verifying_totals
from sarsen.services.keeping.differences import Difference
from sarsen.services.keeping.verifying_boards import Boards
from sarsen.storage.models import Match, Player


@dataclass
class Report:
    """What was looked at.

    Attributes:
        other_rules: Boards that began under other rules than are installed.
        differences: How many were found.
    """

    boards: int = 0
    events: int = 0
    other_rules: int = 0
    players: int = 0
    differences: int = 0

    def as_dict(self) -> dict[str, int]:
        """Return what a program reads."""
        return dict(vars(self))


def count_boards() -> int | None:
    """Count the boards that will be replayed; None where they cannot be read."""
    try:
        return Match.objects.count()
    except DatabaseError as failed:
        if damage(failed) is None:
            raise
        return None


def verify(report: Report, seen: Callable[[], None]) -> Iterator[Difference]:
    """Yield every difference of the whole server.

    Args:
        report: Written as it goes on.
        seen: Called after every board.
    """
    for one in _all(report, seen):
        report.differences += 1
        yield one


def verify_board(board: int, report: Report) -> Iterator[Difference]:
    """Yield the differences of one board.

    Raises:
        UserError: There is no such board.
    """
    boards = Boards()
    for one in boards.differences(board):
        if one is not None:
            report.differences += 1
            yield one
    _note(report, boards)
    if not boards.checked:
        raise UserError(f"There is no board {board}.", code="unknown-board", hint="sarsen verify")


def _all(report: Report, seen: Callable[[], None]) -> Iterator[Difference]:
    yield from _readable("tables", verifying_tables.differences())
    yield from _readable("boards", _boards(report, seen))
    yield from _readable("totals", verifying_totals.differences())
    yield from _readable("ratings", verifying_ratings.differences())


def _readable(what: str, found: Iterator[Difference]) -> Iterator[Difference]:
    """Yield what was found, as far as a damaged file can be read, and that it ends there."""
    try:
        yield from found
    except DatabaseError as failed:
        if damage(failed) is None:
            raise
        yield Difference("the file", f"reading {what}", str(failed), "ok")


def _boards(report: Report, seen: Callable[[], None]) -> Iterator[Difference]:
    boards = Boards()
    for one in boards.differences():
        if one is not None:
            yield one
            continue
        _note(report, boards)
        seen()
    report.players = Player.objects.count()


def _note(report: Report, boards: Boards) -> None:
    report.boards, report.events = boards.checked, boards.events
    report.other_rules = boards.other_rules
