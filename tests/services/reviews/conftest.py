"""Reviews for tests: games that are over, a search that sees three moves, and its steps."""

from __future__ import annotations

from datetime import datetime
from typing import Any

import pytest

from sarsen.core.errors import UserError
from sarsen.core.game import AnyPosition
from sarsen.language.commands import ShowReview
from sarsen.language.replies import ReviewAsked, ReviewShown
from sarsen.search.thought import Budget, Stop, Thought
from sarsen.services.dispatch import perform
from sarsen.services.request import NOBODY, Actor
from sarsen.services.reviews.making import work_step
from sarsen.storage.models import OutgoingMail
from short_sight import ShortSight
from web_world import NOW, World

GAME = "A3 C2 D3 D1 B4"
SIGHT = ShortSight(3)


def think(game: str, position: AnyPosition, seed: int, budget: Budget, stop: Stop) -> Thought:
    return SIGHT(position, seed)


@pytest.fixture
def world(db: None) -> World:
    return World()


def over(world: World, moves: str = GAME, **words: Any) -> int:
    return world.board("visavis", moves, options="-size=5", **words)


def ask(world: World, board: int, userid: str = "ann", now: datetime = NOW) -> ReviewAsked:
    reply = perform(ShowReview("", board), Actor(world.player(userid)), "", now)
    assert isinstance(reply, ReviewAsked)
    return reply


def show(world: World, board: int, userid: str = "ann") -> ReviewShown:
    actor = Actor(world.player(userid)) if userid else NOBODY
    reply = perform(ShowReview("", board), actor, "", NOW)
    assert isinstance(reply, ReviewShown)
    return reply


def work(most: int = 500, now: datetime = NOW) -> int:
    """Do steps until nothing waits, or so many; return how many."""
    steps = 0
    while steps < most and work_step(think, Stop(), now):
        steps += 1
    return steps


def letters(userid: str = "ann") -> list[OutgoingMail]:
    return list(OutgoingMail.objects.filter(kind="review", player__key=userid))


def refused(world: World, board: int, userid: str = "ann", game: str = "") -> UserError:
    actor = Actor(world.player(userid)) if userid else NOBODY
    with pytest.raises(UserError) as caught:
        perform(ShowReview(game, board), actor, "", NOW)
    return caught.value
