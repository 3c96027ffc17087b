"""Boards by game, player and state, a page at a time, as far as the viewer may see them."""

from __future__ import annotations

from dataclasses import dataclass

from django.db.models import Exists, F, OuterRef, Q

from sarsen.games import load
from sarsen.services.challenges.pages import ListedChallenge, challenges_of
from sarsen.services.matches.lobby import (
    MOST_SEARCHED,
    ListedBoard,
    listed,
    newest_boards_of,
    of_games_here,
)
from sarsen.services.players import find_player
from sarsen.services.request import Player
from sarsen.storage.models import Match, MatchSeat
from sarsen.storage.models.matches import PUBLIC

MOST_OF_A_PAGE = 100
STATES = ("running", "ended", "all")


@dataclass(frozen=True)
class BoardFilter:
    """Which boards are wanted.

    Attributes:
        game, userid: "" for all.
        state: One of `STATES`.
        before: Only boards with a lower number; None from the newest on.
    """

    game: str = ""
    userid: str = ""
    state: str = "all"
    before: int | None = None


@dataclass(frozen=True)
class BoardPage:
    """Some boards, the newest first.

    Attributes:
        further: What `before` must be for the rest; None when there is none.
    """

    boards: tuple[ListedBoard, ...]
    further: int | None


def board_page(wanted: BoardFilter, viewer: Player | None, most: int = MOST_OF_A_PAGE) -> BoardPage:
    """Return boards that the viewer may see.

    Raises:
        UserError: No such game or player.
    """
    visible = PUBLIC
    if viewer is not None:
        visible = PUBLIC | Q(Exists(MatchSeat.objects.filter(match=OuterRef("pk"), player=viewer)))
    found = Match.objects.filter(visible, of_games_here())
    game = load(wanted.game).info.name if wanted.game else ""
    ended = {"running": False, "ended": True}.get(wanted.state)
    rest = None
    if wanted.userid:
        players = (find_player(wanted.userid),)
        numbers = newest_boards_of(players, game=game, ended=ended, before=wanted.before)
        rest = numbers[-1] if len(numbers) == MOST_SEARCHED else None
        found = found.filter(pk__in=numbers)
    if game:
        found = found.filter(game=game)
    if ended is not None:
        found = found.filter(ended_at__isnull=not ended)
    if wanted.before is not None:
        found = found.filter(pk__lt=wanted.before)
    most = max(1, min(most, MOST_OF_A_PAGE))
    boards = listed(found.order_by("-pk")[: most + 1])
    shown = boards[:most]
    return BoardPage(shown, shown[-1].number if len(boards) > most else rest)


MOST_RUNNING = 300
MOST_ENDED = 20
MOST_WATCHED = 50


@dataclass(frozen=True)
class OwnBoards:
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


def waiting_boards(player: Player | int) -> tuple[int, ...]:
    """Return the boards that wait for a player's move, the one with the least time first."""
    seats = MatchSeat.objects.filter(
        of_games_here("match__game"),
        player=player,
        match__ended_at=None,
        seat=F("match__seat_to_move"),
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
    mine = Match.objects.filter(of_games_here())
    in_play = mine.filter(pk__in=newest_boards_of((player,), ended=False))
    running = listed(in_play.order_by(F("due_at").asc(nulls_last=True), "moved_at")[:MOST_RUNNING])
    over = mine.filter(pk__in=newest_boards_of((player,), ended=True))
    watched = mine.filter(watchers__player=player).order_by("-moved_at")
    return OwnBoards(
        to_move=tuple(board for board in running if board.to_move == player.userid),
        waiting=tuple(board for board in running if board.to_move != player.userid),
        ended=listed(over.order_by("-ended_at")[:MOST_ENDED]),
        watched=listed(watched.distinct()[:MOST_WATCHED]),
        challenges=challenges_of(player),
    )
