"""`sarsen copy-database`: from SQLite to PostgreSQL, and back."""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.parse import quote

import click

from sarsen.core.errors import UserError


@click.command("copy-database")
@click.argument("target")
@click.option(
    "--data",
    type=click.Path(path_type=Path, file_okay=False),
    help="Data folder of the server.  [default: SARSEN_DATA]",
)
def copy_database_command(target: str, data: Path | None) -> None:
    """Copy this server's database into an empty one: postgres://… or sqlite:////path/of/file.

    The source is the database of SARSEN_DATA, or DATABASE_URL, and is not changed. Stop the server
    first. All rows are copied and counted in one transaction; then every board of the copy is
    replayed. Afterwards, set DATABASE_URL to the new database and start the server; the keys stay
    in the data folder.

    Other users of the machine can read command lines. With - as TARGET, the URL with its password
    is read from standard input.
    """
    if target == "-":
        target = sys.stdin.readline().strip()
    from sarsen.server import environment
    from sarsen.server.setup import open_stored_data

    database = environment.database_at(target, "TARGET")
    open_stored_data(data)
    _require_alone()
    if database["ENGINE"] != environment.SQLITE:
        _copy(database, target)
    else:
        _copy_to_file(database, Path(database["NAME"]).absolute())
    click.echo(f"Next: set DATABASE_URL={_without_password(target)}, then start the server.")


def _require_alone() -> None:
    """Refuse while a server uses the source: what it writes afterwards would be missing."""
    from django.conf import settings
    from django.db import connection

    from sarsen.services.admin import copying, restoring

    if connection.vendor == "postgresql":
        is_used = copying.is_in_use()
    else:
        connection.close()
        is_used = restoring.is_in_use(Path(settings.DATABASES["default"]["NAME"]))
    if is_used:
        raise UserError(
            "A server is using the database. Nothing was copied.",
            code="source-in-use",
            hint="Stop the server (systemctl stop sarsen), then run the same command again.",
        )


def _copy_to_file(database: dict[str, object], path: Path) -> None:
    """Copy into a file that gets its name when it is whole."""
    from sarsen.services.admin.restoring import fold_log

    if path.exists():
        raise UserError(
            f"{path} already exists. Nothing was changed.",
            code="target-not-empty",
            hint="sarsen copy-database sqlite:////path/of/a/new/file",
        )
    with tempfile.TemporaryDirectory(prefix=".copy-", dir=path.parent) as folder:
        draft = Path(folder) / path.name
        _copy(database | {"NAME": str(draft)}, f"sqlite:///{quote(str(draft))}")
        fold_log(draft)
        draft.replace(path)


def _copy(database: dict[str, object], url: str) -> None:
    from django.db import connections

    from sarsen.server.settings import with_options
    from sarsen.services.admin import copying

    copying.connect_target(with_options(dict(database)))
    copying.require_empty()
    connections["target"].close()
    click.echo("sarsen: making the tables of the copy", err=True)
    if _run(url, "django", "migrate", "--verbosity=0"):
        raise UserError(
            "The tables of the copy could not be created; see the lines above.",
            code="copy-without-tables",
            hint="The database user must be allowed to create tables.",
        )
    rows = copying.copy_all(_tell_rows)
    connections.close_all()
    click.echo(f"Copied and counted {sum(rows.values()):,} rows of {len(rows)} tables.")
    click.echo("sarsen: replaying every board of the copy", err=True)
    if _run(url, "sarsen", "verify"):
        raise UserError(
            "The copy is inconsistent; see the lines above.",
            code="copy-differs",
            hint="Check the original, too: sarsen verify",
        )


def _tell_rows(table: str, count: int) -> None:
    if count:
        click.echo(f"sarsen: {table}: {count:,} {'row' if count == 1 else 'rows'}", err=True)


def _run(url: str, *words: str) -> int:
    """Run a module in another process, whose own database is the copy; return its status."""
    variables = {"DATABASE_URL": url, "DJANGO_SETTINGS_MODULE": "sarsen.server.settings"}
    process = subprocess.run(  # noqa: S603 (our own words)
        [sys.executable, "-m", *words], env=os.environ | variables, check=False
    )
    return process.returncode


def _without_password(url: str) -> str:
    scheme, separator, location = url.partition("://")
    login, at, place = location.rpartition("@")
    return f"{scheme}{separator}{login.partition(':')[0]}{at}{place}"
