"""A page for each player."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString

from sarsen.core.errors import UserError
from sarsen.doors.web.charts import course
from sarsen.doors.web.refusals import explains_refusals
from sarsen.doors.web.speaker import actor, speaker
from sarsen.doors.web.tables import linked
from sarsen.games import find
from sarsen.language.commands import Ratings
from sarsen.language.replies import Table
from sarsen.language.translating import _
from sarsen.services.dispatch import perform
from sarsen.services.player_pages import GameStrength, view_player
from sarsen.services.standings import Meeting

MOST_PICTURED = 8


@explains_refusals
def show_player(request: HttpRequest, userid: str) -> HttpResponse:
    """Show a player: his strength, his boards, and how to play or write to him."""
    page = view_player(userid, speaker(request))
    ratings = _ratings(request, page.userid)
    facts = {
        "person": page,
        "pictured": page.running[:MOST_PICTURED],
        "further": page.running[MOST_PICTURED:],
        "games": [game.info for game in find().values()],
        "ratings": linked(ratings, key="ratings") if ratings else None,
        "courses": [_course(one) for one in page.strength],
        "met": _sums(page.meetings),
    }
    return render(request, "web/player.html", facts)


def _course(strength: GameStrength) -> tuple[GameStrength, SafeString]:
    """Draw how a rating moved; the table below it says the same."""
    points = [(point.at, point.rating) for point in strength.points[::-1]]
    return strength, course(
        points, _("{title}: the rating after each game").format(title=strength.game.title)
    )


def _sums(met: tuple[Meeting, ...]) -> tuple[int, int, int] | None:
    if not met:
        return None
    return (
        sum(one.won for one in met),
        sum(one.lost for one in met),
        sum(one.drawn for one in met),
    )


def _ratings(request: HttpRequest, userid: str) -> Table | None:
    try:
        ratings = perform(Ratings("", (userid,)), actor(request), "", timezone.now())
    except UserError:
        return None  # he has none
    return ratings if isinstance(ratings, Table) else None
