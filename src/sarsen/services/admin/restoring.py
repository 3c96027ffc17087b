"""Put a backup back: look at it, unpack it beside the target, and take its place at once.

No Django yet: the settings of a server are read only when it is sure that there will be
one. What follows in the database is `after_restore`.
"""

from __future__ import annotations

import os
import pkgutil
import sqlite3
from contextlib import closing
from datetime import datetime
from pathlib import Path

from sarsen import __version__
from sarsen.core.errors import UserError
from sarsen.core.key_files import sync_folder
from sarsen.services.admin.archives import KEYS, Manifest
from sarsen.storage import migrations

_BESIDE = ("", "-wal", "-shm")  # the files of a database of SQLite


def check_release(manifest: Manifest) -> None:
    """Refuse a backup of a later release: its tables are not known here.

    Raises:
        UserError: It is one.
    """
    migration_names = {name for _, name, _ in pkgutil.iter_modules(migrations.__path__)}
    applied = [name for name in manifest.migrations if name.startswith("storage.")]
    later = [name for name in applied if name.removeprefix("storage.") not in migration_names]
    if later:
        raise UserError(
            f"The backup was made by sarsen {manifest.version}, whose tables ({later[-1]}) are "
            f"not known to {__version__}.",
            code="backup-newer",
            hint=f"Install sarsen {manifest.version} or later, then run the same command again.",
        )


def check_kind(manifest: Manifest, *, is_sqlite: bool) -> None:
    """Refuse a backup of another kind of database than the target.

    Raises:
        UserError: It is one.
    """
    if (manifest.database == "sqlite") == is_sqlite:
        return
    raise UserError(
        f"The backup contains a {manifest.database} database, but the target is a different one.",
        code="backup-other-database",
        hint="env -u DATABASE_URL sarsen restore FILE --data FOLDER"
        if manifest.database == "sqlite"
        else "Set DATABASE_URL=postgres://user@host/name to an empty PostgreSQL database, made "
        "with createdb name.",
    )


def check_target(database: Path, data: Path, *, force: bool) -> None:
    """Refuse a folder that has a server's data already, or where one runs.

    Raises:
        UserError: It is so; with `force`, only if a server runs there.
    """
    existing = [path.name for path in (database, *(data / name for name in KEYS)) if path.exists()]
    if existing and not force:
        raise UserError(
            f"{data} is not empty: it contains {', '.join(existing)}. Nothing was changed.",
            code="target-not-empty",
            hint="sarsen restore FILE --data NEW-FOLDER; or use --force to move the present "
            "content aside",
        )
    if database.exists() and is_in_use(database):
        raise UserError(
            f"A server is using {database}. Nothing was changed.",
            code="target-in-use",
            hint="Stop the server first: replacing the database of a running server would destroy "
            "it.",
        )


def take_place(draft: Path, database: tuple[Path, Path] | None, data: Path, now: datetime) -> Path:
    """Move what was restored to where the server looks; set aside what is there.

    Args:
        database: The restored file, and where it belongs; None where it is no file.

    Returns:
        The folder of what was set aside; it exists only if there was something.
    """
    aside = data / f"before-restore-{now:%Y%m%dT%H%M%SZ}"
    pairs = [(draft / name, data / name) for name in KEYS if (draft / name).exists()]
    pairs += [database] if database else []
    for source, target in pairs:
        for old in (target.with_name(target.name + end) for end in _BESIDE):
            if old.exists():
                aside.mkdir(mode=0o700, exist_ok=True)
                old.replace(aside / old.name)
        os.chmod(source, 0o600)
        source.replace(target)
    sync_folder(data)
    return aside


def fold_log(database: Path) -> None:
    """Bring everything of a database of SQLite into its one file."""
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
        connection.execute("PRAGMA journal_mode=DELETE")


def is_in_use(database: Path) -> bool:
    """Return whether another process has a database open.

    Only one that is alone leaves the log's mode; what the log holds is in the file then.
    """
    # Seconds: whoever has it open keeps it, so waiting would not help.
    with closing(sqlite3.connect(database, timeout=0.1)) as connection:
        try:
            (mode,) = connection.execute("PRAGMA journal_mode=DELETE").fetchone()
        except sqlite3.OperationalError:
            return True
        except sqlite3.DatabaseError:
            return False  # no database at all, or a damaged one: it is set aside
    return bool(mode != "delete")
