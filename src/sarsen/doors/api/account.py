"""The caller's own account, its tokens, and how one gets a token by a mailed code."""

from __future__ import annotations

from typing import Annotated

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from ninja import Router
from pydantic import BaseModel, ConfigDict, Field

from sarsen.doors.api.authentication import anonymous_caller, caller, calling_player, token_with
from sarsen.doors.api.replies import (
    REFUSALS,
    Number,
    documented_answers,
    other_content_types,
    send,
    send_new,
)
from sarsen.language.command import Scope
from sarsen.language.facts import AccountFacts, NewTokenFacts, TokenList
from sarsen.services import players
from sarsen.services.accounts import attempts, login_letters, tokens
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.boards.my_boards import waiting_boards
from sarsen.services.challenges.lists import challenges_of
from sarsen.services.request import Player

MAX_NAME = 254  # characters: a userid, or a mail address, which is longer (RFC 5321)
# Another one is refused by `check_token_request`, which names those that there are.
ScopeName = Annotated[
    str, Field(max_length=40, json_schema_extra={"enum": [str(scope) for scope in Scope]})
]
JSONL = "application/jsonl"
router = Router(tags=["account"])
login_router = Router(tags=["tokens"])


class Change(BaseModel):
    """Changes to an account; other settings have their own commands."""

    model_config = ConfigDict(extra="forbid", strict=True)

    is_program: bool


class TokenRequest(BaseModel):
    """The label, scopes and expiry of a new token."""

    model_config = ConfigDict(extra="forbid", strict=True)

    label: str = Field(
        default="program",
        description="A name to recognize the token by.",
        json_schema_extra={"minLength": 1, "maxLength": tokens.MAX_LABEL},
    )
    scopes: list[ScopeName] = Field(
        default=[Scope.READ, Scope.PLAY, Scope.CHAT],
        max_length=10,
        json_schema_extra={"minItems": 1},
        description="Any of `read`, `play`, `chat`, `account`.",
    )
    days: int | None = Field(
        default=None,
        ge=1,
        le=tokens.MAX_DAYS,
        description="Days until it expires; null: never.",
    )


@router.get(
    "/account",
    auth=token_with(Scope.READ),
    response=documented_answers(AccountFacts),
    operation_id="read-account",
)
def show_account(request: HttpRequest) -> HttpResponse:
    """Return the account of the token, and the boards and challenges that wait for it."""
    return send(request, _account(request))


@router.patch(
    "/account",
    auth=token_with(Scope.ACCOUNT),
    response=documented_answers(AccountFacts),
    operation_id="change-account",
)
def change_account(request: HttpRequest, payload: Change) -> HttpResponse:
    """Set whether this account is played by a program; lists and boards mark it."""
    players.mark(calling_player(request), payload.is_program)
    return send_new(_account(request))


@router.get(
    "/account/export",
    auth=token_with(Scope.ACCOUNT),
    response={200: dict[str, object], **REFUSALS},
    operation_id="read-export",
    openapi_extra=other_content_types(JSONL),
)
def send_export(request: HttpRequest) -> HttpResponseBase:
    """Export all data stored about the caller, as JSON Lines (`application/jsonl`)."""
    lines = (f"{line}\n".encode() for line in export_lines(calling_player(request)))
    headers = {"Cache-Control": "private, no-store"}
    return StreamingHttpResponse(lines, content_type=JSONL, headers=headers)


@router.get(
    "/account/tokens",
    auth=token_with(Scope.ACCOUNT),
    response=documented_answers(TokenList),
    operation_id="read-tokens",
)
def list_tokens(request: HttpRequest) -> HttpResponse:
    """List the caller's tokens; the secrets are not shown."""
    return send(request, TokenList(tokens.tokens_of(calling_player(request), timezone.now())))


@router.post(
    "/account/tokens",
    auth=token_with(Scope.ACCOUNT),
    response=documented_answers(NewTokenFacts, 201),
    operation_id="make-token",
)
def make_token(request: HttpRequest, payload: TokenRequest) -> HttpResponse:
    """Create a token; its secret is shown only in this response."""
    return _new_token(calling_player(request), payload)


@router.delete(
    "/account/tokens/{number}",
    auth=token_with(Scope.ACCOUNT),
    response={204: None, **REFUSALS},
    operation_id="revoke-token",
)
def revoke_token(request: HttpRequest, number: Number) -> HttpResponse:
    """Revoke a token immediately."""
    tokens.revoke(calling_player(request), number)
    return HttpResponse(status=204)


def _account(request: HttpRequest) -> AccountFacts:
    player, bearer = calling_player(request), caller(request).bearer
    scopes = bearer.scopes if bearer else frozenset()
    invitations = [challenge.number for challenge in challenges_of(player) if challenge.may_accept]
    return AccountFacts(
        userid=player.userid,
        is_program=player.is_bot,
        timezone=player.timezone,
        scopes=tuple(str(scope) for scope in Scope if scope in scopes),
        to_move=waiting_boards(player),
        invitations=tuple(invitations),
        language=player.language,
        token=bearer.number if bearer else None,
    )


class LoginRequest(BaseModel):
    """The account to log in to."""

    model_config = ConfigDict(extra="forbid", strict=True)

    userid: str = Field(
        min_length=1,
        max_length=MAX_NAME,
        description="A userid or a mail address.",
        examples=["ann"],
    )


class LoginCode(TokenRequest):
    """The code from the mail, and the token to create."""

    userid: str = Field(min_length=1, max_length=MAX_NAME, examples=["ann"])
    code: str = Field(
        min_length=1, max_length=40, json_schema_extra={"format": "password", "writeOnly": True}
    )


class LoginStarted(BaseModel):
    """A login has started; the response is the same for an unknown userid."""

    text: str
    minutes: int


@login_router.post(
    "/login",
    auth=[anonymous_caller],
    response=documented_answers(LoginStarted, 202),
    operation_id="login",
    url_name="login",
    summary="Request Login Code",
)
def ask_code(request: HttpRequest, payload: LoginRequest) -> HttpResponse:
    """Mail a login code to the account with this userid or address."""
    name, now = login_letters.read_name(payload.userid), timezone.now()
    client_address = caller(request).client_address
    attempts.count("login", client_address, now)
    login_letters.ask(name, "", client_address, now)
    minutes = login_letters.LASTS.seconds // 60
    text = (
        f"If this account exists, we have mailed it a code, which is valid for {minutes} minutes."
    )
    return send_new(LoginStarted(text=text, minutes=minutes).model_dump(), 202)


@login_router.post(
    "/login/code",
    auth=[anonymous_caller],
    response=documented_answers(NewTokenFacts, 201),
    operation_id="login-code",
    url_name="login-code",
    summary="Exchange Login Code",
)
def take_code(request: HttpRequest, payload: LoginCode) -> HttpResponse:
    """Exchange the newest login code for a token; too many wrong codes invalidate it."""
    now = timezone.now()
    tokens.check_token_request(
        payload.label, payload.scopes, payload.days
    )  # a code is used up only by a token
    client_address = caller(request).client_address
    attempts.count("login", client_address, now)
    player = login_letters.use_code(payload.userid, payload.code, client_address, now).player
    attempts.note_login(player.pk, client_address, now)
    return _new_token(player, payload)


def _new_token(player: Player, token_request: TokenRequest) -> HttpResponse:
    """Create a token, and return its secret."""
    new_token = tokens.make(
        player, token_request.label, token_request.scopes, timezone.now(), token_request.days
    )
    listed = new_token.listed
    facts = NewTokenFacts(
        new_token.secret, player.userid, listed.number, listed.label, listed.scopes, listed.ends_at
    )
    return send_new(facts, 201)
