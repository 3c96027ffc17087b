"""Pages of tables: texts become links to boards, players, challenges, games and commands."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from sarsen.doors.web.frame.charts import bar_chart
from sarsen.games import find
from sarsen.language.translating import _
from sarsen.services.events.statistics import DAYS, figures
from sarsen.services.players import named_like
from sarsen.services.ratings.pages import best_people

MAX_FOUND = 20
MAX_BEST = 5


def show_figures(request: HttpRequest) -> HttpResponse:
    """Show what everybody may know of this server."""
    statistics = figures(timezone.now())
    title = _("Moves on each of the last {days} days, {moves} in all").format(
        days=DAYS, moves=statistics.moved
    )
    return render(
        request,
        "web/players/figures.html",
        {"figures": statistics, "chart": bar_chart(statistics.moves, title)},
    )


def show_players(request: HttpRequest) -> HttpResponse:
    """Show the strongest people of each game; with a name, the players named like it."""
    query = request.GET.get("name", "").strip()
    now = timezone.now()
    best = [(game.info, best_people(name, now, most=MAX_BEST)) for name, game in find().items()]
    facts = {
        "query": query,
        "matching_players": named_like(query, most=MAX_FOUND) if query else (),
        "best": [
            (game, [(player.userid, player.strength.figures) for player in people])
            for game, people in best
            if people
        ],
    }
    return render(request, "web/players/list.html", facts)
