"""What waits for a player, what he waits for, what he watches, and what he has finished."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import F

from sarsen.games import find
from sarsen.services.call import Player
from sarsen.services.challenge_pages import ListedChallenge, challenges_of
from sarsen.services.lobby import ListedBoard, listed
from sarsen.storage.models import Match, MatchSeat

MOST_RUNNING = 300
MOST_ENDED = 20
MOST_WATCHED = 50


@dataclass(frozen=True)
class OwnBoards:
    """All boards and challenges that concern one player.

    Attributes:
        to_move: Boards that wait for him, the one with the least time first.
        waiting: His boards at which others are to move.
    """

    to_move: tuple[ListedBoard, ...]
    waiting: tuple[ListedBoard, ...]
    ended: tuple[ListedBoard, ...]
    watched: tuple[ListedBoard, ...]
    challenges: tuple[ListedChallenge, ...]


def waiting_boards(player: Player | int) -> tuple[int, ...]:
    """Return the boards that wait for a player's move, the one with the least time first."""
    seats = MatchSeat.objects.filter(
        player=player, match__ended_at=None, seat=F("match__seat_to_move"), match__game__in=find()
    )
    soonest = F("match__due_at").asc(nulls_last=True)
    found = seats.order_by(soonest, "match__moved_at", "match_id")
    return tuple(found.values_list("match_id", flat=True)[:MOST_RUNNING])


def next_board(player: Player, after: int | None) -> int | None:
    """Return the board that waits most urgently, another one than `after`; None when none does."""
    waiting = waiting_boards(player)
    return next((board for board in waiting if board != after), None)


def own_boards(player: Player) -> OwnBoards:
    """Gather what concerns a player."""
    mine = Match.objects.filter(
        pk__in=MatchSeat.objects.filter(player=player).values("match"), game__in=find()
    )
    running = listed(
        mine.filter(ended_at=None).order_by(F("due_at").asc(nulls_last=True), "moved_at")[
            :MOST_RUNNING
        ]
    )
    watched = Match.objects.filter(watchers__player=player, game__in=find()).order_by("-moved_at")
    return OwnBoards(
        to_move=tuple(board for board in running if board.to_move == player.userid),
        waiting=tuple(board for board in running if board.to_move != player.userid),
        ended=listed(mine.exclude(ended_at=None).order_by("-ended_at")[:MOST_ENDED]),
        watched=listed(watched.distinct()[:MOST_WATCHED]),
        challenges=challenges_of(player),
    )
