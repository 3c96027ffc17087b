"""All public data of a server as JSON lines; `public.schema.json` beside this says of what form.

Nothing of it is secret: what anybody can see on the pages, in one file. No address, no
private board, no note or plan, no words said at boards, no setting of anybody.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from datetime import UTC, datetime
from importlib.resources import files
from typing import Any

from django.conf import settings
from django.db.models import Exists, OuterRef, Q, QuerySet

from sarsen import __version__
from sarsen.core.records import as_json
from sarsen.games import find, load
from sarsen.services.records.collections import loaded_in_parts
from sarsen.services.records.recording import file_of, signing_key
from sarsen.storage.models import (
    Match,
    MatchSeat,
    Player,
    Rating,
    RatingPeriod,
    RatingStep,
    Result,
    Standing,
)
from sarsen.storage.models.matches import PUBLIC

FORM = 2
AT_ONCE = 100  # boards in memory, with all their events
ROWS_AT_ONCE = 500  # rows in memory: there may be millions
_STRENGTH = ("rating", "deviation", "volatility", "matches")


def schema() -> str:
    """Return the JSON Schema of a line."""
    return (files(__package__) / "public.schema.json").read_text(encoding="utf-8")


def count() -> int:
    """Count the boards that will be given out."""
    return _boards().count()


def public_lines(now: datetime) -> Iterator[str]:
    """Yield everything public line by line, some rows in memory at a time."""
    for line in _lines(now):
        yield json.dumps(line, ensure_ascii=False)


def _lines(now: datetime) -> Iterator[dict[str, Any]]:
    yield {
        "kind": "server",
        "sarsen-public": FORM,
        "server": settings.SARSEN_URL,
        "version": __version__,
        "at": _time(now),
        "games": [
            {"game": name, "title": game.info.title, "rules": game.info.rules_version}
            for name, game in find().items()
        ],
    }
    for player in _players().iterator(chunk_size=ROWS_AT_ONCE):
        yield _player(player)
    for period in RatingPeriod.objects.order_by("number").iterator(chunk_size=ROWS_AT_ONCE):
        yield {
            "kind": "rating period",
            "number": period.number,
            "starts": _time(period.starts_at),
            "ends": _time(period.ends_at),
            "is_closed": period.closed_at is not None,
        }
    for step in _each(RatingStep.objects.order_by("game", "period", "player_id")):
        yield {"kind": "rating step", **_strength(step), "period": step.period}
    for row in _each(Rating.objects.order_by("game", "player_id")):
        yield {"kind": "rating", **_strength(row), "rated": f"{row.rated_at:%Y-%m-%d}"}
    # Without private ones: two of the same moment would tell that they were played.
    rated = Result.objects.filter(rating__isnull=False, is_private=False)
    for result in _each(rated.order_by("game", "at", "match_id", "seat")):
        yield _rated(result)
    standings = Standing.objects.order_by("game", "player_id").select_related("player")
    for row in standings.iterator(chunk_size=ROWS_AT_ONCE):
        counts = {"won": row.won, "lost": row.lost, "drawn": row.drawn}
        yield {"kind": "standing", "player": row.player.userid, "game": row.game, **counts}
    yield from _board_lines()


def _players() -> QuerySet[Player]:
    """Return the players everybody may see: active ones, and those with a public board."""
    seats = MatchSeat.objects.filter(player=OuterRef("pk"), match__in=_boards().values("pk"))
    players = Player.objects.filter(Q(is_active=True) | Exists(seats))
    return players.order_by("pk")


def _player(player: Player) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "kind": "player",
        "player": player.userid,
        "joined": _time(player.joined_at),
        "is_program": player.is_bot,
        "has_left": player.left_at is not None,
    }
    return facts | ({"level": player.level} if player.level is not None else {})


def _each(rows: QuerySet[Any]) -> Iterator[Any]:
    yield from rows.select_related("player").iterator(chunk_size=ROWS_AT_ONCE)


def _strength(row: Rating | RatingStep) -> dict[str, Any]:
    key_facts = {"player": row.player.userid, "game": row.game}
    return key_facts | {name: getattr(row, name) for name in _STRENGTH}


def _rated(result: Result) -> dict[str, Any]:
    """Return what one game did to one rating."""
    return {
        "kind": "rated game",
        "player": result.player.userid,
        "game": result.game,
        "board": result.match_id,
        "at": _time(result.at),
        "before": result.before_rating,
        "rating": result.rating,
        "deviation": result.deviation,
        "volatility": result.volatility,
    }


def _boards() -> QuerySet[Match]:
    return Match.objects.filter(PUBLIC, game__in=find())


def _board_lines() -> Iterator[dict[str, Any]]:
    key, last = signing_key(), 0
    while rows := list(_boards().filter(pk__gt=last).order_by("pk")[:AT_ONCE]):
        for match in loaded_in_parts(rows):
            yield _board(match, key)
        last = rows[-1].pk


def _board(match: Match, key: bytes | None) -> dict[str, Any]:
    facts: dict[str, Any] = {
        "kind": "board",
        "board": match.pk,
        "game": match.game,
        "rules": match.rules_version,
        "options": match.options,
        "terms": match.terms,
        "players": [seat.player.userid for seat in match.seats.all()],
        "started": _time(match.started_at),
        "plies": match.ply,
        "is_imported": match.is_imported,
        "events": [
            {
                "number": event.number,
                "kind": event.kind,
                "ply": event.ply,
                "seat": event.seat,
                "text": event.text,
                "at": _time(event.at),
            }
            for event in match.events.all()
        ],
    }
    if match.ended_at is not None:
        record = file_of(match, key).record
        facts |= {
            "ended": _time(match.ended_at),
            "scores": match.scores,
            "reason": match.reason,
            # As `sarsen export --json` gives it: proved and taken in by any other server.
            "record": as_json.write(record, load(match.game)),
        }
    return facts


def _time(at: datetime) -> str:
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
