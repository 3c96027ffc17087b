"""The first pages: home, and what is being played."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from sarsen.core.game import GameInfo
from sarsen.doors.web.board.own_rows import own_rows
from sarsen.doors.web.challenges.quick_start import quick_levels
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.visitors import speaker
from sarsen.games import find, load, showpiece_game
from sarsen.learning.lessons import taught
from sarsen.learning.puzzles.shelf import has_daily
from sarsen.services.boards.my_boards import waiting_boards
from sarsen.services.bots.accounts import list_programs
from sarsen.services.bots.offers import game_at_ones_strength
from sarsen.services.challenges.lists import challenges_of, open_challenges
from sarsen.services.contests.views.listing import contests_to_join
from sarsen.services.events.statistics import activity
from sarsen.services.matches.lobby import ListedBoard, boards_numbered, boards_worth_seeing
from sarsen.services.matches.spectators import favourites_of
from sarsen.services.request import Player

MAX_OPEN = 5  # challenges; the lobby has all
MAX_CONTESTS = 4  # open for entry; their page has all
MAX_WAITING = 8  # boards, the most urgent; the player's page has all
MAX_WATCHED = 24  # boards with a picture, of 10 to 40 kB each, on the page
MAX_FOLLOWED = 4  # boards with a picture of those whom the viewer follows
MAX_ENDED = 12  # boards with a picture on the page, the newest: fewer than those in play


def show_home(request: HttpRequest) -> HttpResponse:
    """Show the home page: to players what waits for them, to others how to begin."""
    player = speaker(request)
    games = [game.info for game in find().values()]
    now = timezone.now()
    waiting = _waiting(player, now) if player else {}
    lively, challenges = activity(), open_challenges(player, most=MAX_OPEN)
    looking = len({challenge.challenger for challenge in challenges})
    for_two = [info for info in games if len(info.seats) == 2]
    facts = {
        "games": games,
        "for_two": for_two,
        "taught": taught(),
        "daily": [info for info in games if has_daily(info.name)],
        "shown": None if any(waiting.values()) else _board_to_show(now),
        "classic": Classic(games[0]),
        "levels": quick_levels(list_programs(with_ratings=True), for_two),
        "challenges": challenges,
        "contests": contests_to_join(player, MAX_CONTESTS),
        "offered": None if challenges else game_at_ones_strength(player, now),
        "of_favourites": favourites_of(player)[1][:MAX_FOLLOWED] if player else (),
        "lively": lively,
        "looking": looking if len(challenges) < MAX_OPEN else max(looking, lively.looking),
        **waiting,
    }
    return render(request, "web/site/home.html", facts)


@with_refusal_pages
def show_watch(request: HttpRequest) -> HttpResponse:
    """Show public games, in play and just over; of one game, where it is named."""
    name = load(requested).info.name if (requested := request.GET.get("game", "")) else ""
    games, now = [game.info for game in find().values()], timezone.now()
    facts = {
        "games": games,
        "chosen": name,
        "running": boards_worth_seeing(now, name, most=MAX_WATCHED),
        "ended": boards_worth_seeing(now, name, ended=True, most=MAX_ENDED),
        "classic": Classic(load(name).info if name else games[0]),
    }
    return render(request, "web/board/watch.html", facts)


@dataclass(frozen=True)
class Classic:
    """A game of old, which its package brings, shown where nobody plays one worth seeing."""

    game: GameInfo

    @property
    def ply(self) -> int:
        """How many moves it has."""
        return len(showpiece_game(self.game.name)) - 1


def _board_to_show(now: datetime) -> ListedBoard | None:
    """Return a public board worth seeing: in play, else the newest that is over."""
    boards = boards_worth_seeing(now, most=1) or boards_worth_seeing(now, ended=True, most=1)
    return boards[0] if boards else None


def _waiting(player: Player, now: datetime) -> dict[str, list[Any]]:
    """Return what waits for a player: boards, the most urgent first, and invitations."""
    boards = boards_numbered(waiting_boards(player)[:MAX_WAITING])
    return {
        "to_move": own_rows(boards, player, now),
        "invitations": [
            challenge
            for challenge in challenges_of(player)
            if challenge.may_accept and challenge.challenger != player.userid
        ],
    }
