"""The first page: what this is, what is played, and how to begin."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sarsen.doors.web.option_fields import small_options
from sarsen.doors.web.speaker import speaker
from sarsen.games import find
from sarsen.services.bots.pages import list_programs
from sarsen.services.challenge_pages import open_challenges
from sarsen.services.lobby import ended_boards, running_boards

MOST_RUNNING = 6
MOST_ENDED = 5
MOST_OPEN = 5


def show_home(request: HttpRequest) -> HttpResponse:
    """Show the home page."""
    games = [game.info for game in find().values()]
    facts = {
        "games": games,
        "tries": [(one, small_options(one.options)) for one in games if len(one.seats) == 2],
        "running": running_boards(most=MOST_RUNNING),
        "ended": ended_boards(most=MOST_ENDED),
        "programs": list_programs(),
        "challenges": open_challenges(speaker(request))[:MOST_OPEN],
    }
    return render(request, "web/home.html", facts)
