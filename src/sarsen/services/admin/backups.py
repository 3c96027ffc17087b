"""Copy the whole database, consistent while the server runs, into one file that is verified."""

from __future__ import annotations

import os
import shutil
import sqlite3
import subprocess
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from django.apps import apps
from django.conf import settings
from django.db import DatabaseError, connection, transaction
from django.db.migrations.recorder import MigrationRecorder

from sarsen import __version__
from sarsen.core.errors import UserError
from sarsen.core.key_files import sync_folder
from sarsen.services.admin import archives
from sarsen.services.admin.archives import Manifest
from sarsen.services.admin.drafts import draft_in
from sarsen.storage import database_copies

PREFIX, SUFFIX = "sarsen-", "Z.tar.gz"


@dataclass(frozen=True)
class Backup:
    """A backup that was made.

    Attributes:
        lacks: Keys that were asked for, and stand in no file here.
        removed: Older ones in the same folder that were rotated out.
    """

    path: Path
    manifest: Manifest
    size: int
    lacks: tuple[str, ...]
    removed: tuple[Path, ...]


def back_up(target: Path, now: datetime, *, has_keys: bool, keep: int | None = None) -> Backup:
    """Write a backup of everything; nothing has its name before it was read again and is right.

    Args:
        target: A file, or a folder that gets a file named after the time.
        has_keys: The secret keys, too.
        keep: How many of the folder's backups stay; None for all.

    Raises:
        UserError: The target cannot be written, or the disk is full; or `pg_dump` fails.
    """
    is_folder = target.is_dir()
    path = target / _name(now) if is_folder else target
    with _draft(path) as draft:
        keys_here = [name for name in archives.KEYS if (settings.DATA / name).exists()]
        manifest = _copy_database(draft, now)
        for name in keys_here if has_keys else ():
            shutil.copyfile(settings.DATA / name, draft / name)
        files = {
            file.name: archives.digest(file)
            for file in (draft / manifest.database_file, *(draft / name for name in archives.KEYS))
            if file.exists()
        }
        manifest = Manifest(**(vars(manifest) | {"files": files}))
        archive = draft / path.name
        archives.write_archive(archive, manifest, draft)
        archives.check_archive(archive, archives.read_manifest(archive))
        size = archive.stat().st_size
        archive.replace(path)
        sync_folder(path.parent)
    lacks = tuple(name for name in archives.KEYS if has_keys and name not in keys_here)
    removed = _rotate(path.parent, keep) if is_folder and keep else ()
    return Backup(path, manifest, size, lacks, removed)


def rows_of(path: Path, tables: tuple[str, ...]) -> dict[str, int]:
    """Count the rows of tables in a file of SQLite."""
    with closing(sqlite3.connect(path)) as copy:
        return {
            name: copy.execute(f'SELECT count(*) FROM "{name}"').fetchone()[0]  # noqa: S608
            for name in tables
        }


def migrations_of(path: Path) -> tuple[str, ...]:
    """Return the migrations that are applied in a file of SQLite."""
    with closing(sqlite3.connect(path)) as copy:
        rows = copy.execute("SELECT app, name FROM django_migrations").fetchall()
    return tuple(sorted(f"{app}.{name}" for app, name in rows))


def _copy_database(draft: Path, now: datetime) -> Manifest:
    """Copy the database into the draft's folder, and tell what it holds."""
    expected = {model._meta.db_table for model in apps.get_app_config("storage").get_models()}
    # Before an upgrade some of them are still to come.
    tables = tuple(sorted(expected & set(connection.introspection.table_names())))
    kind = connection.vendor
    manifest = Manifest(__version__, now, kind, (), {}, {})
    copy = draft / manifest.database_file
    if kind == "sqlite":
        os.close(os.open(copy, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        _copy_file(Path(connection.settings_dict["NAME"]), copy)
        counts, migrations = rows_of(copy, tables), migrations_of(copy)
    else:
        with transaction.atomic():
            database_copies.begin_snapshot()
            snapshot = database_copies.export_snapshot()
            counts, migrations = database_copies.count_rows(tables), _migrations()
            dump(connection.settings_dict, snapshot, copy)
    return Manifest(__version__, now, kind, migrations, counts, {})


def _copy_file(source: Path, copy: Path) -> None:
    """Copy in one read transaction: writers go on, and nothing of what they do is seen."""
    # Seconds that it waits for a lock, as every connection of the server does.
    with closing(sqlite3.connect(source, timeout=30, isolation_level=None)) as database:
        database.execute("VACUUM INTO ?", [str(copy)])
    with closing(sqlite3.connect(copy)) as database:
        (result,) = database.execute("PRAGMA integrity_check(1)").fetchone()
    if result != "ok":
        raise UserError(
            f"The database is damaged, so a backup of it would be, too: {result}",
            code="database-damaged",
            hint="sarsen verify",
        )


def _migrations() -> tuple[str, ...]:
    applied = MigrationRecorder(connection).applied_migrations()
    return tuple(sorted(f"{app}.{name}" for app, name in applied))


@contextmanager
def _draft(path: Path) -> Iterator[Path]:
    """Yield a folder beside the target, which is gone in the end; say what the disk refuses."""
    try:
        with draft_in(path.parent) as folder:
            yield folder
    except (OSError, sqlite3.Error) as error:
        raise _write_error(path, error) from None
    except DatabaseError as error:
        # Django's word for what SQLite says: a full disk, or one that fails.
        if isinstance(error.__cause__, sqlite3.Error):
            raise _write_error(path, error) from None
        raise


def _write_error(path: Path, error: BaseException) -> UserError:
    reason = getattr(error, "strerror", None) or str(error)
    return UserError(
        f"The backup {path} cannot be written: {reason}. No partial file is left.",
        code="backup-not-written",
        hint="There must be space for two copies of the database: sarsen backup /elsewhere/",
    )


def _name(now: datetime) -> str:
    return f"{PREFIX}{now.astimezone(UTC):%Y%m%dT%H%M%S}{SUFFIX}"


def _rotate(folder: Path, keep: int) -> tuple[Path, ...]:
    """Remove all but the newest; only files that are named like ours."""
    ours = sorted(folder.glob(f"{PREFIX}[0-9]*T[0-9]*{SUFFIX}"))
    old = ours[:-keep]
    for path in old:
        path.unlink()
    return tuple(old)


_VARIABLES = {
    "HOST": "PGHOST",
    "PORT": "PGPORT",
    "USER": "PGUSER",
    "PASSWORD": "PGPASSWORD",
    "NAME": "PGDATABASE",
}
MAX_SAID_LENGTH = 300  # characters of what a program says when it fails


def dump(database: dict[str, Any], snapshot: str, target: Path) -> None:
    """Write what a snapshot of a database shows, and read the list of it.

    Args:
        database: As in Django's settings.

    Raises:
        UserError: `pg_dump` is not installed, or fails.
    """
    options = ("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}")
    _run(database, "pg_dump", *options, f"--file={target}")
    _run(database, "pg_restore", "--list", str(target))


def restore(database: dict[str, Any], source: Path) -> None:
    """Fill an empty database, in one transaction.

    Raises:
        UserError: `pg_restore` is not installed, or fails; then nothing is restored.
    """
    options = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
    _run(database, "pg_restore", *options, f"--dbname={database['NAME']}", str(source))


def _run(database: dict[str, Any], program: str, *words: str) -> None:
    executable = shutil.which(program)
    if executable is None:
        raise UserError(
            f"{program} is not installed; it is needed for backups of PostgreSQL.",
            code="no-pg-dump",
            hint="Install postgresql-client, in the version of the server or a later one.",
        )
    # In the environment, where no list of processes shows a password.
    environment = {to: str(database[name]) for name, to in _VARIABLES.items() if database.get(name)}
    options = database.get("OPTIONS", {})
    environment |= {
        f"PG{name.upper()}": str(options[name]) for name in ("sslmode",) if name in options
    }
    process = subprocess.run(  # noqa: S603 (our own words)
        [executable, *words],
        env=os.environ | environment,
        capture_output=True,
        text=True,
        check=False,
    )
    if process.returncode:
        message = " ".join(process.stderr.split())[:MAX_SAID_LENGTH]
        raise UserError(
            f"{program} failed: {message}",
            code="pg-dump-failed",
            hint=f"Use {program} in the version of the database or a later one; check it with "
            f"{program} --version.",
        )
