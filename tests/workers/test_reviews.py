"""Reviews of real games by the real bots, through the function that the thinker calls."""

from __future__ import annotations

import pytest
from django.utils import timezone

from sarsen.games import load, names
from sarsen.language.commands import ShowReview
from sarsen.language.replies import ReviewShown, sentence
from sarsen.search.thought import Stop
from sarsen.services.dispatch import perform
from sarsen.services.request import Actor
from sarsen.services.reviews.view import view_line, view_proof
from sarsen.storage.models import OutgoingMail, Review
from sarsen.workers.thinking.thinker import review_next
from web_world import World

# Options and moves of a finished game; in each somebody let a win in one go, or took it.
GAMES = {
    "druid": ("-size=5", "d1 d3 e2 a4 d4 c5 d5 a3 d2 b5 a5 e4 d2-d4"),
    "gyges": ("", "211233 213213 12x11=56 65x64=43 15x14=44 64-63x44=32 14-44-43-63-N"),
    "vasco": ("-size=6", "b1 b11 e12"),
    "visavis": ("-size=7", "D6 C2 B4 G2 F4 C6 A3 D4 B5 D3"),
}


@pytest.fixture
def world(db: None, monkeypatch: pytest.MonkeyPatch) -> World:
    monkeypatch.setattr("sarsen.services.reviews.making.REVIEW_SECONDS", 2)
    return World()


def test_every_game_of_ours_has_its_example() -> None:
    assert set(GAMES) == set(names())


# The others play alike slowly; `make test-long` reviews them, too.
@pytest.mark.parametrize(
    "name",
    [name if name == "druid" else pytest.param(name, marks=pytest.mark.slow) for name in GAMES],
)
def test_a_real_game_is_reviewed_and_every_move_that_is_named_is_legal(
    world: World, name: str
) -> None:
    options, moves = GAMES[name]
    board = world.board(name, moves, options=options)
    ann = Actor(world.player("ann"))
    perform(ShowReview("", board), ann, "", timezone.now())
    while review_next(Stop()):
        pass
    assert Review.objects.get(match=board).state == Review.State.DONE
    assert OutgoingMail.objects.filter(kind="review").count() == 1
    reply = perform(ShowReview("", board), ann, "", timezone.now())
    assert isinstance(reply, ReviewShown)
    assert sentence(reply)
    count = len(moves.split())
    for ply in range(1, count + 2):
        line = view_line(board, ply, 0, None).line
        for step in range(len(line) + 1):  # each position is reached by the rules
            view_line(board, ply, step, None)
    for turn in reply.review.turns:
        assert turn.better != turn.played
        assert turn.line[0] == turn.better
        assert 0 <= turn.after < turn.before <= 1


@pytest.mark.parametrize(
    "name",
    [pytest.param(name, marks=() if name == "vasco" else pytest.mark.ci) for name in GAMES],
)
def test_a_win_in_one_that_was_taken_is_proved_before_it_and_ends_the_proof(
    world: World, name: str
) -> None:
    options, moves = GAMES[name]
    board = world.board(name, moves, options=options)
    perform(ShowReview("", board), Actor(world.player("ann")), "", timezone.now())
    while review_next(Stop()):
        pass
    position = load(name).start(options)
    for text in moves.split()[:-1]:
        position = position.play(position.parse(text))
    winner = position.seat
    place = view_proof(board, (), None)
    assert place.winner == ("ann", "bob")[winner]
    path: tuple[str, ...] = ()
    while place.position.outcome() is None:
        known = place.answer if place.is_winners else next(t for t, is_on in place.replies if is_on)
        path = (*path, known)
        place = view_proof(board, path, None)
    outcome = place.position.outcome()
    assert outcome is not None
    assert outcome.scores[winner] == 1.0
