"""An operation for every command of the language, made from its dataclass; and typed lines."""

from __future__ import annotations

import re
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from django.utils.crypto import salted_hmac
from ninja import Router
from pydantic import BaseModel, ConfigDict, Field

from sarsen.core.errors import UserError
from sarsen.doors.api.authentication import caller, is_for_all, needs, open_to_all, scope_of
from sarsen.doors.api.problems import problem
from sarsen.doors.api.replies import ReplyShape, answers, send_answer
from sarsen.doors.api.schemas import command_of, schema_of
from sarsen.language.commands import COMMANDS, QUERIES, Command, Multiple
from sarsen.language.grammar.grammar import LONGEST_TEXT
from sarsen.language.replies import Refusal
from sarsen.services.board_cache import BoardCache
from sarsen.services.command_lines import LONGEST_BODY, About, LineResult, speak
from sarsen.services.dispatch import perform
from sarsen.services.request import Player

router = Router(tags=["commands"])


class TypedLine(BaseModel):
    """A command line as typed at any door, and the lines below it."""

    model_config = ConfigDict(extra="forbid", strict=True)

    line: str = Field(max_length=LONGEST_TEXT, examples=["druid move 123 c3"])
    body: str = Field(default="", max_length=LONGEST_BODY)
    board: int | None = Field(default=None, ge=0, le=999_999_999, description="What it answers.")
    ply: int | None = Field(default=None, ge=0, le=999_999, description="As `#PLY` in a line.")
    event: int | None = Field(default=None, ge=0, le=9_999_999)
    matter: str = Field(default="", max_length=40, description="`matter` of the reply answered.")


@router.post("/line", auth=open_to_all(None), response=answers(ReplyShape), operation_id="line")
def do_line(request: HttpRequest, asked: TypedLine) -> HttpResponse:
    """Perform a line of the grammar as it is typed in a mail.

    Which scope it needs depends on the command. A userid and a password in the line prove
    the speaker, too, as in a mail.
    """
    about = About(asked.board, asked.ply, asked.event, asked.matter)
    return _answered(request, _spoken(request, asked.line, asked.body, about))


def name_of(command: type[Command]) -> str:
    """Return the name of a command in addresses: `change-password`."""
    return command.words[0].replace(" ", "-")


def _add(command: type[Command]) -> None:
    schema = schema_of(command)

    def operation(request: HttpRequest, asked: Any) -> HttpResponse:
        return _do(request, command, asked)

    operation.__annotations__["asked"] = schema
    scope = scope_of(command)
    router.post(
        f"/commands/{name_of(command)}",
        auth=open_to_all(scope) if is_for_all(command) else needs(scope),
        response=answers(ReplyShape),
        operation_id=name_of(command),
        summary=name_of(command),
        description=f"{command.summary}\n\nAs a line: `{command.usage}`. Scope: `{scope}`.",
        openapi_extra={"x-scope": str(scope), "x-query": command in QUERIES},
    )(operation)


def _do(request: HttpRequest, command: type[Command], asked: BaseModel) -> HttpResponse:
    who = caller(request)
    meant = command_of(command, asked, who.actor.name)
    if isinstance(meant, Multiple):
        return _answered(request, _spoken(request, "multiple", "\n".join(meant.lines), About()))
    named = request_of(request, who.player)
    key = "" if command in QUERIES else named.key
    boards = BoardCache()
    said = named.said if key else ""
    reply = perform(meant, who.actor, key, timezone.now(), said, boards=boards)
    return send_answer(reply, who.player, boards)


def _spoken(request: HttpRequest, line: str, body: str, about: About) -> LineResult:
    who = caller(request)
    named = request_of(request, who.player)
    return speak(
        line,
        body,
        who.actor,
        named.key,
        timezone.now(),
        about,
        said=named.said,
        check=who.check,
    )


def _answered(request: HttpRequest, heard: LineResult) -> HttpResponse:
    if heard.refused is not None:
        return problem(heard.refused, is_known=heard.actor.player is not None)
    assert not isinstance(heard.reply, Refusal)  # only what was refused is one
    return send_answer(heard.reply, heard.actor.player, BoardCache())


for _one in COMMANDS:
    _add(_one)


HEADER = "Idempotency-Key"
_KEY = re.compile(r"[\x21-\x7e]{1,200}")


@dataclass(frozen=True)
class RequestKey:
    """Name a request for `services.dispatch.perform`; both "" without the header."""

    key: str = ""
    said: str = ""


def request_of(request: HttpRequest, player: Player | None) -> RequestKey:
    """Name what is asked, by the header and who asks.

    Raises:
        UserError: The header is too long, or no plain text.
    """
    given = request.headers.get(HEADER, "").strip()
    if not given:
        return RequestKey()
    if not _KEY.fullmatch(given):
        raise UserError(
            f"An {HEADER} has 1 to 200 visible ASCII characters and no blanks.",
            code="key-form",
            hint=f"{HEADER}: 5f0c6e2a-7d0b-4a57-9d5e-1f1a8f2f6f01",
        )
    # With a key of ours: a body may hold a password, and the digest is kept.
    body = request.path.encode() + b"\n" + request.body
    said = salted_hmac("api", body, algorithm="sha256").hexdigest()
    digest = sha256(given.encode()).hexdigest()[:48]
    if player is None:
        # Nobody's keys are nobody's own: another visitor may have the same one.
        return RequestKey(f"api:0:{digest[:24]}{said[:24]}", said)
    return RequestKey(f"api:{player.pk}:{digest}", said)
