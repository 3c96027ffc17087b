"""Many records at once: of a game, of a player, of everything; a bounded number in memory."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from copy import copy
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any

from django.db.models import Q, QuerySet, prefetch_related_objects

from sarsen.core.errors import UserError
from sarsen.core.records import Record
from sarsen.games import load
from sarsen.research.dataset.rows import PublishedGame, SeatRow
from sarsen.services.matches.lobby import of_games_here
from sarsen.services.players import find_player
from sarsen.services.records.recording import RecordFile, file_of, signing_key
from sarsen.storage.models import Match, MatchSeat, Player, Result
from sarsen.storage.models.matches import PUBLIC

MOST_OF_A_PAGE = 500
MOST_EVENTS_OF_A_PAGE = 100_000
_AT_ONCE = 100  # matches in memory
_EVENTS_AT_ONCE = 10_000  # their events; more only where one match alone has more


@dataclass(frozen=True)
class Selection:
    """Which finished games are wanted.

    Attributes:
        game: Its name; "" for all.
        userid: Of one who played; "" for all.
        board: One board alone; None for all.
        after: The board that the last page ended with; None for the first page.
        has_private: Private boards, too: only for who runs the server.
        has_imported: Games that were played elsewhere, too.
    """

    game: str = ""
    userid: str = ""
    board: int | None = None
    after: int | None = None
    has_private: bool = False
    has_imported: bool = True


@dataclass(frozen=True)
class RecordBatch:
    """Some records of a selection, made as they are taken.

    Attributes:
        further: What `after` must be for the rest; None when there is none.
    """

    files: Iterator[RecordFile]
    further: int | None


def count(selection: Selection) -> int:
    """Count the finished games of a selection.

    Raises:
        UserError: No such game, player or board.
    """
    return _chosen(selection).count()


def collect(selection: Selection) -> Iterator[RecordFile]:
    """Yield the records of a selection, the game that ended first first.

    Games that end while they are read are among them, at the end. No query stays open between two
    records: the caller may be slow.

    Raises:
        UserError: No such game, player or board.
    """
    chosen, key = _chosen(selection), signing_key()
    left = chosen
    while rows := list(left[:_AT_ONCE]):
        yield from _files(rows, key)
        # From all that was chosen: what is left of what was left would be an ever longer query.
        left = _after(chosen, rows[-1])


def page(selection: Selection) -> RecordBatch:
    """Return the first records of a selection, in the order of `collect`.

    Raises:
        UserError: No such game, player or board.
    """
    rows = list(_chosen(selection)[: MOST_OF_A_PAGE + 1])
    first = _first(rows[:MOST_OF_A_PAGE], MOST_EVENTS_OF_A_PAGE)
    further = first[-1].pk if len(first) < len(rows) else None
    return RecordBatch(_files(first, signing_key()), further)


def _files(rows: list[Match], key: bytes | None) -> Iterator[RecordFile]:
    left = rows
    while left:
        # Copied: a match forgets its events when the next ones are loaded.
        loaded = [copy(match) for match in _first(left, _EVENTS_AT_ONCE)]
        prefetch_related_objects(loaded, "seats__player", "events", "record")
        for match in loaded:
            yield file_of(match, key)
        left = left[len(loaded) :]


def _first(rows: list[Match], most: int) -> list[Match]:
    """Return the first rows that have not more events than that together, one at the least."""
    events = 0
    for place, match in enumerate(rows):
        events += match.event_count
        if events > most and place:
            return rows[:place]
    return rows


def _chosen(selection: Selection) -> QuerySet[Match]:
    found = Match.objects.filter(of_games_here(), ended_at__isnull=False)
    if not selection.has_private:
        found = found.filter(PUBLIC)
    if not selection.has_imported:
        found = found.filter(is_imported=False)
    if selection.game:
        found = found.filter(game=load(selection.game).info.name)
    if selection.userid:
        seats = MatchSeat.objects.filter(player=_player(selection.userid))
        found = found.filter(pk__in=seats.values("match"))
    if selection.board is not None:
        found = found.filter(pk=selection.board)
        if not found.exists():
            raise _no_such(selection.board)
    found = found.order_by("ended_at", "pk")
    if selection.after is None:
        return found
    last = found.filter(pk=selection.after).first()
    if last is None:
        raise _no_such(selection.after)
    return _after(found, last)


def _player(userid: str) -> Player:
    """Find a player, also one who has left: the games stay on record under the userid."""
    return Player.objects.filter(key=userid.lower()).first() or find_player(userid)


def _after(chosen: QuerySet[Match], last: Match) -> QuerySet[Match]:
    later = Q(ended_at__gt=last.ended_at) | Q(ended_at=last.ended_at, pk__gt=last.pk)
    return chosen.filter(later)


def _no_such(board: int) -> UserError:
    return UserError(
        f"There is no finished board {board} among these.",
        code="unknown-board",
        hint="sarsen export --game druid",
    )


PLAYERS_KEPT = 20_000  # in memory
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
    found = list(rated.order_by("at", "match_id").values_list("at", "rating", "deviation"))
    return [at for at, _, _ in found], [(rating, deviation) for _, rating, deviation in found]


def _strength(steps: _Steps, record: Record) -> tuple[float | None, float | None]:
    """Return rating and deviation when the game began."""
    times, strengths = steps
    past = bisect_left(times, record.started_at) if record.started_at else 0
    return strengths[past - 1] if past else (None, None)
