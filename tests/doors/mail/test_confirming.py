"""Questions that wait for a yes: a resignation, and a move that was submitted."""

from __future__ import annotations

import pytest

from doors.mail.conftest import ANN, BOB, PostOffice, played, said, text_of
from sarsen.services.mail import outgoing as outgoing
from sarsen.storage.models import Match, MatchSeat


def test_no_voids_the_question_whether_a_resignation_is_meant(post: PostOffice) -> None:
    letters = played(post)
    post.answer(letters["ann"], "resign")
    question = post.last(ANN)
    post.answer(question, "no")
    assert "You have not resigned" in said(post, ANN)
    post.answer(question, "yes")
    assert "[nothing-to-confirm]" in said(post, ANN)
    assert Match.objects.get().ended_at is None


def test_accept_to_the_question_is_a_yes(post: PostOffice) -> None:
    letters = played(post)
    post.answer(letters["ann"], "resign")
    post.answer(post.last(ANN), "accept")
    assert Match.objects.get().scores == [0.0, 1.0]


@pytest.mark.parametrize(
    "line", ["druid resign 1 ann secret-ann", "druid move 1 ann secret-ann resign"]
)
def test_resignation_with_password_and_confirm(post: PostOffice, line: str) -> None:
    played(post)
    post.send(ANN, subject=line)
    post.send(ANN, subject="druid confirm 1 ann secret-ann")
    assert "You have resigned on board 1." in said(post, ANN)


@pytest.mark.parametrize(
    "line", ["submit a1", "druid submit 1 a1", "druid submit 1 ann secret-ann a1"]
)
@pytest.mark.parametrize("word", ["yes", "confirm", "accept", "druid confirm 1 ann secret-ann"])
def test_submitted_move_is_shown_and_played_when_confirmed(
    post: PostOffice, line: str, word: str
) -> None:
    letters = played(post)
    post.answer(letters["ann"], line)
    question = post.last(ANN)
    assert "has not been played yet" in text_of(question)
    assert "and then a1" in text_of(question)
    assert Match.objects.get().ply == 0
    assert not post.box(BOB)
    post.answer(question, word)
    assert "You played a1 (move 1)." in said(post, ANN)
    assert "ann played a1" in said(post, BOB)


def test_illegal_or_untimely_move_is_not_put_forward(post: PostOffice) -> None:
    letters = played(post)
    post.answer(letters["ann"], "submit b2")
    assert "[druid." in said(post, ANN)
    post.answer(letters["bob"], "submit a1")
    assert "[not-your-turn]" in said(post, BOB)
    post.answer(letters["ann"], "submit draw")
    assert "[submit-move]" in said(post, ANN)
    assert not MatchSeat.objects.exclude(submitted="").exists()


def test_no_forgets_a_submitted_move(post: PostOffice) -> None:
    letters = played(post)
    post.answer(letters["ann"], "submit a1")
    question = post.last(ANN)
    post.answer(question, "no")
    assert "is dropped" in said(post, ANN)
    post.answer(question, "yes")
    assert "[nothing-to-confirm]" in said(post, ANN)
    assert Match.objects.get().ply == 0


def test_yes_to_one_submitted_move_never_plays_another(post: PostOffice) -> None:
    letters = played(post)
    post.answer(letters["ann"], "submit a1")
    first = post.last(ANN)
    post.answer(letters["ann"], "submit d1")
    second = post.last(ANN)
    post.answer(first, "yes")
    assert "[nothing-to-confirm]" in said(post, ANN)
    post.answer(second, "yes")
    assert Match.objects.get().events.get().text == "d1"


def test_move_voids_a_submitted_move(post: PostOffice) -> None:
    letters = played(post)
    post.answer(letters["ann"], "submit a1")
    question = post.last(ANN)
    post.answer(letters["ann"], "d1")
    post.box(ANN)
    post.answer(question, "yes")
    assert "[nothing-to-confirm]" in said(post, ANN)
    assert Match.objects.get().ply == 1


def test_newest_own_wish_is_what_yes_means(post: PostOffice) -> None:
    letters = played(post)
    post.answer(letters["ann"], "resign")
    post.answer(letters["ann"], "submit a1")
    post.box(ANN)
    post.send(ANN, subject="druid confirm 1 ann secret-ann")
    assert "You played a1" in said(post, ANN)
    assert Match.objects.get().ended_at is None


def test_yes_to_an_offer_does_not_play_a_submitted_move(post: PostOffice) -> None:
    letters = played(post)
    post.answer(letters["ann"], "submit a1")
    post.answer(letters["bob"], "draw")
    post.answer(post.last(ANN), "yes")
    assert Match.objects.get().reason == "Agreed a draw."
    assert Match.objects.get().ply == 0


def test_yes_with_more_words_agrees_to_nothing(post: PostOffice) -> None:
    letters = played(post)
    post.answer(letters["ann"], "draw")
    post.answer(post.last(BOB), "accept if you also give me a rematch")
    assert "[words-after-yes]" in said(post, BOB)
    assert Match.objects.get().ended_at is None
