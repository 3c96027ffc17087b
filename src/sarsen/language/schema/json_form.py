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
        return {field.name: write(getattr(value, field.name)) for field in fields(value)}
    if isinstance(value, Mapping):
        return {name: write(item) for name, item in value.items()}
    if isinstance(value, tuple | list):
        return [write(item) for item in value]
    if isinstance(value, datetime | date):
        return value.isoformat().replace("+00:00", "Z")
    if isinstance(value, timedelta):
        return value.total_seconds()
    return value


def read(kind: type[Facts], value: Any) -> Facts:
    """Return a dataclass of what `write` made; names it does not know are passed over.

    Raises:
        ValueError: Something is missing, or of another type.
    """
    try:
        facts: Facts = _read(kind, value)
    except (TypeError, KeyError, AttributeError) as wrong:
        raise ValueError(f"This is no {kind.__name__}: {wrong}.") from None
    return facts


def _read(kind: Any, value: Any) -> Any:
    if is_dataclass(kind) and isinstance(kind, type):
        hints = _hints(kind)
        return kind(**{name: _read(hints[name], value[name]) for name in hints if name in value})
    if isinstance(kind, UnionType):
        parts = [part for part in get_args(kind) if part is not NoneType]
        return None if value is None else _read(parts[0], value)
    if get_origin(kind) is tuple:
        return tuple(_read(get_args(kind)[0], item) for item in value)
    if kind is datetime:
        return datetime.fromisoformat(value)
    return value


@cache
def _hints(kind: type) -> Mapping[str, Any]:
    return get_type_hints(kind)
