"""Statements whose SQL is made once, and not at every use: for what each move needs.

To make the SQL of a query takes Django ten to fifty times as long as SQLite takes to answer
it. What is written here is an ordinary query set with `Given("name")` where values come in;
it is compiled at its first use, with all of Django's conversions, and then only executed.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import closing
from datetime import datetime
from functools import cache, partial, reduce
from operator import or_
from typing import Any, Generic, TypeVar

from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models import Expression, Model, Q, QuerySet
from django.db.models.query import ModelIterable

from sarsen.storage import move_path_rows

Row = TypeVar("Row")
MOST_ROWS = 50  # that one kept statement inserts; more are rare, and Django's business


class Given(Expression):
    """Stand for a value that is given when a kept query is asked."""

    def __init__(self, name: str) -> None:
        super().__init__()
        self.name = name

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, tuple[Any, ...]]:
        """Return a place for a parameter, and itself as the parameter."""
        return "%s", (self,)


class KeptQuery(Generic[Row]):
    """A query that is compiled once.

    Gives instances, with what `select_related` and `annotate` add to them, or the tuples
    of `values_list`. Numbers, texts and times may be given.
    """

    def __init__(self, make: Callable[[], QuerySet[Any, Row]]) -> None:
        self._make = make
        self._compiled: dict[str, _Compiled] = {}

    def all(self, **given: object) -> list[Row]:
        """Return all rows."""
        compiled = self._compiled.get(connection.vendor)
        if compiled is None:
            compiled = self._compiled[connection.vendor] = _Compiled(self._make())
        return list(compiled.rows(given))

    def first(self, **given: object) -> Row | None:
        """Return the first row, or None; the query itself asks for no more than it needs."""
        return next(iter(self.all(**given)), None)


class _Compiled:
    """The SQL of a query on one kind of database, and how its rows are read."""

    def __init__(self, asked: QuerySet[Any, Any]) -> None:
        compiler: Any = asked.query.get_compiler(using=asked.db)
        self.sql, self.parameters = compiler.as_sql()
        found = [one[0] for one in compiler.select[: compiler.col_count or None]]
        self.readers = [
            (place, move_path_rows.reader(column, converters, connection.vendor))
            for place, (converters, column) in compiler.get_converters(found).items()
        ]
        is_of_model = asked._iterable_class is ModelIterable
        self.make: Callable[[list[Any]], Any] = (
            move_path_rows.maker(compiler) if is_of_model else tuple
        )

    def rows(self, given: dict[str, object]) -> Iterator[Any]:
        values = [
            _adapted(given[one.name]) if isinstance(one, Given) else one for one in self.parameters
        ]
        here: Any = connections[DEFAULT_DB_ALIAS]  # to look it up for each value takes long
        with executed(here, self.sql, values) as cursor:
            found = cursor.fetchall()
        for row in found:
            values = list(row)
            for place, read in self.readers:
                if values[place] is not None:
                    values[place] = read(values[place], here)
            yield self.make(values)


def insert(rows: Sequence[Model], *, unless_known: bool = False) -> int:
    """Insert rows of one table; return how many. Unlike `save` it tells them no primary key.

    Args:
        unless_known: Leave out those whose like is stored already.
    """
    if not rows:
        return 0
    model = type(rows[0])
    if len(rows) > MOST_ROWS:
        return len(model._default_manager.bulk_create(rows, ignore_conflicts=unless_known))
    key = (model, len(rows))
    if key not in _inserts:
        _inserts[key] = _insert_of(model, len(rows))
    here: Any = connections[DEFAULT_DB_ALIAS]
    written = _columns(model)
    values = [write(getattr(row, name), here) for row in rows for name, write in written]
    with executed(here, _inserts[key] + (_UNLESS_KNOWN if unless_known else ""), values) as cursor:
        return int(cursor.rowcount)


def update(row: Model, names: tuple[str, ...], *, by: str = "") -> None:
    """Write some columns of a row that exists; no signal is sent.

    Args:
        by: The column that says which row it is; "" for the primary key.
    """
    model = type(row)
    key = (model, names, by)
    if key not in _updates:
        _updates[key] = _update_of(model, names, by)
    sql, written = _updates[key]
    here: Any = connections[DEFAULT_DB_ALIAS]
    with executed(here, sql, [write(getattr(row, name), here) for name, write in written]):
        pass


def executed(here: Any, sql: str, values: list[Any]) -> Any:
    """Return an open cursor that has executed a statement; `here` is the connection."""
    if here.vendor == move_path_rows.SQLITE and not here.is_watched:
        return closing(here.run(sql, values))
    cursor = here.cursor()
    cursor.execute(sql, values)
    return cursor


_UNLESS_KNOWN = " ON CONFLICT DO NOTHING"
_Written = list[tuple[str, move_path_rows.Convert]]  # attributes, and how each is written
_inserts: dict[tuple[type[Model], int], str] = {}
_updates: dict[tuple[type[Model], tuple[str, ...], str], tuple[str, _Written]] = {}


@cache
def _columns(model: type[Model]) -> _Written:
    return _writers(_inserted(model))


def _inserted(model: type[Model]) -> list[move_path_rows.Field]:
    return [one for one in model._meta.concrete_fields if not isinstance(one, models.AutoField)]


def _writers(fields: Sequence[move_path_rows.Field]) -> _Written:
    return [(one.attname, move_path_rows.writer(one, connection.vendor)) for one in fields]


def _insert_of(model: type[Model], rows: int) -> str:
    quoted = connection.ops.quote_name
    names = [quoted(one.column) for one in _inserted(model)]
    places = f"({', '.join(['%s'] * len(names))})"
    into = f"INSERT INTO {quoted(model._meta.db_table)} ({', '.join(names)})"
    return f"{into} VALUES {', '.join([places] * rows)}"


def _update_of(model: type[Model], names: tuple[str, ...], by: str) -> tuple[str, _Written]:
    quoted = connection.ops.quote_name
    found: list[move_path_rows.Field] = [
        model._meta.get_field(name) for name in (*names, by or "id")
    ]
    *fields, key = found
    changed = ", ".join(f"{quoted(one.column)} = %s" for one in fields)
    sql = f"UPDATE {quoted(model._meta.db_table)} SET {changed} WHERE {quoted(key.column)} = %s"  # noqa: S608
    return sql, _writers(found)


def _adapted(value: object) -> object:
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    return value


SIZES = (1, 4, 16, 64)  # keys that one statement asks for; a statement is kept for each number


class KeptForSeveral(Generic[Row]):
    """A query whose statements are made once, for the rows that have one of some keys.

    Args:
        name: The column of the keys, as `filter` names it.
        make: Gives the query for a condition.
    """

    def __init__(self, name: str, make: Callable[[Q], QuerySet[Any, Row]]) -> None:
        def made(size: int) -> QuerySet[Any, Row]:
            # Not `__in`: that wants the keys themselves. To the database it is the same.
            return make(reduce(or_, (Q(**{name: Given(f"key{at}")}) for at in range(size))))

        self._queries = {size: KeptQuery(partial(made, size)) for size in SIZES}

    def all(self, keys: Iterable[object]) -> list[Row]:
        """Return the rows, in the order of the query as long as the largest statement holds all."""
        wanted = list(dict.fromkeys(keys))
        found: list[Row] = []
        for first in range(0, len(wanted), SIZES[-1]):
            some = wanted[first : first + SIZES[-1]]
            size = next(size for size in SIZES if size >= len(some))
            filled = [*some, *[some[0]] * (size - len(some))]
            given = {f"key{at}": key for at, key in enumerate(filled)}
            found += self._queries[size].all(**given)
        return found
