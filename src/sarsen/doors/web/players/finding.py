"""The page on which a player is found: by name, and by strength."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from sarsen.games import find
from sarsen.language.ratings import points
from sarsen.services.players import named_like
from sarsen.services.ratings.pages import best_people

LONGEST_NAME = 20
MOST_FOUND = 20
MOST_BEST = 5


def show_players(request: HttpRequest) -> HttpResponse:
    """Show the strongest people of each game; with a name, who is called so."""
    wanted = request.GET.get("name", "").strip()[:LONGEST_NAME]
    now = timezone.now()
    best = [(game.info, best_people(name, now, most=MOST_BEST)) for name, game in find().items()]
    facts = {
        "wanted": wanted,
        "found": named_like(wanted, most=MOST_FOUND) if wanted else (),
        "best": [
            (
                game,
                [
                    (
                        one.userid,
                        points(one.strength.rating, is_provisional=one.strength.is_provisional),
                    )
                    for one in people
                ],
            )
            for game, people in best
            if people
        ],
    }
    return render(request, "web/players/list.html", facts)
