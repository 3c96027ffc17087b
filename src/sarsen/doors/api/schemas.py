"""The JSON of a command: a schema made of its dataclass, and the dataclass made of such JSON."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import MISSING, Field, fields, replace
from inspect import cleandoc
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from pydantic import BaseModel, BeforeValidator, ConfigDict, Strict, create_model
from pydantic import Field as Described

from sarsen.language.accounts import ConfirmAccount
from sarsen.language.commands import TEXTS, Command, Games, Multiple, QueueMoves
from sarsen.language.grammar.grammar import LONGEST_LINE
from sarsen.language.grammar.typography import normalise
from sarsen.language.moves import PlayMove, Submit
from sarsen.language.offers import AnswerOffer
from sarsen.language.queries import WHICH
from sarsen.services.command_lines import LONGEST_BODY

MOST_NAMED = 500
_LARGEST = {"ply": 999_999, "event": 9_999_999}
_LARGEST_NUMBER = 999_999_999
_ATTRIBUTE = re.compile(r"^    ([a-z_, ]+): (.*(?:\n {8}.*)*)", re.M)
# The form of a text, by the name of its field; of other words in a list, one word each.
_WORD = r"^\S+$"
_FORMS = {
    "code": r"^\S*$",
    "key": r"^([0-9a-f]{20})?$",
    "names": r"^[^\s-]\S*$",
    "new": _WORD,
    "options": r"^(-[^\s-]\S*( |$))*$",
    "password": r"^\S*$",
    "terms": r"^--\S+$",
    "userid": _WORD,
}
_CHOICES = {"which": WHICH, "what": tuple(one.split()[1] for one in ConfirmAccount.words)}
# What is read without regard to case.
_LOWER = ("code", "event", "game", "games", "key", "subjects", "what", "which")


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
    """Return the command of a checked body.

    Args:
        speaker: The userid of the caller, or "".
    """
    make: Callable[..., Command] = command
    made = make(**{one.name: _value(getattr(asked, one.name)) for one in fields(command)})
    match made:
        case PlayMove() | Submit():
            return replace(made, text=made.text.rstrip(" .,!"))  # as at the end of a line
        case AnswerOffer(accepts=False, matter=""):
            return replace(made, matter="offer")
        case Games(which="next", userids=()) if speaker:
            return replace(made, userids=(speaker,))
    return made


def _field(one: Field[Any], kind: Any, said: str, command: type[Command]) -> tuple[Any, Any]:
    default = one.default
    if one.name == "game" and default is MISSING:
        default = ""  # as in a line: the board's number says which game it is
    facts: dict[str, Any] = {"description": said} if said else {}
    if not one.repr:
        facts["json_schema_extra"] = {"format": "password", "writeOnly": True}
    if kind == tuple[str, ...] and default is MISSING and one.name != "terms":
        facts["min_length"] = 1
    field = Described(default=... if default is MISSING else _json(default), **facts)
    return _kind(kind, one.name, command), field


def _kind(kind: Any, name: str, command: type[Command]) -> Any:
    """Return a type with the bounds of the grammar."""
    if name in _CHOICES:
        return Annotated[Literal[_CHOICES[name]], BeforeValidator(_plain_lower)]
    if kind is str:
        return _text(name, command, _FORMS.get(name))
    if kind is int:
        most = _LARGEST.get(name, _LARGEST_NUMBER)
        return Annotated[int, Described(ge=0, le=most)]
    if isinstance(kind, UnionType):
        parts = [_kind(one, name, command) for one in get_args(kind) if one is not NoneType]
        return parts[0] | None
    if get_origin(kind) is tuple:
        inner = get_args(kind)
        if inner == (str, ...):
            word = _text(name, command, _FORMS.get(name, _WORD))
            return Annotated[list[word], Described(max_length=MOST_NAMED)]  # type: ignore[valid-type]
        if inner[-1] is Ellipsis:
            return Annotated[list[_kind(inner[0], name, command)], Described(max_length=MOST_NAMED)]  # type: ignore[misc]
        parts = [_kind(one, name, command) for one in inner]
        return Annotated[tuple[tuple(parts)], Strict(False)]  # type: ignore[misc]
    return kind


def _text(name: str, command: type[Command], form: str | None) -> Any:
    """Return the type of a text: as people write it to people, or made plain as in a line."""
    if command is Multiple:
        return Annotated[str, Described(max_length=LONGEST_LINE)]
    if command in TEXTS and name == "text":
        written = _plain if command is QueueMoves else _written
        return Annotated[str, BeforeValidator(written), Described(max_length=LONGEST_BODY)]
    plain = _plain_lower if name in _LOWER else _plain
    least = 1 if name == "text" else None  # a move
    bounds = Described(max_length=LONGEST_LINE, min_length=least, pattern=form)
    return Annotated[str, BeforeValidator(plain), bounds]


def _plain(value: Any) -> Any:
    return " ".join(normalise(value).split()) if isinstance(value, str) else value


def _plain_lower(value: Any) -> Any:
    return _plain(value.lower()) if isinstance(value, str) else value


def _written(value: Any) -> Any:
    return value.replace("\r\n", "\n").strip("\n ") if isinstance(value, str) else value


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
