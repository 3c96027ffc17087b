"""Boards by game, player and state, a page at a time, as far as the viewer may see them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from django.db.models import Exists, OuterRef, Q

from sarsen.games import load
from sarsen.services.matches.lobby import (
    MAX_SEARCHED,
    ListedBoard,
    in_installed_games,
    listed_boards,
    newest_boards_of,
)
from sarsen.services.players import find_player
from sarsen.services.request import Player
from sarsen.storage.models import Match, MatchSeat
from sarsen.storage.models.matches import PUBLIC

MAX_OF_A_PAGE = 100  # boards of one answer; programs ask for the next page


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
