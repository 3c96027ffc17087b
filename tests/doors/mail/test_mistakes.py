"""One's own turning points by mail: asked for, tried by a reply, and shown."""

from __future__ import annotations

from datetime import timedelta

import pytest
from django.db.models import F
from django.utils import timezone

from doors.mail.conftest import ANN, BOB, PostOffice, text_of, words_of
from sarsen.core.game import AnyPosition
from sarsen.search.thought import Budget, Stop, Thought
from sarsen.services.mail.reply_addresses import player_address
from sarsen.services.reviews.making import work_step
from sarsen.storage.models import Match, OwnPuzzle, Player
from short_sight import ShortSight

MOVES = ("A3", "C2", "D3", "D1", "B4")
SIGHT = ShortSight(3)


def think(game: str, position: AnyPosition, seed: int, budget: Budget, stop: Stop) -> Thought:
    return SIGHT(position, seed)


@pytest.fixture
def reviewed(post: PostOffice) -> int:
    """Play a game of ann and bob, and have its review made."""
    welcome = {userid: post.join(userid) for userid in ("ann", "bob")}
    post.answer(welcome["ann"], "visavis challenge -size=5 ann bob --unrated")
    post.answer(post.last(BOB), "accept")
    for at, move in enumerate(MOVES):
        post.answer(post.last((ANN, BOB)[at % 2]), move)
    board = Match.objects.get().pk
    post.answer(post.last(ANN), f"review {board}")
    while work_step(think, Stop(), timezone.now()):
        pass
    return board


def test_mistakes_are_tried_again_by_replies_alone(post: PostOffice, reviewed: int) -> None:
    post.answer(post.last(ANN), f"review {reviewed} again")
    letter = post.last(ANN)
    assert letter["Subject"] == f"Review {reviewed}, again 1/2"
    assert "You could have won from here (proven). How?" in words_of(letter)
    assert "A3" not in text_of(letter)
    post.answer(letter, "a3")
    wrong = post.last(ANN)
    assert "> a3 Not that one. A3 is what was played. Try again." in words_of(wrong)
    assert wrong["Subject"] == letter["Subject"]
    post.answer(wrong, "z99")
    refused = post.last(ANN)
    assert "> z99 Refused. " in words_of(refused)
    assert refused["Subject"] == letter["Subject"]
    post.answer(refused, "B4.")
    right = post.last(ANN)
    assert "> B4. Right. In the game you played A3. Better was B4" in words_of(right)
    assert f"send `review {reviewed} again 2`" in words_of(right)
    post.answer(right, f"review {reviewed} again 2")
    post.answer(post.last(ANN), "show")
    assert "In the game you played D3." in words_of(post.last(ANN))


def test_german_subject_names_the_mistake_that_a_reply_answers(
    post: PostOffice, reviewed: int
) -> None:
    Player.objects.update(language="de")
    post.answer(post.last(ANN), f"review {reviewed} again 2")
    letter = post.last(ANN)
    assert letter["Subject"] == f"Analyse {reviewed}, noch einmal 2/2"
    post.answer(letter, "show")
    shown = post.last(ANN)
    assert shown["Subject"] == letter["Subject"]
    assert "D3" in text_of(shown)


def test_own_puzzles_that_are_due_are_listed_with_the_days(post: PostOffice, reviewed: int) -> None:
    post.answer(post.last(ANN), f"review {reviewed} again 1 a3")
    line = f"From your own games: review {reviewed} again 1."
    post.answer(post.last(ANN), "puzzle days")
    assert line not in words_of(post.last(ANN))  # tomorrow
    OwnPuzzle.objects.update(due_on=F("due_on") - timedelta(days=1))
    for userid, address in (("ann", ANN), ("bob", BOB)):
        to = player_address(Player.objects.get(key=userid))
        post.send(address, "puzzle days", to=to)
        listed = words_of(post.last(address))
        assert "Visavis: 0 of the last 30 puzzles of the day solved." in listed
        assert (line in listed) is (userid == "ann")
