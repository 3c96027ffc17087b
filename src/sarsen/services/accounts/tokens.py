"""Tokens and reply addresses that speak for a player: made, proved, listed, revoked.

A token is shown once, when it is made; only its digest is kept. Its scopes bound what
anyone who holds it can do. Reply addresses stand in letters; revoked, they answer to nobody.
"""

from __future__ import annotations

import re
import secrets
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from hashlib import sha256

from django.db import transaction
from django.db.models import Q, QuerySet

from sarsen.core.errors import UserError
from sarsen.core.phrases import Phrase, quoted
from sarsen.language.command import Scope
from sarsen.language.commands import Revoke
from sarsen.language.facts import TokenLine
from sarsen.language.grammar.typography import one_line
from sarsen.language.preferences import Revoked
from sarsen.services import task_queue
from sarsen.services.limits import daily
from sarsen.services.mail import outgoing
from sarsen.services.matches.moves import lock_as_participant
from sarsen.services.notices import Event, notify
from sarsen.services.players import lock_player
from sarsen.services.request import Player, Request
from sarsen.services.speakers import hold_player
from sarsen.storage import move_path
from sarsen.storage.models import Match, MatchSeat, Token
from sarsen.storage.models.players import new_key

BYTES = 24  # 192 bits of chance, which nobody can guess
BEGINNING = "sarsen_"  # by which scanners of published code know it
MAX_TOKENS = 50  # bounds a player's list, which nobody reads beyond
MAX_LABEL = 60  # characters, as they fit in one line of that list
MAX_DAYS = 3660  # ten years; for longer a token may have no end at all
# The time of the last use is written once in so long: a poll is not a write.
USE_NOTED = timedelta(minutes=10)
_TOKEN = re.compile(rf"{BEGINNING}[A-Za-z0-9_-]{{32}}")

MEANINGS = {
    Scope.READ: Phrase("read your boards, including private ones, your notes, and live updates"),
    Scope.PLAY: Phrase("challenge, accept, move, offer, resign, queue moves"),
    Scope.CHAT: Phrase("chat on boards, send messages, keep notes"),
    Scope.ACCOUNT: Phrase("read and change your settings, export or close the account"),
}


class NotAllowed(UserError):
    """Refuse what the scopes of a token do not cover."""


class UnknownToken(UserError):
    """Refuse a token that is nobody's, or not any more."""


@dataclass(frozen=True)
class NewToken:
    """A token that was just made.

    Attributes:
        secret: The token itself, to be shown once.
    """

    secret: str
    listed: TokenLine


@dataclass(frozen=True)
class TokenBearer:
    """The player of a token, and its permissions."""

    player: Player
    scopes: frozenset[Scope]
    number: int


@transaction.atomic
def make(
    player: Player, label: str, scopes: Sequence[str], now: datetime, days: int | None = None
) -> NewToken:
    """Make a token of a player's.

    Args:
        days: How long it holds; None until it is revoked.

    Raises:
        UserError: No scope or an unknown one, a label or days out of range, too many tokens.
    """
    check_token_request(label, scopes, days)
    hold_player(player)
    lock_player(player, "has_stream")  # so that two at once do not pass MAX_TOKENS
    _make_room(player, now)
    secret = BEGINNING + secrets.token_urlsafe(BYTES)
    row = Token.objects.create(
        player=player,
        digest=_digest(secret),
        label=one_line(label),
        scopes=[scope for scope in Scope if scope in scopes],
        made_at=now,
        ends_at=None if days is None else now + timedelta(days=days),
    )
    if not player.has_stream:
        player.has_stream = True
        player.save(update_fields=["has_stream"])
    # In case a stranger made it.
    notify(player, Event.ACCOUNT, "account-changed", {"what": "token"}, now)
    task_queue.wake(task_queue.SEND_MAIL)
    return NewToken(secret, _listed(row))


def check_token_request(label: str, scopes: Sequence[str], days: int | None) -> None:
    """Refuse a token that cannot be made.

    Raises:
        UserError: No scope or an unknown one, a label or days out of range.
    """
    scope_names = list(Scope)
    unknown = next((name for name in scopes if name not in scope_names), "" if scopes else "none")
    if unknown:
        raise UserError(
            "{scope} is not a scope; the scopes are {scopes}.",
            code="unknown-scope",
            hint="read, play",
            scopes=", ".join(scope_names),
            scope=quoted(unknown),
        )
    if not one_line(label) or len(label) > MAX_LABEL:  # invisible characters count, too
        raise UserError(
            "Give the token a name of 1 to {most} characters, so that you can recognise it.",
            code="token-label",
            hint="my bot at home",
            most=MAX_LABEL,
        )
    if days is not None and not 0 < days <= MAX_DAYS:
        raise UserError(
            "A token is valid for 1 to {most} days, or until you revoke it.",
            code="token-days",
            hint="365",
            most=MAX_DAYS,
        )


def prove(secret: str, now: datetime) -> TokenBearer:
    """Return the player and the scopes of a token.

    Raises:
        UnknownToken: It is nobody's, revoked, or too old.
    """
    row = None
    if _TOKEN.fullmatch(secret):
        row = move_path.token_of(_digest(secret))
    if row is None or (row.ends_at is not None and row.ends_at <= now):
        raise UnknownToken(
            "This token does not exist, was revoked, or has expired.",
            code="unknown-token",
            hint="Create a new one in your settings, or get one with a mailed code: POST "
            "/api/v1/login.",
        )
    if row.used_at is None or now - row.used_at >= USE_NOTED:
        Token.objects.filter(pk=row.pk).update(used_at=now)
    scopes = frozenset(Scope(name) for name in row.scopes if name in list(Scope))
    return TokenBearer(row.player, scopes, row.pk)


def is_valid(bearer: TokenBearer, now: datetime) -> bool:
    """Return whether a token that was proved still holds."""
    rows = Token.objects.filter(pk=bearer.number, player__is_active=True)
    return rows.filter(Q(ends_at=None) | Q(ends_at__gt=now)).exists()


def require_scope(bearer: TokenBearer, scope: Scope) -> None:
    """Refuse what a token does not allow.

    Raises:
        NotAllowed: Names the scope that is missing.
    """
    if scope not in bearer.scopes:
        own_scopes = ", ".join(scope for scope in Scope if scope in bearer.scopes)
        raise NotAllowed(
            "A token with the scope `{scope}` is required; yours has: {scopes}.",
            code="scope-missing",
            hint=Phrase(
                "Create a token with the scope `{scope}` in your settings, under Security.",
                scope=scope,
            ),
            scope=scope,
            scopes=own_scopes,
        )


def tokens_of(player: Player, now: datetime) -> tuple[TokenLine, ...]:
    """List the tokens of a player that hold, the newest first."""
    rows = Token.objects.filter(player=player).order_by("-pk")
    return tuple(_listed(row) for row in rows if row.ends_at is None or row.ends_at > now)


def revoke(player: Player, number: int) -> None:
    """End a token.

    Raises:
        UserError: The player has none of that number.
    """
    if not Token.objects.filter(player=player, pk=number).delete()[0]:
        raise UserError(
            "You have no token {number}.",
            code="no-such-token",
            hint="GET /api/v1/account/tokens lists yours.",
            number=number,
        )


def revoke_addresses(command: Revoke, request: Request) -> Revoked:
    """Void the addresses in all letters of a board so far, or in all letters; send new ones."""
    player = request.player("revoke 123 USERID PASSWORD")
    if command.board is None:
        daily.check(player, "account", request.now)
        change_keys(player)
        facts = {"what": "revoked"}
        notify(player, Event.ACCOUNT, "account-changed", facts, request.now)
        write_anew(player, request.now)
        return Revoked(None)
    participant = lock_as_participant(command.board, "", request, "revoke", running=False)
    daily.check(player, "account", request.now)
    match = participant.match
    _change_seats(match.seats.filter(player=player))
    outgoing.queue_for(player, "board", _board_facts(match), request.now, match=match)
    return Revoked(match.pk)


def change_keys(player: Player) -> None:
    """Change the keys of a player and of their seats."""
    player.letter_key = new_key()
    player.save(update_fields=["letter_key"])
    _change_seats(MatchSeat.objects.filter(player=player))


def write_anew(player: Player, now: datetime) -> None:
    """Send the boards that wait for a player again: older letters answer to nobody now."""
    for match in Match.objects.filter(ended_at=None, seats__player=player).distinct():
        if match.seats.filter(player=player, seat=match.seat_to_move).exists():
            notify(player, Event.TURN, "board", _board_facts(match), now, match=match)


def _make_room(player: Player, now: datetime) -> None:
    Token.objects.filter(player=player, ends_at__lte=now).delete()
    if Token.objects.filter(player=player).count() >= MAX_TOKENS:
        raise UserError(
            "You already have {most} tokens, which is the maximum.",
            code="too-many-tokens",
            hint="Revoke one you no longer use.",
            most=MAX_TOKENS,
        )


def _listed(row: Token) -> TokenLine:
    scopes = tuple(Scope(name) for name in row.scopes)
    return TokenLine(row.pk, row.label, scopes, row.made_at, row.used_at, row.ends_at)


def _digest(secret: str) -> str:
    # No key: what is digested is chance enough, and a lost key would end all tokens.
    return sha256(secret.encode()).hexdigest()


def _change_seats(rows: QuerySet[MatchSeat]) -> None:
    seats = list(rows)
    for seat in seats:
        seat.letter_key = new_key()
    MatchSeat.objects.bulk_update(seats, ["letter_key"], batch_size=500)


def _board_facts(match: Match) -> dict[str, object]:
    return {"board": match.pk, "ply": match.ply, "is_over": match.ended_at is not None}
