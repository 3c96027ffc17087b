"""The first pages: home, and what is being played."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from sarsen.doors.web.board.own_rows import own_rows
from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.visitors import speaker
from sarsen.games import find, load
from sarsen.language.translating import N_
from sarsen.services.boards.my_boards import waiting_boards
from sarsen.services.bots.accounts import Program, list_programs
from sarsen.services.challenges.lists import challenges_of, open_challenges
from sarsen.services.events.statistics import activity
from sarsen.services.matches.lobby import ListedBoard, boards_numbered, ended_boards, running_boards
from sarsen.services.request import Player

# Boards, the newest, of which one plays by itself: the first with something to see.
MAX_SEEN = 6
MAX_OPEN = 5  # challenges; the lobby has all
MAX_WAITING = 8  # boards, the most urgent; the player's page has all
# A game that plays by itself has so many plies at least, so that there is something to see.
MIN_SHOWN = 6
# Three programs to choose from; a page of its own has them all.
STRENGTHS = ((N_("Easy"), 1), (N_("Medium"), 3), (N_("Hard"), 6))
MAX_WATCHED = 24  # boards with a picture, of 10 to 40 kB each, on the page
MAX_ENDED = 12  # boards with a picture on the page, the newest: fewer than those in play


def show_home(request: HttpRequest) -> HttpResponse:
    """Show the home page: to players what waits for them, to others how to begin."""
    player = speaker(request)
    games = [game.info for game in find().values()]
    waiting = _waiting(player, timezone.now()) if player else {}
    lively, challenges = activity(), open_challenges(player, most=MAX_OPEN)
    looking = len({challenge.challenger for challenge in challenges})
    facts = {
        "games": games,
        "for_two": [info for info in games if len(info.seats) == 2],
        "shown": None if any(waiting.values()) else _board_to_show(),
        "levels": _levels(list_programs()),
        "challenges": challenges,
        "lively": lively,
        "looking": looking if len(challenges) < MAX_OPEN else max(looking, lively.looking),
        **waiting,
    }
    return render(request, "web/site/home.html", facts)


@with_refusal_pages
def show_watch(request: HttpRequest) -> HttpResponse:
    """Show public games, in play and just over; of one game, where it is named."""
    name = load(requested).info.name if (requested := request.GET.get("game", "")) else ""
    facts = {
        "games": [game.info for game in find().values()],
        "chosen": name,
        "running": running_boards(name, most=MAX_WATCHED),
        "ended": ended_boards(name, most=MAX_ENDED),
    }
    return render(request, "web/board/watch.html", facts)


def _board_to_show() -> ListedBoard | None:
    """Return a public board with something to see: in play, else the newest that is over."""
    for list_boards in (running_boards, ended_boards):
        boards = list_boards(most=MAX_SEEN)
        if shown := next((board for board in boards if board.ply >= MIN_SHOWN), None):
            return shown
    return None


def _levels(programs: Sequence[Program]) -> list[tuple[str, str]]:
    """Return words and userids of a weak, a middling and a strong program, as far as there are."""
    levels = {program.level: program.userid for program in programs}
    return [(words, levels[level]) for words, level in STRENGTHS if level in levels]


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
