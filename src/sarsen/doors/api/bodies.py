"""What JSON a command takes, and the command that such JSON is: from its dataclass alone."""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from dataclasses import MISSING, Field, fields
from inspect import cleandoc
from math import isfinite
from types import NoneType, UnionType
from typing import Annotated, Any, get_args, get_origin, get_type_hints

from django.http import HttpRequest
from ninja.parser import Parser
from pydantic import BaseModel, ConfigDict, Strict, create_model
from pydantic import Field as Described

from sarsen.core.errors import UserError
from sarsen.games import names
from sarsen.language.commands import TEXTS, Command
from sarsen.language.grammar.grammar import LONGEST_LINE
from sarsen.language.grammar.writing import checked
from sarsen.services.command_lines import LONGEST_BODY

MOST_NAMED = 500
_LARGEST = {"ply": 999_999, "event": 9_999_999}
_LARGEST_NUMBER = 999_999_999
# What a door alone says of a command is no part of any line, and stands in no JSON …
# … but `confirmed` does: who writes it has made sure.
_ATTRIBUTE = re.compile(r"^    ([a-z_, ]+): (.*(?:\n {8}.*)*)", re.M)


def schema_of(command: type[Command]) -> type[BaseModel]:
    """Return the model of the JSON that a command takes."""
    hints = get_type_hints(command)
    said = _said_of(command)
    made: dict[str, Any] = {
        one.name: _field(one, hints[one.name], said.get(one.name, ""), command)
        for one in fields(command)
    }
    return create_model(
        f"{command.__name__}Command",
        __config__=ConfigDict(extra="forbid", strict=True),
        __doc__=cleandoc(command.__doc__ or "").partition("\n")[0],
        **made,
    )


def command_of(command: type[Command], asked: BaseModel, speaker: str) -> Command:
    """Make the command that JSON names.

    Raises:
        UserError: No typed line could say it.
    """
    values = {one.name: _value(getattr(asked, one.name)) for one in fields(command)}
    make: Callable[..., Command] = command
    return checked(make(**values), names(), speaker)


def _field(one: Field[Any], kind: Any, said: str, command: type[Command]) -> tuple[Any, Any]:
    default = one.default
    if one.name == "game" and default is MISSING:
        default = ""  # as in a line: the board's number says which game it is
    facts: dict[str, Any] = {"description": said} if said else {}
    if not one.repr:
        facts["json_schema_extra"] = {"format": "password", "writeOnly": True}
    long = LONGEST_BODY if command in TEXTS and one.name == "text" else LONGEST_LINE
    field = Described(default=... if default is MISSING else _json(default), **facts)
    return _kind(kind, one.name, long), field


def _kind(kind: Any, name: str, long: int) -> Any:
    """Return a type with the bounds of the grammar."""
    if kind is str:
        return Annotated[str, Described(max_length=long)]
    if kind is int:
        most = _LARGEST.get(name, _LARGEST_NUMBER)
        return Annotated[int, Described(ge=0, le=most)]
    if isinstance(kind, UnionType):
        parts = [_kind(one, name, long) for one in get_args(kind) if one is not NoneType]
        return parts[0] | None
    if get_origin(kind) is tuple:
        inner = get_args(kind)
        if inner[-1] is Ellipsis:
            return Annotated[list[_kind(inner[0], name, long)], Described(max_length=MOST_NAMED)]  # type: ignore[misc]
        parts = [_kind(one, name, long) for one in inner]
        return Annotated[tuple[tuple(parts)], Strict(False)]  # type: ignore[misc]
    return kind


def _value(value: Any) -> Any:
    return tuple(map(_value, value)) if isinstance(value, list | tuple) else value


def _json(value: Any) -> Any:
    return list(map(_json, value)) if isinstance(value, tuple) else value


def _said_of(command: type[Command]) -> dict[str, str]:
    """Read what the docstring of a command says of its fields."""
    _, _, listed = cleandoc(command.__doc__ or "").partition("Attributes:\n")
    return {
        name.strip(): " ".join(words.split())
        for found in _ATTRIBUTE.finditer(listed)
        for name in found[1].split(",")
        for words in [found[2]]
    }


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
