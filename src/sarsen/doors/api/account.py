"""The caller's own account, its tokens, and how one gets a token by a mailed code."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from ninja import Router
from pydantic import BaseModel, ConfigDict, Field

from sarsen.doors.api.authentication import anybody, caller, needs, speaking
from sarsen.doors.api.replies import REFUSALS, Number, also_as, answers, send, send_new
from sarsen.language.facts import AccountFacts, NewTokenFacts, TokenList
from sarsen.services import players
from sarsen.services.accounts import attempts, login_methods, tokens
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.accounts.tokens import Scope
from sarsen.services.boards.lists import waiting_boards
from sarsen.services.challenges.pages import challenges_of
from sarsen.services.request import Player

LONGEST_NAME = 254
JSONL = "application/jsonl"
router = Router(tags=["account"])
login_router = Router(tags=["tokens"])


class Change(BaseModel):
    """The changes to an account; other settings have commands."""

    model_config = ConfigDict(extra="forbid", strict=True)

    is_program: bool


class TokenRequest(BaseModel):
    """How a new token shall be."""

    model_config = ConfigDict(extra="forbid", strict=True)

    label: str = Field(default="program", max_length=200, description="To know it again.")
    scopes: list[str] = Field(
        default=[Scope.READ, Scope.PLAY, Scope.CHAT],
        max_length=10,
        description="Some of `read`, `play`, `chat`, `account`.",
    )
    days: int | None = Field(
        default=None, ge=1, le=tokens.LONGEST_DAYS, description="None: until it is revoked."
    )


@router.get(
    "/account", auth=needs(Scope.READ), response=answers(AccountFacts), operation_id="read-account"
)
def show_account(request: HttpRequest) -> HttpResponse:
    """Return the player of the token, and the boards and questions that wait."""
    return send(request, _account(request))


@router.patch(
    "/account",
    auth=needs(Scope.ACCOUNT),
    response=answers(AccountFacts),
    operation_id="change-account",
)
def change_account(request: HttpRequest, payload: Change) -> HttpResponse:
    """Set whether a program plays for this account; lists and boards then mark it so."""
    players.mark(speaking(request), payload.is_program)
    return send_new(_account(request))


@router.get(
    "/account/export",
    auth=needs(Scope.ACCOUNT),
    response={200: dict[str, object], **REFUSALS},
    operation_id="read-export",
    openapi_extra=also_as(JSONL),
)
def send_export(request: HttpRequest) -> HttpResponseBase:
    """Send all that is kept of the caller, as lines of JSON (`application/jsonl`)."""
    lines = (f"{line}\n".encode() for line in export_lines(speaking(request)))
    headers = {"Cache-Control": "private, no-store"}
    return StreamingHttpResponse(lines, content_type=JSONL, headers=headers)


@router.get(
    "/account/tokens",
    auth=needs(Scope.ACCOUNT),
    response=answers(TokenList),
    operation_id="read-tokens",
)
def list_tokens(request: HttpRequest) -> HttpResponse:
    """List the caller's tokens, without the tokens themselves."""
    return send(request, TokenList(tokens.tokens_of(speaking(request), timezone.now())))


@router.post(
    "/account/tokens",
    auth=needs(Scope.ACCOUNT),
    response=answers(NewTokenFacts, 201),
    operation_id="make-token",
)
def make_token(request: HttpRequest, payload: TokenRequest) -> HttpResponse:
    """Make another token; it is shown this once."""
    return _new_token(speaking(request), payload)


@router.delete(
    "/account/tokens/{number}",
    auth=needs(Scope.ACCOUNT),
    response={204: None, **REFUSALS},
    operation_id="revoke-token",
)
def revoke_token(request: HttpRequest, number: Number) -> HttpResponse:
    """End a token at once."""
    tokens.revoke(speaking(request), number)
    return HttpResponse(status=204)


def _account(request: HttpRequest) -> AccountFacts:
    player, bearer = speaking(request), caller(request).bearer
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
    )


class LoginRequest(BaseModel):
    """The player that wants to log in."""

    model_config = ConfigDict(extra="forbid", strict=True)

    userid: str = Field(
        min_length=1, max_length=LONGEST_NAME, description="A userid or a mail address."
    )


class LoginCode(TokenRequest):
    """The code of a letter, and how the token shall be."""

    userid: str = Field(min_length=1, max_length=LONGEST_NAME)
    code: str = Field(
        min_length=1, max_length=40, json_schema_extra={"format": "password", "writeOnly": True}
    )


class LoginStarted(BaseModel):
    """The answer of the server: the same for a userid that nobody has."""

    text: str
    minutes: int


@login_router.post(
    "/login", auth=[anybody], response=answers(LoginStarted, 202), operation_id="login"
)
def ask_code(request: HttpRequest, payload: LoginRequest) -> HttpResponse:
    """Send a letter with a code to anyone who has this userid or address."""
    name, now = login_methods.read_name(payload.userid), timezone.now()
    place = caller(request).place
    attempts.count("login", place, now)
    login_methods.ask(name, "", place, now)
    minutes = login_methods.LASTS.seconds // 60
    text = (
        "If there is such an account, we have sent it a mail with a code, valid for "
        f"{minutes} minutes."
    )
    return send_new(LoginStarted(text=text, minutes=minutes).model_dump(), 202)


@login_router.post(
    "/login/code", auth=[anybody], response=answers(NewTokenFacts, 201), operation_id="login-code"
)
def take_code(request: HttpRequest, payload: LoginCode) -> HttpResponse:
    """Return a token for the code of the newest letter; some wrong ones make it void."""
    now = timezone.now()
    tokens.check_wish(
        payload.label, payload.scopes, payload.days
    )  # a code is used up only by a token
    place = caller(request).place
    attempts.count("login", place, now)
    player = login_methods.use_code(payload.userid, payload.code, place, now).player
    return _new_token(player, payload)


def _new_token(player: Player, token_request: TokenRequest) -> HttpResponse:
    """Make a token, and show it this once."""
    new_token = tokens.make(
        player, token_request.label, token_request.scopes, timezone.now(), token_request.days
    )
    listed = new_token.listed
    facts = NewTokenFacts(
        new_token.secret, player.userid, listed.number, listed.label, listed.scopes, listed.ends_at
    )
    return send_new(facts, 201)
