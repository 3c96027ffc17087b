"""A move stated in a sentence, in an answer to the letter of a board."""

from __future__ import annotations

import pytest

from doors.mail.conftest import PostOffice, text_of, words_of
from sarsen.storage.models import Match

ANN = "ann@ann.example"


@pytest.mark.parametrize(
    "body",
    [
        "My move is a1.",
        "I play a1.",
        "a1 please",
        "ich spiele a1",
        "Mein Zug ist a1.",
        "Hi Bob,\n\nI play a1.\n\nBest wishes\nAnn\n0176-1234567",
        "*I play a1.*",
        "I play a1.\n\n-- \nI play b2",
        "I play a1.\n\nSent from my iPhone",
    ],
)
def test_a_move_in_a_sentence_is_played(post: PostOffice, body: str) -> None:
    post.answer(post.board()["ann"], body)
    assert "You played a1 (move 1)." in text_of(post.last(ANN))


@pytest.mark.parametrize(
    "body",
    [
        "Thanks, a1",
        "I would play a1, but who knows",
        "Not now.\nI play a1.",
        "I am away until Monday. My move is a1.",
        "-- \nI play a1.",
        "> I play a1.",
        "On Sat, 21 Nov 2026, bob wrote:\n> I play a1.\n\nWhat a move!",
        "swap was a good idea",
    ],
)
def test_a_move_in_passing_is_not_played(post: PostOffice, body: str) -> None:
    post.answer(post.board()["ann"], body)
    assert Match.objects.get().ply == 0


def test_two_moves_are_asked_about(post: PostOffice) -> None:
    post.answer(post.board()["ann"], "I play a1.\nOr rather: I play it elsewhere.\nMy move is b1.")
    refused = words_of(post.last(ANN))
    assert "Your reply names several moves: a1, b1. None was played." in refused
    assert Match.objects.get().ply == 0


def test_a_move_in_passing_is_the_example_of_the_refusal(post: PostOffice) -> None:
    mails = post.board()
    post.answer(mails["ann"], "Thanks, a1")
    refused = text_of(post.last(ANN)).replace("\r\n", "\n")
    assert "For example:\n\n    a1\n" in refused


def test_vacation_notice_that_states_a_move_is_ignored(post: PostOffice) -> None:
    letter = post.board()["ann"]
    post.answer(letter, "I play a1.", Auto_Submitted="auto-replied")
    assert not post.box(ANN)
    assert Match.objects.get().ply == 0


def test_subject_of_a_mail_without_text_may_state_the_move(post: PostOffice) -> None:
    letter = post.board()["ann"]
    post.send(ANN, "", to=str(letter["Reply-To"]), subject="I play a1.")
    assert "You played a1" in text_of(post.last(ANN))
