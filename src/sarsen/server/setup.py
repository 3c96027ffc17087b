"""Start Django in a process, once."""

import os
import secrets

import django

from sarsen.server.logs import set_up_logs


def set_up() -> None:
    """Name the settings, set the logs up and start Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sarsen.server.settings")
    set_up_logs()
    django.setup()


def set_up_privately() -> None:
    """Do the same for a command of the operator's: nobody else reads what it writes."""
    os.umask(0o077)  # the data folder holds mail and keys
    set_up()


def set_up_to_read() -> None:
    """Do the same for a command that leaves a server's folder as it is: it makes no key there."""
    from pathlib import Path

    if not (Path(os.environ.get("SARSEN_DATA", "") or "data") / "secret.key").exists():
        os.environ.setdefault("SARSEN_SECRET_KEY", secrets.token_urlsafe(48))
    set_up_privately()


def require_tables(*, takes_older: bool = False) -> None:
    """Refuse to go on where there is no server's data, or some of an earlier release.

    Args:
        takes_older: Data of an earlier release will do.

    Raises:
        UserError: It is so, or the database is away or damaged.
    """
    from django.conf import settings
    from django.db import DatabaseError, connection
    from django.db.migrations.executor import MigrationExecutor

    from sarsen.core.errors import UserError
    from sarsen.services.failures import damage

    try:
        names = connection.introspection.table_names()
        executor = MigrationExecutor(connection)
    except DatabaseError as failed:
        away = UserError(
            f"The database cannot be used: {str(failed).strip()}", code="database-away"
        )
        raise damage(failed) or away from None
    if "storage_match" not in names:
        raise UserError(
            f"There is no server's data in {settings.DATA}.",
            code="no-data",
            hint="SARSEN_DATA=FOLDER names it; `sarsen do export` asks the server logged in at.",
        )
    if not takes_older and executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise UserError(
            f"The data in {settings.DATA} is of another release.",
            code="old-data",
            hint="sarsen migrate",
        )
