"""Public lists: games, their ratings and standings, players, challenges."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.utils import timezone
from ninja import Router

from sarsen.core.game import GameInfo
from sarsen.doors.api.authentication import caller, open_to_all
from sarsen.doors.api.replies import (
    GameName,
    NamedGame,
    Number,
    Userid,
    documented_answers,
    facts_from,
    send,
)
from sarsen.games import find, load
from sarsen.language.commands import Standings
from sarsen.language.facts import (
    ChallengeFacts,
    ChallengeList,
    GameFacts,
    GameList,
    PlayerFacts,
    RatingLine,
    RatingList,
    StandingLine,
    StandingList,
    StrengthLine,
)
from sarsen.language.ratings import MARK
from sarsen.language.replies import Table
from sarsen.language.schema import json_form
from sarsen.services.accounts.player_pages import view_player
from sarsen.services.challenges.lists import ListedChallenge, challenges_of, open_challenges
from sarsen.services.challenges.pages import view_challenge
from sarsen.services.dispatch import perform
from sarsen.services.ratings.pages import RatedPlayer, rating_list

games_router = Router(tags=["games"], auth=open_to_all())
players_router = Router(tags=["players"], auth=open_to_all())


@games_router.get("/games", response=documented_answers(GameList), operation_id="read-games")
def list_games(request: HttpRequest) -> HttpResponse:
    """List the games of this server."""
    return send(request, GameList(tuple(_game_facts(game.info) for game in find().values())))


@games_router.get("/games/{name}", response=documented_answers(GameFacts), operation_id="read-game")
def show_game(request: HttpRequest, name: GameName) -> HttpResponse:
    """Return the seats and options of a game."""
    return send(request, _game_facts(load(name).info))


@games_router.get(
    "/games/{name}/ratings", response=documented_answers(RatingList), operation_id="read-ratings"
)
def show_ratings(request: HttpRequest, name: GameName) -> HttpResponse:
    """List the players of a game by rating; players without a rank are provisional."""
    game = load(name).info.name
    return send(request, RatingList(game, tuple(map(_rating, rating_list(game, timezone.now())))))


@games_router.get(
    "/games/{name}/standings",
    response=documented_answers(StandingList),
    operation_id="read-standings",
)
def show_standings(request: HttpRequest, name: GameName) -> HttpResponse:
    """List the wins, losses and draws of each player."""
    game = load(name).info.name
    table = perform(Standings(game), caller(request).actor, "", timezone.now())
    assert isinstance(table, Table)  # one game is one table
    return send(request, StandingList(game, tuple(map(_standing, table.rows))))


def _game_facts(info: GameInfo) -> GameFacts:
    options = (
        {"kind": type(option).__name__.lower(), **json_form.write(option)}
        for option in info.options
    )
    return facts_from(GameFacts, info, options=tuple(options))


def _rating(player: RatedPlayer) -> RatingLine:
    rating, deviation = round(player.strength.rating, 1), round(player.strength.deviation, 1)
    change = round(player.strength.rating - player.before, 1)
    return RatingLine(
        player.rank, player.userid, player.is_bot, rating, deviation, player.games, change
    )


def _standing(row: tuple[str, ...]) -> StandingLine:
    name, *figures = row
    games, won, lost, drawn = map(int, figures)
    return StandingLine(name.removesuffix(MARK), name.endswith(MARK), games, won, lost, drawn)


@players_router.get(
    "/players/{userid}", response=documented_answers(PlayerFacts), operation_id="read-player"
)
def show_player(request: HttpRequest, userid: Userid) -> HttpResponse:
    """Return the public profile of a player, with the rating history of each game."""
    page = view_player(userid, None, timezone.now())
    strength = tuple(
        facts_from(
            StrengthLine,
            point,
            game=game_strength.game.name,
            rating=round(point.rating, 1),
            deviation=round(point.deviation, 1),
            change=None if point.change is None else round(point.change, 1),
        )
        for game_strength in page.strength
        for point in game_strength.points
    )
    facts = facts_from(PlayerFacts, page, is_program=page.is_bot, strength=strength)
    return send(request, facts)


@players_router.get(
    "/challenges", response=documented_answers(ChallengeList), operation_id="read-challenges"
)
def list_challenges(request: HttpRequest, game: NamedGame = "") -> HttpResponse:
    """List the open challenges; with a token, also those that name the caller."""
    viewer = caller(request).player
    games = (load(game).info.name,) if game else ()
    challenges = {challenge.number: challenge for challenge in open_challenges(viewer, *games)}
    if viewer is not None:
        own = challenges_of(viewer)
        challenges |= {
            challenge.number: challenge
            for challenge in own
            if not games or challenge.game.name in games
        }
    newest = sorted(challenges.values(), key=lambda challenge: -challenge.number)
    return send(request, ChallengeList(tuple(map(_challenge_facts, newest))))


@players_router.get(
    "/challenges/{number}",
    response=documented_answers(ChallengeFacts),
    operation_id="read-challenge",
)
def show_challenge(request: HttpRequest, number: Number) -> HttpResponse:
    """Return the state of a challenge."""
    return send(request, _challenge_facts(view_challenge(number, caller(request).player)))


def _challenge_facts(challenge: ListedChallenge) -> ChallengeFacts:
    names = tuple(name.removesuffix(MARK) for name in challenge.names)
    return facts_from(ChallengeFacts, challenge, game=challenge.game.name, names=names)
