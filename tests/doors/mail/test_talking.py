"""Chat, notes, rematches, pairs and one's own view of a board, by mail."""

from __future__ import annotations

from email.message import EmailMessage

import pytest

from doors.mail import conftest
from doors.mail.conftest import PostOffice, words_of
from sarsen.services.limits import daily
from sarsen.storage.models import Challenge, ChatLine, Match, Note

ANN, BOB, EVE = "ann@ann.example", "bob@bob.example", "eve@eve.example"


def text_of(letter: EmailMessage) -> str:
    return conftest.text_of(letter).replace("\r\n", "\n")


def said(post: PostOffice, address: str) -> str:
    return text_of(post.last(address))


def resigned(post: PostOffice, options: str = "-size=4") -> None:
    """Start a board and let ann resign it."""
    letters = post.board(options)
    for line in ("resign", "yes"):
        post.answer(letters["ann"], line)


# Chat


@pytest.mark.parametrize(
    "line",
    ["chat Good luck!", "druid chat 1 ann secret-ann Good luck!", "say Good luck!"],
)
def test_chat_reaches_the_other_side_in_the_thread_of_the_board(
    post: PostOffice, line: str
) -> None:
    letters = post.board()
    post.answer(letters["ann"], line)
    assert "goes to bob" in said(post, ANN)
    letter = post.last(BOB)
    assert "ann writes on board 1:\n\nGood luck!" in text_of(letter)
    assert letter["Subject"] == "Druid Board 1"
    assert "<board.1@sarsen.test>" in letter["References"]
    assert str(letter["Reply-To"]).startswith("board-1-1-1-0-5-")


def test_chat_in_the_body_keeps_its_lines_and_loses_control_characters(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "chat Hello\x07 Bob\u202e!\nSecond\x1b[31m line")
    assert ChatLine.objects.get().text == "Hello Bob!\nSecond[31m line"


def test_words_below_a_chat_are_no_unread_commands(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "chat My advice:\na1\nresign")
    assert "Not read" not in said(post, ANN)
    assert ChatLine.objects.get().text == "My advice:\na1\nresign"


def test_chat_keeps_its_paragraphs(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "chat Hello Bob,\n\nwhat a game!\nAnn\n")
    assert ChatLine.objects.get().text == "Hello Bob,\n\nwhat a game!\nAnn"


def test_chat_lines_in_a_multiple_do_not_take_each_other(post: PostOffice) -> None:
    post.board()
    lines = "druid chat 1 ann secret-ann Hello\ndruid chat 1 bob secret-bob Hi"
    post.send(ANN, lines, subject="multiple")
    assert [line.text for line in ChatLine.objects.all()] == ["Hello", "Hi"]


def test_chat_stands_in_the_next_board_mail(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "chat Good luck!")
    post.answer(letters["ann"], "a1")
    letter = post.last(BOB)
    assert "Chat:\n\nann: Good luck!" in text_of(letter)
    html = letter.get_body(("html",))
    assert html is not None
    assert "ann: Good luck!" in html.get_content()
    post.answer(letter, "b2")
    mine = post.last(ANN)
    post.answer(mine, "c1")
    assert "Good luck" not in said(post, BOB)


def test_chat_of_a_megabyte_and_of_nothing_is_refused(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "chat begins\n" + "\n".join(["many words " * 8] * 40))
    assert "[chat-too-long]" in said(post, ANN)
    post.answer(letters["ann"], "chat")
    assert "[chat-empty]" in said(post, ANN)
    assert not ChatLine.objects.exists()


def test_only_players_of_a_board_chat_there(post: PostOffice) -> None:
    post.board()
    eve = post.join("eve")
    post.answer(eve, "druid chat 1 Hello")
    assert "[not-your-board]" in said(post, EVE)


def test_chat_goes_on_when_the_game_is_over(post: PostOffice) -> None:
    resigned(post)
    post.answer(post.last(BOB), "chat Thank you!")
    assert "Thank you!" in said(post, ANN)


# Notes


@pytest.mark.parametrize("line", ["notes A plan: d3", "druid notes 1 ann secret-ann A plan: d3"])
def test_notes_are_kept_and_shown_to_their_owner_alone(post: PostOffice, line: str) -> None:
    letters = post.board()
    post.answer(letters["ann"], line)
    assert "Only you can see it" in words_of(post.last(ANN))
    post.answer(letters["ann"], "a1")
    post.answer(post.last(ANN), "notes Then e5\nand f6")
    post.box(ANN)
    post.answer(letters["ann"], "notes")
    text = said(post, ANN)
    assert "after move 0" in text
    assert "A plan: d3" in text
    assert "after move 1" in text
    assert "    Then e5\n    and f6" in text
    post.answer(letters["bob"], "notes")
    assert "You have no notes" in said(post, BOB)
    assert not any("A plan" in letter.as_string() for letter in post.box(BOB))
    assert Note.objects.count() == 2


def test_notes_may_be_written_by_who_watches(post: PostOffice) -> None:
    post.board()
    eve = post.join("eve")
    post.answer(eve, "druid notes 1 Look at this one")
    assert Note.objects.get().player.userid == "eve"


# One's own view


def test_showas_shows_private_boards_with_notes(post: PostOffice) -> None:
    letters = post.board("-size=4 --private")
    post.answer(letters["ann"], "notes Beware of b2")
    post.box(ANN)
    for line in (
        "druid showas ann secret-ann 1",
        "druid showas ann secret-ann",
        "showas ann secret-ann all",
    ):
        post.send(ANN, subject=line)
        text = said(post, ANN)
        assert "Beware of b2" in text
        assert "Druid Board 1 (-size=4" in text
    post.send(BOB, subject="druid showas bob secret-bob 1")
    text = said(post, BOB)
    assert "Beware" not in text
    assert "Druid Board 1" in text
    post.send(ANN, subject="druid showas ann secret-ann inactive")
    assert "[no-boards]" in said(post, ANN)
    post.send(ANN, subject="druid showas 1")
    assert "[who-speaks]" in said(post, ANN)


# Rematches


@pytest.mark.parametrize("line", ["rematch", "rematch 1", "druid rematch 1"])
def test_rematch_exchanges_seats_and_keeps_options(post: PostOffice, line: str) -> None:
    resigned(post, "-size=5 --unrated --private")
    final = post.last(BOB)
    assert "reply with `rematch`" in words_of(final)
    post.answer(final, line)
    assert "It starts when ann accepts." in words_of(post.last(BOB))
    invitation = post.last(ANN)
    assert "a rematch of\nboard 1" in text_of(invitation)
    post.answer(invitation, "accept")
    match = Match.objects.get(pk=2)
    assert match.options == "-size=5"
    assert match.terms["private"]
    assert match.terms["unrated"]
    assert [seat.player.userid for seat in match.seats.all()] == ["bob", "ann"]


def test_both_asking_for_a_rematch_start_it_at_once(post: PostOffice) -> None:
    resigned(post)
    final = {"ann": post.last(ANN), "bob": post.last(BOB)}
    post.answer(final["ann"], "rematch")
    post.answer(final["bob"], "rematch")
    assert Match.objects.count() == 2
    assert Challenge.objects.count() == 2
    post.box(ANN)
    post.answer(final["ann"], "rematch")
    text = said(post, ANN)
    assert "The rematch of board 1 is board 2." in text
    assert Match.objects.count() == 2


def test_rematch_while_the_game_runs_and_by_others_is_refused(post: PostOffice) -> None:
    letters = post.board()
    post.answer(letters["ann"], "rematch")
    assert "[board-running]" in said(post, ANN)
    eve = post.join("eve")
    post.answer(eve, "rematch 1")
    assert "[not-your-board]" in said(post, EVE)


# Pairs


def test_pair_opens_two_boards_with_seats_exchanged(post: PostOffice) -> None:
    post.join("ann"), post.join("bob")
    post.send(ANN, subject="druid challenge -size=4 --pair --private ann bob")
    for address in (ANN, BOB):
        invitation = next(
            letter for letter in post.box(address) if "Challenge" in letter["Subject"]
        )
        post.answer(invitation, "accept")
    first, second = Match.objects.order_by("pk")
    assert (first.pair, second.pair) == (second, first)
    assert [seat.player.userid for seat in first.seats.all()] == ["ann", "bob"]
    assert [seat.player.userid for seat in second.seats.all()] == ["bob", "ann"]
    assert first.terms == second.terms
    assert second.terms["private"]
    mine = post.box(BOB)
    answer = next(letter for letter in mine if "accept" in text_of(letter))
    assert "On board 1 ann moves first; on board 2 the seats are swapped." in words_of(answer)
    letter = next(one for one in mine if one["Subject"] == "Druid Board 2" and one != answer)
    assert "the other is board 1. It is your turn." in words_of(letter)
    post.answer(letter, "a1")
    assert Match.objects.get(pk=2).ply == 1
    theirs = [words_of(one) for one in post.box(ANN)]
    assert any("the other is board 2. It is your turn." in text for text in theirs)


# What must not leak


def test_private_challenge_of_others_looks_like_none(post: PostOffice) -> None:
    post.board("-size=4 --private")
    ann = post.join("cat")
    post.join("dog")
    post.answer(ann, "druid challenge --private cat dog")
    eve = post.join("eve")
    for number in (1, 2, 77):
        for verb in ("accept", "decline", "withdraw", "druid accept"):
            post.answer(eve, f"{verb} {number}")
            assert f"There is no challenge {number}." in said(post, EVE)


def test_answer_about_a_private_board_of_another_speaker_is_still_worded(
    post: PostOffice,
) -> None:
    post.board("-size=4 --private")
    lines = "druid move 1 ann secret-ann a1\ndruid move 1 bob secret-bob b2\ndruid show 1"
    post.send(EVE, lines, subject="multiple")
    text = said(post, EVE)
    assert "You played a1 (move 1)." in text
    assert "You played b2 (move 2)." in text
    assert text.count("There is no board 1.") == 1  # the answer to `show`


def test_moves_stand_below_their_players_after_a_swap(post: PostOffice) -> None:
    letters = post.board("-size=4 -swap")
    post.answer(letters["ann"], "a1")
    post.answer(post.last(BOB), "swap")
    text = said(post, ANN)
    assert "V: bob    H: ann" in text or "H: ann    V: bob" in text
    head = next(line for line in text.splitlines() if line.split() == ["ann", "bob"])
    row = next(line for line in text.splitlines() if "1 a1" in line and "swap" in line)
    assert row.index("1 a1") < head.index("bob") <= row.index("swap")


def test_too_many_words_and_offers_a_day_say_when_the_next_is_possible(
    post: PostOffice, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(daily.MAX_A_DAY, "chat", 1)
    monkeypatch.setitem(daily.MAX_A_DAY, "note", 1)
    monkeypatch.setitem(daily.MAX_A_DAY, "offer", 1)
    letters = post.board()
    post.answer(letters["ann"], "a1")
    for first, second, code in (
        ("chat one", "chat two", "chat-flood"),
        ("notes one", "notes two", "note-flood"),
        ("draw", "undo", "offer-flood"),
    ):
        post.answer(letters["ann"], first)
        assert "Nothing was changed" not in said(post, ANN)
        if first == "draw":
            post.answer(letters["ann"], "no")
        post.answer(letters["ann"], second)
        text = words_of(post.last(ANN))
        assert f"[{code}]" in text
        assert "again in 23 hours" in text or "again in 24 hours" in text
    assert ChatLine.objects.count() == Note.objects.count() == 1
