"""A page for each player."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.safestring import SafeString

from sarsen.core.errors import UserError
from sarsen.doors.web.help.pages import to_html
from sarsen.doors.web.players.tables import course, linked
from sarsen.doors.web.site.errors import explains_refusals
from sarsen.doors.web.site.replies import lay_out
from sarsen.doors.web.site.visitors import actor, speaker
from sarsen.games import find, load
from sarsen.help import find_page
from sarsen.language.commands import Command, History, Ratings, Standings
from sarsen.language.replies import Table
from sarsen.language.translating import _
from sarsen.services.accounts.player_pages import GameStrength, view_player
from sarsen.services.bots.accounts import list_programs
from sarsen.services.dispatch import perform
from sarsen.services.ratings.tables import Meeting

MOST_PICTURED = 8


@explains_refusals
def show_player(request: HttpRequest, userid: str) -> HttpResponse:
    """Show a player: their strength, their boards, and how to play or write to them."""
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
    return render(request, "web/players/page.html", facts)


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
        return None  # they have none
    return ratings if isinstance(ratings, Table) else None


def show_programs(request: HttpRequest) -> HttpResponse:
    """Show all programs, with their ratings in every game."""
    facts = {
        "programs": list_programs(),
        "games": [game.info for game in find().values()],
        "for_two": [game.info for game in find().values() if len(game.info.seats) == 2],
        "about": to_html(find_page(("bots",)).text),
    }
    return render(request, "web/players/programs.html", facts)


@explains_refusals
def show_ratings(request: HttpRequest, name: str) -> HttpResponse:
    """Show how strong the players of a game are."""
    return _report(
        request,
        Ratings(load(name).info.name),
        _("{game}: ratings").format(game=load(name).info.title),
    )


@explains_refusals
def show_standings(request: HttpRequest, name: str) -> HttpResponse:
    """Show who has won how often."""
    return _report(
        request,
        Standings(load(name).info.name),
        _("{game}: standings").format(game=load(name).info.title),
    )


@explains_refusals
def show_history(request: HttpRequest, name: str) -> HttpResponse:
    """Show the finished games of a game."""
    return _report(
        request,
        History(load(name).info.name),
        _("{game}: past games").format(game=load(name).info.title),
    )


@explains_refusals
def show_player_history(request: HttpRequest, userid: str) -> HttpResponse:
    """Show the finished games of a player."""
    return _report(
        request, History("", (userid,)), _("Past games of {player}").format(player=userid)
    )


def _report(request: HttpRequest, command: Command, title: str) -> HttpResponse:
    reply = perform(command, actor(request), "", timezone.now())
    facts = {"title": title, "answer": lay_out(reply, speaker(request))}
    return render(request, "web/site/report.html", facts)
