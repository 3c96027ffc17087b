"""Read the body of a request: JSON of text that every database can keep."""

from __future__ import annotations

import json
from typing import Any

from django.http import HttpRequest
from ninja.parser import Parser

from sarsen.core.errors import UserError

MOST_DEEP = 20
JSON = "application/json"


class StrictParser(Parser):
    """Refuse what is no JSON, with half characters in it, or nested without end."""

    def parse_body(self, request: HttpRequest) -> dict[str, Any]:
        """Give the JSON object of a body."""
        if request.content_type not in (JSON, ""):
            raise UserError(
                f"A body is JSON here, not {str(request.content_type)[:60]}.",
                code="content-type",
                hint=f"Content-Type: {JSON}",
            )
        try:
            found = json.loads(request.body, parse_constant=_refuse)
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


def _refuse(constant: str) -> float:
    raise ValueError(constant)


def _unreadable() -> UserError:
    return UserError(
        "The body is no JSON object of ordinary text.",
        code="json",
        hint='{"board": 123, "text": "c3"}',
    )
