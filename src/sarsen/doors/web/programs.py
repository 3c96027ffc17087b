"""The server's own programs: how strong they are, and a button for each."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render

from sarsen.doors.web.prose import to_html
from sarsen.games import find
from sarsen.help import find_page
from sarsen.services.bots.pages import list_programs


def show_programs(request: HttpRequest) -> HttpResponse:
    """Show all programs, with their ratings in every game."""
    facts = {
        "programs": list_programs(),
        "games": [game.info for game in find().values()],
        "for_two": [game.info for game in find().values() if len(game.info.seats) == 2],
        "about": to_html(find_page(("bots",)).text),
    }
    return render(request, "web/programs.html", facts)
