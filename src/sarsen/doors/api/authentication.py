"""The caller of a request: the player of a token, or nobody."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from django.http import HttpRequest
from django.utils import timezone
from ninja.security import HttpBearer

from sarsen.core.errors import UserError
from sarsen.language.command import Command, Scope
from sarsen.services.accounts import attempts, tokens
from sarsen.services.accounts.tokens import TokenBearer
from sarsen.services.limits.processor_time import IS_PLAYER, ProcessorBudget
from sarsen.services.request import Actor, Player


@dataclass(frozen=True)
class Caller:
    """The caller of a request: the token and the network address; None for nobody."""

    bearer: TokenBearer | None = None
    client_address: str = ""
    budget: ProcessorBudget | None = None

    @property
    def player(self) -> Player | None:
        return self.bearer.player if self.bearer else None

    @property
    def actor(self) -> Actor:
        return Actor(self.player, client_address=self.client_address, budget=self.budget)

    def check(self, command: Command) -> None:
        """Refuse a command that the token does not cover, or that needs a token."""
        if self.bearer:
            tokens.require_scope(self.bearer, scope_of(type(command)))
        elif not is_for_all(type(command)):
            raise UserError("This command needs a token.", code="who-speaks")


class ByToken(HttpBearer):
    """Prove a caller by `Authorization: Bearer …`."""

    def __init__(self, scope: Scope | None) -> None:
        super().__init__()
        self.scope = scope

    def authenticate(self, request: HttpRequest, token: str) -> Caller:
        """Return the caller that a token belongs to.

        Raises:
            UserError: The token is unknown, or its scopes do not cover the operation.
        """
        bearer = tokens.prove(token, timezone.now())
        if self.scope is not None:
            tokens.require_scope(bearer, self.scope)
        request.META[IS_PLAYER] = True
        return Caller(bearer, attempts.client_address_of(request.META))


class ByOptionalToken(ByToken):
    """The same where a caller may have no token: the OpenAPI document shows the difference."""


Proof = Sequence[Callable[[HttpRequest], Any]]


def anonymous_caller(request: HttpRequest) -> Caller | None:
    """Return an anonymous caller; None where a token is shown, which `ByToken` then checks."""
    if request.headers.get("Authorization"):
        return None
    budget = getattr(request, "budget", None)  # see `server.visitors`
    return Caller(client_address=attempts.client_address_of(request.META), budget=budget)


def token_with(scope: Scope) -> Proof:
    """Require a token with a scope."""
    return [ByToken(scope)]


def open_to_all(scope: Scope | None = Scope.READ) -> Proof:
    """Allow anonymous callers; a token that is shown needs the scope."""
    return [ByOptionalToken(scope), anonymous_caller]


def caller(request: HttpRequest) -> Caller:
    """Return the caller, whom the authentication of the operation has found."""
    auth: Caller = request.auth  # type: ignore[attr-defined]
    return auth


def calling_player(request: HttpRequest) -> Player:
    """Return the player who calls, where the operation lets in nobody else."""
    player = caller(request).player
    assert player is not None  # the operation needs a token
    return player


def is_for_all(command: type[Command]) -> bool:
    """Return whether a command may come without a token."""
    return command.for_visitors or command.scope is Scope.READ


def scope_of(command: type[Command]) -> Scope:
    """Return the scope that a command needs."""
    return command.scope
