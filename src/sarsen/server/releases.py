"""A process works on the tables of its own release, or not at all: never half."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path

from sarsen.core.errors import UserError

# What databases say of a change that was made already, or of one that is missing.
_HALF = re.compile(
    r"already exists|duplicate column|no such (table|column|index)|does not exist|no column named",
    re.IGNORECASE,
)
# Read from the folder: to make Django's plan takes each process a tenth of a second.
_MIGRATIONS = Path(__file__).parents[1] / "storage" / "migrations"


def require_own_tables() -> None:
    """Refuse to start on a database that an older or a newer release has left.

    One that is out of reach now is no reason: every door says so to anyone who asks.

    Raises:
        UserError: It is so.
    """
    applied = _applied()
    if applied is None:
        return
    if newer := applied - _own():
        raise _newer(max(newer))
    if older := _own() - applied:
        raise UserError(
            f"The database belongs to an older release than this program: it lacks {min(older)}. "
            "Nothing was changed.",
            code="older-data",
            hint="sarsen migrate   (`sarsen serve` does it automatically)",
        )


def require_no_newer_tables(applied: set[str] | None = None) -> None:
    """Refuse to bring up to date what a newer release has brought further.

    Args:
        applied: The migrations of our tables that were applied, where they are known.

    Raises:
        UserError: It is so.
    """
    if newer := _single(applied or _applied() or set()) - _own():
        raise _newer(max(newer))


def is_new() -> bool:
    """Return whether the database has no tables of ours yet; one out of reach may have some."""
    return _applied() == set()


def bring_up_to_date() -> None:
    """Apply the migrations that are missing.

    Raises:
        UserError: One was left half way through; its hint is the way back.
    """
    from django.core.management import call_command
    from django.db import DatabaseError

    try:
        call_command("migrate", interactive=False, verbosity=0)
    except DatabaseError as failed:
        raise half_migrated(failed) or failed from None


def half_migrated(failed: Exception) -> UserError | None:
    """Return the words for tables or columns that an upgrade left undone; None for other errors."""
    if not _HALF.search(str(failed)):
        return None
    missing = sorted(_own() - (_applied() or set()))
    return UserError(
        f"The database was left halfway through {missing[0] if missing else 'an upgrade'}: "
        f"{' '.join(str(failed).split())}.",
        code="half-migrated",
        hint="Stop the server and put back the backup from before the upgrade: "
        "sarsen restore BACKUP --force --data FOLDER",
    )


def _newer(name: str) -> UserError:
    return UserError(
        f"The database belongs to a newer release than this program: it contains {name}, which "
        "this release does not know. Nothing was changed.",
        code="newer-data",
        hint="Install the newer release here, or `sarsen restore` a backup from before the "
        "upgrade.",
    )


def _own() -> set[str]:
    return _single(path.stem for path in _MIGRATIONS.glob("[0-9]*.py"))


def _applied() -> set[str] | None:
    """Return the migrations of our tables that were applied; None while the database is away."""
    from django.db import DatabaseError, connection
    from django.db.migrations.recorder import MigrationRecorder

    try:
        applied = MigrationRecorder(connection).applied_migrations()
    except DatabaseError:
        return None
    finally:
        if not connection.in_atomic_block:
            connection.close()  # processes that are forked later share none
    return _single(name for app, name in applied if app == "storage")


def _single(names: Iterable[str]) -> set[str]:
    """Return the names without those of migrations that stand for others.

    Each release may have another one, for empty databases alone; Django notes the others with it.
    """
    return {name for name in names if "_squashed_" not in name}
