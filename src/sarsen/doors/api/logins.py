"""Get a token without a browser: a code comes by mail, and gives one."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router
from pydantic import BaseModel, ConfigDict, Field

from sarsen.core.errors import UserError
from sarsen.doors.api.authentication import anybody, caller
from sarsen.doors.api.replies import answers, send_new
from sarsen.language.facts import NewTokenFacts
from sarsen.services.accounts import attempts, login_methods, tokens
from sarsen.services.accounts.tokens import NewToken, Scope
from sarsen.services.request import Player

LONGEST_NAME = 254
router = Router(tags=["tokens"])


class LoginRequest(BaseModel):
    """The player that wants to log in."""

    model_config = ConfigDict(extra="forbid", strict=True)

    userid: str = Field(
        min_length=1, max_length=LONGEST_NAME, description="A userid or a mail address."
    )


class TokenWish(BaseModel):
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


class LoginCode(TokenWish):
    """The code of a letter, and how the token shall be."""

    userid: str = Field(min_length=1, max_length=LONGEST_NAME)
    code: str = Field(
        min_length=1, max_length=40, json_schema_extra={"format": "password", "writeOnly": True}
    )


class LoginStarted(BaseModel):
    """The answer of the server: the same for a userid that nobody has."""

    text: str
    minutes: int


@router.post("/login", auth=[anybody], response=answers(LoginStarted, 202), operation_id="login")
def ask(request: HttpRequest, asked: LoginRequest) -> HttpResponse:
    """Send a letter with a code to anyone who has this userid or address."""
    name = asked.userid.strip()
    if len(name.split()) != 1:
        raise UserError(
            "A userid or a mail address is one word.", code="login-name", hint="ann@example.org"
        )
    now = timezone.now()
    place = caller(request).place
    attempts.count("login", place, now)
    login_methods.ask(name, "", place, now)
    minutes = login_methods.LASTS.seconds // 60
    text = f"If there is such an account, a letter with a code comes; it holds {minutes} minutes."
    return send_new(LoginStarted(text=text, minutes=minutes).model_dump(), 202)


@router.post(
    "/login/code", auth=[anybody], response=answers(NewTokenFacts, 201), operation_id="login-code"
)
def take_code(request: HttpRequest, asked: LoginCode) -> HttpResponse:
    """Return a token for the code of the newest letter; some wrong ones make it void."""
    now = timezone.now()
    tokens.check_wish(asked.label, asked.scopes, asked.days)  # a code is used up only by a token
    place = caller(request).place
    attempts.count("login", place, now)
    player = login_methods.use_code(asked.userid, asked.code, place, now).player
    return new_token(player, asked)


def new_token(player: Player, wish: TokenWish) -> HttpResponse:
    """Make a token, and show it this once."""
    made = tokens.make(player, wish.label, wish.scopes, timezone.now(), wish.days)
    return send_new(_facts(player, made), 201)


def _facts(player: Player, made: NewToken) -> NewTokenFacts:
    one = made.listed
    return NewTokenFacts(made.secret, player.userid, one.number, one.label, one.scopes, one.ends_at)
