"""The fields of commands, for doors that send fields: the API, and the forms of pages.

A command is a dataclass; its schema says of each field which values it takes. What sent values
mean is decided here, once: `make_command` returns the command of checked values.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import MISSING, dataclass, fields, replace
from dataclasses import Field as DataclassField
from inspect import cleandoc
from types import NoneType, UnionType
from typing import Annotated, Any, Union, get_args, get_origin, get_type_hints

from sarsen.core.errors import UserError
from sarsen.core.phrases import Fact, quoted
from sarsen.language.commands import Command, Games, Multiple, QueueMoves
from sarsen.language.grammar.grammar import MAX_BODY, MAX_LINE
from sarsen.language.grammar.typography import normalise
from sarsen.language.moves import PlayMove, Submit
from sarsen.language.offers import AnswerOffer
from sarsen.language.plans import joined
from sarsen.language.schema.fields import (
    UNBOUNDED,
    WORD,
    AnyCase,
    AtMost,
    Bounds,
    Example,
    Form,
    MaxItems,
    MayLack,
    OneOf,
)

# Of a list whose command names no bound: each name may be looked up.
MAX_NAMED = 500
_ATTRIBUTE = re.compile(r"^    ([a-z_, ]+): (.*(?:\n {8}.*)*)", re.M)
_LARGEST_NUMBER = 999_999_999  # every database can hold it


class FieldRefused(UserError):
    """Refuse what was typed into a field of a form.

    Attributes:
        field: The name of the field, which is that of the command's.
    """

    def __init__(self, text: str, *, code: str, field: str, **facts: Fact) -> None:
        super().__init__(text, code=code, hint="", **facts)
        self.field = field


@dataclass(frozen=True)
class TextKind:
    """A text of a command.

    Attributes:
        convert: What is done to it first: as people write to people, or made plain as in a line.
            It returns any other value as it is.
        bounds: What the service takes of it.
    """

    max_length: int
    min_length: int | None = None
    pattern: str | None = None
    convert: Callable[[Any], Any] | None = None
    bounds: Bounds = UNBOUNDED


@dataclass(frozen=True)
class NumberKind:
    """A whole number from 0 to `most`."""

    most: int


@dataclass(frozen=True)
class ChoiceKind:
    """One of some words, in any case."""

    words: tuple[str, ...]


@dataclass(frozen=True)
class FlagKind:
    """Yes or no."""


@dataclass(frozen=True)
class OptionalKind:
    """A value, or None."""

    kind: Kind


@dataclass(frozen=True)
class ListKind:
    """A list of values of one kind, at most `MAX_NAMED`; the service takes `most`."""

    kind: Kind
    most: int = MAX_NAMED


@dataclass(frozen=True)
class TupleKind:
    """A list that has one value of each kind."""

    kinds: tuple[Kind, ...]


Kind = TextKind | NumberKind | ChoiceKind | FlagKind | OptionalKind | ListKind | TupleKind


@dataclass(frozen=True)
class FieldSchema:
    """A field of a command.

    Attributes:
        default: What it has when it is not sent; `MISSING` where it must be.
        example: A value as it is sent; None for none.
        is_secret: Whether it may not be shown again.
        min_items: Of a list that must not be empty 1, else 0.
    """

    name: str
    kind: Kind
    default: Any
    description: str
    example: Any
    is_secret: bool
    min_items: int


def schema_of(command: type[Command]) -> tuple[FieldSchema, ...]:
    """Return the fields of a command, in their order."""
    hints = get_type_hints(command, include_extras=True)
    descriptions = _descriptions_of(command)
    return tuple(
        _field(field, hints[field.name], descriptions.get(field.name, ""), command)
        for field in fields(command)
    )


def make_command(command: type[Command], values: Mapping[str, Any], speaker: str) -> Command:
    """Return the command of checked values, by the names of its fields.

    Args:
        speaker: The userid of the caller, or "".
    """
    make: Callable[..., Command] = command
    parsed = make(**{name: _value(value) for name, value in values.items()})
    match parsed:
        case PlayMove() | Submit():
            return replace(parsed, text=parsed.text.rstrip(" .,!"))  # as at the end of a line
        case AnswerOffer(accepts=False, matter=""):
            return replace(parsed, matter="offer")
        case Games(which="next", userids=()) if speaker:
            return replace(parsed, userids=(speaker,))
    return parsed


def command_from_form(
    command: type[Command], form: Mapping[str, str | Sequence[str]], speaker: str
) -> Command:
    """Return the command of a form whose fields are named as those of the command.

    Args:
        form: The texts of each field; words of a list may stand in one text, with blanks between.
            A field that is not sent has its default.

    Raises:
        FieldRefused: A field is missing, or takes no such text.
    """
    values: dict[str, Any] = {}
    for field in schema_of(command):
        sent = form.get(field.name, ())
        texts = [sent] if isinstance(sent, str) else list(sent)
        # A box that is not ticked may be sent as an empty text.
        is_sent = any(map(str.strip, texts)) or (texts and isinstance(field.kind, FlagKind))
        if not is_sent and field.default is not MISSING:
            values[field.name] = field.default
            continue
        values[field.name] = _read_field(command, field, texts)
        if field.min_items and not values[field.name]:
            raise FieldRefused("Please fill in this field.", code="field-missing", field=field.name)
    return make_command(command, values, speaker)


def _read_field(command: type[Command], field: FieldSchema, texts: Sequence[str]) -> Any:
    """Return the value of a field, where several texts are words of one."""
    if command is QueueMoves and field.name == "text":
        texts = [joined("", tuple(" ".join(texts).splitlines()))]
    elif isinstance(field.kind, TextKind):
        texts = [" ".join(texts)]
    try:
        return _read(field.kind, texts, field.name)
    except FieldRefused as refused:
        if not field.is_secret or refused.code != "field-form":
            raise
        # The sentence of another field would quote the password.
        raise FieldRefused(
            "Enter one word, without spaces.", code="field-form", field=field.name
        ) from None


def _read(kind: Kind, texts: Sequence[str], name: str) -> Any:
    """Return the value of what was typed into a field."""
    text = texts[0].strip() if texts else ""
    match kind:
        case TextKind():
            return _read_text(kind, texts[0] if texts else "", name)
        case NumberKind(most):
            if not (text.isascii() and text.isdigit() and len(text) < 10 and int(text) <= most):
                raise FieldRefused(
                    "{typed} is not a whole number.",
                    code="field-number",
                    field=name,
                    typed=quoted(text),
                )
            return int(text)
        case ChoiceKind(words):
            if text.lower() not in words:
                raise FieldRefused(
                    "{typed} is not one of the choices here.",
                    code="field-choice",
                    field=name,
                    typed=quoted(text),
                )
            return text.lower()
        case FlagKind():
            return text not in ("", "off")
        case OptionalKind(inner):
            return _read(inner, texts, name) if text else None
        case ListKind(inner, _):
            words_of_all = [word for one in texts for word in one.split()]
            return tuple(_read(inner, [word], name) for word in words_of_all)
        case TupleKind(kinds):  # a board and a ply: `123#4`
            parts = [*text.split("#"), ""]
            return tuple(_read(part, [one], name) for part, one in zip(kinds, parts, strict=False))


def _read_text(kind: TextKind, text: str, name: str) -> str:
    converted: str = kind.convert(text) if kind.convert else text
    if len(converted) < (kind.min_length or 0):
        raise FieldRefused("Please fill in this field.", code="field-missing", field=name)
    if len(converted) > kind.max_length:
        raise FieldRefused(
            "This field takes at most {most} characters.",
            code="field-length",
            field=name,
            most=kind.max_length,
        )
    if kind.pattern and not re.search(kind.pattern, converted):
        raise FieldRefused(
            "{typed} cannot be used here.", code="field-form", field=name, typed=quoted(converted)
        )
    return converted


def to_json(value: Any) -> Any:
    """Return a value of a field as JSON has it."""
    return list(map(to_json, value)) if isinstance(value, tuple) else value


def plain_lower(value: Any) -> Any:
    """Return a text made plain, in small letters; any other value as it is."""
    return _plain(value.lower()) if isinstance(value, str) else value


def _field(
    field: DataclassField[Any], hint: Any, description: str, command: type[Command]
) -> FieldSchema:
    kind, said = _kind(hint, field.name, command), _metadata(hint)
    is_list = isinstance(kind, ListKind)
    default = field.default
    if default is MISSING and MayLack in said:
        default = () if is_list else ""
    return FieldSchema(
        name=field.name,
        kind=kind,
        default=default,
        description=description,
        example=said[Example].value if Example in said else None,
        is_secret=not field.repr,
        min_items=int(is_list and default is MISSING),
    )


def _metadata(hint: Any) -> dict[type, Any]:
    """Return what a field says of itself, by its class; of a value or None, what the value says."""
    inner = get_args(hint)
    if get_origin(hint) is Annotated:
        return {type(one): one for one in inner[1:]}
    if get_origin(hint) in (Union, UnionType):
        return {kind: one for part in inner for kind, one in _metadata(part).items()}
    return {}


def _kind(hint: Any, name: str, command: type[Command]) -> Kind:
    """Return what a field takes, with the bounds of the grammar."""
    said, plain = _metadata(hint), _plain_type(hint)
    inner = get_args(plain)
    if get_origin(hint) in (Union, UnionType):
        return OptionalKind(*(_kind(part, name, command) for part in inner if part is not NoneType))
    if OneOf in said:
        return ChoiceKind(said[OneOf].words)
    if plain is str:
        return _text(name, command, said)
    if plain is int:
        return NumberKind(said[AtMost].most if AtMost in said else _LARGEST_NUMBER)
    if plain is bool:
        return FlagKind()
    assert get_origin(plain) is tuple, f"{command.__name__}.{name} has a type that no schema knows"
    if inner[-1] is not Ellipsis:
        return TupleKind(tuple(_kind(part, name, command) for part in inner))
    most = said[MaxItems].most if MaxItems in said else MAX_NAMED
    if _plain_type(inner[0]) is str:  # one word each, unless they say otherwise
        return ListKind(_text(name, command, {Form: Form(WORD)} | _metadata(inner[0])), most)
    return ListKind(_kind(inner[0], name, command), most)


def _plain_type(hint: Any) -> Any:
    return get_args(hint)[0] if get_origin(hint) is Annotated else hint


def _text(name: str, command: type[Command], said: Mapping[type, Any]) -> TextKind:
    if command is Multiple:
        return TextKind(MAX_LINE)
    bounds: Bounds = said.get(Bounds, UNBOUNDED)
    if command.takes_text and name == "text":
        convert = _plain if command is QueueMoves else _written
        return TextKind(MAX_BODY, convert=convert, bounds=bounds)
    least = 1 if name == "text" else None  # a move
    form = said[Form].pattern if Form in said else None
    convert = plain_lower if AnyCase in said else _plain
    return TextKind(MAX_LINE, least, form, convert, bounds)


def _plain(value: Any) -> Any:
    return " ".join(normalise(value).split()) if isinstance(value, str) else value


def _written(value: Any) -> Any:
    if not isinstance(value, str):
        return value
    text = value.replace("\r\n", "\n").strip("\n")
    # The first of several lines may be the top of a drawing.
    return text if "\n" in text else text.strip()


def _value(value: Any) -> Any:
    return tuple(map(_value, value)) if isinstance(value, list | tuple) else value


def _descriptions_of(command: type[Command]) -> dict[str, str]:
    """Read what the docstring of a command says of its fields."""
    _, _, listed = cleandoc(command.__doc__ or "").partition("Attributes:\n")
    return {
        name.strip(): " ".join(words.split())
        for match in _ATTRIBUTE.finditer(listed)
        for name in match[1].split(",")
        for words in [match[2]]
    }
