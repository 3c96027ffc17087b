"""Boards by game, player and state, a page at a time, as far as the viewer may see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from django.db.models import Exists, F, OuterRef, Q

from sarsen.games import find, load
from sarsen.services.challenges.pages import ListedChallenge, challenges_of
from sarsen.services.matches.lobby import (
    MAX_SEARCHED,
    ListedBoard,
    in_installed_games,
    listed_boards,
    newest_boards_of,
)
from sarsen.services.players import find_player
from sarsen.services.request import Player
from sarsen.storage import statements
from sarsen.storage.models import Match, MatchSeat
from sarsen.storage.models.matches import PUBLIC

MAX_OF_A_PAGE = 100


@dataclass(frozen=True)
class BoardFilter:
    """Which boards are wanted.

    Attributes:
        game, userid: "" for all.
        before: Only boards with a lower number; None from the newest on.
    """

    game: str = ""
    userid: str = ""
    state: Literal["running", "ended", "all"] = "all"
    before: int | None = None


@dataclass(frozen=True)
class BoardPage:
    """Some boards, the newest first.

    Attributes:
        further: What `before` must be for the rest; None when there is none.
    """

    boards: tuple[ListedBoard, ...]
    further: int | None


def board_page(
    board_filter: BoardFilter, viewer: Player | None, most: int = MAX_OF_A_PAGE
) -> BoardPage:
    """Return boards that the viewer may see.

    Raises:
        UserError: No such game or player.
    """
    visible = PUBLIC
    if viewer is not None:
        visible = PUBLIC | Q(Exists(MatchSeat.objects.filter(match=OuterRef("pk"), player=viewer)))
    matches = Match.objects.filter(visible, in_installed_games())
    game = load(board_filter.game).info.name if board_filter.game else ""
    ended = {"running": False, "ended": True}.get(board_filter.state)
    further = None
    if board_filter.userid:
        players = (find_player(board_filter.userid),)
        numbers = newest_boards_of(players, game=game, ended=ended, before=board_filter.before)
        further = numbers[-1] if len(numbers) == MAX_SEARCHED else None
        matches = matches.filter(pk__in=numbers)
    if game:
        matches = matches.filter(game=game)
    if ended is not None:
        matches = matches.filter(ended_at__isnull=not ended)
    if board_filter.before is not None:
        matches = matches.filter(pk__lt=board_filter.before)
    most = max(1, min(most, MAX_OF_A_PAGE))
    boards = listed_boards(matches.order_by("-pk")[: most + 1])
    shown = boards[:most]
    return BoardPage(shown, shown[-1].number if len(boards) > most else further)


MAX_RUNNING = 300
MAX_WAITING = 500
MAX_ENDED = 20
MAX_WATCHED = 50


@dataclass(frozen=True)
class MyBoards:
    """All boards and challenges that concern one player.

    Attributes:
        to_move: Boards that wait for them, the one with the least time first.
        waiting: Their boards at which others are to move.
    """

    to_move: tuple[ListedBoard, ...]
    waiting: tuple[ListedBoard, ...]
    ended: tuple[ListedBoard, ...]
    watched: tuple[ListedBoard, ...]
    challenges: tuple[ListedChallenge, ...]


# Each page of a player asks it; the keys are the games there are, as in `in_installed_games`.
_WAITING = """
SELECT match.id
FROM storage_matchseat AS seat
JOIN storage_match AS match ON match.id = seat.match_id
WHERE seat.player_id = %s AND match.ended_at IS NULL AND seat.seat = match.seat_to_move
    AND COALESCE(match.game, '') IN ({keys})
ORDER BY match.due_at IS NULL, match.due_at, match.moved_at, match.id
"""


def waiting_boards(player: Player | int) -> tuple[int, ...]:
    """Return the boards that wait for a player's move, the one with the least time first."""
    key = player if isinstance(player, int) else player.pk
    rows = statements.select(_WAITING, key, keys=tuple(find()))
    return tuple(board for (board,) in rows[:MAX_WAITING])


def next_board(player: Player, after: int | None) -> int | None:
    """Return the board that waits most urgently, another one than `after`; None when none does."""
    waiting = waiting_boards(player)
    return next((board for board in waiting if board != after), None)


def own_boards(player: Player) -> MyBoards:
    """Gather what concerns a player."""
    matches = Match.objects.filter(in_installed_games())
    in_play = matches.filter(pk__in=newest_boards_of((player,), ended=False))
    running = listed_boards(
        in_play.order_by(F("due_at").asc(nulls_last=True), "moved_at")[:MAX_RUNNING]
    )
    over = matches.filter(pk__in=newest_boards_of((player,), ended=True))
    watched = matches.filter(watchers__player=player).order_by("-moved_at")
    return MyBoards(
        to_move=tuple(board for board in running if board.to_move == player.userid),
        waiting=tuple(board for board in running if board.to_move != player.userid),
        ended=listed_boards(over.order_by("-ended_at")[:MAX_ENDED]),
        watched=listed_boards(watched.distinct()[:MAX_WATCHED]),
        challenges=challenges_of(player),
    )
