"""Start Django in a process, once."""

from __future__ import annotations

import gc
import logging
import os
import secrets
import sys
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

import django
import structlog

from sarsen.client.data_folder import data_folder
from sarsen.server import environment

if TYPE_CHECKING:
    from sarsen.core.errors import UserError


def set_up() -> None:
    """Choose the settings, configure logging and start Django."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "sarsen.server.settings")
    set_up_logs()
    django.setup()


def set_up_privately() -> None:
    """Do the same for a command of the operator's: nobody else reads what it writes."""
    os.umask(0o077)  # the data folder holds mail and keys
    set_up()


def set_up_to_read() -> None:
    """Do the same for a command that leaves a server's folder as it is: it makes no key there."""
    if not (data_folder(os.environ) / "secret.key").exists():
        os.environ.setdefault("SARSEN_SECRET_KEY", secrets.token_urlsafe(48))
    set_up_privately()


def open_stored_data(folder: Path | None = None, *, takes_older: bool = False) -> None:
    """Set up to read, and refuse to go on where there is no data of this release.

    Args:
        folder: Of the server; None for that of SARSEN_DATA.
        takes_older: Data of an earlier release will do.

    Raises:
        UserError: As `require_tables` says.
    """
    if folder is not None:
        os.environ["SARSEN_DATA"] = str(folder.absolute())
    set_up_to_read()
    require_tables(takes_older=takes_older)


def require_data(hint: str) -> None:
    """Refuse to make the files of a server for a command that only talks to one.

    Args:
        hint: A line for those who mean another server.

    Raises:
        UserError: There is none in the folder.
    """
    if os.environ.get("DATABASE_URL") or (data_folder(os.environ) / "sarsen.sqlite3").exists():
        return
    set_up_to_read()
    if is_file_missing():
        raise _no_data(hint)


def set_up_to_look() -> None:
    """Do the same for a command that makes no file, not even beside the database."""
    set_up_to_read()
    from django.db import connection

    if connection.vendor != "sqlite":
        return
    path = Path(connection.settings_dict["NAME"])
    # A log beside it: a server has it open, or was killed. Without one nobody writes, and
    # SQLite makes no files of its own there.
    has_log = path.with_name(f"{path.name}-wal").exists()
    options = connection.settings_dict["OPTIONS"]
    pragmas = options["init_command"].split(";")
    connection.settings_dict = connection.settings_dict | {
        "NAME": f"file:{quote(str(path))}?mode=ro" + ("" if has_log else "&immutable=1"),
        "OPTIONS": options
        | {"init_command": ";".join(pragma for pragma in pragmas if "journal" not in pragma)},
    }


def require_tables(*, takes_older: bool = False) -> None:
    """Refuse to go on where there is no server's data, or some of another release.

    Args:
        takes_older: Data of an earlier release will do.

    Raises:
        UserError: It is so, or the database is away or damaged.
    """
    from django.conf import settings
    from django.db import DatabaseError, connection
    from django.db.migrations.executor import MigrationExecutor

    from sarsen.core.errors import UserError
    from sarsen.server.releases import require_no_newer_tables
    from sarsen.services.store_failures import damage_refusal

    if is_file_missing():
        raise _no_data()
    try:
        names = connection.introspection.table_names()
        executor = MigrationExecutor(connection)
    except DatabaseError as failed:
        away = UserError(
            f"The database cannot be used: {str(failed).strip()}", code="database-away"
        )
        raise damage_refusal(failed) or away from None
    if "storage_match" not in names:
        raise _no_data()
    applied = executor.loader.applied_migrations
    require_no_newer_tables({name for app, name in applied if app == "storage"})
    if not takes_older and executor.migration_plan(executor.loader.graph.leaf_nodes()):
        raise UserError(
            f"The data in {settings.DATA} belongs to an older release.",
            code="old-data",
            hint="sarsen migrate",
        )


def is_file_missing() -> bool:
    """Return whether there is no file of the database; to connect would make an empty one."""
    from django.conf import settings
    from django.db import connection

    is_in_memory = "mode=memory" in str(connection.settings_dict["NAME"])
    is_file = connection.vendor == "sqlite" and not is_in_memory
    return is_file and not Path(settings.DATABASES["default"]["NAME"]).exists()


def _no_data(
    hint: str = "Name its folder by SARSEN_DATA=FOLDER, or start one here: sarsen serve",
) -> UserError:
    from django.conf import settings

    from sarsen.core.errors import UserError

    return UserError(
        f"There is no server data in {settings.DATA}.",
        code="no-data",
        hint=hint,
    )


def set_up_logs() -> None:
    """Send structlog and the standard library's loggers through one formatter."""
    shared: list[structlog.typing.Processor] = [
        structlog.contextvars.merge_contextvars,
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
        _name_store_failure,
    ]
    last: structlog.typing.Processor = (
        structlog.dev.ConsoleRenderer(exception_formatter=structlog.dev.plain_traceback)
        if sys.stderr.isatty()
        else structlog.processors.JSONRenderer()
    )
    # The list is changed, not replaced: a logger keeps the one of its first use.
    processors = structlog.get_config()["processors"]
    processors[:] = [
        *shared,
        structlog.processors.format_exc_info,
        structlog.stdlib.ProcessorFormatter.wrap_for_formatter,
    ]
    structlog.configure(
        processors=processors,
        logger_factory=structlog.stdlib.LoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*shared, structlog.processors.format_exc_info],
            processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
        )
    )
    handler.addFilter(_drop_traceback)
    root = logging.getLogger()
    root.handlers = [handler]
    root.setLevel(environment.log_level())
    # A path that is not found may be a signed one: its token stays out of the log.
    for speaks_of_paths in ("django.request", "django.security.csrf"):
        logging.getLogger(speaks_of_paths).setLevel(logging.ERROR)
    for noisy in ("django_tasks", "mail.log", "fido2", "flufl.bounce"):
        logging.getLogger(noisy).setLevel(logging.WARNING)
    # Its only warnings are about each stop of a worker.
    logging.getLogger("django_tasks_db").setLevel(logging.ERROR)


def _name_store_failure(
    logger: object, method: str, event: structlog.typing.EventDict
) -> structlog.typing.EventDict:
    """Replace the traceback of a store that is away, full or busy by its own words.

    Where the code stood says nothing then, and every part of the server says it again and again.
    """
    exc_info = event.get("exc_info")
    error = (
        exc_info[1]
        if isinstance(exc_info, tuple)
        else sys.exc_info()[1]
        if exc_info is True
        else exc_info
    )
    if isinstance(error, Exception) and "django.db" in sys.modules:
        from sarsen.services.store_failures import store_failure

        if failure := store_failure(error):
            del event["exc_info"]
            event["reason"] = failure
    return event


def _drop_traceback(record: logging.LogRecord) -> bool:
    """Make a line of what is wrong with a request alone: anybody can send a thousand of them."""
    if record.name.startswith("django.security."):
        record.exc_info = None
        record.levelno, record.levelname = logging.WARNING, "WARNING"
    return True


# Objects made before a look at the new ones, and looks before one at older ones. With Python's
# own (700, 10, 10) such looks, with all of Django in memory, took a fifth of a move by mail.
# Little of ours refers to itself; what does stays for some moves longer.
THRESHOLDS = (10_000, 20, 100)


def collect_rarely() -> None:
    """Look less often, and never again at what was loaded by now, which stays for good."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(*THRESHOLDS)
