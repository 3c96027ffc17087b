"""How a column's values are read and written: Django's own ways, found once for each column.

What Django does with a value it decides anew at every value, and to most values it does
nothing. For SQLite that is decided here once, for the usual values; all else, and any other
database, gets Django's own conversions. `tests/storage/test_columns.py` compares the two.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from django.db import models
from django.db.models.expressions import Col

Convert = Callable[[Any, Any], Any]  # of a value, and the connection it comes from or goes to
Field = Any  # a field of any kind; of no use with the two parameters of its class
SQLITE = "sqlite"
_AS_IT_IS: dict[type[Field], type] = {
    models.CharField: str,
    models.TextField: str,
    models.BooleanField: bool,
    models.FloatField: float,
    **dict.fromkeys(
        (
            models.AutoField,
            models.BigAutoField,
            models.BigIntegerField,
            models.IntegerField,
            models.PositiveIntegerField,
            models.PositiveSmallIntegerField,
            models.SmallIntegerField,
        ),
        int,
    ),
}


def reader(column: Any, converters: Sequence[Any], vendor: str) -> Convert:
    """Return what turns a stored value of a column, never None, into one of Python's.

    Args:
        column: An expression of a query.
        converters: Django's own, as its compiler has found them.
    """
    if vendor == SQLITE and isinstance(column, Col):
        field: Any = column.output_field
        kind = type(field)
        if kind is models.DateTimeField:
            return _read_time
        if kind is models.BooleanField:
            return _read_truth
        if kind is models.JSONField and field.decoder is None:
            return _read_json

    def read(value: Any, here: Any) -> Any:
        for convert in converters:
            value = convert(value, column, here)
        return value

    return read


def writer(field: Field, vendor: str) -> Convert:
    """Return what turns a value of Python's into one to be stored in a column."""
    usual: Any = field.get_db_prep_save
    if vendor != SQLITE:
        return usual  # type: ignore[no-any-return]
    target = field
    while isinstance(target, models.ForeignKey):
        target = target.target_field
    kind = type(target)
    if kind in _AS_IT_IS:
        return _as_it_is(_AS_IT_IS[kind], usual)
    if kind is models.DateTimeField:
        return _written_time(usual)
    return usual  # type: ignore[no-any-return]


def _as_it_is(kind: type, usual: Convert) -> Convert:
    def write(value: Any, here: Any) -> Any:
        return value if value is None or type(value) is kind else usual(value, here)

    return write


def _written_time(usual: Convert) -> Convert:
    def write(value: Any, here: Any) -> Any:
        if type(value) is datetime and value.tzinfo is UTC:
            return str(value.replace(tzinfo=None))
        return usual(value, here)

    return write


def _read_time(value: datetime | str, here: Any) -> datetime:
    # The driver knows the columns of tables, but not every expression.
    found = datetime.fromisoformat(value) if isinstance(value, str) else value
    # As it was written: in UTC, which the text does not say.
    return found.replace(tzinfo=UTC)


def _read_truth(value: int, here: Any) -> bool:
    return bool(value)


def _read_json(value: str, here: Any) -> Any:
    return json.loads(value)
