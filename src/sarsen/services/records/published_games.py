"""The games of this server as its public data shows them, with the strength of their players."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from datetime import datetime
from functools import lru_cache
from typing import Any

from sarsen.core.records import Record
from sarsen.research.dataset.rows import PublishedGame, SeatRow
from sarsen.services.records.collections import Selection, collect
from sarsen.storage.models import Player, Result

PLAYERS_KEPT = 20_000  # in memory, so that each is looked up once
# Players of other servers have not been asked, and their strength is not known here.
PUBLISHED = Selection(has_imported=False)

_Steps = tuple[list[datetime], list[tuple[float, float]]]


def published_games() -> Iterator[PublishedGame]:
    """Yield every finished public game that was played here, the one that ended first first."""
    player_of = lru_cache(PLAYERS_KEPT)(_published_player)
    steps_of = lru_cache(PLAYERS_KEPT)(_steps)
    for file in collect(PUBLISHED):
        record = file.record
        seats = []
        for userid in record.players:
            player = player_of(userid)
            strength = _strength(steps_of(player.pk, record.game), record)
            seats.append(
                SeatRow(
                    userid,
                    is_program=player.is_bot,
                    level=player.level,
                    has_left=player.left_at is not None,
                    rating=strength[0],
                    deviation=strength[1],
                )
            )
        yield PublishedGame(file.board, record, tuple(seats))


def _published_player(userid: str) -> Player:
    fields = ("is_bot", "level", "left_at")
    return Player.objects.only(*fields).get(key=userid.lower())


def _steps(player: int, game: str) -> _Steps:
    """Return when a player's rating moved, and to what."""
    rated: Any = Result.objects.filter(player=player, game=game, rating__isnull=False)
    rows = list(rated.order_by("at", "match_id").values_list("at", "rating", "deviation"))
    return [at for at, _, _ in rows], [(rating, deviation) for _, rating, deviation in rows]


def _strength(steps: _Steps, record: Record) -> tuple[float | None, float | None]:
    """Return rating and deviation when the game began."""
    times, strengths = steps
    past = bisect_left(times, record.started_at) if record.started_at else 0
    return strengths[past - 1] if past else (None, None)
