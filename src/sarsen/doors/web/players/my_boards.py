"""The page of a player's own boards, and the way to the next of them."""

from __future__ import annotations

from datetime import datetime

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone

from sarsen.doors.web.board.own_rows import OwnRow, own_rows
from sarsen.doors.web.frame.live_updates import own_news
from sarsen.doors.web.frame.parameters import NUMBER, takes
from sarsen.doors.web.frame.visitors import keep_preference, needs_speaker, number_in, owner
from sarsen.services.boards.my_boards import MyBoards, next_board, own_boards
from sarsen.services.matches.spectators import favourites_of
from sarsen.services.request import Player

LAYOUTS = ("pictures", "lines")
LAYOUT_COOKIE = "my-boards"


@needs_speaker
@takes({"as": LAYOUTS})
def show_my_boards(request: HttpRequest) -> HttpResponse:
    """Show all that concerns the player who is logged in."""
    player = owner(request)
    news = own_news(player)
    favourites, of_favourites = favourites_of(player)
    own, layout, now = own_boards(player), _layout(request), timezone.now()
    facts = {
        "invitations": [challenge for challenge in own.challenges if challenge.may_accept],
        "sent_challenges": [challenge for challenge in own.challenges if not challenge.may_accept],
        "player": player,
        "layout": layout,
        "layouts": LAYOUTS,
        "news": news,
        "favourites": favourites,
        "of_favourites": of_favourites,
        **_lists(own, player, now),
    }
    response = render(request, "web/players/my_boards.html", facts)
    if "as" in request.GET:
        keep_preference(request, response, LAYOUT_COOKIE, layout)
    return response


@needs_speaker
@takes({"after": NUMBER})
def go_to_next(request: HttpRequest) -> HttpResponse:
    """Go to the board that waits most urgently; when none does, to all of them."""
    player = owner(request)
    board = next_board(player, number_in(request.GET.get("after", "")))
    return redirect("my") if board is None else redirect("board", board=board)


def _layout(request: HttpRequest) -> str:
    """Return how the boards are laid out: as asked now, else as asked last."""
    for layout in (request.GET.get("as", ""), request.COOKIES.get(LAYOUT_COOKIE, "")):
        if layout in LAYOUTS:
            return layout
    return LAYOUTS[0]


def _lists(own: MyBoards, player: Player, now: datetime) -> dict[str, list[OwnRow]]:
    to_move, waiting = (own_rows(boards, player, now) for boards in (own.to_move, own.waiting))
    return {
        "to_move": to_move,
        "waiting": waiting,
        "running": to_move + waiting,
        "watched": own_rows(own.watched, player, now),
        "ended": own_rows(own.ended, player, now),
    }
