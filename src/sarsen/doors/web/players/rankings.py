"""Pages that compare players: the best of each game, all programs, ratings and standings."""

from __future__ import annotations

from collections.abc import Callable

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from sarsen.doors.web.frame.errors import with_refusal_pages
from sarsen.doors.web.frame.prose import to_html
from sarsen.doors.web.frame.replies import render_reply
from sarsen.doors.web.frame.visitors import actor, speaker
from sarsen.games import find, load
from sarsen.help import find_page
from sarsen.language.commands import Command, Ratings, Standings
from sarsen.language.translating import N_, _
from sarsen.services.bots.accounts import list_programs
from sarsen.services.dispatch import perform
from sarsen.services.players import named_like
from sarsen.services.ratings.pages import best_people

MAX_FOUND = 20  # players; a longer part of the name finds fewer
MAX_BEST = 5  # people of each game; the rating list has all


def show_players(request: HttpRequest) -> HttpResponse:
    """Show the strongest people of each game; with a name, the players named like it."""
    query = request.GET.get("name", "").strip()
    now = timezone.now()
    best = [(game.info, best_people(name, now, most=MAX_BEST)) for name, game in find().items()]
    facts = {
        "query": query,
        "programs": list_programs(with_ratings=True),
        "games": [game.info for game in find().values()],
        "matching_players": named_like(query, most=MAX_FOUND) if query else (),
        "best": [
            (game, [(player.userid, player.strength.figures) for player in people])
            for game, people in best
            if people
        ],
    }
    return render(request, "web/players/list.html", facts)


def show_programs(request: HttpRequest) -> HttpResponse:
    """Show all programs, with their ratings in every game."""
    facts = {
        "programs": list_programs(with_ratings=True),
        "games": [game.info for game in find().values()],
        "for_two": [game.info for game in find().values() if len(game.info.seats) == 2],
        "about": to_html(find_page(("bots",)).text),
    }
    return render(request, "web/players/programs.html", facts)


_REPORTS: dict[str, tuple[Callable[[str], Command], str]] = {
    "ratings": (Ratings, N_("{game}: ratings")),
    "standings": (Standings, N_("{game}: standings")),
}


@with_refusal_pages
def show_report(request: HttpRequest, name: str, kind: str) -> HttpResponse:
    """Show the ratings or the standings of a game."""
    info, (command, title) = load(name).info, _REPORTS[kind]
    reply = perform(command(info.name), actor(request), "", timezone.now())
    facts = {
        "game": info,
        "kind": kind,
        "title": _(title).format(game=info.title),
        "answer": render_reply(reply, speaker(request)),
    }
    return render(request, "web/site/report.html", facts)
