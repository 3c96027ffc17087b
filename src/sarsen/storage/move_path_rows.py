"""Rows as instances of a model, made as Django makes them, without asking of every column how.

Django's own way sets each attribute by itself and notifies the receivers of `pre_init`. Here
nobody does, and the fields of a row just read have nothing to forget.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence
from datetime import UTC, datetime
from typing import Any

from django.db import DEFAULT_DB_ALIAS, models
from django.db.models import Model
from django.db.models.base import ModelState
from django.db.models.expressions import Col
from django.db.models.query import get_related_populators
from django.db.models.signals import post_init, pre_init

Make = Callable[[Sequence[Any]], Any]  # of a whole row


def maker(compiler: Any) -> Make:
    """Return what makes an instance of a row, with what `select_related` and `annotate` add."""
    select, klass = compiler.select, compiler.klass_info
    fields = klass["select_fields"]
    span = slice(fields[0], fields[-1] + 1)
    build = _builder(klass["model"], [one[0].target.attname for one in select[span]])
    populators: Any = get_related_populators
    related = [_populate(one) for one in populators(klass, select, DEFAULT_DB_ALIAS)]
    annotations = list((compiler.annotation_col_map or {}).items())

    def make(row: Sequence[Any]) -> Any:
        made = build(row[span])
        for populate in related:
            populate(row, made)
        for name, place in annotations:
            setattr(made, name, row[place])
        return made

    return make


def _builder(model: type[Model], names: list[str]) -> Make:
    """Return what makes an instance of a row's own values."""
    is_whole = len(names) == len(model._meta.concrete_fields)
    if not is_whole or model.__init__ is not Model.__init__ or _is_listened_to(model):
        return lambda values: model.from_db(DEFAULT_DB_ALIAS, names, values)

    def build(values: Sequence[Any]) -> Model:
        made = model.__new__(model)
        state = ModelState()
        state.adding, state.db = False, DEFAULT_DB_ALIAS
        made.__dict__.update(zip(names, values, strict=True), _state=state)
        return made

    return build


def _is_listened_to(model: type[Model]) -> bool:
    return pre_init.has_listeners(model) or post_init.has_listeners(model)


def _populate(populator: Any) -> Callable[[Sequence[Any], Any], None]:
    """Return what adds one related instance, with those related to it in turn."""
    if populator.reorder_for_init:  # of a model that inherits from another
        given: Callable[[Sequence[Any], Any], None] = populator.populate
        return given
    span = slice(populator.cols_start, populator.cols_end)
    key = populator.cols_start + populator.pk_idx
    build = _builder(populator.model_cls, populator.init_list)
    further = [_populate(one) for one in populator.related_populators]
    set_here, set_there = populator.local_setter, populator.remote_setter

    def populate(row: Sequence[Any], made: Any) -> None:
        other = None if row[key] is None else build(row[span])
        set_here(made, other)
        if other is not None:
            for populate_further in further:
                populate_further(row, other)
            set_there(other, made)

    return populate


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
