"""Facts as JSON has them: `write` what a dataclass holds, `read` it back by its types."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields, is_dataclass
from datetime import date, datetime, timedelta
from functools import cache
from types import NoneType, UnionType
from typing import Any, TypeVar, get_args, get_origin, get_type_hints

Facts = TypeVar("Facts")


def write(value: Any) -> Any:
    """Return what `json.dumps` takes: dataclasses by their fields, times in ISO 8601."""
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: write(getattr(value, one.name)) for one in fields(value)}
    if isinstance(value, Mapping):
        return {name: write(one) for name, one in value.items()}
    if isinstance(value, tuple | list):
        return [write(one) for one in value]
    if isinstance(value, datetime | date):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, timedelta):
        return value.total_seconds()
    return value


def read(kind: type[Facts], found: Any) -> Facts:
    """Return a dataclass of what `write` made; names it does not know are passed over.

    Raises:
        ValueError: Something is missing, or of another type.
    """
    try:
        made: Facts = _read(kind, found)
    except (TypeError, KeyError, AttributeError) as wrong:
        raise ValueError(f"This is no {kind.__name__}: {wrong}.") from None
    return made


def _read(kind: Any, found: Any) -> Any:
    if is_dataclass(kind) and isinstance(kind, type):
        known = _hints(kind)
        return kind(**{name: _read(known[name], found[name]) for name in known if name in found})
    if isinstance(kind, UnionType):
        wanted = [one for one in get_args(kind) if one is not NoneType]
        return None if found is None else _read(wanted[0], found)
    if get_origin(kind) is tuple:
        return tuple(_read(get_args(kind)[0], one) for one in found)
    if kind is datetime:
        return datetime.fromisoformat(found)
    return found


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)
