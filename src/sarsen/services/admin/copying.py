"""Copy a server's whole database into another one, of the same kind or the other kind.

Rows go through Django's fields, which know how each kind of database writes JSON, times,
switches and octets. All rows are written in one transaction: the target has all or none.
"""

from __future__ import annotations

from collections.abc import Callable
from itertools import islice
from typing import Any

from django.apps import apps
from django.contrib.auth.models import Permission
from django.contrib.contenttypes.models import ContentType
from django.db import DatabaseError, OperationalError, connections, transaction
from django.db.models import AutoField, Model, sql

from sarsen.core.errors import UserError
from sarsen.storage import database_copies

SOURCE, TARGET = "default", "target"
MAX_VALUES = 900  # of one statement; SQLite of old took 999


def copy_all(on_table: Callable[[str, int], None] = lambda table, count: None) -> dict[str, int]:
    """Copy every row into the tables of the target; return the rows of each table.

    Args:
        on_table: Called after each table, with its name and the number of its rows.

    Raises:
        UserError: A row cannot be stored there, or the rows differ.
    """
    with transaction.atomic(SOURCE), transaction.atomic(TARGET):
        # With SQLite nobody writes to the source meanwhile.
        database_copies.begin_snapshot(SOURCE)
        # `migrate` makes them with numbers of its own.
        Permission.objects.using(TARGET).all().delete()
        ContentType.objects.using(TARGET).all().delete()
        copied: dict[str, int] = {}
        for model in _models():
            table = model._meta.db_table
            copied[table] = _copy(model)
            on_table(table, copied[table])
        for model in _models():
            _carry_sequence(model)
        _compare(copied)
    return copied


def is_in_use() -> bool:
    """Return whether another process has the source open, a database of PostgreSQL."""
    return database_copies.has_other_clients(SOURCE)


def _models() -> list[type[Model]]:
    models = apps.get_models(include_auto_created=True)
    return [model for model in models if model._meta.managed and not model._meta.proxy]


def require_empty() -> None:
    """Refuse a target with rows of anybody's; tables that an earlier try has made are empty.

    Raises:
        UserError: It is one, or it cannot be reached.
    """
    try:
        _require_empty()
    except OperationalError as error:
        raise UserError(
            f"The target database cannot be used: {' '.join(str(error).split())}",
            code="database-away",
            hint="Use the URL of a running PostgreSQL server, postgres://user@host/name, after "
            "createdb name.",
        ) from None


def _require_empty() -> None:
    tables = set(connections[TARGET].introspection.table_names())
    ours = {model._meta.db_table for model in _models()} | {"django_migrations"}
    full = [
        model._meta.db_table
        for model in apps.get_app_config("storage").get_models()
        if model._meta.db_table in tables and model._base_manager.using(TARGET).exists()
    ]
    if filled := sorted(tables - ours) + full:
        raise UserError(
            f"The target database is not empty: it contains {', '.join(filled[:3])}. Nothing was "
            "changed.",
            code="target-not-empty",
            hint="Run createdb sarsen-new and use that database, or use a new file.",
        )


def _copy(model: type[Model]) -> int:
    fields = [field for field in model._meta.concrete_fields if not field.generated]
    at_once = max(1, MAX_VALUES // len(fields))
    count = 0
    rows = model._base_manager.using(SOURCE).order_by("pk").iterator(chunk_size=at_once)
    while batch := list(islice(rows, at_once)):
        query = sql.InsertQuery(model)
        # As they are: a field that notes the time of its making must not do so again.
        query.insert_values(fields, batch, raw=True)
        try:
            query.get_compiler(using=TARGET).execute_sql()
        except (DatabaseError, ValueError) as error:
            first, last = batch[0].pk, batch[-1].pk
            raise UserError(
                f"{model._meta.db_table}, rows {first} to {last}, cannot be stored in the "
                f"target: {' '.join(str(error).split())}. Nothing was copied.",
                code="row-not-copied",
                hint="Find damaged rows of this database: sarsen verify",
            ) from error
        count += len(batch)
    return count


def _carry_sequence(model: type[Model]) -> None:
    """Continue numbers where the source stands: the number of a deleted row is never used again."""
    column = model._meta.auto_field
    if not isinstance(column, AutoField) or column.column is None:
        return
    table = model._meta.db_table
    last = database_copies.last_number(table, column.column, SOURCE)
    database_copies.set_last_number(table, column.column, last, TARGET)


def _compare(copied: dict[str, int]) -> None:
    """Count the rows of the target, and those of the source again.

    Raises:
        UserError: They differ; then nothing stays in the target.
    """
    for side in (SOURCE, TARGET):
        for table, rows in database_copies.count_rows(tuple(copied), side).items():
            if rows != copied[table]:
                raise UserError(
                    f"{table} has {rows:,} rows in the {side} database, but {copied[table]:,} were "
                    "copied. The target was left empty.",
                    code="rows-differ",
                    hint="Stop everything that writes to either database, then try again.",
                )


def connect_target(database: dict[str, Any]) -> None:
    """Make a database known as the target.

    Args:
        database: As in Django's settings.
    """
    blank: dict[str, Any] = {"USER": "", "PASSWORD": "", "HOST": "", "PORT": "", "OPTIONS": {}}
    connections.databases[TARGET] = connections.databases[SOURCE] | blank | database
