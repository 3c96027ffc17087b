"""Look for damage and for rows that belong to nothing."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from django.db import connection
from django.db.models import Exists, F, OuterRef

from sarsen.services.keeping.differences import Difference
from sarsen.storage.models import (
    Address,
    Challenge,
    Import,
    Match,
    OutgoingMail,
    Player,
    Review,
)

MOST_TOLD = 20  # rows of one kind


def differences() -> Iterator[Difference]:
    """Yield what is damaged, and what belongs to nothing."""
    yield from _damage()
    yield from _orphans()
    yield from _letters()


def _damage() -> Iterator[Difference]:
    """Ask the database about itself: PostgreSQL keeps its own promises, a file may rot."""
    if connection.vendor != "sqlite":
        yield from _unproved_constraints()
        return
    with connection.cursor() as cursor:
        cursor.execute(f"PRAGMA integrity_check({MOST_TOLD})")
        for (found,) in cursor.fetchall():
            if found != "ok":
                yield Difference("the file", "integrity", str(found), "ok")
        cursor.execute("PRAGMA foreign_key_check")
        for table, row, parent, _ in cursor.fetchmany(MOST_TOLD):
            yield Difference(f"{table} {row}", "belongs to", "no row", f"a row of {parent}")


def _unproved_constraints() -> Iterator[Difference]:
    with connection.cursor() as cursor:
        cursor.execute("SELECT conname FROM pg_constraint WHERE NOT convalidated")
        for (name,) in cursor.fetchmany(MOST_TOLD):
            yield Difference(f"constraint {name}", "proved", "no", "yes")


def _orphans() -> Iterator[Difference]:
    running = Match.objects.filter(ended_at=None)
    imported = Match.objects.filter(is_imported=True)
    no_record = imported.exclude(Exists(Import.objects.filter(match=OuterRef("pk"))))
    reviewed = Review.objects.filter(match__in=running)
    challenges = Challenge.objects.filter(state=Challenge.State.STARTED, match=None)
    left = Player.objects.exclude(left_at=None).filter(is_active=True)
    gone = Player.objects.filter(is_active=False, left_at=None, banned_at=None)
    addresses = Address.objects.exclude(player__left_at=None)
    yield from _told(no_record, "board", "record", "none", "what it was imported from")
    yield from _told(reviewed, "review", "of", "a running game", "a finished one")
    yield from _told(challenges, "challenge", "board", "none", "the one it started")
    yield from _told(left, "player", "state", "active", "left")
    yield from _told(gone, "player", "state", "not active", "left or barred")
    yield from _told(addresses, "address", "of", "who has left", "a player")


def _letters() -> Iterator[Difference]:
    """Yield letters that wait and can be for nobody, or are about a board that is not there."""
    waiting = OutgoingMail.objects.filter(state=OutgoingMail.State.WAITING)
    nobody = waiting.filter(player=None).exclude(event="")
    yield from _told(nobody, "letter", "player", "none", "whom it tells")
    yield from _told(waiting.filter(address=""), "letter", "address", "none", "where it goes")
    # Who has left gets what was queued before; nothing later.
    after = waiting.filter(player__left_at__lt=F("queued_at"))
    yield from _told(after, "letter", "player", "left before it was queued", "one who plays")


def _told(rows: Any, about: str, what: str, stored: str, found: str) -> Iterator[Difference]:
    for key in rows.order_by("pk").values_list("pk", flat=True)[:MOST_TOLD]:
        yield Difference(f"{about} {key}", what, stored, found)
