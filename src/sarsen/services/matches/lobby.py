"""Lists of running and ended boards that everybody may see."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.db import connection
from django.db.models import Q, QuerySet, Value
from django.db.models.functions import Coalesce
from django.db.models.lookups import In

from sarsen.core.game import GameInfo
from sarsen.games import find
from sarsen.language.ratings import MARK
from sarsen.storage import statements
from sarsen.storage.models import Match, MatchSeat, Player
from sarsen.storage.models.matches import PUBLIC

# Boards, the newest: to sort all of a program's takes seconds.
MAX_SEARCHED = 500
MIN_WORTH = 4  # plies of a board worth seeing: before, all look alike
# Boards worth seeing, the newest: the rated ones of these come first.
MAX_COMPARED = 100


@dataclass(frozen=True)
class ListedBoard:
    """One board of a list.

    Attributes:
        players: Userids by seat.
        ply: Plies played.
        to_move: The userid whose turn it is; "" once the match is over.
        winner: The userid that won alone; "" while it runs and for a draw.
        result: How it ended; "" while it runs.
        due_at: The move must come before it; None when no clock runs.
        programs: Who of the players is a program.
        event: How many events the board has seen.
        has_no_result: It is over and counts for nothing: its contest has closed it.
    """

    number: int
    game: GameInfo
    options: str
    players: tuple[str, ...]
    ply: int
    to_move: str
    winner: str
    result: str
    moved_at: datetime
    due_at: datetime | None
    programs: frozenset[str] = frozenset()
    event: int = 0
    has_no_result: bool = False

    @property
    def marked_players(self) -> tuple[str, ...]:
        """The userids, programs marked."""
        return tuple(
            f"{player}{MARK}" if player in self.programs else player for player in self.players
        )


def running_boards(game: str = "", *, most: int) -> tuple[ListedBoard, ...]:
    """List public boards that are being played, the latest moved first."""
    return _newest(game, "ended_at IS NULL", by="moved_at", most=most)


def ended_boards(game: str = "", *, most: int) -> tuple[ListedBoard, ...]:
    """List public boards that are over, the latest ended first."""
    return _newest(game, "ended_at IS NOT NULL", by="ended_at", most=most)


def boards_worth_seeing(
    now: datetime, game: str = "", *, ended: bool = False, most: int
) -> tuple[ListedBoard, ...]:
    """List public boards with something to see, the rated ones first, then the latest moved.

    Left out are those with few moves, those whose time is over, and those of guests, who try a
    game and seldom come back; there are never many of these, see `accounts.guests.MAX_A_DAY`.

    Args:
        ended: Those that are over, the latest ended first, in place of those in play.
    """
    state = "ended_at IS NOT NULL" if ended else "ended_at IS NULL"
    worth = f"{state} AND ply >= {MIN_WORTH} AND (ended_at IS NOT NULL OR {_LIVING})"
    order = "ended_at" if ended else "moved_at"
    rows = _rows(game, f"{worth} AND {_NO_GUESTS}", now, by=order, most=MAX_COMPARED)
    return _listed([row[:-1] for row in sorted(rows, key=lambda row: bool(row[-1]))[:most]])


def boards_numbered(numbers: Sequence[int]) -> tuple[ListedBoard, ...]:
    """List boards in the order of their numbers given, private ones, too."""
    # Nothing here comes from outside.
    sql = f"SELECT {_COLUMNS} FROM storage_match WHERE id IN ({{keys}})"  # noqa: S608
    boards = {board.number: board for board in _listed(statements.select(sql, keys=numbers))}
    return tuple(boards[number] for number in numbers if number in boards)


# A player may have several seats of one board.
_IN_PLAY = """
SELECT {columns} FROM storage_match
JOIN storage_matchseat ON storage_matchseat.match_id = storage_match.id
WHERE storage_matchseat.player_id = %s AND storage_match.id <> %s AND storage_match.ended_at IS NULL
    AND COALESCE(storage_match.game, '') IN ({{keys}})
GROUP BY storage_match.id
ORDER BY MIN(CASE WHEN storage_matchseat.seat = storage_match.seat_to_move THEN 0 ELSE 1 END),
    storage_match.due_at IS NULL, storage_match.due_at, storage_match.moved_at, storage_match.id
LIMIT {most}
"""


def boards_in_play(player: int, *, but: int, most: int) -> tuple[ListedBoard, ...]:
    """List a player's boards in play, those first that wait for a move, by the time left.

    Args:
        player: The primary key.
        but: A board that is left out.
    """
    sql = _IN_PLAY.format(columns=_COLUMNS, most=most)
    return _listed(statements.select(sql, player, but, keys=list(find())))


def public_boards_of(player: Player, *, ended: bool, most: int) -> tuple[ListedBoard, ...]:
    """List a player's public boards, running or ended, the latest first."""
    newest = newest_boards_of((player,), ended=ended)
    matches = Match.objects.filter(PUBLIC, in_installed_games(), pk__in=newest)
    return listed_boards(matches.order_by("-ended_at" if ended else "-moved_at", "-pk")[:most])


def newest_boards_of(
    players: Sequence[Player],
    *,
    game: str = "",
    ended: bool | None = None,
    before: int | None = None,
) -> list[int]:
    """Return the numbers of the boards at which some players all sit, those begun last.

    Lists of players' boards are made of these, whatever their order: a program has played at so
    many boards that to sort them all would take seconds.

    Args:
        ended: Only boards that are over, or only those in play; None for both.
        before: Only boards with a lower number; None for all.
    """
    first, *others = players
    seats = MatchSeat.objects.filter(player=first)
    for other in others:
        seats = seats.filter(match__seats__player=other)
    if game:
        seats = seats.filter(match__game=game)
    if ended is not None:
        seats = seats.filter(match__ended_at__isnull=not ended)
    if before is not None:
        seats = seats.filter(match_id__lt=before)
    # A player may have several seats of one board.
    newest = seats.order_by("-match_id").values_list("match_id", flat=True).distinct()
    return list(newest[:MAX_SEARCHED])


def in_installed_games() -> Q:
    """Return the condition that a row's game is one of this server's.

    Nearly all rows meet it. PostgreSQL knows that; SQLite would look for all of them by an index,
    and sort them, where a list wants the newest few.
    """
    if connection.vendor == "sqlite":
        return Q(In(Coalesce("game", Value("")), list(find())))
    return Q(game__in=list(find()))


# What a row of a list shows, as `_listed` takes it; a board has twenty columns more.
_SHOWN = (
    *("id", "game", "options", "ended_at", "scores", "seat_to_move", "ply", "reason", "moved_at"),
    *("due_at", "event_count"),
)
_COLUMNS = ", ".join(f"{{Match.{name}}}" for name in _SHOWN)
# The conditions PUBLIC and `in_installed_games`. The home page shows two such lists, and to make
# their SQL anew took a fifth of its time.
_PUBLIC = {
    "sqlite": "COALESCE(JSON_TYPE(terms, '$.private'), 'false') = 'false'",
    "postgresql": "COALESCE(terms -> 'private', 'false') = 'false'",
}
_GAME = {"sqlite": "COALESCE(game, '')", "postgresql": "game"}


_UNRATED = {
    "sqlite": "COALESCE(JSON_TYPE(terms, '$.unrated'), 'false') <> 'false'",
    "postgresql": "COALESCE(terms -> 'unrated', 'false') <> 'false'",
}
_LIVING = "due_at IS NULL OR due_at > %s"
# The names of guests are kept for them, also when they are gone.
_NO_GUESTS = """NOT EXISTS (
    SELECT 1 FROM storage_matchseat
    JOIN storage_player ON storage_player.id = storage_matchseat.player_id
    WHERE storage_matchseat.match_id = storage_match.id AND storage_player.key LIKE 'guest-%%'
)"""


def _newest(game: str, state: str, *, by: str, most: int) -> tuple[ListedBoard, ...]:
    return _listed([row[:-1] for row in _rows(game, state, by=by, most=most)])


def _rows(game: str, condition: str, *values: object, by: str, most: int) -> list[tuple[Any, ...]]:
    """Return the columns of public boards as `_listed` takes them, and whether it is unrated."""
    game_column = "game" if game else _GAME[connection.vendor]
    # Nothing here comes from outside.
    sql = f"""
    SELECT {_COLUMNS}, {_UNRATED[connection.vendor]} FROM storage_match
    WHERE {condition} AND {_PUBLIC[connection.vendor]} AND {game_column} IN ({{keys}})
    ORDER BY {by} DESC, id DESC LIMIT {most}
    """  # noqa: S608
    return statements.select(sql, *values, keys=[game] if game else list(find()))


_PLAYERS = """
SELECT {MatchSeat.match_id}, {Player.userid}, {Player.is_bot}
FROM storage_matchseat
JOIN storage_player ON storage_player.id = storage_matchseat.player_id
WHERE storage_matchseat.match_id IN ({keys})
ORDER BY storage_matchseat.match_id, storage_matchseat.seat
"""


def listed_boards(matches: QuerySet[Match]) -> tuple[ListedBoard, ...]:
    """Return rows as lists show them."""
    return _listed(list(matches.values_list(*_SHOWN)))


def _listed(rows: Sequence[tuple[Any, ...]]) -> tuple[ListedBoard, ...]:
    games = find()
    boards = []
    sitting: dict[int, list[tuple[str, bool]]] = defaultdict(list)
    for board, userid, is_bot in statements.select(_PLAYERS, keys=[row[0] for row in rows]):
        sitting[board].append((userid, is_bot))
    for number, game, options, ended, scores, seat, ply, reason, moved, due, event in rows:
        players = tuple(userid for userid, _ in sitting[number])
        boards.append(
            ListedBoard(
                number=number,
                game=games[game].info,
                options=options,
                players=players,
                ply=ply,
                to_move="" if ended else players[seat],
                winner=players[scores.index(1.0)] if 1.0 in (scores or ()) else "",
                result=reason,
                moved_at=moved,
                due_at=due,
                programs=frozenset(userid for userid, is_bot in sitting[number] if is_bot),
                event=event,
                has_no_result=bool(ended) and not scores,
            )
        )
    return tuple(boards)
