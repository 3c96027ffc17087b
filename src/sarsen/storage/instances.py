"""Rows as instances of a model, made as Django makes them, without asking of every column how.

Django's own way sets each attribute by itself and tells whoever listens to `pre_init`. Here
nobody does, and the fields of a row just read have nothing to forget.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from django.db import DEFAULT_DB_ALIAS
from django.db.models import Model
from django.db.models.base import ModelState
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
