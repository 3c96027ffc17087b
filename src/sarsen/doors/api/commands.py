"""An operation for every command of the language, made from its dataclass; and typed lines.

The schema of a body is made of the command's fields, and the command of such a body.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import MISSING, dataclass, fields, replace
from dataclasses import Field as CommandField
from hashlib import sha256
from inspect import cleandoc
from types import NoneType, UnionType
from typing import Annotated, Any, Literal, get_args, get_origin, get_type_hints

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from ninja import Router
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict, create_model

from sarsen.core.errors import UserError
from sarsen.doors.api import bounds
from sarsen.doors.api.authentication import caller, is_for_all, open_to_all, scope_of, token_with
from sarsen.doors.api.problems import problem
from sarsen.doors.api.replies import ReplyShape, documented_answers, send_answer
from sarsen.language.accounts import ConfirmAccount
from sarsen.language.commands import COMMANDS, QUERIES, TEXTS, Command, Games, Multiple, QueueMoves
from sarsen.language.grammar.grammar import MAX_LINE, MAX_TEXT_LENGTH
from sarsen.language.grammar.typography import normalise
from sarsen.language.moves import PlayMove, Submit
from sarsen.language.offers import AnswerOffer
from sarsen.language.queries import WHICH
from sarsen.language.replies import Refusal
from sarsen.language.translating import ENGLISH, current_language, use_language
from sarsen.services.board_cache import BoardCache
from sarsen.services.command_lines import MAX_BODY, About, LineResult, read_and_perform
from sarsen.services.dispatch import perform
from sarsen.services.request import Player

router = Router(tags=["commands"])
HEADER = "Idempotency-Key"
_KEY = re.compile(r"[\x21-\x7e]{1,200}")
MAX_NAMED = 500
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
_CHOICES = {"which": WHICH, "what": tuple(line.split()[1] for line in ConfirmAccount.words)}
_MAY_LACK = ("options", "terms")
# Values as they are sent, for readers of the document and programs that try it out.
_EXAMPLES: dict[str, Any] = {
    "board": 123,
    "challenge": 45,
    "game": "druid",
    "language": "de",
    "names": ["me", "bot3"],
    "options": "-size=5",
    "terms": ["--unrated"],
    "userid": "ann",
    "zone": "Europe/Berlin",
}
# What is read without regard to case.
_LOWER = ("code", "event", "game", "games", "key", "subjects", "what", "which")


class TypedLine(BaseModel):
    """A command line, and the lines below it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    line: str = Field(max_length=MAX_TEXT_LENGTH, examples=["druid move 123 c3"])
    body: str = Field(default="", max_length=MAX_BODY)
    board: int | None = Field(
        default=None, ge=0, le=999_999_999, description="Board that the line refers to."
    )
    ply: int | None = Field(default=None, ge=0, le=999_999, description="Same as `#PLY` in a line.")
    event: int | None = Field(default=None, ge=0, le=9_999_999)
    matter: str = Field(
        default="", max_length=40, description="`matter` of the reply that this line answers."
    )


@router.post(
    "/line",
    auth=open_to_all(None),
    response=documented_answers(ReplyShape),
    operation_id="line",
    summary="Run Line",
)
def do_line(request: HttpRequest, payload: TypedLine) -> HttpResponse:
    """Run one command line, as in a mail.

    The required scope depends on the command. Instead of a token, the line may contain a userid
    and a password, as in a mail. `text`, or `detail` and `hint` of a refusal, are in the language
    of the player's account, named in `Content-Language`; `reply` is in English.
    """
    about = About(payload.board, payload.ply, payload.event, payload.matter)
    result = _speak_line(request, payload.line, payload.body, about)
    player = result.actor.player
    with use_language(player.language if player else ENGLISH):
        response = _send_result(request, result)
        response["Content-Language"] = current_language()
    return response


def name_of(command: type[Command]) -> str:
    """Return the name of a command in addresses: `change-password`."""
    return command.words[0].replace(" ", "-")


def _add(command: type[Command]) -> None:
    schema = schema_of(command)

    def operation(request: HttpRequest, payload: Any) -> HttpResponse:
        return _do(request, command, payload)

    operation.__annotations__["payload"] = schema
    scope = scope_of(command)
    router.post(
        f"/commands/{name_of(command)}",
        auth=open_to_all(scope) if is_for_all(command) else token_with(scope),
        response=documented_answers(ReplyShape),
        operation_id=name_of(command),
        url_name=name_of(command),
        summary=name_of(command),
        description=f"{command.summary}\n\nAs a line: `{command.usage}`. Scope: `{scope}`.",
        openapi_extra={"x-scope": str(scope), "x-query": command in QUERIES},
    )(operation)


def _do(request: HttpRequest, command: type[Command], payload: BaseModel) -> HttpResponse:
    requester = caller(request)
    parsed = command_of(command, payload, requester.actor.name)
    if isinstance(parsed, Multiple):
        return _send_result(
            request, _speak_line(request, "multiple", "\n".join(parsed.lines), About())
        )
    request_key = request_of(request, requester.player)
    key = "" if command in QUERIES else request_key.key
    boards = BoardCache()
    content_digest = request_key.digest if key else ""
    reply = perform(parsed, requester.actor, key, timezone.now(), content_digest, boards=boards)
    return send_answer(reply, requester.player, boards)


def _speak_line(request: HttpRequest, line: str, body: str, about: About) -> LineResult:
    requester = caller(request)
    request_key = request_of(request, requester.player)
    return read_and_perform(
        line,
        body,
        requester.actor,
        request_key.key,
        timezone.now(),
        about,
        digest=request_key.digest,
        check=requester.check,
    )


def _send_result(request: HttpRequest, result: LineResult) -> HttpResponse:
    if result.refused is not None:
        return problem(result.refused, is_known=result.actor.player is not None)
    assert not isinstance(result.reply, Refusal)  # only what was refused is one
    return send_answer(result.reply, result.actor.player, BoardCache())


@dataclass(frozen=True)
class RequestKey:
    """Name a request for `services.dispatch.perform`; both "" without the header."""

    key: str = ""
    digest: str = ""


def request_of(request: HttpRequest, player: Player | None) -> RequestKey:
    """Return the key of a request, by its header and its caller.

    Raises:
        UserError: The header is too long, or no plain text.
    """
    header = request.headers.get(HEADER, "").strip()
    if not header:
        return RequestKey()
    if not _KEY.fullmatch(header):
        raise UserError(
            f"An {HEADER} must have 1 to 200 visible ASCII characters and no spaces.",
            code="key-form",
            hint=f"{HEADER}: 5f0c6e2a-7d0b-4a57-9d5e-1f1a8f2f6f01",
        )
    # With a key of ours: a body may hold a password, and the digest is kept.
    body = request.path.encode() + b"\n" + request.body
    content_digest = salted_hmac("api", body, algorithm="sha256").hexdigest()
    key_digest = sha256(header.encode()).hexdigest()[:48]
    if player is None:
        # Anonymous visitors share their keys: another one may have the same.
        return RequestKey(f"api:0:{key_digest[:24]}{content_digest[:24]}", content_digest)
    return RequestKey(f"api:{player.pk}:{key_digest}", content_digest)


def schema_of(command: type[Command]) -> type[BaseModel]:
    """Return the model of the JSON that a command takes."""
    hints = get_type_hints(command)
    descriptions = _descriptions_of(command)
    definitions: dict[str, Any] = {
        field.name: _field(field, hints[field.name], descriptions.get(field.name, ""), command)
        for field in fields(command)
    }
    return create_model(
        f"{command.__name__}Command",
        __config__=ConfigDict(extra="forbid", strict=True),
        __doc__=cleandoc(command.__doc__ or "").partition("\n")[0],
        **definitions,
    )


def command_of(command: type[Command], payload: BaseModel, speaker: str) -> Command:
    """Return the command of a checked body.

    Args:
        speaker: The userid of the caller, or "".
    """
    make: Callable[..., Command] = command
    parsed = make(**{field.name: _value(getattr(payload, field.name)) for field in fields(command)})
    match parsed:
        case PlayMove() | Submit():
            return replace(parsed, text=parsed.text.rstrip(" .,!"))  # as at the end of a line
        case AnswerOffer(accepts=False, matter=""):
            return replace(parsed, matter="offer")
        case Games(which="next", userids=()) if speaker:
            return replace(parsed, userids=(speaker,))
    return parsed


def _field(
    command_field: CommandField[Any], kind: Any, description: str, command: type[Command]
) -> tuple[Any, Any]:
    default = command_field.default
    if command_field.name == "game" and default is MISSING:
        default = ""  # as in a line: the board's number says which game it is
    if command_field.name in _MAY_LACK and default is MISSING:
        default = () if kind == tuple[str, ...] else ""  # as in a line without options
    facts: dict[str, Any] = {"description": description} if description else {}
    if command_field.name in _EXAMPLES:
        facts["examples"] = [_EXAMPLES[command_field.name]]
    if not command_field.repr:
        facts["json_schema_extra"] = {"format": "password", "writeOnly": True}
    if kind == tuple[str, ...] and default is MISSING:
        facts["min_length"] = 1
    field = Field(default=... if default is MISSING else _json(default), **facts)
    return _kind(kind, command_field.name, command), field


def _kind(kind: Any, name: str, command: type[Command]) -> Any:
    """Return a type with the bounds of the grammar."""
    if name in _CHOICES:
        return Annotated[Literal[_CHOICES[name]], BeforeValidator(_plain_lower)]
    if kind is str:
        return _text(name, command, _FORMS.get(name))
    if kind is int:
        most = _LARGEST.get(name, _LARGEST_NUMBER)
        return Annotated[int, Field(ge=0, le=most), BeforeValidator(_whole)]
    if isinstance(kind, UnionType):
        parts = [_kind(part, name, command) for part in get_args(kind) if part is not NoneType]
        return parts[0] | None
    if get_origin(kind) is tuple:
        inner = get_args(kind)
        if inner == (str, ...):
            word = _text(name, command, _FORMS.get(name, _WORD))
            most_named: dict[str, Any] = {"maxItems": bounds.LISTS.get((command, name), MAX_NAMED)}
            listed = Field(max_length=MAX_NAMED, json_schema_extra=most_named)
            return Annotated[list[word], listed]  # type: ignore[valid-type]
        if inner[-1] is Ellipsis:
            return Annotated[list[_kind(inner[0], name, command)], Field(max_length=MAX_NAMED)]  # type: ignore[misc]
        parts = [_kind(part, name, command) for part in inner]
        return Annotated[tuple[tuple(parts)], Strict(False)]  # type: ignore[misc]
    return kind


def _text(name: str, command: type[Command], form: str | None) -> Any:
    """Return the type of a text: as people write it to people, or made plain as in a line."""
    told = dict(bounds.TEXTS.get((command, name), {}))
    if command is Multiple:
        return Annotated[str, Field(max_length=MAX_LINE)]
    if command in TEXTS and name == "text":
        convert = _plain if command is QueueMoves else _written
        written = Field(max_length=MAX_BODY, json_schema_extra=told)
        return Annotated[str, written, BeforeValidator(convert)]
    plain = _plain_lower if name in _LOWER else _plain
    least = 1 if name == "text" else None  # a move
    line = Field(max_length=MAX_LINE, min_length=least, pattern=form, json_schema_extra=told)
    return Annotated[str, line, BeforeValidator(plain)]


def _plain(value: Any) -> Any:
    return " ".join(normalise(value).split()) if isinstance(value, str) else value


def _plain_lower(value: Any) -> Any:
    return _plain(value.lower()) if isinstance(value, str) else value


def _whole(value: Any) -> Any:
    """Return 7 for 7.0, which JSON Schema and JavaScript call an integer, too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _written(value: Any) -> Any:
    return value.replace("\r\n", "\n").strip("\n ") if isinstance(value, str) else value


def _value(value: Any) -> Any:
    return tuple(map(_value, value)) if isinstance(value, list | tuple) else value


def _json(value: Any) -> Any:
    return list(map(_json, value)) if isinstance(value, tuple) else value


def _descriptions_of(command: type[Command]) -> dict[str, str]:
    """Read what the docstring of a command says of its fields."""
    _, _, listed = cleandoc(command.__doc__ or "").partition("Attributes:\n")
    return {
        name.strip(): " ".join(words.split())
        for match in _ATTRIBUTE.finditer(listed)
        for name in match[1].split(",")
        for words in [match[2]]
    }


for _command in COMMANDS:
    _add(_command)
