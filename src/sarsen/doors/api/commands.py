"""An operation for every command of the language, made from its dataclass; and typed lines.

The model of a body is made of the command's schema (`language.schema.schemas`).
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import MISSING, dataclass
from hashlib import sha256
from inspect import cleandoc
from typing import Annotated, Any, Literal

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from ninja import Query, Router
from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, Strict, create_model

from sarsen.core.errors import UserError
from sarsen.doors.api.authentication import caller, is_for_all, open_to_all, scope_of, token_with
from sarsen.doors.api.problems import problem
from sarsen.doors.api.replies import ReplyShape, documented_answers, send_answer
from sarsen.language.commands import COMMANDS, Command, Multiple
from sarsen.language.grammar.grammar import MAX_BODY, MAX_TEXT_LENGTH
from sarsen.language.grammar.typography import one_line
from sarsen.language.replies import Refusal
from sarsen.language.schema import schemas
from sarsen.language.schema.fields import Bounds
from sarsen.language.schema.schemas import (
    MAX_NAMED,
    ChoiceKind,
    FieldSchema,
    FlagKind,
    Kind,
    ListKind,
    NumberKind,
    OptionalKind,
    TextKind,
    TupleKind,
    make_command,
    plain_lower,
    to_json,
)
from sarsen.language.translating import ENGLISH, current_language, use_language
from sarsen.services.board_cache import BoardCache
from sarsen.services.command_lines import About, LineResult, read_and_perform
from sarsen.services.dispatch import perform
from sarsen.services.request import Player

router = Router(tags=["commands"])
HEADER = "Idempotency-Key"
_KEY = re.compile(r"[\x21-\x7e]{1,200}")
FIRST_CLIENT = "sarsen-client/1"  # the User-Agent of our client until 0.4
DrawsText = Annotated[
    bool, Query(description="Draw the board in `text`, also of a command that changes something.")
]


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

    def operation(request: HttpRequest, payload: Any, text: DrawsText = False) -> HttpResponse:
        return _do(request, command, payload, draws=text)

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
        openapi_extra={"x-scope": str(scope), "x-query": command.is_query},
    )(operation)


def _do(
    request: HttpRequest, command: type[Command], payload: BaseModel, *, draws: bool
) -> HttpResponse:
    requester = caller(request)
    values = {name: getattr(payload, name) for name in type(payload).model_fields}
    parsed = make_command(command, values, requester.actor.name)
    if isinstance(parsed, Multiple):
        return _send_result(
            request, _speak_line(request, "multiple", "\n".join(parsed.lines), About())
        )
    # A question is about the board. The first client had the boards of every answer.
    is_read = command.is_query or request.headers.get("User-Agent") == FIRST_CLIENT
    return perform_for(request, parsed, draws=draws or is_read)


def perform_for(request: HttpRequest, command: Command, *, draws: bool = True) -> HttpResponse:
    """Perform a command of the caller, and answer with what came of it.

    Args:
        draws: With the boards it shows as text.
    """
    requester = caller(request)
    request_key = request_of(request, requester.player)
    key = "" if command.is_query else request_key.key
    boards = BoardCache()
    content_digest = request_key.digest if key else ""
    reply = perform(command, requester.actor, key, timezone.now(), content_digest, boards=boards)
    return send_answer(reply, requester.player, boards, draws=draws)


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
    return send_answer(result.reply, result.actor.player, BoardCache(), note=result.note)


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
    if HEADER not in request.headers:
        return RequestKey()
    header = request.headers[HEADER].strip()
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
    definitions: dict[str, Any] = {
        field.name: _definition(field, command) for field in schemas.schema_of(command)
    }
    return create_model(
        f"{command.__name__}Command",
        __config__=ConfigDict(extra="forbid", strict=True),
        __doc__=cleandoc(command.__doc__ or "").partition("\n")[0],
        **definitions,
    )


def _definition(field: FieldSchema, command: type[Command]) -> tuple[Any, Any]:
    facts: dict[str, Any] = {"description": field.description} if field.description else {}
    if field.example is not None:
        facts["examples"] = [field.example]
    if field.is_secret:
        facts["json_schema_extra"] = {"format": "password", "writeOnly": True}
    if field.min_items:
        facts["min_length"] = field.min_items
    default = ... if field.default is MISSING else to_json(field.default)
    return _type_of(field.kind), Field(default=default, **facts)


def _type_of(kind: Kind) -> Any:
    """Return a type with the bounds of the grammar, and for the document those of services."""
    match kind:
        case ChoiceKind(words):
            return Annotated[Literal[words], BeforeValidator(plain_lower)]
        case TextKind(most, least, form, convert, bounds):
            told = _schema_of_bounds(bounds)
            text = Field(max_length=most, min_length=least, pattern=form, json_schema_extra=told)
            converting = [BeforeValidator(convert)] if convert else []
            if bounds.most:
                converting.append(BeforeValidator(_counted(bounds.most)))
            return Annotated[str, text, *converting]
        case NumberKind(most):
            return Annotated[int, Field(ge=0, le=most), BeforeValidator(_whole)]
        case FlagKind():
            return bool
        case OptionalKind(inner):
            return _type_of(inner) | None
        case ListKind(inner, most):
            listed = Field(max_length=MAX_NAMED, json_schema_extra={"maxItems": most})
            return Annotated[list[_type_of(inner)], listed]  # type: ignore[misc]
        case TupleKind(kinds):
            parts = tuple(_type_of(part) for part in kinds)
            return Annotated[tuple[parts], Strict(False)]  # type: ignore[valid-type]


def _schema_of_bounds(bounds: Bounds) -> dict[str, Any]:
    told = {"pattern": bounds.pattern, "minLength": bounds.least, "maxLength": bounds.most}
    return {name: value for name, value in told.items() if value}


def _counted(most: int) -> Callable[[Any], Any]:
    """Return what refuses a text that is short enough only without what nobody sees.

    Services count what is left of it, and refuse what is too long in their own words; the document
    says how much may be sent.
    """

    def check(value: Any) -> Any:
        if isinstance(value, str) and len(value) > most >= len(one_line(value)):
            raise ValueError(f"at most {most} characters, invisible ones included")
        return value

    return check


def _whole(value: Any) -> Any:
    """Return 7 for 7.0, which JSON Schema and JavaScript call an integer, too."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


for _command in COMMANDS:
    _add(_command)
