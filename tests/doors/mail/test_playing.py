"""Playing by mail, from the sign-up to the end of the game."""

from __future__ import annotations

import re

import pytest
from django.utils import timezone

from doors.mail.conftest import ANN, BOB, SERVER, PostOffice, text_of, words_of
from sarsen.services.mail import incoming
from sarsen.services.mail.incoming import Delivery
from sarsen.storage.models import InboundMail, Match, MatchEvent, OutgoingMail, Player

# V joins bottom and top along the a file of a 3 x 3 board.
SHORT_GAME = ("a1", "b1", "a2", "b2", "a3")


def test_nothing_exists_until_the_confirmation_comes_back(post: PostOffice) -> None:
    post.send(ANN, subject="signup ann secret-ann")
    assert not Player.objects.exists()
    letter = post.last(ANN)
    assert letter["Reply-To"].startswith("welcome-")
    post.answer(letter, "Yes, please")
    assert Player.objects.get().userid == "ann"
    assert "Welcome" in post.last(ANN)["Subject"]


def test_whole_game_by_answering_letters(post: PostOffice) -> None:
    letters = post.board_by_mail("-size=3")
    movers = ("ann", "bob") * 3
    for mover, move in zip(movers, SHORT_GAME, strict=False):
        post.answer(letters[mover], move)
        letters = {name: post.last(f"{name}@{name}.example") for name in ("ann", "bob")}
        assert {str(letter["Subject"]) for letter in letters.values()} == {"Druid Board 1"}
    match = Match.objects.get()
    assert match.scores == [1.0, 0.0]
    assert [event.text for event in match.events.all()] == list(SHORT_GAME)
    assert "ann wins" in text_of(letters["bob"])
    assert "ann wins" in text_of(letters["ann"])
    post.answer(letters["bob"], "c1")
    assert "finished" in text_of(post.last(BOB))


def test_old_form_with_userid_and_password(post: PostOffice) -> None:
    post.board()
    board = Match.objects.get().pk
    post.send("ann@elsewhere.example", subject=f"druid move {board} ann secret-ann a1")
    answer = post.last("ann@elsewhere.example")
    assert "You played a1 (move 1)." in text_of(answer)
    assert "a1" in text_of(post.last(BOB))


def test_case_22_password_stands_in_no_letter_and_no_stored_row(post: PostOffice) -> None:
    post.board()
    board = Match.objects.get().pk
    post.send(ANN, subject=f"druid move {board} ann secret-ann a1")
    post.send(ANN, subject=f"druid move {board} ann wrong-word b1")
    post.send(ANN, f"druid mvoe {board} ann secret-ann zz")
    post.send(ANN, subject="signup ann again-password")
    post.send(ANN, subject="druid hello ann secret-ann")
    letters = "".join(letter.as_string() for letter in [*post.box(ANN), *post.box(BOB)])
    rows = str(list(OutgoingMail.objects.values())) + str(list(InboundMail.objects.values()))
    rows += str(list(MatchEvent.objects.values()))
    for word in ("secret-ann", "secret-bob", "wrong-word", "again-password"):
        assert word not in letters
        assert word not in rows


def test_refused_move_names_the_rule_and_changes_nothing(post: PostOffice) -> None:
    letters = post.board()
    before = Match.objects.values().get()
    post.answer(letters["ann"], "b2")
    text = text_of(post.last(ANN))
    assert "Nothing was changed" in text
    assert "[druid." in text
    assert Match.objects.values().get() == before


def test_not_your_turn(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["bob"], "a1")
    assert "not your turn" in text_of(post.last(BOB))


def test_case_34_answer_to_an_old_board_letter_is_stale(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "a1")
    post.box(ANN)
    post.answer(post.last(BOB), "b2")
    post.answer(letters["ann"], "a2")
    text = words_of(post.last(ANN))
    assert "move 1" in text
    assert "move 3 is due" in text
    assert Match.objects.get().ply == 2


def test_case_31_same_text_as_a_new_mail_is_stale(post: PostOffice) -> None:
    post.board()
    board = Match.objects.get().pk
    for _ in range(2):
        post.send(ANN, subject=f"druid move {board} ann secret-ann a1#1")
    first, second = post.box(ANN)
    assert "You played" in text_of(first)
    assert "[stale-ply]" in text_of(second)


def test_case_30_same_mail_twice_plays_one_move(post: PostOffice) -> None:
    letters = post.board()
    message = post.write(ANN, "a1", to=letters["ann"]["Reply-To"], subject="Re: board")
    for _ in range(3):
        post.deliver(message.as_bytes(), ANN, letters["ann"]["Reply-To"])
    assert Match.objects.get().ply == 1
    assert len(post.box(ANN)) == 1
    assert len(post.box(BOB)) == 1


def test_case_32_same_text_without_message_id_plays_one_move(post: PostOffice) -> None:
    letters = post.board()
    message = post.write(ANN, "a1", to=letters["ann"]["Reply-To"])
    del message["Message-ID"]
    for _ in range(2):
        post.deliver(message.as_bytes(), ANN, letters["ann"]["Reply-To"])
    assert Match.objects.get().ply == 1
    assert len(post.box(ANN)) == 1


def test_message_id_used_again_with_another_text_is_refused(post: PostOffice) -> None:
    letters = post.board()
    to = letters["ann"]["Reply-To"]
    for body in ("a1", "c1"):
        message = post.write(ANN, body, to=to, Message_ID="<same@ann.example>")
        post.deliver(message.as_bytes(), ANN, to)
    assert Match.objects.get().ply == 1
    assert "same Message-ID" in text_of(post.last(ANN))


def test_case_33_second_move_in_one_mail_is_reported_and_not_played(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "a1\na2\nGood luck!")
    text = text_of(post.last(ANN))
    assert "You played a1" in text
    assert "Not read: a2." in text
    assert Match.objects.get().ply == 1


def test_case_16_signed_address_counts_whatever_the_sender(post: PostOffice) -> None:
    letters = post.board()
    post.send("office@work.example", "a1", to=letters["ann"]["Reply-To"], subject="Re: Druid")
    assert Match.objects.get().ply == 1
    assert not post.box("office@work.example")
    assert "You played a1" in text_of(post.last(ANN))


def test_case_17_altered_address_moves_nothing(post: PostOffice) -> None:
    letters = post.board()
    address = str(letters["ann"]["Reply-To"])
    local, _, domain = address.partition("@")
    wrong = ("b" if local[-1] != "b" else "c").join([local[:-1], ""])
    others = address.replace("board-1-0", "board-1-1")
    for forged in (f"{wrong}@{domain}", others, re.sub("-1-0-1-", "-1-0-3-", address)):
        post.send(BOB, "a1", to=forged, subject="Re: Druid Board 1")
        assert "not valid" in text_of(post.last(BOB))
    assert Match.objects.get().ply == 0


def test_case_18_wrong_password_pauses_and_tells_the_owner(post: PostOffice) -> None:
    post.board()
    board = Match.objects.get().pk
    for number in range(5):
        post.send("eve@eve.example", subject=f"druid move {board} ann guess{number} a1")
    assert "Wrong passwords" in post.last(ANN)["Subject"]
    post.send(ANN, subject=f"druid move {board} ann secret-ann a1")
    assert "[password-pause]" in text_of(post.last(ANN))
    assert Match.objects.get().ply == 0


def test_case_20_stranger_is_helped_once_a_day(post: PostOffice) -> None:
    for _ in range(3):
        post.send("eve@eve.example", "hello there")
    letters = post.box("eve@eve.example")
    assert len(letters) == 1
    assert "help" in text_of(letters[0])


def test_stranger_may_ask_without_password(post: PostOffice) -> None:
    post.board()
    for line in ("help druid", "list", "druid show 1", "druid games"):
        post.send("eve@eve.example", subject=line)
        assert "Nothing was changed" not in text_of(post.last("eve@eve.example"))


def test_challenge_that_proves_nobody_asks_everybody_named(post: PostOffice) -> None:
    post.join("ann")
    post.join("bob")
    for address in (ANN, BOB):
        post.box(address)
    post.send("eve@eve.example", subject="druid challenge -size=4 ann bob")
    assert not Match.objects.exists()
    (anns,), (bobs,) = post.box(ANN), post.box(BOB)
    post.answer(bobs, "accept")
    assert not Match.objects.exists()
    post.answer(anns, "accept")
    assert Match.objects.get().options == "-size=4"


def test_open_challenge_is_taken_by_number(post: PostOffice) -> None:
    ann, bob = post.join("ann"), post.join("bob")
    post.answer(ann, "visavis challenge -size=5 anyone ann")
    post.answer(bob, "list")
    assert "accept 1" in text_of(post.last(BOB))
    post.answer(bob, "accept 1")
    match = Match.objects.get()
    assert [seat.player.userid for seat in match.seats.all()] == ["bob", "ann"]


def test_declined_with_a_reason(post: PostOffice) -> None:
    ann, _ = post.join("ann"), post.join("bob")
    post.answer(ann, "druid challenge ann bob")
    post.answer(post.last(BOB), "decline I travel until May")
    assert "I travel until May" in text_of(post.last(ANN))


def test_withdrawn(post: PostOffice) -> None:
    ann, _ = post.join("ann"), post.join("bob")
    post.answer(ann, "druid challenge ann bob")
    invitation = post.last(BOB)
    post.answer(post.last(ANN), "withdraw 1")
    assert "withdrawn" in text_of(post.last(BOB))
    post.answer(invitation, "accept")
    assert "withdrawn" in text_of(post.last(BOB))
    assert not Match.objects.exists()


def test_resignation_by_mail_is_asked_about_once(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "resign")
    assert Match.objects.get().ended_at is None
    post.answer(post.last(ANN), "yes")
    match = Match.objects.get()
    assert match.scores == [0.0, 1.0]
    assert "bob wins" in text_of(post.last(BOB))


@pytest.mark.parametrize("is_answered", [True, False])
def test_resignation_that_was_sent_twice_is_asked_about_twice(
    post: PostOffice, is_answered: bool
) -> None:
    letters = post.board()
    for _ in range(2):
        if is_answered:
            post.answer(letters["ann"], "resign")  # each has a Message-ID of its own
        else:
            post.send(ANN, subject="druid resign 1 ann secret-ann")
        question = post.last(ANN)
        assert "Do you really want to resign" in text_of(question)
    assert Match.objects.get().ended_at is None
    post.answer(question, "yes")
    assert Match.objects.get().scores == [0.0, 1.0]


def test_resign_in_answer_to_the_question_is_a_yes_while_it_waits(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "resign")
    question = post.last(ANN)
    post.answer(question, "no")
    post.answer(question, "resign")
    question = post.last(ANN)
    assert "Do you really want to resign" in text_of(question)
    post.answer(question, "resign")
    assert Match.objects.get().scores == [0.0, 1.0]


def test_show_preview_and_earlier_plies(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "a1")
    mine = post.last(ANN)
    post.answer(mine, "preview b2 a2")
    text = text_of(post.last(ANN))
    assert "and then b2 a2" in text
    assert Match.objects.get().ply == 1
    post.answer(mine, "druid show 1#1")
    assert "after 0 moves" in text_of(post.last(ANN))
    post.answer(mine, "druid show 1#9")
    assert "[unknown-ply]" in text_of(post.last(ANN))


def test_case_15_multiple_answers_each_line_in_one_mail(post: PostOffice) -> None:
    post.board()
    lines = ["druid move 1 ann secret-ann a1", "nonsense", "druid show 1"]
    post.send(ANN, "\n".join(lines), subject="multiple")
    text = text_of(post.last(ANN))
    assert "You played a1" in text
    assert "[unknown-command]" in text
    assert text.count("-" * 60) == 2


def test_case_15_fifty_first_line_of_multiple_is_refused(post: PostOffice) -> None:
    post.join("ann")
    post.send(ANN, "\n".join(["help options"] * 60), subject="multiple")
    text = text_of(post.last(ANN))
    assert text.count("The server's options begin") == 50
    assert "[too-many-lines]" in text


def test_private_board_is_for_its_players_only(post: PostOffice) -> None:
    letters = post.board("-size=4 --private")
    post.send("eve@eve.example", subject="druid show 1")
    assert "There is no board 1" in text_of(post.last("eve@eve.example"))
    post.answer(letters["bob"], "show")
    assert "ann (V) to move" in text_of(post.last(BOB))


def test_case_46_no_address_of_another_player_is_shown(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "a1")
    for reader, other in (("ann", "bob"), ("bob", "ann")):
        for letter in post.box(f"{reader}@{reader}.example"):
            assert f"{other}@{other}.example" not in letter.as_string()


def test_mail_to_us_from_ourselves_is_ignored(post: PostOffice) -> None:
    letters = post.board()
    post.deliver(letters["ann"].as_bytes(), SERVER, SERVER)
    assert InboundMail.objects.order_by("-pk")[0].state == InboundMail.State.IGNORED
    assert not post.box(SERVER)


def test_case_22_password_in_a_wrong_place_is_not_quoted(post: PostOffice) -> None:
    letters = post.board()
    for line in (
        "druid move 1 ann secret-ann",
        "ann secret-ann move 1 c1",
        "accept 1 secret-ann",
        "games ann secret-ann",
        "resign 1 secret-ann ann",
        "druid challenge ann secret-ann bob",
    ):
        post.send(ANN, subject=line)
        post.send(ANN, line, subject="Druid Board 1")
    post.answer(letters["ann"], "a1\ndruid move 1 ann secret-ann c1")
    for letter in [*post.box(ANN), *post.box(BOB)]:
        assert "secret-ann" not in letter.as_string()


def test_private_board_of_others_cannot_be_told_from_none(post: PostOffice) -> None:
    post.board("-size=4 --private")
    eve = post.join("eve")
    for line in ("gyges move 1 16-35", "druid move 1 a1", "druid resign 1", "show 1"):
        post.answer(eve, line)
        assert "There is no board 1." in text_of(post.last("eve@eve.example"))


def test_question_about_a_resignation_is_void_after_a_move(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "resign")
    question = post.last(ANN)
    post.answer(letters["ann"], "a1")
    post.box(ANN)
    post.answer(question, "yes")
    assert "[nothing-to-confirm]" in text_of(post.last(ANN))
    assert Match.objects.get().ended_at is None


def test_two_texts_with_one_message_id_in_one_commit_are_both_kept(post: PostOffice) -> None:
    post.join("ann")
    post.box(ANN)
    raws = [
        post.write(ANN, subject=line, Message_ID="<one@ann.example>").as_bytes()
        for line in ("help options", "help tutorial", "help options")
    ]
    incoming.store([Delivery(ANN, SERVER, raw) for raw in raws], timezone.now())
    post.work()
    first, second = (text_of(letter) for letter in post.box(ANN))
    assert "Options of a challenge" in first
    assert "same Message-ID" in second
