"""All that is kept of a player, as JSON lines for the player alone."""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import datetime
from typing import Any

from django.db.models import F

from sarsen.language.commands import Export
from sarsen.language.replies.account import Exported
from sarsen.services.call import Call
from sarsen.storage.models import (
    Challenge,
    ChatLine,
    Device,
    DigestItem,
    Match,
    MatchSeat,
    Note,
    OutgoingMail,
    Passkey,
    Plan,
    Player,
    Rating,
    RatingStep,
    Result,
    ReviewWish,
    Standing,
    Subscription,
    Token,
    Vacation,
    WebhookCall,
    WebSession,
)

_SETTINGS = (
    "userid",
    "timezone",
    "language",
    "colours",
    "weekends_are_off",
    "refuses",
    "accepts",
    "most_games",
    "wants_reviews",
    "channels",
    "quiet_from",
    "quiet_until",
    "digest_hour",
    "webhook",
    "is_bot",
)


def export(command: Export, call: Call) -> Exported:
    """Count the lines of the speaker's file; the door writes it with `export_lines`."""
    player = call.player("export USERID PASSWORD")
    return Exported(player.userid, 1 + sum(rows.count() for _, rows in _kept(player)))


def export_lines(player: Player) -> Iterator[str]:
    """Yield the file line by line: first the account, then one line a thing.

    Each line is a JSON object whose `kind` says what it is. Passwords, keys and
    other people's addresses are not in it.
    """
    for record in _records(player):
        yield json.dumps(record, ensure_ascii=False, default=_plain)


def _records(player: Player) -> Iterator[dict[str, Any]]:
    settings = {name: getattr(player, name) for name in _SETTINGS}
    yield {"kind": "account", "joined_at": player.joined_at, **settings}
    for kind, rows in _kept(player):
        for row in rows.iterator(chunk_size=200):
            yield _match(row) if isinstance(row, Match) else {"kind": kind, **row}


def _kept(player: Player) -> Iterator[tuple[str, Any]]:
    """Yield each kind of thing that is kept of a player with its rows: boards, or dictionaries."""
    yield "address", player.addresses.order_by("pk").values("address", "confirmed_at")
    boards = Match.objects.filter(pk__in=MatchSeat.objects.filter(player=player).values("match"))
    yield "board", boards.order_by("pk").prefetch_related("seats__player", "events")
    kept: tuple[tuple[str, Any, tuple[str, ...]], ...] = (
        ("note", Note, ("match_id", "ply", "text", "at")),
        ("chat", ChatLine, ("match_id", "ply", "text", "at")),
        ("plan", Plan, ("match_id", "tree", "is_public", "changed_at")),
        ("vacation", Vacation, ("starts_at", "ends_at")),
        ("subscription", Subscription, ("match_id", "game", "is_weekly", "made_at")),
        ("review wish", ReviewWish, ("review__match_id", "asked_at", "told_at")),
        ("token", Token, ("label", "scopes", "made_at", "used_at", "ends_at")),
        ("passkey", Passkey, ("label", "made_at", "used_at")),
        ("device", Device, ("label", "made_at")),
        ("session", WebSession, ("began_at", "expire_date")),
        ("digest item", DigestItem, ("event", "match_id", "at")),
        ("webhook call", WebhookCall, ("event", "queued_at", "sent_at", "state")),
        (
            "result",
            Result,
            ("match_id", "seat", "game", "score", "at", "is_rated", "rating", "deviation"),
        ),
        ("standing", Standing, ("game", "won", "lost", "drawn")),
        ("rating", Rating, ("game", "rating", "deviation", "matches", "rated_at")),
        ("rating step", RatingStep, ("game", "period", "at", "rating", "deviation", "matches")),
    )
    for kind, model, fields in kept:
        yield kind, model.objects.filter(player=player).order_by("pk").values(*fields)
    made = Challenge.objects.filter(challenger=player).order_by("pk")
    yield "challenge", made.values("pk", "game", "options", "terms", "state", "made_at")
    sent = OutgoingMail.objects.filter(player=player).order_by("pk").annotate(letter=F("kind"))
    yield "letter", sent.values("letter", "event", "match_id", "queued_at", "sent_at", "state")


def _match(match: Match) -> dict[str, Any]:
    return {
        "kind": "board",
        "board": match.pk,
        "game": match.game,
        "rules_version": match.rules_version,
        "options": match.options,
        "terms": match.terms,
        "players": [seat.player.userid for seat in match.seats.all()],
        "started_at": match.started_at,
        "ended_at": match.ended_at,
        "scores": match.scores,
        "reason": match.reason,
        "events": [
            {"kind": event.kind, "ply": event.ply, "seat": event.seat, "text": event.text}
            | {"at": event.at}
            for event in match.events.all()
        ],
    }


def _plain(value: object) -> str:
    return value.isoformat() if isinstance(value, datetime) else str(value)
