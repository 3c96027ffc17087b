"""The boards and challenges that concern one player."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F

from sarsen.games import find
from sarsen.services.challenges.lists import ListedChallenge, challenges_of
from sarsen.services.matches.lobby import (
    ListedBoard,
    in_installed_games,
    listed_boards,
    newest_boards_of,
)
from sarsen.services.request import Player
from sarsen.storage import statements
from sarsen.storage.models import Match

MAX_RUNNING = 300  # boards of one page; programs have far more, which nobody reads
MAX_WAITING = 500  # numbers alone cost little, and one leads to the next board
MAX_ENDED = 20  # the newest; the list of past games has all
MAX_WATCHED = 50  # as many as one looks at in a page


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
