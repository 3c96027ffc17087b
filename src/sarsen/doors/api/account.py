"""The caller's own account: what waits, tokens, whether a program plays, the export."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.utils import timezone
from ninja import Router
from pydantic import BaseModel, ConfigDict

from sarsen.doors.api.authentication import caller, needs, speaking
from sarsen.doors.api.logins import TokenWish, new_token
from sarsen.doors.api.replies import REFUSALS, Number, answers, send, send_new
from sarsen.language.facts import AccountFacts, NewTokenFacts, TokenLine, TokenList
from sarsen.services import players
from sarsen.services.accounts import tokens
from sarsen.services.accounts.leaving import export_lines
from sarsen.services.accounts.tokens import ListedToken, Scope
from sarsen.services.challenges.pages import challenges_of
from sarsen.services.notices.streams import waiting_boards

router = Router(tags=["account"])


class Change(BaseModel):
    """The changes to an account; other settings have commands."""

    model_config = ConfigDict(extra="forbid", strict=True)

    is_program: bool


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
def change_account(request: HttpRequest, asked: Change) -> HttpResponse:
    """Set whether a program plays for this account; lists and boards then mark it so."""
    players.mark(speaking(request), asked.is_program)
    return send_new(_account(request))


@router.get(
    "/account/export",
    auth=needs(Scope.ACCOUNT),
    response={200: str, **REFUSALS},
    operation_id="read-export",
)
def send_export(request: HttpRequest) -> HttpResponseBase:
    """Send all that is kept of the caller, as lines of JSON (`application/jsonl`)."""
    lines = (f"{line}\n".encode() for line in export_lines(speaking(request)))
    headers = {"Cache-Control": "private, no-store"}
    return StreamingHttpResponse(lines, content_type="application/jsonl", headers=headers)


@router.get(
    "/account/tokens",
    auth=needs(Scope.ACCOUNT),
    response=answers(TokenList),
    operation_id="read-tokens",
)
def list_tokens(request: HttpRequest) -> HttpResponse:
    """List the caller's tokens, without the tokens themselves."""
    found = tokens.tokens_of(speaking(request), timezone.now())
    return send(request, TokenList(tuple(map(_line, found))))


@router.post(
    "/account/tokens",
    auth=needs(Scope.ACCOUNT),
    response=answers(NewTokenFacts, 201),
    operation_id="make-token",
)
def make_token(request: HttpRequest, asked: TokenWish) -> HttpResponse:
    """Make another token; it is shown this once."""
    return new_token(speaking(request), asked)


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
    invitations = [one.number for one in challenges_of(player) if one.may_accept]
    return AccountFacts(
        userid=player.userid,
        is_program=player.is_bot,
        timezone=player.timezone,
        scopes=tuple(str(one) for one in Scope if one in scopes),
        to_move=waiting_boards(player),
        invitations=tuple(invitations),
    )


def _line(one: ListedToken) -> TokenLine:
    scopes = tuple(map(str, one.scopes))
    return TokenLine(one.number, one.label, scopes, one.made_at, one.used_at, one.ends_at)
