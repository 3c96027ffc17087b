"""Bodies of requests: JSON objects of ordinary text, and nothing else."""

from __future__ import annotations

import json
from math import isfinite
from typing import Any

from django.http import HttpRequest
from ninja.parser import Parser

from sarsen.core.errors import UserError

MOST_DEEP = 20
JSON = "application/json"


class StrictParser(Parser):
    """Refuse what is no JSON, with half characters in it, or nested without end."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        """Return the JSON object of a body."""
        if request.content_type not in (JSON, ""):
            raise UserError(
                f"A body is JSON here, not {str(request.content_type)[:60]}.",
                code="content-type",
                hint=f"Content-Type: {JSON}",
            )
        try:
            found = json.loads(
                request.body,
                parse_constant=_refuse,
                parse_float=_finite,
                object_pairs_hook=_once,
            )
        except _NamedTwice as twice:
            raise UserError(
                f"The body names {twice.name[:40]!r} twice.",
                code="json",
                hint="Name each field once.",
            ) from None
        except (ValueError, RecursionError):
            raise _unreadable() from None
        if not isinstance(found, dict):
            raise _unreadable()
        _check(found, MOST_DEEP)
        return found


def _check(value: object, deep: int) -> None:
    """Refuse text that is no text: half of a pair of codes, and NUL."""
    if not deep:
        raise _unreadable()
    if isinstance(value, str) and ("\0" in value or not _is_text(value)):
        raise _unreadable()
    if isinstance(value, dict):
        for name, one in value.items():
            _check(name, deep)
            _check(one, deep - 1)
    if isinstance(value, list):
        for one in value:
            _check(one, deep - 1)


def _is_text(value: str) -> bool:
    try:
        value.encode()
    except UnicodeEncodeError:
        return False
    return True


class _NamedTwice(Exception):
    """A JSON object names a field twice: readers differ about which one counts."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for name, value in pairs:
        if name in found:
            raise _NamedTwice(name)
        found[name] = value
    return found


def _finite(number: str) -> float:
    found = float(number)
    if not isfinite(found):
        raise ValueError(number)
    return found


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _unreadable() -> UserError:
    return UserError(
        "The body is no JSON object of ordinary text.",
        code="json",
        hint='{"board": 123, "text": "c3"}',
    )
