"""Verify a whole server: replay every board, count everything again, look for damage.

It only reads, holds some boards in memory at a time, and may run beside the server: what
changes while it is read is read again before it is called different.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from django.db import DatabaseError, connection
from django.db.models import Exists, F, OuterRef

from sarsen.core.errors import UserError
from sarsen.services.admin import verify_contests, verify_totals
from sarsen.services.admin.verify_boards import Boards, VerifyReport
from sarsen.services.admin.verify_totals import Difference
from sarsen.services.store_failures import damage_refusal
from sarsen.storage import database_copies
from sarsen.storage.models import Address, Challenge, Import, Match, OutgoingMail, Player, Review


def count_boards() -> int | None:
    """Count the boards that will be replayed; None where they cannot be read."""
    try:
        return Match.objects.count()
    except DatabaseError as error:
        if damage_refusal(error) is None:
            raise
        return None


def verify(report: VerifyReport, seen: Callable[[], None]) -> Iterator[Difference]:
    """Yield every difference of the whole server.

    Args:
        report: Written as it goes on.
        seen: Called after every board.
    """
    for difference in _all(report, seen):
        report.differences += 1
        yield difference


def verify_board(board: int, report: VerifyReport) -> Iterator[Difference]:
    """Yield the differences of one board.

    Raises:
        UserError: There is no such board.
    """
    for difference in Boards(report).differences(board):
        report.differences += 1
        yield difference
    if not report.boards:
        raise UserError(f"There is no board {board}.", code="unknown-board", hint="sarsen verify")


def _all(report: VerifyReport, seen: Callable[[], None]) -> Iterator[Difference]:
    yield from _readable("tables", differences())
    yield from _readable("boards", _boards(report, seen))
    yield from _readable("contests", _contests(report))
    yield from _readable("totals", verify_totals.total_differences())
    yield from _readable("ratings", verify_totals.rating_differences())


def _readable(what: str, differences_found: Iterator[Difference]) -> Iterator[Difference]:
    """Yield what was found, as far as a damaged file can be read, and that it ends there."""
    try:
        yield from differences_found
    except DatabaseError as error:
        if damage_refusal(error) is None:
            raise
        yield Difference("the file", f"reading {what}", str(error), "ok")


def _boards(report: VerifyReport, seen: Callable[[], None]) -> Iterator[Difference]:
    yield from Boards(report, seen).differences()
    report.players = Player.objects.count()


def _contests(report: VerifyReport) -> Iterator[Difference]:
    def seen(events: int) -> None:
        report.contests += 1
        report.contest_events += events

    yield from verify_contests.contest_differences(seen)


MAX_LISTED = 20  # rows of one kind: a damaged table may have them all wrong


def differences() -> Iterator[Difference]:
    """Yield what is damaged, and what belongs to nothing."""
    yield from _damage()
    yield from _orphans()
    yield from _letters()


def _damage() -> Iterator[Difference]:
    """Check the integrity of the database: PostgreSQL keeps its constraints, a file may rot."""
    if connection.vendor != "sqlite":
        for name in database_copies.unproved_constraints(MAX_LISTED):
            yield Difference(f"constraint {name}", "proved", "no", "yes")
        return
    for fault in database_copies.integrity_faults(MAX_LISTED):
        yield Difference("the file", "integrity", fault, "ok")
    for table, row, parent, _ in database_copies.rows_without_parent(MAX_LISTED):
        yield Difference(f"{table} {row}", "belongs to", "no row", f"a row of {parent}")


def _orphans() -> Iterator[Difference]:
    running = Match.objects.filter(ended_at=None)
    imported = Match.objects.filter(is_imported=True)
    no_record = imported.exclude(Exists(Import.objects.filter(match=OuterRef("pk"))))
    reviewed = Review.objects.filter(match__in=running)
    challenges = Challenge.objects.filter(state=Challenge.State.STARTED, match=None)
    active_after_leaving = Player.objects.exclude(left_at=None).filter(is_active=True)
    inactive = Player.objects.filter(is_active=False, left_at=None, banned_at=None)
    addresses = Address.objects.exclude(player__left_at=None)
    yield from _listed(no_record, "board", "record", "none", "what it was imported from")
    yield from _listed(reviewed, "review", "of", "a running game", "a finished one")
    yield from _listed(challenges, "challenge", "board", "none", "the one it started")
    yield from _listed(active_after_leaving, "player", "state", "active", "left")
    yield from _listed(inactive, "player", "state", "not active", "left or barred")
    yield from _listed(addresses, "address", "of", "who has left", "a player")


def _letters() -> Iterator[Difference]:
    """Yield letters that wait and can be for nobody, or are about a board that is not there."""
    waiting = OutgoingMail.objects.filter(state=OutgoingMail.State.WAITING)
    nobody = waiting.filter(player=None).exclude(event="")
    yield from _listed(nobody, "letter", "player", "none", "whom it tells")
    yield from _listed(waiting.filter(address=""), "letter", "address", "none", "where it goes")
    # Players who have left get what was queued before; nothing later.
    queued_later = waiting.filter(player__left_at__lt=F("queued_at"))
    yield from _listed(
        queued_later, "letter", "player", "left before it was queued", "one who plays"
    )


def _listed(rows: Any, about: str, what: str, stored: str, found: str) -> Iterator[Difference]:
    for key in rows.order_by("pk").values_list("pk", flat=True)[:MAX_LISTED]:
        yield Difference(f"{about} {key}", what, stored, found)
