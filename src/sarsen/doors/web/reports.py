"""Ratings, standings and past games: the same tables that a mail is answered with."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone

from sarsen.doors.web.answers import lay_out
from sarsen.doors.web.refusals import explains_refusals
from sarsen.doors.web.speaker import actor, speaker
from sarsen.games import load
from sarsen.language.commands import Command, History, Ratings, Standings
from sarsen.language.translating import _
from sarsen.services.dispatch import perform


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
    return render(request, "web/report.html", facts)
