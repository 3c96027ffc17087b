"""`pg_dump` and `pg_restore`: found, and run without a password in sight."""

from __future__ import annotations

import os
import shutil
import subprocess
from pathlib import Path
from typing import Any

from sarsen.core.errors import UserError

_VARIABLES = {
    "HOST": "PGHOST",
    "PORT": "PGPORT",
    "USER": "PGUSER",
    "PASSWORD": "PGPASSWORD",
    "NAME": "PGDATABASE",
}
LONGEST_SAID = 300  # characters of what a program says when it fails


def dump(database: dict[str, Any], snapshot: str, target: Path) -> None:
    """Write what a snapshot of a database shows, and read the list of it.

    Args:
        database: As in Django's settings.

    Raises:
        UserError: `pg_dump` is not installed, or fails.
    """
    kept = ("--format=custom", "--no-owner", "--no-privileges", f"--snapshot={snapshot}")
    _run(database, "pg_dump", *kept, f"--file={target}")
    _run(database, "pg_restore", "--list", str(target))


def restore(database: dict[str, Any], source: Path) -> None:
    """Fill an empty database, in one transaction.

    Raises:
        UserError: `pg_restore` is not installed, or fails; then nothing is restored.
    """
    kept = ("--single-transaction", "--exit-on-error", "--no-owner", "--no-privileges")
    _run(database, "pg_restore", *kept, f"--dbname={database['NAME']}", str(source))


def _run(database: dict[str, Any], program: str, *words: str) -> None:
    found = shutil.which(program)
    if found is None:
        raise UserError(
            f"{program} is not installed here; backups of PostgreSQL are made with it.",
            code="no-pg-dump",
            hint="apt install postgresql-client, of the server's version or a later one",
        )
    # In the environment, where no list of processes shows a password.
    named = {to: str(database[name]) for name, to in _VARIABLES.items() if database.get(name)}
    options = database.get("OPTIONS", {})
    named |= {f"PG{name.upper()}": str(options[name]) for name in ("sslmode",) if name in options}
    done = subprocess.run(  # noqa: S603 (our own words)
        [found, *words], env=os.environ | named, capture_output=True, text=True, check=False
    )
    if done.returncode:
        said = " ".join(done.stderr.split())[:LONGEST_SAID]
        raise UserError(
            f"{program} failed: {said}",
            code="pg-dump-failed",
            hint=f"{program} of the database's own version or a later one; {program} --version",
        )
