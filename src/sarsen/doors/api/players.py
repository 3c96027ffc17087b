"""Players and challenges, as everybody may see them."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from ninja import Router

from sarsen.doors.api.authentication import caller, open_to_all
from sarsen.doors.api.replies import NamedGame, Number, Userid, answers, send
from sarsen.games import load
from sarsen.language.facts import ChallengeFacts, ChallengeList, PlayerFacts, StrengthLine
from sarsen.language.ratings import MARK
from sarsen.services.accounts.player_pages import view_player
from sarsen.services.challenges.pages import (
    ListedChallenge,
    challenges_of,
    open_challenges,
    view_challenge,
)

router = Router(tags=["players"], auth=open_to_all())


@router.get("/players/{userid}", response=answers(PlayerFacts), operation_id="read-player")
def show_player(request: HttpRequest, userid: Userid) -> HttpResponse:
    """Return the public facts of a player: joined when, ratings by game."""
    page = view_player(userid, None)
    strength = tuple(
        StrengthLine(
            *(one.game.name, point.at, round(point.rating, 1), round(point.deviation, 1)),
            *(point.games, point.board, _rounded(point.change)),
        )
        for one in page.strength
        for point in one.points
    )
    return send(
        request, PlayerFacts(page.userid, page.joined_at, page.is_bot, page.level, strength)
    )


def _rounded(change: float | None) -> float | None:
    return None if change is None else round(change, 1)


@router.get("/challenges", response=answers(ChallengeList), operation_id="read-challenges")
def list_challenges(request: HttpRequest, game: NamedGame = "") -> HttpResponse:
    """List the challenges that anyone may take; with a token, also those that name the caller."""
    viewer = caller(request).player
    name = load(game).info.name if game else ""
    found = {one.number: one for one in open_challenges(viewer, name)}
    if viewer is not None:
        own = challenges_of(viewer)
        found |= {one.number: one for one in own if not name or one.game.name == name}
    newest = sorted(found.values(), key=lambda one: -one.number)
    return send(request, ChallengeList(tuple(map(_facts, newest))))


@router.get("/challenges/{number}", response=answers(ChallengeFacts), operation_id="read-challenge")
def show_challenge(request: HttpRequest, number: Number) -> HttpResponse:
    """Return the state of a challenge."""
    return send(request, _facts(view_challenge(number, caller(request).player)))


def _facts(one: ListedChallenge) -> ChallengeFacts:
    return ChallengeFacts(
        number=one.number,
        game=one.game.name,
        options=one.options,
        terms=one.terms,
        names=tuple(name.removesuffix(MARK) for name in one.names),
        waiting_for=one.waiting_for,
        challenger=one.challenger,
        state=one.state,
        reason=one.reason,
        made_at=one.made_at,
        board=one.board,
        may_accept=one.may_accept,
        may_decline=one.may_decline,
        may_withdraw=one.may_withdraw,
    )
