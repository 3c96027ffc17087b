"""A reply as JSON: in words, as at every door, and as facts."""

from __future__ import annotations

import json
from dataclasses import fields, is_dataclass
from functools import cache
from hashlib import sha256
from types import NoneType, UnionType
from typing import (
    Annotated,
    Any,
    Literal,
    TypeVar,
    Union,
    cast,
    get_args,
    get_origin,
    get_type_hints,
)

from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import get_conditional_response
from ninja import Path, Query
from ninja.operation import Operation
from pydantic import BaseModel, Field, create_model

from sarsen.doors.api.authentication import caller
from sarsen.doors.api.problems import Problem
from sarsen.language import replies
from sarsen.language.replies import Reply, encode
from sarsen.language.schema import json_form
from sarsen.language.translating import translated
from sarsen.services.board_cache import BoardCache
from sarsen.services.boards.reply_text import reply_text
from sarsen.services.request import Player


def send_answer(
    reply: Reply, viewer: Player | None, boards: BoardCache, *, note: str = "", draws: bool = True
) -> JsonResponse:
    """Answer with what came of a command.

    Args:
        draws: With the boards it shows as text.
        note: What to say of how its line was read; "" for nothing.
    """
    text = reply_text(reply, viewer, boards, draws=draws)
    facts = {"text": f"{text}\n\n{translated(note)}" if note else text, "reply": encode(reply)}
    response = JsonResponse(facts, json_dumps_params={"ensure_ascii": False})
    response["Cache-Control"] = "private, no-store"
    return response


JSON = "application/json; charset=utf-8"
TEXT = "text/plain; charset=utf-8"
Facts = TypeVar("Facts")
_MAKER = "_create_response_model"  # of Ninja's operations
REFUSALS: dict[Any, Any] = {(400, 401, 403, 404, 409, 413, 415, 422, 429): Problem}


def share_answer_models() -> None:
    """Let Ninja make one model of each kind of answer.

    It makes one for each status of each operation, over a thousand, nearly all of the same two
    kinds. They took 13 MiB of every server, and a third of the time that loading the API takes.
    Nobody changes a model, and to the OpenAPI page they are the same.
    """
    make = getattr(Operation, _MAKER)
    made: dict[Any, Any] = {}

    def shared(operation: Operation, kind: Any) -> Any:
        if kind not in made:
            made[kind] = make(operation, kind)
        return made[kind]

    setattr(Operation, _MAKER, shared)


share_answer_models()  # before the first operation is made, in the modules that import this one


def documented_answers(kind: Any, status: int = 200) -> dict[Any, Any]:
    """Return what an operation answers, for the OpenAPI page."""
    return {status: kind, **REFUSALS}


def other_content_types(*kinds: str) -> dict[str, Any]:
    """Return what the OpenAPI page says of other content types of an operation's answer."""
    return {"responses": {200: {"content": {kind: {} for kind in kinds}}}}


def facts_from(kind: type[Facts], source: object, **others: Any) -> Facts:
    """Return facts of a kind: the fields of `source` that have the same names, and others."""
    names = [field.name for field in fields(cast(Any, kind))]
    same = {name: getattr(source, name) for name in names if name not in others}
    return kind(**same, **others)


def send(request: HttpRequest, facts: object, *, further: str = "") -> HttpResponse:
    """Send facts as JSON, or 304 to a caller who has these.

    Args:
        further: The address of the next page; "" for none.
    """
    text = json.dumps(json_form.write(facts), ensure_ascii=False)
    response = send_text(request, text, JSON)
    if further:
        response["Link"] = f'<{further}>; rel="next"'
    return response


def send_text(request: HttpRequest, text: str, kind: str = TEXT) -> HttpResponse:
    """Send text, or 304 to a caller who has it."""
    # Any cache may store an answer to an anonymous caller, but must revalidate it.
    keep = "public, no-cache" if caller(request).player is None else "private, no-cache"
    headers = {"Cache-Control": keep, "Vary": "Authorization, Accept"}
    return send_tagged(request, HttpResponse(text, content_type=kind, headers=headers))


def send_tagged(request: HttpRequest, response: HttpResponse) -> HttpResponse:
    """Send a response with a tag of its content, or 304 to a caller who has it."""
    response["ETag"] = etag = f'"{sha256(response.content).hexdigest()[:32]}"'
    conditional: HttpResponse | None = get_conditional_response(request, etag, None, response)
    return conditional or response


def send_new(facts: object, status: int = 200) -> HttpResponse:
    """Send facts that no cache may store."""
    text = json.dumps(json_form.write(facts), ensure_ascii=False)
    response = HttpResponse(text, content_type=JSON, status=status)
    response["Cache-Control"] = "private, no-store"
    return response


@cache
def reply_model(kind: type) -> type[BaseModel]:
    """Return the model of what `replies.encode` makes of a dataclass."""
    if kind is replies.Answer:
        # A command and what came of it, which may be any reply: not spelled out once more.
        model_fields = {"kind": Literal["Answer"], "line": str, "reply": dict[str, Any]}
        return _model("LineAnswer", "", model_fields)
    hints = get_type_hints(kind)
    model_fields = {field.name: _type(hints[field.name]) for field in fields(kind)}
    description = (kind.__doc__ or "").partition("\n")[0]
    name = replies.kind_name(kind)
    return _model(name, description, {"kind": Literal[name], **model_fields})


def _model(name: str, description: str, model_fields: dict[str, Any]) -> type[BaseModel]:
    model: type[BaseModel] = create_model(name, __doc__=description, **model_fields)
    return model


def _type(kind: Any) -> Any:
    if is_dataclass(kind) and isinstance(kind, type):
        return reply_model(kind)
    if isinstance(kind, UnionType):
        parts = [None if part is NoneType else _type(part) for part in get_args(kind)]
        return Union[tuple(parts)]  # noqa: UP007 (made of a list)
    if get_origin(kind) is tuple:
        inner = get_args(kind)
        if inner[-1] is Ellipsis:
            return list[_type(inner[0])]  # type: ignore[misc]
        return tuple[tuple(map(_type, inner))]  # type: ignore[misc]
    return kind


_KINDS = tuple(reply_model(kind) for kind in get_args(Reply))
AnyReply = Annotated[Union[_KINDS], Field(discriminator="kind")]  # type: ignore[valid-type] # noqa: UP007


class ReplyShape(BaseModel):
    """The result of a command: as text, and as data."""

    text: str
    reply: AnyReply


MOST = 999_999_999  # every database can hold it

Number = Annotated[int, Path(ge=0, le=MOST)]
Ply = Annotated[int, Path(ge=0, le=999_999)]
Userid = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,40}$")]
GameName = Annotated[str, Path(pattern=r"^[A-Za-z0-9_-]{1,40}$")]

NamedUser = Annotated[str, Query(pattern=r"^[A-Za-z0-9_-]{0,40}$")]
NamedGame = Annotated[str, Query(pattern=r"^[A-Za-z0-9_-]{0,40}$")]
Before = Annotated[int | None, Query(ge=0, le=MOST)]
PageSize = Annotated[int, Query(ge=1, le=100)]
Text = Annotated[str, Field(max_length=300)]
