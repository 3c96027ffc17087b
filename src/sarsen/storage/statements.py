"""Plain SQL and the rows of models: read as Django reads them, written as Django writes them.

To make the SQL of a query takes Django ten to fifty times as long as SQLite takes to answer
it. What each move needs is therefore written in `move_path`, and executed here.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, date, datetime
from functools import cache
from string import Formatter
from typing import Any

from django.apps import apps
from django.db import DEFAULT_DB_ALIAS, connection, connections
from django.db.models import AutoField, Model

MAX_ROWS = 50  # that one statement inserts; more are rare, and Django's business
_SQLITE = "sqlite"
_UNLESS_KNOWN = " ON CONFLICT DO NOTHING"
_Field = Any  # a field of any kind; of no use with the two parameters of its class


def select(sql: str, *values: object, keys: Collection[object] = ()) -> list[tuple[Any, ...]]:
    """Execute a statement, and return its rows.

    In the statement `{Match}` stands for all columns of a model of ours, and its row has an
    instance in their place, or None where an outer join found none; models come first.
    `{MatchEvent.at}` stands for one column. `{keys}` stands for a place for each key.
    `{FOR …}` is left out where the database knows no locks of rows.

    Args:
        values: Numbers, texts and times for the places marked `%s`, which stand before the keys.
    """
    layout = _layout(sql)
    if not keys and "{keys}" in layout.sql:
        return []
    with _filled(layout, values, keys) as cursor:
        return [layout.read(row) for row in cursor.fetchall()]


def change(sql: str, *values: object, keys: Collection[object]) -> int:
    """Execute a statement that changes the rows of some keys; return how many it changed.

    The statement is written as for `select`; no signal is sent.
    """
    if not keys:
        return 0
    with _filled(_layout(sql), values, keys) as cursor:
        return int(cursor.rowcount)


def insert(rows: Sequence[Model], *, unless_known: bool = False) -> int:
    """Insert rows of one table; return how many. Unlike `save` it tells them no primary key.

    Args:
        unless_known: Leave out those whose like is stored already.
    """
    if not rows:
        return 0
    model = type(rows[0])
    if len(rows) > MAX_ROWS:
        return len(model._default_manager.bulk_create(rows, ignore_conflicts=unless_known))
    sql = _insert(model, len(rows)) + (_UNLESS_KNOWN if unless_known else "")
    database: Any = connections[DEFAULT_DB_ALIAS]
    with _executed(database, sql, _stored(rows, _inserted(model), database)) as cursor:
        return int(cursor.rowcount)


def update(row: Model, names: tuple[str, ...], *, by: str = "id") -> None:
    """Write some columns of a row that exists, found by the column `by`; no signal is sent."""
    model = type(row)
    database: Any = connections[DEFAULT_DB_ALIAS]
    values = _stored([row], _columns(model, (*names, by)), database)
    with _executed(database, _update(model, names, by), values):
        pass


@dataclass(frozen=True)
class _Instance:
    """Columns of a row that become an instance of a model."""

    model: type[Model]
    names: tuple[str, ...]
    span: slice
    key: int

    def read(self, values: list[Any]) -> Model | None:
        if values[self.key] is None:
            return None
        return self.model.from_db(DEFAULT_DB_ALIAS, self.names, values[self.span])


@dataclass(frozen=True)
class _Layout:
    """A statement for this database, and how its rows are read."""

    sql: str
    readers: tuple[tuple[int, Callable[[Any], Any]], ...]
    instances: tuple[_Instance, ...]
    first_plain: int  # the first column that belongs to no instance

    def read(self, row: Sequence[Any]) -> tuple[Any, ...]:
        values = list(row)
        for place, read in self.readers:
            if values[place] is not None:
                values[place] = read(values[place])
        if not self.instances:
            return tuple(values)
        return (
            *(instance.read(values) for instance in self.instances),
            *values[self.first_plain :],
        )


@cache
def _layout(sql: str) -> _Layout:
    quoted = connection.ops.quote_name
    text = ""
    fields: list[_Field] = []
    instances = []
    for literal, name, _, _ in Formatter().parse(sql):
        text += literal
        if name is None:
            continue
        if name == "keys":
            text += "{keys}"
        elif name.startswith("FOR "):
            # SQLite has no row locks, and needs none: one writes at a time.
            text += name if connection.features.has_select_for_update else ""
        else:
            model, _, column = name.partition(".")
            options = apps.get_model("storage", model)._meta
            selected: list[_Field] = [
                field for field in options.concrete_fields if column in ("", field.attname)
            ]
            if not column:
                span = slice(len(fields), len(fields) + len(selected))
                names = tuple(field.attname for field in selected)
                key = span.start + names.index(options.pk.attname)
                instances.append(_Instance(options.model, names, span, key))
            table = quoted(options.db_table)
            text += ", ".join(f"{table}.{quoted(field.column)}" for field in selected)
            fields += selected
    readers = ((place, _reader(field)) for place, field in enumerate(fields))
    return _Layout(
        text,
        tuple((place, read) for place, read in readers if read is not None),
        tuple(instances),
        instances[-1].span.stop if instances else 0,
    )


def _reader(field: _Field) -> Callable[[Any], Any] | None:
    """Return what makes a value of Python's of a column's; None when it is one already."""
    if connection.vendor == _SQLITE and field.get_internal_type() in _OF_SQLITE:
        return _OF_SQLITE[field.get_internal_type()]
    if hasattr(field, "from_db_value"):
        return lambda value: field.from_db_value(value, None, connection)
    return None


def _in_utc(stored: str) -> datetime:
    # As it was written: in UTC, which the text does not say.
    return datetime.fromisoformat(stored).replace(tzinfo=UTC)


def _in_text(at: datetime | None, _database: Any = None) -> str | None:
    return None if at is None else str(at.astimezone(UTC).replace(tzinfo=None))


# The driver is told to convert nothing; see the setting DATABASES.
_OF_SQLITE: dict[str, Callable[[Any], Any]] = {
    "BooleanField": bool,
    "DateField": date.fromisoformat,
    "DateTimeField": _in_utc,
}


def _adapted(value: object, database: Any) -> object:
    return _in_text(value) if isinstance(value, datetime) and database.vendor == _SQLITE else value


@dataclass(frozen=True)
class _Column:
    """A column and its attribute; `write` makes its value of ours, None where it is one already."""

    attname: str
    column: str
    write: Callable[[Any, Any], Any] | None


# SQLite stores their values as they are. To ask the field each time took as long as the insert.
_UNCHANGED = frozenset(
    {"BooleanField", "CharField", "FloatField", "ForeignKey", "PositiveSmallIntegerField"}
    | {"PositiveIntegerField", "TextField"}
)


def _column(field: _Field) -> _Column:
    write = field.get_db_prep_save
    if connection.vendor == _SQLITE:
        kind = field.get_internal_type()
        write = None if kind in _UNCHANGED else _in_text if kind == "DateTimeField" else write
    return _Column(field.attname, field.column, write)


def _stored(rows: Sequence[Model], columns: Sequence[_Column], database: Any) -> list[Any]:
    return [
        column.write(getattr(row, column.attname), database)
        if column.write
        else getattr(row, column.attname)
        for row in rows
        for column in columns
    ]


@cache
def _inserted(model: type[Model]) -> tuple[_Column, ...]:
    fields = model._meta.concrete_fields
    return tuple(_column(field) for field in fields if not isinstance(field, AutoField))


@cache
def _columns(model: type[Model], names: tuple[str, ...]) -> tuple[_Column, ...]:
    return tuple(_column(model._meta.get_field(name)) for name in names)


@cache
def _insert(model: type[Model], rows: int) -> str:
    quoted = connection.ops.quote_name
    names = [quoted(column.column) for column in _inserted(model)]
    places = f"({', '.join(['%s'] * len(names))})"
    into = f"INSERT INTO {quoted(model._meta.db_table)} ({', '.join(names)})"
    return f"{into} VALUES {', '.join([places] * rows)}"


@cache
def _update(model: type[Model], names: tuple[str, ...], by: str) -> str:
    quoted = connection.ops.quote_name
    *changed, key = (f"{quoted(column.column)} = %s" for column in _columns(model, (*names, by)))
    return f"UPDATE {quoted(model._meta.db_table)} SET {', '.join(changed)} WHERE {key}"  # noqa: S608


def _filled(layout: _Layout, values: Sequence[object], keys: Collection[object]) -> Any:
    """Return an open cursor that has executed a statement with its values and keys."""
    database: Any = connections[DEFAULT_DB_ALIAS]  # to look it up for each value takes long
    places = ", ".join(["%s"] * len(keys))
    parameters = [_adapted(value, database) for value in (*values, *keys)]
    return _executed(database, layout.sql.replace("{keys}", places), parameters)


def _executed(database: Any, sql: str, values: list[Any]) -> Any:
    """Return an open cursor that has executed a statement; `database` is the connection."""
    if database.vendor == _SQLITE:
        return closing(database.run(sql, values))
    cursor = database.cursor()
    cursor.execute(sql, values)
    return cursor
