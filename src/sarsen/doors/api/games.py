"""The games here, who is strong at them, and who has won how often."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router

from sarsen.core.game import GameInfo
from sarsen.doors.api.authentication import caller, open_to_all
from sarsen.doors.api.replies import GameName, answers, send
from sarsen.games import find, load
from sarsen.language import json_form
from sarsen.language.commands import Standings
from sarsen.language.facts import (
    GameFacts,
    GameList,
    RatingLine,
    RatingList,
    StandingLine,
    StandingList,
)
from sarsen.language.ratings import MARK
from sarsen.language.replies import Table
from sarsen.services.dispatch import perform
from sarsen.services.ratings.pages import RatedPlayer, rating_list

router = Router(tags=["games"], auth=open_to_all())


@router.get("/games", response=answers(GameList), operation_id="read-games")
def list_games(request: HttpRequest) -> HttpResponse:
    """List the games of this server."""
    return send(request, GameList(tuple(_facts(game.info) for game in find().values())))


@router.get("/games/{name}", response=answers(GameFacts), operation_id="read-game")
def show_game(request: HttpRequest, name: GameName) -> HttpResponse:
    """Return the description of a game: its seats, its options."""
    return send(request, _facts(load(name).info))


@router.get("/games/{name}/ratings", response=answers(RatingList), operation_id="read-ratings")
def show_ratings(request: HttpRequest, name: GameName) -> HttpResponse:
    """List the players of a game by strength; those of no rank are provisional."""
    game = load(name).info.name
    return send(request, RatingList(game, tuple(map(_rating, rating_list(game, timezone.now())))))


@router.get(
    "/games/{name}/standings", response=answers(StandingList), operation_id="read-standings"
)
def show_standings(request: HttpRequest, name: GameName) -> HttpResponse:
    """List who has won, lost and drawn how often."""
    game = load(name).info.name
    table = perform(Standings(game), caller(request).actor, "", timezone.now())
    assert isinstance(table, Table)  # one game is one table
    return send(request, StandingList(game, tuple(map(_standing, table.rows))))


def _facts(info: GameInfo) -> GameFacts:
    return GameFacts(
        name=info.name,
        title=info.title,
        seats=info.seats,
        author=info.author,
        year=info.year,
        rules_version=info.rules_version,
        summary=info.summary,
        options=tuple(
            {"kind": type(one).__name__.lower(), **json_form.write(one)} for one in info.options
        ),
    )


def _rating(one: RatedPlayer) -> RatingLine:
    rating, deviation = round(one.strength.rating, 1), round(one.strength.deviation, 1)
    change = round(one.strength.rating - one.before, 1)
    return RatingLine(one.rank, one.userid, one.is_bot, rating, deviation, one.games, change)


def _standing(row: tuple[str, ...]) -> StandingLine:
    name, *figures = row
    games, won, lost, drawn = map(int, figures)
    return StandingLine(name.removesuffix(MARK), name.endswith(MARK), games, won, lost, drawn)
