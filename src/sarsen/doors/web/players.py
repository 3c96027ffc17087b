"""A page for each player."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from sarsen.core.errors import UserError
from sarsen.doors.web.refusals import explains_refusals
from sarsen.doors.web.speaker import actor, speaker
from sarsen.doors.web.tables import linked
from sarsen.games import find
from sarsen.language.commands import Ratings
from sarsen.language.replies import Table
from sarsen.services.dispatch import perform
from sarsen.services.player_pages import view_player


@explains_refusals
def show_player(request: HttpRequest, userid: str) -> HttpResponse:
    """Show a player: his strength, his boards, and how to play or write to him."""
    page = view_player(userid, speaker(request))
    ratings = _ratings(request, page.userid)
    facts = {
        "person": page,
        "games": [game.info for game in find().values()],
        "ratings": linked(ratings, key="ratings") if ratings else None,
    }
    return render(request, "web/player.html", facts)


def _ratings(request: HttpRequest, userid: str) -> Table | None:
    try:
        ratings = perform(Ratings("", (userid,)), actor(request), "", timezone.now())
    except UserError:
        return None  # he has none
    return ratings if isinstance(ratings, Table) else None
