"""Draws and moves taken back, agreed by mail."""

from __future__ import annotations

import pytest
from django.utils import timezone

from doors.mail.conftest import ANN, BOB, PostOffice, events, played, said, text_of, words_of
from sarsen.doors.mail import jobs
from sarsen.language.commands import AnswerOffer, AskUndo, PlayMove
from sarsen.language.replies import Answer, encode
from sarsen.services.dispatch import perform
from sarsen.services.mail import outgoing as outgoing
from sarsen.services.matches import matches
from sarsen.services.request import Actor
from sarsen.storage.models import Match, Player

# Draws


@pytest.mark.parametrize("line", ["draw", "propose", "Draw.", "druid draw 1", "druid move 1 draw"])
def test_draw_offered_in_a_reply_and_accepted(post: PostOffice, line: str) -> None:
    letters = played(post, "a1")
    post.answer(letters["ann"], line)
    assert "stands until bob accepts" in said(post, ANN)
    offer = post.last(BOB)
    assert "ann offers a draw on board 1" in text_of(offer)
    post.answer(offer, "accept")
    assert "Board 1 is a draw by agreement." in said(post, BOB)
    assert "The game is over: a draw. Agreed a draw." in said(post, ANN)
    match = Match.objects.get()
    assert match.scores == [0.5, 0.5]
    assert match.offer is None
    assert events() == ["move:a1", "draw"]


@pytest.mark.parametrize(
    "line", ["druid draw 1 ann secret-ann", "druid move 1 ann secret-ann draw"]
)
@pytest.mark.parametrize(
    "answer",
    [
        "druid accept 1 bob secret-bob",
        "druid move 1 bob secret-bob accept",
        "druid draw 1 bob secret-bob",
        "druid confirm 1 bob secret-bob",
    ],
)
def test_draw_with_userid_and_password(post: PostOffice, line: str, answer: str) -> None:
    played(post)
    post.send(ANN, subject=line)
    post.send(BOB, subject=answer)
    assert Match.objects.get().reason == "Agreed a draw."


@pytest.mark.parametrize("word", ["yes", "accept", "Yes, please", "ACCEPT"])
def test_yes_and_accept_answer_the_letter_of_an_offer(post: PostOffice, word: str) -> None:
    letters = played(post)
    post.answer(letters["bob"], "draw")
    post.answer(post.last(ANN), word)
    assert Match.objects.get().scores == [0.5, 0.5]


@pytest.mark.parametrize("word", ["no", "reject", "No, thanks", "druid reject 1", "decline"])
def test_no_and_reject_decline_a_draw(post: PostOffice, word: str) -> None:
    letters = played(post)
    post.answer(letters["ann"], "draw")
    post.answer(post.last(BOB), word)
    assert "You have declined ann's offer of a draw" in said(post, BOB)
    assert "bob declines the draw on board 1" in said(post, ANN)
    assert Match.objects.get().ended_at is None


def test_declined_draw_may_be_offered_again_only_after_the_next_own_move(
    post: PostOffice,
) -> None:
    letters = played(post)
    post.answer(letters["ann"], "draw")
    post.answer(post.last(BOB), "no")
    post.answer(letters["ann"], "draw")
    assert "[offer-again]" in said(post, ANN)
    assert not any("offers a draw" in text_of(letter) for letter in post.box(BOB))
    post.answer(letters["ann"], "a1")
    post.answer(post.last(ANN), "draw")
    assert "offers a draw" in said(post, BOB)


def test_move_of_the_other_side_declines_a_draw_and_an_own_move_does_not(
    post: PostOffice,
) -> None:
    letters = played(post)
    post.answer(letters["ann"], "draw")
    offer = post.last(BOB)
    post.answer(letters["ann"], "a1")
    post.answer(post.last(BOB), "b2")
    post.box(BOB)
    post.answer(offer, "accept")
    assert "[stale-offer]" in said(post, BOB)
    assert Match.objects.get().ended_at is None


def test_second_offer_while_one_stands_is_told_kindly(post: PostOffice) -> None:
    letters = played(post)
    for _ in range(2):
        post.answer(letters["ann"], "draw")
    assert "already offered a draw on board 1, and that still stands" in words_of(post.last(ANN))
    assert len([letter for letter in post.box(BOB) if "offers a draw" in text_of(letter)]) == 1


def test_who_offered_takes_the_offer_off_with_no(post: PostOffice) -> None:
    letters = played(post)
    post.answer(letters["ann"], "draw")
    offer = post.last(BOB)
    post.answer(letters["ann"], "no")
    assert "is withdrawn" in said(post, ANN)
    assert "ann no longer offers a draw on board 1" in said(post, BOB)
    post.answer(offer, "yes")
    assert "[stale-offer]" in said(post, BOB)
    assert Match.objects.get().ended_at is None


def test_nobody_accepts_their_own_offer(post: PostOffice) -> None:
    letters = played(post)
    post.answer(letters["ann"], "draw")
    post.answer(letters["ann"], "accept")
    assert "[own-offer]" in said(post, ANN)


def test_accept_without_an_offer_teaches(post: PostOffice) -> None:
    letters = played(post)
    for line in ("accept", "reject", "yes", "no", "confirm"):
        post.answer(letters["ann"], line)
        assert "Nothing was changed" in said(post, ANN)
    post.send(ANN, subject="druid accept 1 ann secret-ann")
    assert "[nothing-offered]" in said(post, ANN)


def test_answer_to_a_draw_never_accepts_a_wish_to_take_back(post: PostOffice) -> None:
    letters = played(post, "a1")
    post.answer(letters["ann"], "draw")
    offer = post.last(BOB)
    post.answer(letters["ann"], "no")
    post.answer(letters["ann"], "undo")
    post.box(BOB)
    for word in ("accept", "yes", "no"):
        post.answer(offer, word)
        assert "[stale-offer]" in said(post, BOB)
    assert events() == ["move:a1"]


def test_draw_at_a_finished_board_is_refused(post: PostOffice) -> None:
    letters = played(post)
    for line in ("resign", "yes"):
        post.answer(letters["ann"], line)
    post.box(ANN)
    for line in ("draw", "undo", "resign", "accept", "no", "submit a1"):
        post.answer(letters["ann"], line)
        assert "[board-finished]" in said(post, ANN)


# Taking back


@pytest.mark.parametrize("line", ["undo", "takeback", "druid undo 1", "druid move 1 undo"])
def test_move_is_taken_back_when_the_other_side_agrees(post: PostOffice, line: str) -> None:
    letters = played(post, "a1")
    post.answer(letters["ann"], line)
    wish = post.last(BOB)
    assert "On board 1, ann asks to take back move 1, a1" in text_of(wish)
    post.answer(wish, "accept")
    assert "move 1, a1, has been taken back" in said(post, BOB)
    letter = post.last(ANN)
    assert "bob accepts. Taken back: move 1, a1. It is your turn." in text_of(letter)
    match = Match.objects.get()
    assert (match.ply, match.seat_to_move, match.event_count) == (0, 0, 2)
    post.answer(letter, "d1")
    assert Match.objects.get().ply == 1
    assert events() == ["move:a1", "undo", "move:d1"]
    assert "a1" not in said(post, BOB).replace("Board 1", "")


def test_moves_that_followed_are_taken_back_too(post: PostOffice) -> None:
    letters = played(post, "a1", "b2")
    post.answer(letters["ann"], "undo")
    assert "moves 1 to 2, a1 and b2" in said(post, BOB)
    post.send(BOB, subject="druid accept 1 bob secret-bob")
    match = Match.objects.get()
    assert (match.ply, match.seat_to_move) == (0, 0)
    assert matches.position_of(match).write() == Match.objects.get().position


def test_wish_stands_when_the_other_side_moves_meanwhile(post: PostOffice) -> None:
    letters = played(post, "a1")
    post.answer(letters["ann"], "undo")
    wish = post.last(BOB)
    post.answer(wish, "b2")
    post.box(BOB)
    assert Match.objects.get().ply == 2
    post.answer(wish, "yes")
    assert Match.objects.get().ply == 0


def test_wish_is_void_when_who_asked_moves(post: PostOffice) -> None:
    letters = played(post, "a1", "b2")
    post.answer(letters["ann"], "undo")
    wish = post.last(BOB)
    post.answer(letters["ann"], "c1")
    post.box(BOB)
    post.answer(wish, "accept")
    assert "[stale-offer]" in said(post, BOB)
    assert Match.objects.get().ply == 3


def test_nothing_to_take_back(post: PostOffice) -> None:
    letters = played(post, "a1")
    post.answer(letters["bob"], "undo")
    assert "[nothing-to-undo]" in said(post, BOB)


def test_letter_from_before_a_taking_back_plays_nothing(post: PostOffice) -> None:
    letters = played(post, "a1", "b2")
    old = letters["ann"]  # ply 3 is due in it
    post.answer(old, "undo")
    post.answer(post.last(BOB), "accept")
    post.answer(post.last(ANN), "d1")
    post.answer(post.last(BOB), "c3")
    post.box(ANN)
    assert Match.objects.get().ply == 2
    post.answer(old, "c1")
    assert "[stale-board]" in said(post, ANN)
    assert Match.objects.get().ply == 2


def test_ply_alone_does_not_name_a_ply_that_is_due_again(post: PostOffice) -> None:
    letters = played(post)
    line = "druid move 1 ann secret-ann a1#1"
    post.send(ANN, subject=line)
    post.answer(letters["ann"], "undo")
    post.answer(post.last(BOB), "accept")
    post.box(ANN)
    post.send(ANN, subject=line)
    refusal = said(post, ANN)
    assert "[ambiguous-ply]" in refusal
    assert "    druid move 1 USERID PASSWORD a1" in refusal
    assert Match.objects.get().ply == 0
    post.send(ANN, subject="druid move 1 ann secret-ann a1")
    assert Match.objects.get().ply == 1


def test_letters_queued_before_a_taking_back_show_the_board_as_it_was(post: PostOffice) -> None:
    played(post)
    ann, bob = (Actor(Player.objects.get(key=key)) for key in ("ann", "bob"))
    perform(PlayMove("druid", 1, "a1"), ann, "", timezone.now())
    perform(AskUndo("druid", 1), ann, "", timezone.now())
    perform(AnswerOffer("druid", 1, accepts=True), bob, "", timezone.now())
    jobs.send_mail.call()
    letters = post.box(BOB)
    first = next(letter for letter in letters if "ann played a1" in text_of(letter))
    assert any("take back move 1, a1" in text_of(letter) for letter in letters)
    post.answer(first, "b2")
    assert "[stale-ply]" in said(post, BOB)
    assert Match.objects.get().ply == 0


def test_answer_queued_before_a_taking_back_is_worded_all_the_same(post: PostOffice) -> None:
    played(post)
    ann, bob = (Actor(Player.objects.get(key=key)) for key in ("ann", "bob"))
    moved = perform(PlayMove("druid", 1, "a1"), ann, "", timezone.now())
    perform(AskUndo("druid", 1), ann, "", timezone.now())
    perform(AnswerOffer("druid", 1, accepts=True), bob, "", timezone.now())
    facts = {"answer": encode(Answer("a1", moved)), "notes": [], "board": 1}
    outgoing.queue_for(Player.objects.get(key="ann"), "answer", facts, timezone.now())
    jobs.send_mail.call()
    texts = [text_of(letter) for letter in post.box(ANN)]
    assert any("You played a1 (move 1)." in text and "1 a1" in text for text in texts)


def test_players_of_other_boards_have_no_say(post: PostOffice) -> None:
    played(post, options="-size=4 --private")
    eve = post.join("eve")
    for line in (
        "druid draw 1",
        "druid undo 1",
        "druid reject 1",
        "druid confirm 1",
        "druid submit 1 a1",
        "druid chat 1 Hello",
        "druid notes 1 Hello",
        "rematch 1",
        "showas 1",
    ):
        post.answer(eve, line)
        assert "There is no board 1." in said(post, "eve@eve.example")


def test_letter_of_the_end_names_the_last_move(post: PostOffice) -> None:
    letters = played(post, "a1", "b1", "a2", "b2", "a3", options="-size=3")
    assert "ann played a3. The game is over: ann wins." in text_of(letters["bob"])


def test_player_on_both_sides_agrees_with_themselves(post: PostOffice) -> None:
    ann = post.join("ann", "secret-ann")
    post.answer(ann, "druid challenge -size=4 ann ann")
    post.send(ANN, subject="druid move 1 ann secret-ann a1")
    post.send(ANN, subject="druid undo 1 ann secret-ann")
    assert Match.objects.get().ply == 0
    post.send(ANN, subject="druid draw 1 ann secret-ann")
    assert Match.objects.get().scores == [0.5, 0.5]


def test_words_to_type_are_marked_in_html_and_nothing_else_acts(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "resign")
    post.answer(post.last("ann@ann.example"), "yes")
    html = post.last("bob@bob.example").get_body(("html",))
    assert html is not None
    assert "reply with <b>rematch</b>." in html.get_content()
