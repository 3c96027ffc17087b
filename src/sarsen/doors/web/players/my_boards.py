"""A player's own boards: what waits for them first, and the way from one to the next."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from sarsen.doors.web.board.live_updates import own_news
from sarsen.doors.web.site.visitors import needs_speaker, speaker
from sarsen.language.wording import stretch
from sarsen.services.boards.lists import OwnBoards, next_board, own_boards
from sarsen.services.matches.lobby import ListedBoard
from sarsen.services.request import Player

LAYOUTS = ("pictures", "lines")
LAYOUT_COOKIE = "boards"
COOKIE_LASTS = 365 * 86_400  # seconds
SOON = timedelta(days=1)
_NUMBER = re.compile("[0-9]{1,9}")


@dataclass(frozen=True)
class OwnRow:
    """A board of a list as its player sees it.

    Attributes:
        against: The others at it, programs marked; all players where they play not, or alone.
        left: How long its clock still runs, in words; "" when none does.
        is_soon: Hardly any time is left.
        is_mine: It waits for the player.
    """

    board: ListedBoard
    against: tuple[str, ...]
    left: str
    is_soon: bool
    is_mine: bool


@needs_speaker
def show_my_boards(request: HttpRequest) -> HttpResponse:
    """Show all that concerns the player who is logged in."""
    player = speaker(request)
    assert player is not None  # see the decorator
    news = own_news(player)
    own, layout, now = own_boards(player), _layout(request), timezone.now()
    facts = {
        "own": own,
        "player": player,
        "layout": layout,
        "layouts": LAYOUTS,
        "news": news,
        **_lists(own, player, now),
    }
    response = render(request, "web/players/my_boards.html", facts)
    if "as" in request.GET:
        response.set_cookie(LAYOUT_COOKIE, layout, COOKIE_LASTS, samesite="Lax", httponly=True)
    return response


@needs_speaker
def go_to_next(request: HttpRequest) -> HttpResponse:
    """Go to the board that waits most urgently; when none does, to all of them."""
    player = speaker(request)
    assert player is not None  # see the decorator
    after = request.GET.get("after", "")
    board = next_board(player, int(after) if _NUMBER.fullmatch(after) else None)
    return redirect("my") if board is None else redirect("board", board=board)


def _layout(request: HttpRequest) -> str:
    """Return how the boards are laid out: as asked now, else as asked last."""
    for wanted in (request.GET.get("as", ""), request.COOKIES.get(LAYOUT_COOKIE, "")):
        if wanted in LAYOUTS:
            return wanted
    return LAYOUTS[0]


def _lists(own: OwnBoards, player: Player, now: datetime) -> dict[str, list[OwnRow]]:
    def rows(boards: Iterable[ListedBoard]) -> list[OwnRow]:
        return [_row(board, player.userid, now) for board in boards]

    to_move, waiting = rows(own.to_move), rows(own.waiting)
    return {
        "to_move": to_move,
        "waiting": waiting,
        "running": to_move + waiting,
        "watched": rows(own.watched),
        "ended": rows(own.ended),
    }


def _row(board: ListedBoard, userid: str, now: datetime) -> OwnRow:
    marked = zip(board.players, board.marked_players, strict=True)
    others = tuple(name for player, name in marked if player != userid)
    plays = userid in board.players
    left = board.due_at - now if board.due_at and not board.result else None
    return OwnRow(
        board=board,
        against=others if plays and others else board.marked_players,
        left="" if left is None else stretch(max(left, timedelta())),
        is_soon=left is not None and left < SOON,
        is_mine=board.to_move == userid,
    )
